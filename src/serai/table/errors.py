"""Why a table refuses a message: a key with values, and an English sentence."""

from __future__ import annotations

from typing import Self

from serai.core.errors import KeyedError, phrase


class Refusal(KeyedError):
    """The message changed nothing."""


class Damaged(KeyedError):
    """A table's entries are not what was kept: it can neither be shown nor played on."""

    reason = ""
    """What is wrong, for whoever looks after the tables."""

    @classmethod
    def at(cls, table: str, reason: str) -> Self:
        """That table, and what is wrong with it."""
        damaged = cls("table.damaged", table=table)
        damaged.reason = reason
        return damaged


phrase(
    {
        "table.stale": "the game has moved on since; look at the position again",
        "table.not_your_turn": "it is not your turn",
        "table.not_seated": "you have no seat at this table",
        "table.not_yours": "seat {seat} is not yours",
        "table.not_host": "only the host may do that",
        "table.phase": "not possible now: the table is in phase '{phase}'",
        "table.paused": "the game is paused: resume it first",
        "table.not_paused": "the game is not paused",
        "table.full": "every seat is taken",
        "table.taken": "seat {seat} is taken; choose an open one",
        "table.no_seat": "there is no seat {seat}",
        "table.order": "an order names each seat at most once and has at most {most} seats",
        "table.open_seats": "seat {seat} is open: fill or remove it before the start",
        "table.not_joined": "seat {seat} still waits for {name}",
        "table.no_bot": "no bot {bot!r} plays {game}; bots: {known}",
        "table.no_level": "no bot at this table has another level to go to",
        "table.undo": "there is nothing of yours to take back",
        "table.present": "not yet: {grace} more seconds until that is possible",
        "table.here": "the person is at the table",
        "table.time": "your time for this turn is over: a bot plays it to its end",
        "table.stood_in": "you left this seat, or a bot plays for it: return first",
        "table.not_stood_in": "seat {seat} is in your hands already",
        "table.not_action": "that is no action of {game}",
        "table.say": "say either a text or a phrase; a public table knows only phrases",
        "table.unseen": "there is nothing in it that can be seen",
        "table.talk": "that is a lot of talk: wait a few seconds",
        "table.name": "a name needs a letter, a digit or a symbol that can be seen",
        "table.name_taken": "somebody at this table is called {name} already; choose another name",
        "table.name_bot": "{name} is what a bot is called; choose another name",
        "table.id_used": "this id was used for another message; choose a new one",
        "table.continued": "this game goes on from another: its options and its number of seats stay as they were",
        "table.hints_private": "there are no hints at public tables, nor where all sit at one screen",
        "table.no_hints": "this table plays without hints",
        "table.cannot": "{game} has no {rule}; make the table without",
        "table.no_odds": "nobody looks at the odds at this table",
        "table.no_advice": "this table plays by the book: the game gives no advice",
        "table.damaged": "table {table} is damaged and cannot be played on; its host looks into it with 'serai check'",
        "table.closed": "this table was made under other rules and can only be read",
    }
)
