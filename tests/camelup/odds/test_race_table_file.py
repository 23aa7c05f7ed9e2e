"""A kept file is whole and of the right version, or it counts as none, whatever happens to it or to the disk."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from serai.camelup.odds import race_table

NAME, VERSION = "numbers", 3
PARTS = [memoryview(bytes(range(256)) * 40), memoryview(b"end")]
BLOCK = b"".join(PARTS)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SERAI_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def found() -> bytes | None:
    block = race_table.read_cache_file(NAME, VERSION, len(BLOCK))
    return None if block is None else bytes(block)


def test_what_was_written_is_read(cache: Path) -> None:
    assert found() is None
    race_table.write_cache_file(NAME, VERSION, PARTS)
    assert found() == BLOCK
    assert [file.name for file in cache.iterdir()] == [NAME]


def test_the_block_is_mapped_on_a_cache_line_and_read_only(cache: Path) -> None:
    race_table.write_cache_file(NAME, VERSION, PARTS)
    block = race_table.read_cache_file(NAME, VERSION, len(BLOCK))
    assert block is not None
    assert block.readonly
    assert (cache / NAME).stat().st_size == race_table.HEADER_SIZE + len(BLOCK)
    assert race_table.HEADER_SIZE % 64 == 0


def spoil_byte(file: Path) -> None:
    written = bytearray(file.read_bytes())
    written[len(written) // 2] ^= 4
    file.write_bytes(written)


def spoil_header(file: Path) -> None:
    file.write_bytes(b"x" + file.read_bytes()[1:])


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size - 1000)


def lengthen(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"more")


def empty(file: Path) -> None:
    os.truncate(file, 0)


def make_old(file: Path) -> None:
    """A whole file of another version, as another Serai would have left it."""
    race_table.write_cache_file(NAME, VERSION + 1, PARTS)


def replace_by_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


SPOILT = [spoil_byte, spoil_header, cut, lengthen, empty, make_old, replace_by_folder]


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_file_that_is_not_right_counts_as_none(spoil: Callable[[Path], None], cache: Path) -> None:
    race_table.write_cache_file(NAME, VERSION, PARTS)
    spoil(cache / NAME)
    assert found() is None
    race_table.write_cache_file(NAME, VERSION, PARTS)
    if spoil is replace_by_folder:
        assert list(cache.iterdir()) == [cache / NAME], "what could not be put in its place is not left lying about"
    else:
        assert found() == BLOCK, "the next writer mends it"


def test_leftovers_of_killed_writers_are_swept_up(cache: Path) -> None:
    cache.mkdir()
    old, young = cache / f".{NAME}.old", cache / f".{NAME}.young"
    for file in (old, young):
        file.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    race_table.write_cache_file(NAME, VERSION, PARTS)
    assert not old.exists()
    assert young.exists(), "it may be of a writer at work"


def test_an_input_output_error_is_nobodys_business(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(self: Path, target: object) -> Path:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "replace", fails)
    race_table.write_cache_file(NAME, VERSION, PARTS)
    assert list(cache.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file system that nobody can write to")
def test_a_folder_that_cannot_be_written_to_is_nobodys_business(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERAI_CACHE", "/proc/serai")
    race_table.write_cache_file(NAME, VERSION, PARTS)
    assert found() is None


def test_a_cache_folder_that_is_a_file_is_nobodys_business(cache: Path) -> None:
    cache.write_text("in the way")
    race_table.write_cache_file(NAME, VERSION, PARTS)
    assert found() is None
    assert cache.read_text() == "in the way"


def test_a_disk_that_is_full_leaves_nothing_behind(cache: Path) -> None:
    """The system refuses to let a file grow beyond a few bytes, as a full disk would."""
    code = f"""
import resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from serai.camelup.odds import race_table
race_table.write_cache_file({NAME!r}, {VERSION}, [memoryview(bytes({len(BLOCK)}))])
"""
    subprocess.run([sys.executable, "-B", "-c", code], check=True)
    assert list(cache.iterdir()) == []


def test_writers_and_readers_at_once_do_no_harm(cache: Path) -> None:
    """Whoever reads sees the whole block of one of the writers, or none."""
    code = f"""
import sys
from serai.camelup.odds import race_table
own = bytes([int(sys.argv[1])]) * 20_000
for _ in range(50):
    race_table.write_cache_file({NAME!r}, {VERSION}, [memoryview(own)])
    block = race_table.read_cache_file({NAME!r}, {VERSION}, len(own))
    assert block is not None and len(set(bytes(block))) == 1
"""
    writers = [subprocess.Popen([sys.executable, "-c", code, str(number)]) for number in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert [file.name for file in cache.iterdir()] == [NAME]
