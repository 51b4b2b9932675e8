"""What comes of leaders who are drawn at each step and state, exactly."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.mediation.fairness import Fairness, fairness_value
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory, mediated_histories, node_map
from gametheory_core.mediation.policies import Tables

Chances: TypeAlias = tuple[tuple[tuple[Fraction, ...], ...], ...]  # [step][node][leader]


@dataclass(frozen=True)
class DrawnPlay:
    """What comes of leaders who are drawn.

    Attributes:
        returns: Expected.
        expected_fairness: The mean of how fair the returns of single plays are.
    """

    returns: tuple[Fraction, ...]
    expected_fairness: Fraction


def drawn_play(
    game: MediatedGame, actions: Tables, chances: Chances, *, fairness: Fairness
) -> DrawnPlay:
    """Follow all ways of leading, merged where step, state and returns are the same.

    Args:
        game: In which nothing else is drawn.
        actions: ``actions[step][node][agent]``, over the nodes of ``Memory.STEP``.
        chances: ``chances[step][node][leader]``, over the same.

    Raises:
        InvalidArgument: If the measure cannot judge the returns.
        UnsupportedGame: If the histories are too many to list.

    >>> from gametheory_core.mediation.catalog import mediated_battle_of_the_sexes
    >>> from gametheory_core.mediation.fairness import MINIMUM
    >>> coin = ((((Fraction(1, 2)),) * 2,),)
    >>> own_place = (((0, 1),),)
    >>> found = drawn_play(mediated_battle_of_the_sexes(), own_place, coin, fairness=MINIMUM)
    >>> [str(paid) for paid in found.returns], str(found.expected_fairness)
    (['3/2', '3/2'], '1')
    """
    fine = mediated_histories(game)
    maps = node_map(fine, Memory.STEP)
    here: dict[int, Fraction] = {fine.start[0]: ONE}
    ended: dict[tuple[Fraction, ...], Fraction] = {}
    for step, layer in enumerate(fine.layers):
        later: dict[int, Fraction] = {}
        for node, chance in here.items():
            own = int(maps[step][node])
            for leader, share in enumerate(chances[step][own]):
                where = (node, leader, actions[step][own][leader])
                child = int(layer.child[where][0])
                if child >= 0:
                    later[child] = later.get(child, ZERO) + chance * share
                    continue
                paid = game.rewards[layer.row[where]].tolist()
                past, weight = fine.returns(step, node), game.discount**step
                total = tuple(h + weight * r for h, r in zip(past, paid, strict=True))
                ended[total] = ended.get(total, ZERO) + chance * share
        here = {node: chance for node, chance in later.items() if chance}
    return DrawnPlay(
        tuple(
            sum((chance * total[i] for total, chance in ended.items()), ZERO)
            for i in range(game.num_players)
        ),
        sum((chance * fairness_value(fairness, total) for total, chance in ended.items()), ZERO),
    )
