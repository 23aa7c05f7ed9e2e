"""What all tables of one process have in common."""

from __future__ import annotations

import msgspec

from serai.server.bots.bots_only import BotsOnly
from serai.server.bots.pool import BotPool
from serai.server.kept import Kept
from serai.server.metrics import Metrics
from serai.server.peers.base import Peers
from serai.server.settings import Settings, Sources
from serai.server.store.base import Store


class Services(msgspec.Struct, frozen=True):
    """Handed to every table when it wakes."""

    store: Store
    peers: Peers
    pool: BotPool
    bots_only: BotsOnly
    metrics: Metrics
    settings: Settings
    sources: Sources
    kept: Kept
