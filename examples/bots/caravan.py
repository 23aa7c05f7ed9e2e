"""A bot in Python without Serai, for both games: serai check-bot "process:python3 caravan.py"

Camel Up: play the rest of the leg many times and take the leg tile that pays best, if it pays more than a roll.
Das Gold des Pharao: treasure home first, then treasure in reach, then new ground.
"""

import json
import random
import sys

PLAYOUTS = 150
CAMELS = ["blue", "green", "orange", "yellow", "white"]
LEG_TILES = [5, 3, 2]
"""What the first, second and third tile of a colour pay if its camel leads; second place pays 1, others cost 1."""


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer({"type": "hello", "protocol": 1, "name": "Caravan", "games": ["camelup", "pharaoh"]})
        elif message["type"] == "game":
            decide = {"camelup": bet, "pharaoh": explore}[message["game"]]
        elif message["type"] == "decide":
            answer({"action": decide(message["actions"], message["view"], random.Random(message["random"]))})


def answer(message):
    print(json.dumps(message), flush=True)


# -- Camel Up ----------------------------------------------------------------------------------------------------------


def bet(actions, view, rng):
    """The leg tile with the best expected pay, or the roll, which is sure to pay 1."""
    first, second = [0] * 5, [0] * 5
    for _ in range(PLAYOUTS):
        leader, follower = play_leg(view, rng)
        first[leader] += 1
        second[follower] += 1
    best, most = "roll", 1.0
    for camel, name in enumerate(CAMELS):
        if f"leg {name}" in actions:
            pays = LEG_TILES[len(view["leg_bets"][camel])]
            misses = PLAYOUTS - first[camel] - second[camel]
            expected = (pays * first[camel] + second[camel] - misses) / PLAYOUTS
            if expected > most:
                best, most = f"leg {name}", expected
    return best


def play_leg(view, rng):
    """The two camels in front when all dice have been rolled once."""
    track = [list(stack) for stack in view["track"]]
    tiles = {abs(tile): 1 if tile > 0 else -1 for tile in view["deserts"] if tile}
    dice = [camel for camel in range(5) if view["tents"][camel] == 0]
    rng.shuffle(dice)
    for camel in dice:
        space = next(number for number, stack in enumerate(track) if camel in stack)
        height = track[space].index(camel)
        unit, track[space] = track[space][height:], track[space][:height]
        target = space + rng.randint(1, 3)
        push = tiles.get(target, 0)
        target = min(target + push, len(track) - 1)
        track[target] = unit + track[target] if push < 0 else track[target] + unit
        if target > 16:
            break
    order = [camel for stack in track for camel in stack]
    return order[-1], order[-2]


# -- Das Gold des Pharao -----------------------------------------------------------------------------------------------


def explore(actions, view, rng):
    """The most valuable kind of action; among walks, the one that leads to the goal."""
    seat = view["actor"]
    home = [view["options"]["entrance"]]
    goals = home if view["carried"][seat] else [cell_name(cell) for cell, _ in view["lying"]]
    return max(actions, key=lambda action: (worth(action, goals), rng.random()))


def worth(action, goals):
    kind, _, rest = action.partition(" ")
    if kind in ("archaeologist", "helper"):
        return 5 if rest in goals else -min([distance(rest, goal) for goal in goals], default=0) / 10
    return {"take": 9, "lay": 8, "steal": 7, "reveal": 6, "turn": -2, "end": -1.5, "drop": -9}.get(kind, 0)


def distance(one, other):
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1]))


def cell_name(cell):
    return f"{'abcdef'[cell % 6]}{cell // 6 + 1}"


main()
