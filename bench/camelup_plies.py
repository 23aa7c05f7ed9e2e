"""Random 4-player plies per second of Camel Up's rules, beside python-chess."""

from __future__ import annotations

from bench._plies import compare


def main() -> None:
    compare("camelup", 4)


if __name__ == "__main__":
    main()
