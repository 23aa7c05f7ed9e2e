"""``serai schema``: the protocol between page and server, as one JSON Schema."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from serai.cli._support.choices import FILE
from serai.cli._support.files import Failure
from serai.wire.schema import schema


@click.command()
@click.option("--out", type=FILE, help="Write to this file instead of the screen.")
def command(out: Path | None) -> None:
    """Write the JSON Schema of all REST bodies, socket messages, frames and game values."""
    text = msgspec.json.format(msgspec.json.encode(schema()), indent=2).decode() + "\n"
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"cannot write {str(out)!r}: {error.strerror}") from None
