"""Refusals: why a table does not do what a message asks, as a key with values and an English sentence."""

from __future__ import annotations

from typing import Self

from serai.errors import KeyedError, phrase


class Refusal(KeyedError):
    """The message changed nothing."""


class Damaged(KeyedError):
    """A table's entries are missing or were changed: it can neither be shown nor played on."""

    reason = ""
    """What is wrong, for the host of the server; not shown to visitors."""

    @classmethod
    def at(cls, table: str, reason: str) -> Self:
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
        "table.order": "name each seat at most once, and at most {most} seats",
        "table.open_seats": "seat {seat} is open: fill or remove it before the start",
        "table.not_joined": "{name} has not joined seat {seat} yet",
        "table.no_bot": "no bot {bot!r} plays {game}; bots: {known}",
        "table.no_level": "no bot at this table can change to another level",
        "table.undo": "you have no action to undo now",
        "table.present": "they have been away too briefly: wait {grace} more seconds",
        "table.here": "the person is at the table",
        "table.time": "your time for this turn is over: a bot finishes it",
        "table.stood_in": "you left this seat, or a bot plays for it: return first",
        "table.not_stood_in": "you are playing seat {seat} already",
        "table.not_action": "that is not an action of {game}",
        "table.say": "say either a text or a phrase; at public tables only phrases",
        "table.unseen": "that text has nothing that can be seen",
        "table.talk": "too much at once: wait a few seconds",
        "table.name": "a name needs a visible letter, digit or symbol",
        "table.name_taken": "somebody at this table is already called {name}; choose another name",
        "table.name_bot": "{name} is the name of a bot; choose another name",
        "table.name_title": "{name} could be taken for the host or for Serai itself; choose another name",
        "table.id_used": "this id was used for another message; choose a new one",
        "table.continued": "this game goes on from another one, so its options and number of seats stay as they were",
        "table.hints_private": "public tables and tables on one device have no hints",
        "table.no_hints": "this table has no hints",
        "table.cannot": "{game} has no {rule}; make the table without it",
        "table.no_odds": "this table shows no odds",
        "table.no_advice": "this table has no advice",
        "table.damaged": "table {table} is damaged; the host of this server can examine it with 'serai check'",
        "table.closed": "this table was made under other rules and can only be looked at",
    }
)
