"""Names and talk: what people of all scripts are called stays; what hides, disturbs or pretends goes."""

from __future__ import annotations

import random
import unicodedata
from typing import Any

import msgspec
import pytest

from serai.table import frames, records
from serai.table.entries import Said, Seated, Sitting
from serai.table.errors import Refusal
from serai.table.names import MOST_MARKS, _lookalikes, alike, clean_name, clean_text, pretends, titled
from serai.table.proposals import Change
from serai.wire import messages as m
from tests.table.test_table import Kept

BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
REAL = [
    "Ann", "Zoë", "Łukasz", "O'Brien", "Jean-Luc", "Dr. Ng", "Nguyễn Thị Ánh", "Ẹ̀kọ́", "Ἀριστοτέλης", "Ювілей",
    "สมชาย ผู้นำ", "นิ้วเปื้อน", "लक्ष्मी", "श्रीमती ऋतिका", "ශ්‍රීමතී", "কৃষ্ণা", "மீனாட்சி", "മീനാക്ഷി",
    "מִרְיָם", "שְׁלֹמֹה", "مُحَمَّد", "آرش می‌خواهد", "မြို့", "ព្រះ", "བསྒྲུབས", "한지민", "さくら", "ガギグゲゴ",
    "王小明", "Ⅳ", "3", "❤️", "👩‍🚀", "👨‍👩‍👧", "👍🏽", "🇫🇷", "♞",
]  # fmt: skip
BLANK = [
    "", " ", "\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\u200b", "\u00ad", "\u2060", "\ufeff", "\u202e", "\u180e",
    "\u3000\u2003", "\u0301", " \u0301\u0301", "\u034f", "\ufe0f", "\U000e0041", "\x00", "\x1b", "\ue000", "\u0378",
    "\ud800", "\u2028", "\U0001d159", "...", "-", "\u2699",
]  # fmt: skip


@pytest.mark.parametrize("name", REAL)
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", BLANK)
def test_blank_looking_names_are_none(name: str) -> None:
    assert clean_name(name) == ""


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("  Ann \t\n of\u2029 York  ", "Ann of York"),
        ("Ann\x00\x1b[31m", "Ann[31m"),
        ("\u202egnA\u202c", "gnA"),
        ("A\u200bn\u200dn\u2066", "Ann"),
        ("An\u3164n", "Ann"),
        ("Ann\u0301\u0301\u0301\u0301\u0301\u0301", unicodedata.normalize("NFC", "Ann" + 4 * "\u0301")),
        ("e\u200b\u0301", "é"),
        ("⚙ Greedy", "Greedy"),
        ("🤖 Greedy", "Greedy"),
        ("\ue000Ann\U000f0000\u0378", "Ann"),
        ("ก" + "็" * 30, "ก" + "็" * MOST_MARKS),
    ],
)
def test_what_hides_disturbs_or_pretends_goes(told: str, shown: str) -> None:
    assert clean_name(told) == shown


def test_whatever_comes_in_nothing_invisible_goes_out_and_cleaning_again_changes_nothing() -> None:
    rng = random.Random(11)
    pool = [chr(code) for code in range(0x300)] + list("".join(REAL) + "".join(BLANK)) + ["\u0301", "\u200d", "\u200c"]
    for _ in range(3000):
        told = "".join(rng.choices(pool, k=rng.randrange(60)))
        for clean, most in ((clean_name, 40), (clean_text, 280)):
            shown = clean(told)
            assert len(shown) <= most
            assert clean(shown) == shown, ascii(told)
            assert shown == " ".join(shown.split())
            kinds = {unicodedata.category(char) for char in shown if char not in "\u200c\u200d"}
            assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}, ascii(told)
            assert not any(unicodedata.bidirectional(char) in BIDI_CONTROLS for char in shown)
            pile = 0
            for char in unicodedata.normalize("NFC", shown):
                pile = pile + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
                assert pile <= MOST_MARKS + 1  # an emoji's style counts as one


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ann", "ann"),
        ("Ann", "A n n"),
        ("Ann", "\uff21nn"),
        ("Ann", "\u0410nn"),
        ("Greedy", "GREEDY"),
        ("Greedy", "Gr\u0435edy"),
        ("Bill", "BiII"),
        ("Bob", "B0b"),
        ("Straße", "STRASSE"),
        ("می‌خواهد", "میخواهد"),
        ("Ann", "A\u0578\u0578"),
        ("Ann", "\U0001d400\U0001d427n"),
        ("Emma", "Ernma"),
        ("Paul", "\u0420\u0430\u03c5l"),
    ],
)
def test_names_that_could_be_taken_for_each_other_are_alike(name: str, other: str) -> None:
    assert alike(name, ["Zoe", other])
    assert alike(other, [name])


@pytest.mark.parametrize(
    "name", ["COBRA 🐍", "C0bra", "~cobra~", "🐍 Cobra 🐍", "Cobra 2", "\u0421\u043ebr\u0430", "Çobra"]
)
def test_a_bots_name_is_known_under_its_decoration(name: str) -> None:
    assert pretends(name, ["random", "cobra"])
    assert not pretends(name, ["random", "lynx"])


@pytest.mark.parametrize("name", ["Kobra", "~ Wüstenfuchs 2 ~", "GUEPARD", "Âne", "Gerboise", "Falke 🐦"])
def test_a_bots_name_is_known_in_the_languages_of_the_page(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        _table().join("ann", name)
    assert refused.value.key == "table.name_bot"
    Kept("pharaoh", seats=4).join("ann", name)  # where there is no such bot


@pytest.mark.parametrize("name", ["Cobrah", "Colbra", "cobra bot", "Ann Cobra", "コブラ", "🐍"])
def test_a_name_that_only_has_something_of_a_bots_is_free(name: str) -> None:
    assert not pretends(name, ["random", "cobra"])


@pytest.mark.parametrize(
    "name",
    ["Host", "H0st", "the host", "HOST 🎲", "-Gastgeber-", "Hôte", "hote", "Serai", "SERAI team", "S\u0435r\u0430i",
     "S e r a i", "Serai1", "\uff28\uff4f\uff53\uff54", "H\u043est", "Admin", "admin Ann"],
)  # fmt: skip
def test_nobody_is_called_as_if_the_host_or_the_house_spoke(name: str) -> None:
    assert titled(name)
    with pytest.raises(Refusal) as refused:
        _table().join("ann", name)
    assert refused.value.key == "table.name_title"


@pytest.mark.parametrize("name", ["Ghost", "Hostel", "Seraina", "Serafin", "Horst", "Adina", "Ann", *REAL])
def test_other_names_are_not_titles(name: str) -> None:
    assert not titled(name)


def test_characters_stand_for_their_look_alikes_once_and_for_all() -> None:
    table = _lookalikes()
    assert len(table) > 6000
    for one, text in table.items():
        assert chr(one) not in text
        assert len(text) > 1 or ord(text) not in table, ascii((chr(one), text))


def test_other_names_are_not_alike() -> None:
    names = ["Ann", "Anna", "Ánn", "Ali", "Ail", "Bo", "Bob", "王小明", "王小", "1", "2"]
    for name in names:
        assert not alike(name, [other for other in names if other != name]), name


def test_talk_is_one_line_without_controls_and_direction_characters() -> None:
    assert clean_text("one\ntwo\r\n\tthree\x00\x1b\u202e!") == "one two three!"
    assert clean_text("שלום 👋🏽, ça va…?") == "שלום 👋🏽, ça va…?"
    assert clean_text("\u3164\u2800\n") == ""


def _table(**wanted: Any) -> Kept:
    return Kept("camelup", seats=4, **wanted)


@pytest.mark.parametrize("name", [name for name in BLANK if name])
def test_nobody_takes_a_seat_under_a_blank_looking_name(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        _table().join("ann", name)
    assert refused.value.key == "table.name"


def test_nobody_takes_the_name_of_somebody_at_the_table_or_of_a_bot() -> None:
    kept = _table(bots={0: "random"})
    kept.join("ann", "  Ann\u200b ")
    assert kept.table.seats[1].name == "Ann"
    for visitor, name, key in [
        ("bob", "ann", "table.name_taken"),
        ("bob", "\u0410nn", "table.name_taken"),
        ("ann", "A n n", "table.name_taken"),
        ("bob", "Random", "table.name_bot"),
        ("bob", "GREEDY", "table.name_bot"),
        ("bob", "⚙ Random", "table.name_bot"),
        ("bob", "~ Rand0m 🎲 ~", "table.name_bot"),
        ("bob", "A\u0578\u0578", "table.name_taken"),
        ("bob", "Serai", "table.name_title"),
    ]:
        with pytest.raises(Refusal) as refused:
            kept.join(visitor, name)
        assert refused.value.key == key
    kept.join("bob", "Bob")
    kept.join("ann", "Anna")
    assert [sitting.name for sitting in kept.table.seats] == ["random", "Ann", "Bob", "Anna"]


def test_who_comes_to_a_rematch_keeps_their_name() -> None:
    seats = (Sitting(kind="person", name="Ann", visitor="ann"), Sitting(kind="person", name="Bob", visitor="bob"))
    kept = _table()
    kept.keep(Change(Seated(visitor="ann", id="x", why="arrange", seats=seats, host="ann")))
    kept.join("bob", "Bob")
    kept.join("ann", "Ann")
    assert all(sitting.value for sitting in kept.table.seats)


def test_talk_is_cleaned_and_what_cannot_be_seen_is_refused() -> None:
    kept = _table()
    kept.join("ann", "Ann")
    kept.tell(m.Say("1", text="hello\x00\x1b[2J\n\u202ethere" + 9 * "\u0301"), "ann")
    said = frames.welcome(kept.table, "ann", 0).chat[0].text
    assert said == unicodedata.normalize("NFC", "hello[2J there" + (MOST_MARKS + 1) * "\u0301")
    with pytest.raises(Refusal) as refused:
        kept.tell(m.Say("2", text="\u3164\u200b\u0301"), "ann")
    assert refused.value.key == "table.unseen"


def test_what_was_stored_before_is_loaded_and_cannot_hurt_when_it_is_shown() -> None:
    bad = "A\x1b[31m\u202en" + 20 * "\u0301"
    kept = _table()
    seats = tuple(Sitting(kind="person", name=name, visitor=name, value="ab" * 32) for name in (bad, "\u3164"))
    kept.keep(Change(Seated(visitor=bad, id="x", why="join", seats=seats, host=bad)))
    kept.keep(Change(Said(visitor=bad, id="y", seat=0, text="\x00\u202e" + bad)))
    table = kept.again()
    assert table.seats == seats, "stored as it was"
    shown = clean_name(bad)
    assert [seat.name for seat in table.info().seats] == [shown, ""]
    assert [seat.name for seat in records.record(table).seats] == [shown, "-"]
    told = msgspec.json.encode([frames.welcome(table, "", None), *frames.history(table, "", None)]).decode()
    assert not any(char in told for char in ("\\u0000", "\\u001b", "\x1b", "\u202e"))
