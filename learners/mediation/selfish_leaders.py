"""What mediators are compared with: leaders in a fixed order, by lot, or by vote.

Agents learn as under a mediator, for themselves: they know the step and the state, nobody counts
what they were paid before, and nothing moves at the end.

What comes of leaders who are drawn at each step and state, exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import UnsupportedGame
from gametheory_core.mediation.fairness import MINIMUM, Fairness, MediatorStage, fairness_value
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory, mediated_histories, node_map
from gametheory_core.mediation.policies import Tables
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.mediation.led_batch import ANNEALED
from learners.mediation.turns import UNDER_DRAWN_LEADERS, turn_policies
from learners.options import Count, PositiveShare, checked
from learners.protocol import Plays, learner
from learners.schedules import Schedule, as_schedule
from learners.snapshots import Kept
from solvers.requirements import as_tuple, require_instance, require_integer

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

    >>> from gametheory_core.mediation import MINIMUM, mediated_battle_of_the_sexes
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


class Selection(Enum):
    """Who picks leaders."""

    ORDER = "a fixed order"
    LOTS = "lots"
    VOTES = "votes, which are learned, and lots among the first"


@learner(plays=Plays.RULES, judge=UNDER_DRAWN_LEADERS)
@checked
class SelfishLeaders(Kept):
    """Agents that learn to lead for themselves, where no mediator picks them.

    Args:
        game: In which nothing is drawn.
        selection: ``LOTS`` is also what becomes of votes if everybody votes for itself.
        order: For ``Selection.ORDER``: who leads, again and again; ``(0,)`` for a fixed leader.
        fairness: Of which the metrics tell; nobody pursues it.
        step_size, exploration, block, rng: As for ``JamQLearning``; all learn at once.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If the game draws states, or its histories are too many to list.

    Metrics are those of ``JamQLearning``. A voter learns, at each step and state, what it will get
    if it votes for a player: what the step pays, and what its best vote is worth after it.

    Source: :cite:`dodwadmath2025fair`, sections 5.3 and 13.4.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> from learners import train
    >>> turns = SelfishLeaders(mediated_chicken(), order=(0, 1), rng=np.random.default_rng(1))
    >>> learned = train(turns, iterations=200)
    >>> str(turns.play().expected_fairness)
    '18'
    """

    KEPT = ("_play",)

    def __init__(
        self,
        game: MediatedGame,
        *,
        selection: Selection = Selection.ORDER,
        order: Sequence[int] = (0,),
        fairness: Fairness = MINIMUM,
        step_size: PositiveShare = 0.2,
        exploration: float | Schedule = ANNEALED,
        block: Count = 100,
        rng: np.random.Generator,
    ) -> None:
        from learners._kernels import jam  # noqa: PLC0415 loads numba
        from learners.mediation.led_play import LedPlay, led_game  # noqa: PLC0415 loads numba

        require_instance(fairness, Fairness, name="fairness")
        require_instance(game, MediatedGame, name="game")
        turns = as_tuple(order, name="order", remedy="Give players, (0, 1) or so.")
        require_integer(len(turns), name="the length of order", low=1)
        for leader in turns:
            require_integer(leader, name="leaders in order", low=0, high=game.num_players - 1)
        if not game.is_deterministic:
            raise UnsupportedGame(
                needs="a game in which nothing is drawn",
                found=f"{game!r} draws states",
                remedy="Use JamQLearning.",
            )
        self.game = game
        self.selection = selection
        self._block = block
        self._fairness = fairness
        codes = {Selection.ORDER: jam.ORDER, Selection.LOTS: jam.LOTS, Selection.VOTES: jam.VOTES}
        incentives = MediatorIncentives(fairness, MediatorStage.NAIVE)
        self._play = LedPlay(
            led_game(game, incentives, memory=Memory.STEP),
            picker=codes[selection],
            order=tuple(map(int, turns)),
            step_size=float(step_size),
            exploration=as_schedule(exploration, name="exploration", low=0, high=1),
            all_explore=True,
            rng=rng,
        )

    name = "SelfishLeaders"

    def improve(self) -> dict[str, float]:
        """Play a block of episodes, from which all learn."""
        return self._play.play(self._block, -1)

    def policies(self) -> PolicyProfile:
        """Return what agents do and how leaders come about, as of ``MediatedTurns(game)``."""
        chances = self._chances()

        def picked(step: int, node: int) -> Distribution[str]:
            return distribution(dict(zip(self.game.players, chances[step][node], strict=True)))

        return turn_policies(
            self.game, self._play.actions(), picked, agents=Memory.STEP, mediator=Memory.STEP
        )

    def play(self) -> DrawnPlay:
        """Return what comes of it without exploring, exactly."""
        return drawn_play(self.game, self._play.actions(), self._chances(), fairness=self._fairness)

    def vote_values(self) -> NDArray[np.float64]:
        """Return what voters expect, by step and state, voter and candidate; a copy."""
        return self._play.vote_values()

    def _chances(self) -> Chances:
        """Return how likely each player is to lead, at each step and state."""
        players = self.game.num_players
        sizes = np.diff(self._play.led.first).tolist()
        if self.selection is Selection.LOTS:
            even = (ONE / players,) * players
            return tuple((even,) * size for size in sizes)
        if self.selection is Selection.ORDER:
            return tuple(
                tuple(_shared([leader], players) for leader in layer)
                for layer in self._play.leaders()
            )
        ballots = self._play.vote_values().argmax(axis=2)
        found = [_elected(own, players) for own in ballots.tolist()]
        first = self._play.led.first
        return tuple(tuple(found[a:b]) for a, b in pairwise(first))


def _elected(ballots: list[int], players: int) -> tuple[Fraction, ...]:
    """Return the chances of candidates with the most ballots."""
    counts = [ballots.count(player) for player in range(players)]
    return _shared([player for player in range(players) if counts[player] == max(counts)], players)


def _shared(winners: list[int], players: int) -> tuple[Fraction, ...]:
    return tuple(ONE / len(winners) if player in winners else ZERO for player in range(players))
