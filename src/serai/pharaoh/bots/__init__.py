"""The bots of Das Gold des Pharao, one file each: which there are, and which of them people choose from."""

from typing import Final

BOTS: Final = ("random", "scarab", "gecko", "explorer", "jackal", "lynx", "sphinx")
"""All bots, weakest first."""
LEVELS: Final = ("scarab", "gecko", "jackal", "lynx", "sphinx")
"""Those that a table offers to people, weakest first."""
CALLED: Final = {
    "random": ("Zufall", "Hasard"),
    "scarab": ("Skarabäus", "Scarabée"),
    "explorer": ("Entdecker", "Explorateur"),
    "jackal": ("Schakal", "Chacal"),
    "lynx": ("Luchs",),
}
"""Their names on the page in German and French, where they are others than in English."""
