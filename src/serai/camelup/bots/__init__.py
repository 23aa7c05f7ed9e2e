"""The bots of Camel Up: which there are, which of them people choose from, and numbers they share."""

from typing import Final

BOTS: Final = (
    *("random", "jerboa", "sheep", "goat", "donkey", "vulture", "hyena", "fennec", "hoopoe", "caracal"),
    *("quick", "greedy", "cheetah", "falcon", "cobra"),
)
"""All bots, weakest first."""
LEVELS: Final = ("jerboa", "donkey", "fennec", "cheetah", "cobra")
"""Those that a table offers to people, weakest first."""
STYLED: Final = ("fennec", "goat", "sheep", "vulture", "hyena", "hoopoe", "caracal")
"""Those that play a style of :data:`serai.camelup.policy.styles.STYLES`, in its order."""
COMPANY: Final = {
    "jerboa": ("jerboa", "goat", "sheep", "donkey", "vulture", "hyena", "fennec"),
    "donkey": ("donkey", "hyena", "vulture", "caracal", "fennec", "hoopoe", "goat"),
    "fennec": ("fennec", "hoopoe", "caracal", "hyena", "vulture", "donkey", "cheetah"),
    "cheetah": ("cheetah", "falcon", "cobra", "fennec", "hoopoe", "caracal", "hyena"),
    "cobra": ("cobra", "falcon", "cheetah", "fennec", "hoopoe", "caracal", "hyena"),
}
"""By level: itself, and who sits beside it, those that are about as strong first."""
CALLED: Final = {
    "random": ("Zufall", "Hasard"),
    "jerboa": ("Springmaus", "Gerboise"),
    "sheep": ("Schaf", "Mouton"),
    "goat": ("Ziege", "Chèvre"),
    "donkey": ("Esel", "Âne"),
    "vulture": ("Geier", "Vautour"),
    "hyena": ("Hyäne", "Hyène"),
    "fennec": ("Wüstenfuchs",),
    "hoopoe": ("Wiedehopf", "Huppe"),
    "caracal": ("Karakal",),
    "quick": ("Flink", "Vif"),
    "greedy": ("Gierig", "Avide"),
    "cheetah": ("Gepard", "Guépard"),
    "falcon": ("Falke", "Faucon"),
    "cobra": ("Kobra",),
}
"""Their names on the page in German and French, where they are others than in English."""

JERBOA_TILES: Final = 2
"""The most leg tiles of the leader that ``jerboa`` takes; the last one is too cheap."""
JERBOA_FAR: Final = 12
"""Once the leader stands here or further, it lays its card."""
JERBOA_FINISH: Final = 16
"""Once another leader stands here, it changes its mind and lays one more."""
DONKEY_SURE: Final = 3.0 - 1e-9
"""The least value in pounds of a race card that ``donkey`` lays (values are rounded in their last digits)."""
