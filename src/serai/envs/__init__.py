"""Standard environments for learning agents over ``game.encoding``; importing this registers those of Gymnasium.

``gymnasium.make("serai/CamelUp-v0")`` works after ``import serai.envs``, and without it as
``gymnasium.make("serai.envs:serai/CamelUp-v0")``. Import the modules ``pettingzoo`` and ``openspiel`` on their own.
"""

from __future__ import annotations

from importlib.util import find_spec

from serai.core import registry
from serai.errors import requiring


def _register() -> None:
    with requiring("envs", "environments for Gymnasium"):
        from gymnasium.envs.registration import register

    for name in registry.games():
        game = registry.game(name)
        if game.encoding is not None:
            register(
                f"serai/{type(game).__name__}-v0",
                entry_point="serai.envs.gymnasium:GameEnv",
                vector_entry_point="serai.envs.vector:GameVectorEnv",
                kwargs={"game": name},
            )


if find_spec("gymnasium") is not None:
    _register()
