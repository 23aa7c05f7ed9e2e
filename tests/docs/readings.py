"""Which sentences of the rules pages explain which rule, and when they were last compared with the law.

``python -m tests.docs.readings pharaoh`` shows what has to be read again, with the law beside it;
``python -m tests.docs.readings pharaoh 5.2 6.1`` shows these rules and notes that their sentences were read.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.law import FOLDER, law

LANGUAGES = ("en", "de", "fr")
NOTES = FOLDER / "readings.json"
GAMES = Path(__file__).parents[2] / "web" / "src" / "games"


def paragraphs(game: str, language: str) -> list[str]:
    """Every paragraph, list item and caption of a game's rules page."""
    text: dict[str, Any] = json.loads((GAMES / game / "rules" / f"{language}.json").read_text())
    parts = [part for section in text["sections"] for part in section["parts"]]
    return [words for part in parts for words in _words(part)]


def by_rule(game: str, language: str) -> dict[str, list[str]]:
    """The passages of the page by rule; each passage ends with the numbers of its rules."""
    passages: dict[str, list[str]] = {}
    for paragraph in paragraphs(game, language):
        for words, numbers in re.findall(r"(.+?) \[([\d., ]+)\]", paragraph):
            for number in numbers.split(", "):
                passages.setdefault(number, []).append(words.strip())
    return passages


def fingerprints(game: str) -> dict[str, dict[str, str]]:
    """For every rule on the pages, fingerprints of the law and of the text in each language."""
    pages = {language: by_rule(game, language) for language in LANGUAGES}
    return {
        number: {"law": _fingerprint(text)}
        | {language: _fingerprint("\n".join(pages[language].get(number, []))) for language in LANGUAGES}
        for number, text in law(game).items()
        if any(number in page for page in pages.values())
    }


def noted() -> dict[str, dict[str, dict[str, str]]]:
    """The fingerprints when the sentences were last read, by game and rule."""
    notes: dict[str, dict[str, dict[str, str]]] = json.loads(NOTES.read_text()) if NOTES.exists() else {}
    return notes


def due(game: str) -> dict[str, list[str]]:
    """What has changed since it was read (``law``, ``en``, …), by rule; a rule that is gone has changed, too."""
    then, now = noted().get(game, {}), fingerprints(game)
    changed = {
        number: [
            name for name in ("law", *LANGUAGES) if then.get(number, {}).get(name) != now.get(number, {}).get(name)
        ]
        for number in {**then, **now}
    }
    return {number: names for number, names in changed.items() if names}


def note(game: str, numbers: list[str]) -> None:
    """Note that the sentences of these rules were read beside the law as it is now."""
    notes, now = noted(), fingerprints(game)
    kept = {number: now.get(number) if number in numbers else marks for number, marks in notes.get(game, {}).items()}
    notes[game] = {
        number: marks for number in now if (marks := kept.get(number) or (number in numbers and now[number]))
    }
    lines = [
        f" {json.dumps(name)}: {{\n"
        + ",\n".join(f"  {json.dumps(n)}: {json.dumps(m)}" for n, m in rules.items())
        + "\n }"
        for name, rules in sorted(notes.items())
    ]
    NOTES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def side_by_side(game: str, number: str) -> str:
    """The law and what each language says of it, to be read."""
    lines = [f"{number} {law(game).get(number, '(gone)')}"]
    lines += [
        f"   {language}: {' … '.join(by_rule(game, language).get(number, ['(nothing)']))}" for language in LANGUAGES
    ]
    return "\n".join(lines)


def main(game: str, *numbers: str) -> None:
    """Show what has to be read, or what was asked for, which is then noted as read."""
    changed = due(game)
    for number in numbers or changed:
        print(side_by_side(game, number), f"\n   changed: {', '.join(changed.get(number, [])) or 'nothing'}\n")
    if numbers:
        note(game, list(numbers))


def _words(part: Any) -> list[str]:
    if isinstance(part, str):
        return [part]
    return part["list"] if "list" in part else [part["caption"]]


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


if __name__ == "__main__":
    main(*sys.argv[1:])
