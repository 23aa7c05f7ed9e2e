"""What the server writes about itself: lines for people, or JSON lines for programs.

Log calls name a table by its id (``extra={"table": …}``) and never carry a token, a secret or what somebody said.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import msgspec


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        table = getattr(record, "table", "")
        if table:
            line["table"] = table
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class Lines(logging.Formatter):
    """One line for people."""

    def format(self, record: logging.LogRecord) -> str:
        table = getattr(record, "table", "")
        text = f"{record.levelname} {record.name}: {f'table {table}: ' if table else ''}{record.getMessage()}"
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


def begin_logging(*, as_json: bool, level: int) -> None:
    """Log to standard error from here on."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("serai").setLevel(level)
