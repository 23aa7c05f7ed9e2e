"""A bot made of *How to play well*: every rule is one of its findings, written down. It computes nothing.

serai simulate camelup --bots examples/taught.py:decide,jerboa,jerboa,jerboa --games 2000 --rotate
"""

from random import Random

from serai.camelup import AnyAction, CamelUpState, Leg, Loser, Mirage, Roll, Winner

FAR = 13
"""Where a leader stands that wins the race more often than not."""


def decide(view: CamelUpState, rng: Random) -> AnyAction:
    """The first rule that fits."""
    order = [camel for stack in reversed(view.track) for camel in reversed(stack)]
    space = {camel: number for number, stack in enumerate(view.track) for camel in stack}
    last, dice, hand = order[-1], view.tents.count(0), view.hands[view.turn]
    best = favourite(view, order, space)
    taken = len(view.leg_bets[best])

    # "at_once", "leader_five": the 5 of the favourite, before anything else
    if taken == 0:
        return Leg(best)
    # "first_loser", "last_is_surer": whoever is last tends to stay it, and the first card pays most
    if last in hand and not view.loser_deck:
        return Loser(last)
    # "first_winner": the first card pays most, too
    if best in hand and not view.winner_deck:
        return Winner(best)
    # "leader_five": the next tile is worth more than a roll as well; "cheap_tiles": the last one late in a leg
    if taken == 1 or (taken == 2 and dice <= 2):
        return Leg(best)
    # "last_is_surer": towards the end the cards are sure enough even behind others
    if space[order[0]] >= FAR:
        if last in hand and len(view.loser_deck) < len(view.hands):
            return Loser(last)
        if best in hand and len(view.winner_deck) < len(view.hands):
            return Winner(best)
    # "tile_or_roll", "oasis": a desert tile at the start of a leg, right before the leading stack
    if dice == 5 and not view.deserts[view.turn]:
        ahead = [Mirage(space[order[0]] + step) for step in (1, 2)]
        tiles = [tile for tile in ahead if tile in view.actions()]
        if tiles:
            return tiles[0]
    return Roll()


def favourite(view: CamelUpState, order: list[int], space: dict[int, int]) -> int:
    """Whom to back in this leg."""
    leader, second = order[:2]
    lead = space[leader] - space[second]
    # "rider", "still_to_run": a leader one or two spaces ahead that has run is caught by one that has not; a rider
    # is carried along
    caught = 1 <= lead <= 2 and view.tents[leader] > 0 and view.tents[second] == 0
    return second if caught else leader
