"""What can be wrong with a cluster."""

from __future__ import annotations

from serai.core.errors import SeraiError


class BadCluster(SeraiError):
    """A cluster that cannot be used as it is; the message says where, and what to do."""


class ClusterLost(SeraiError):
    """The scheduler went away in the middle. What was answered before then is there."""
