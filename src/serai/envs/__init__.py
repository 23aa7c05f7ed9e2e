"""Standard environments for learning agents over ``game.encoding``; importing this registers those of Gymnasium.

``gymnasium.make("serai/CamelUp-v0")`` works after ``import serai.envs``, and without it as
``gymnasium.make("serai.envs:serai/CamelUp-v0")``. The modules ``pettingzoo`` and ``openspiel`` are imported for
themselves.
"""

from __future__ import annotations

from importlib.util import find_spec

from serai.core import registry


def _register() -> None:
    from gymnasium.envs.registration import register

    for name in registry.games():
        game = registry.game(name)
        if game.encoding is not None:
            register(
                f"serai/{type(game).__name__}-v0",
                entry_point="serai.envs.gymnasium:GameEnv",
                kwargs={"game": name},
            )


if find_spec("gymnasium") is not None:
    _register()
