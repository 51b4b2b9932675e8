"""Fictitious play: reply to how often the others have played each action so far.

Discrete (Brown 1951): a best reply, pure. Smoothed (Fudenberg and Levine 1998): the logit reply,
whose rest points are logit equilibria rather than Nash equilibria.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, pure_profile
from solvers.dynamics.play import (
    Dynamics,
    Play,
    PlayRequest,
    PlayState,
    PlayWork,
    action_payoff_vectors,
    first_strategies,
    player_views,
    run_play,
)
from solvers.dynamics.repeated_play import RepeatedPlay, add_joint, drawn_action, integer_play_game
from solvers.local_rules import BestReply, Hedge, LocalRule, TieRule
from solvers.requirements import a_normal_form, as_tuple, require_integer, require_number
from solvers.solution import UNLIMITED, Budget, OnIteration
from solvers.solver import open_meter, solver


class Order(Enum):
    """Who sees what when choosing the next action."""

    SIMULTANEOUS = "all reply to what was played in earlier steps"
    ALTERNATING = "each also sees what the players before have just chosen"


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def fictitious_play(
    game: NormalFormGame,
    *,
    steps: int | None = 10_000,
    tolerance: float | None = None,
    first_actions: tuple[int, ...] | None = None,
    ties: TieRule = TieRule.FIRST,
    order: Order = Order.SIMULTANEOUS,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Play best replies to the frequencies of the others' actions, and certify where that leads.

    Args:
        game: Any number of players; with three and more, beliefs are the products of frequencies.
        steps: Steps to play; at most so many if there is a tolerance.
        tolerance: Stop as soon as ``play.epsilon`` is certified to be at most this, in payoff
            units.
        first_actions: What is played in the first step, from 0; default the first action of
            everyone. If alternating, the first player's alone counts.
        ties: Which best reply is played when there are several.
        order: Simultaneous, or alternating in the order of players.
        samples: How often trajectories are sampled and the tolerance is looked at.
        start: Go on from the ``state`` of an earlier play.
        budget: Iterations are steps. A limit on time is looked at every few hundredths of a second;
            what has been played is then certified exactly, however long that takes.
        on_iteration: Called at each sample.

    Returns:
        ``empirical`` holds exact shares of joint actions.

    Raises:
        InvalidStrategy: If there are no such first actions.
        UnsupportedGame, InvalidArgument, NotConverged: As ``regret_matching``.

    Ties are found exactly if payoffs are integers of up to a million, after scaling to integers;
    otherwise sums are floats, and ties may be broken by rounding. With two players a step takes
    time linear in the number of actions.

    Sources:
        :cite:`brown1951iterative`.
        :cite:`robinson1951iterative`: convergence in two-player zero-sum games.

    >>> from gametheory_core import load_game
    >>> fictitious_play(load_game("rock_paper_scissors"), tolerance=0.05).epsilon <= 0.05
    True
    """
    given = None
    if first_actions is not None:
        given = pure_profile(game, _joint_action(game, first_actions))
    initial = pure_profile(game, (0,) * game.num_players) if given is None else given
    dynamics = _dynamics(
        game,
        f"fictitious_play(ties={ties.name}, order={order.name})",
        (BestReply(ties),) * game.num_players,
        initial,
        is_alternating=order is Order.ALTERNATING,
    )
    if start is not None and given is not None:
        raise InvalidArgument(
            needs="either start or first_actions",
            found="got both",
            remedy="Leave first_actions out to go on from start, or start to begin a new play.",
        )
    request = PlayRequest(steps, tolerance, samples, start)
    return run_play(game, dynamics, request, open_meter(budget, on_iteration))


@solver(takes=(a_normal_form,), unit="steps", page="dynamics")
def smoothed_fictitious_play(
    game: NormalFormGame,
    *,
    temperature: float,
    steps: int | None = 10_000,
    tolerance: float | None = None,
    initial: MixedProfile | None = None,
    rng: np.random.Generator | None = None,
    samples: int = 200,
    start: PlayState | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Play:
    """Play logit replies to the frequencies of the others' actions, and certify where that leads.

    Args:
        game: Any number of players; with three and more, beliefs are the products of frequencies.
        temperature: Positive, in payoff units: an action that pays one temperature less is played
            1/e as often.
        steps, tolerance, initial, rng, samples, start, budget, on_iteration: As for
            ``regret_matching``. A tolerance below what the limit itself can reach, about the
            temperature times the logarithm of the number of actions, is never met.

    Returns:
        In two-player zero-sum games both iterates approach the logit equilibrium.

    Raises: As ``regret_matching``.

    Sources:
        :cite:`fudenberg1998theory`, chapter 4.
        :cite:`hofbauer2002global`.

    >>> from gametheory_core import load_game
    >>> play = smoothed_fictitious_play(load_game("matching_pennies"), temperature=0.1, steps=100)
    >>> round(float(play.last.strategies[0][0]), 3)
    0.5
    """
    require_number(
        temperature,
        name="temperature",
        above=0,
        remedy="It is in payoff units. Use fictitious_play for best replies.",
    )
    decay = 1.0 if game.num_players == 2 else game.num_players - 1.0
    dynamics = _dynamics(
        game,
        f"smoothed_fictitious_play(temperature={temperature!r})",
        (Hedge(1.0 / temperature, decay),) * game.num_players,
        initial,
        rng=rng,
    )
    request = PlayRequest(steps, tolerance, samples, start, initial, rng)
    return run_play(game, dynamics, request, open_meter(budget, on_iteration))


def _joint_action(game: NormalFormGame, first_actions: object) -> tuple[int, ...]:
    remedy = f"Give one action for each of {game.num_players} players, from 0."
    first = as_tuple(first_actions, name="first_actions", remedy=remedy)
    for action in first:
        require_integer(action, name="each of first_actions", remedy=remedy)
    if len(first) != game.num_players or any(
        not 0 <= action < count for action, count in zip(first, game.num_actions, strict=True)
    ):
        raise InvalidStrategy(
            needs=f"first_actions of {game!r}", found=f"got {first}", remedy=remedy
        )
    return first


@dataclass(frozen=True)
class _ProductPlay:
    """Replies to the product of the others' frequencies, which differs from joint frequencies.

    With two players the two are one, and ``RepeatedPlay`` is faster.
    """

    game: NormalFormGame
    rules: tuple[LocalRule, ...]
    rng: np.random.Generator | None
    is_alternating: bool

    def advance(self, work: PlayWork, count: int) -> None:
        """Play ``count`` steps; ``work`` is modified in place."""
        for _ in range(count):
            self._step(work)
            work.steps += 1

    def _step(self, work: PlayWork) -> None:
        memories = player_views(self.game, work.memory)
        strategies = player_views(self.game, work.strategies)
        played = [own.copy() for own in strategies]
        if self.rng is not None:
            numbers = self.rng.random(len(strategies))
            played = [
                drawn_action(own, x) for own, x in zip(strategies, numbers.tolist(), strict=True)
            ]
        add_joint(work.totals, played)
        axes = range(len(played))
        counts = [work.totals.sum(axis=tuple(j for j in axes if j != i)) for i in axes]
        earned = action_payoff_vectors(self.game, counts)
        for player, rule in enumerate(self.rules):
            if self.is_alternating and player:
                earned = action_payoff_vectors(self.game, counts)
            memories[player][:] = earned[player]
            own = strategies[player]
            own[:] = rule.strategy(memories[player], own, work.steps + 1)
            if self.is_alternating:
                counts[player] = counts[player] + own


def _dynamics(
    game: NormalFormGame,
    settings: str,
    rules: tuple[LocalRule, ...],
    initial: MixedProfile | None,
    *,
    rng: np.random.Generator | None = None,
    is_alternating: bool = False,
) -> Dynamics:
    played = integer_play_game(game) if isinstance(rules[0], BestReply) else game
    player = (
        RepeatedPlay(played, rules, rng, is_alternating)
        if game.num_players == 2
        else _ProductPlay(played, rules, rng, is_alternating)
    )

    def fresh() -> tuple[FloatArray, FloatArray]:
        memory = np.zeros(sum(game.num_actions))
        strategies = first_strategies(game, initial)
        if is_alternating:
            _reply_in_turn(played, rules, memory, strategies)
        return memory, strategies

    return Dynamics(settings, fresh, player.advance)


def _reply_in_turn(
    game: NormalFormGame, rules: tuple[LocalRule, ...], memory: FloatArray, strategies: FloatArray
) -> None:
    """Let the second and later players answer the first step's actions of those before them.

    Both arrays are modified in place. Those who come later are taken to play their given actions.
    """
    own = player_views(game, strategies)
    remembered = player_views(game, memory)
    for player in range(1, game.num_players):
        remembered[player][:] = action_payoff_vectors(game, own)[player]
        own[player][:] = rules[player].strategy(remembered[player], own[player], 1)
