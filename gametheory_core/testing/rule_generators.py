"""Hypothesis strategies for POSGs, AEC games, Markov games and policies, shrinking to small ones.

Games are drawn as listed rules, whose repr is the call that builds them; ``posg_to_tabular`` and
``aec_to_tabular`` make tables of them. Only questions that play can ask have answers, so nothing is
drawn in vain. All numbers are exact.

Hypothesis strategies for Markov games, in which each player sees the state, and for profiles.

A game shrinks to one state, one action each, one step and zero rewards.
"""

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.from_tables import posg_from_tables
from gametheory_core.distributions import Distribution, product
from gametheory_core.games.listings import ListedAEC, ListedPOSG, list_aec, list_posg
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.rules import NULL, Rules
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.markov import Lottery, MarkovProfile
from gametheory_core.testing.generators import Draw, PayoffKind, payoffs_of_kind, st
from gametheory_core.testing.profiles import LARGEST_SEED, SeededPolicy

CERTAIN = ((ONE,),)
WEIGHTS = (
    *CERTAIN,
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(1, 3), Fraction(2, 3)),
    (Fraction(3, 4), Fraction(1, 4)),
)
DISCOUNTS = (ONE, Fraction(1, 2), Fraction(9, 10), Fraction(0))


@st.composite
def posgs(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_states: int = 2,
    max_actions: int = 2,
    max_observations: int = 2,
    max_horizon: int = 2,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
    zero_sum: bool = False,
    factored: bool = False,
) -> ListedPOSG:
    """Draw POSGs with a number of players in ``num_players`` (low, high).

    At most ``max_states`` states, the first of which is not terminal, though play may begin in
    another; for each player 1 to ``max_actions`` actions and 1 to ``max_observations``
    observations, with a nonempty set of legal actions after each. Laws have at most two outcomes,
    with denominators up to 4, so a profile of pure policies has at most ``4 ** (1 + horizon)``
    plays. Joint observations are correlated; if ``factored`` each player's is independent, by state
    and own action alone, as ``posg_to_aec_factored`` needs, and has at most two outcomes. The
    horizon is 0 to ``max_horizon``, but every row that play could reach without one is there, so
    ``dataclasses.replace(game, horizon=...)`` is a game too. Rewards are of one of ``kinds``,
    floats as the rationals that they are; the discount is 1, 1/2, 9/10 or 0. ``zero_sum`` makes
    two-player games unless ``num_players`` says else.
    """
    low, high = (2, 2) if zero_sum and num_players == (1, 3) else num_players
    count = draw(st.integers(low, high))
    sketch = _PosgSketch(draw, count, max_states, max_actions, max_observations, factored)
    payoff = payoffs_of_kind(draw(st.sampled_from(kinds)))
    return sketch.finish(lambda: _rewards(draw, payoff, count, zero_sum=zero_sum), max_horizon)


@st.composite
def aecs(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_states: int = 2,
    max_actions: int = 2,
    max_observations: int = 2,
    max_horizon: int = 3,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
    zero_sum: bool = False,
) -> ListedAEC:
    """Draw AEC games with a number of players in ``num_players`` (low, high).

    At most ``max_states`` states, the first not terminal; for each player 1 to ``max_actions``
    actions and 1 to ``max_observations`` observations, with a nonempty set of legal actions after
    each. Next states, joint rewards, next movers (which may depend on the new state)
    and observations have laws with at most two outcomes and denominators up to 4. The horizon is 0
    to ``max_horizon`` moves, but every row that play could reach without one is there. Rewards,
    discount and ``zero_sum`` are as for ``posgs``.
    """
    low, high = (2, 2) if zero_sum and num_players == (1, 3) else num_players
    count = draw(st.integers(low, high))
    sketch = _AecSketch(draw, count, max_states, max_actions, max_observations)
    payoff = payoffs_of_kind(draw(st.sampled_from(kinds)))
    return sketch.finish(lambda: _rewards(draw, payoff, count, zero_sum=zero_sum), max_horizon)


def policies(game: Rules, *, player: int = 0) -> "st.SearchStrategy[SeededPolicy]":
    """Draw policies of a player: exact, depending on all that the player has seen and done.

    Shrinks to seed 0, which always plays the first legal action.
    """
    return st.integers(0, LARGEST_SEED).map(lambda seed: SeededPolicy(game, player, seed))


def policy_profiles(game: Rules) -> "st.SearchStrategy[tuple[SeededPolicy, ...]]":
    """Draw a policy for each player; otherwise as ``policies``."""
    return st.tuples(*(policies(game, player=i) for i in range(len(game.players))))


class _Sketch:
    """What POSGs and AEC games draw alike."""

    def __init__(
        self, draw: Draw, num_players: int, max_states: int, max_actions: int, max_seen: int
    ) -> None:
        self.draw = draw
        self.players = tuple(f"player {i + 1}" for i in range(num_players))
        self.states = [f"s{k}" for k in range(draw(st.integers(1, max_states)))]
        self.actions = [_letters(draw, "abcdefgh", max_actions) for _ in self.players]
        self.seen = [_letters(draw, "uvwxyz", max_seen) for _ in self.players]
        self.ends = {self.states[0]: False}  # an end is short, so shrinking would make it one
        self.legal: dict[tuple[int, Any], tuple[str, ...]] = {}

    def law(self, outcomes: list[Any]) -> Distribution[Any]:
        """Draw a law with one or two outcomes."""
        first = self.draw(st.sampled_from(outcomes))
        weights = self.draw(st.sampled_from(WEIGHTS if len(outcomes) > 1 else CERTAIN))
        if len(weights) == 1:
            return Distribution(((first, ONE),))
        second = self.draw(st.sampled_from([x for x in outcomes if x != first]))
        return Distribution(((first, weights[0]), (second, weights[1])))

    def is_terminal(self, state: str) -> bool:
        """Draw whether play ends in a state, once."""
        if state not in self.ends:
            self.ends[state] = self.draw(st.sampled_from([False, False, True]))
        return self.ends[state]

    def legal_actions(self, player: int, seen: Any) -> tuple[str, ...]:
        """Draw legal actions, once."""
        if (player, seen) not in self.legal:
            own = self.actions[player]
            left_out = self.draw(st.sampled_from([None, None, *own])) if len(own) > 1 else None
            self.legal[player, seen] = tuple(a for a in own if a != left_out)
        return self.legal[player, seen]

    def common(self, max_horizon: int) -> dict[str, Any]:
        """Return what is listed alike."""
        restricted = {
            key: own for key, own in self.legal.items() if own != tuple(self.actions[key[0]])
        }
        return {
            "players": self.players,
            "actions": self.actions,
            "legal_actions": restricted,
            "terminal": [state for state, ended in self.ends.items() if ended],
            "discount": self.draw(st.sampled_from(DISCOUNTS)),
            "horizon": self.draw(st.sampled_from([*range(1, max_horizon + 1), 0])),
        }


class _PosgSketch:
    """A POSG being drawn, row by row as play reaches them."""

    def __init__(
        self,
        draw: Draw,
        num_players: int,
        max_states: int,
        max_actions: int,
        max_seen: int,
        factored: bool,  # noqa: FBT001  (private)
    ) -> None:
        self.base = _Sketch(draw, num_players, max_states, max_actions, max_seen)
        self.factored = factored
        self.signals = list(itertools.product(*self.base.seen))
        self.views: dict[Any, Distribution[Any]] = {}
        self.initial_views: dict[str, Distribution[Any]] = {}
        self.after: dict[Any, Distribution[Any]] = {}
        self.transitions: dict[Any, Distribution[Any]] = {}

    def finish(self, rewards: Callable[[], Any], max_horizon: int) -> ListedPOSG:
        """Follow play, drawing what it asks, and list the rules."""
        base = self.base
        first = base.law(base.states)
        paid: dict[Any, Any] = {}
        waiting: list[tuple[str, Any]] = []
        for state, _ in first:
            if not base.is_terminal(state):
                law = self.initial_views[state] = self._signals((None,) * len(base.players), state)
                waiting.extend((state, seen) for seen, _ in law)
        met = set(waiting)
        while waiting:
            state, seen = waiting.pop()
            for joint in itertools.product(*(base.legal_actions(i, o) for i, o in enumerate(seen))):
                if (state, joint) in self.transitions:
                    continue
                law = self.transitions[state, joint] = base.law(base.states)
                for after, _ in law:
                    paid[state, joint, after] = rewards()
                    shown = self._entered(joint, after)
                    fresh = [(after, o) for o in shown if (after, o) not in met]
                    met.update(fresh)
                    waiting.extend(fresh)
        return list_posg(
            initial=dict(first),
            transitions=self.transitions,
            rewards={key: vector for key, vector in paid.items() if any(vector)},
            observations=self.views,
            initial_observations=self.initial_views,
            **base.common(max_horizon),
        )

    def _entered(self, joint: tuple[str, ...], after: str) -> list[Any]:
        if self.base.is_terminal(after):
            return []
        if (joint, after) not in self.views:
            self.views[joint, after] = self._signals(joint, after)
        return [seen for seen, _ in self.views[joint, after]]

    def _signals(self, joint: tuple[Any, ...], state: str) -> Distribution[Any]:
        """Draw a joint law of observations; the actions are None before the first."""
        if not self.factored:
            return self.base.law(self.signals)
        for i, action in enumerate(joint):
            if (i, action, state) not in self.after:
                self.after[i, action, state] = self.base.law(list(self.base.seen[i]))
        return product([self.after[i, a, state] for i, a in enumerate(joint)])


class _AecSketch:
    """An AEC game being drawn, row by row as play reaches them."""

    def __init__(
        self, draw: Draw, num_players: int, max_states: int, max_actions: int, max_seen: int
    ) -> None:
        self.base = _Sketch(draw, num_players, max_states, max_actions, max_seen)
        self.movers = [CHANCE, *range(num_players)]  # shrinking to chance asks for less
        self.chances: dict[str, Distribution[Any]] = {}
        self.moves: dict[Any, str] = {}
        self.turns: dict[Any, Distribution[Any]] = {}
        self.paid: dict[Any, Distribution[Any]] = {}
        self.views: dict[Any, Distribution[Any]] = {}

    def finish(self, rewards: Callable[[], Any], max_horizon: int) -> ListedAEC:
        """Follow play, drawing what it asks, and list the rules."""
        base = self.base
        start = base.states[0]
        waiting = [] if base.is_terminal(start) else [(start, CHANCE)]
        met = set(waiting)
        while waiting:
            state, mover = waiting.pop()
            for action, after in self._moves(state, mover):
                question = (state, mover, action, after)
                self.paid[question] = self._payment(rewards)
                if base.is_terminal(after):
                    continue
                self.turns[question] = base.law(self.movers)
                fresh = [(after, turn) for turn, _ in self.turns[question]]
                fresh = [position for position in fresh if position not in met]
                met.update(fresh)
                waiting.extend(fresh)
        nothing = (Fraction(0),) * len(base.players)
        return list_aec(
            initial_state=start,
            chances=self.chances,
            moves=self.moves,
            turns=self.turns,
            rewards={key: law for key, law in self.paid.items() if law[nothing] != 1},
            observations=self.views,
            **base.common(max_horizon),
        )

    def _moves(self, state: str, mover: int) -> list[tuple[Any, str]]:
        base = self.base
        if mover == CHANCE:
            self.chances[state] = base.law(base.states)
            return [(NULL, after) for after, _ in self.chances[state]]
        self.views[mover, state] = base.law(list(base.seen[mover]))
        legal = {a: None for o, _ in self.views[mover, state] for a in base.legal_actions(mover, o)}
        for action in legal:
            self.moves[mover, state, action] = base.draw(st.sampled_from(base.states))
        return [(action, self.moves[mover, state, action]) for action in legal]

    def _payment(self, rewards: Callable[[], Any]) -> Distribution[Any]:
        weights = self.base.draw(st.sampled_from((*CERTAIN, *WEIGHTS)))
        law: dict[Any, Fraction] = {}
        for weight in weights:
            vector = rewards()
            law[vector] = law.get(vector, Fraction(0)) + weight
        return Distribution(tuple(law.items()))


def _letters(draw: Draw, letters: str, most: int) -> tuple[str, ...]:
    return tuple(letters[: draw(st.integers(1, most))])


def _rewards(
    draw: Draw, payoff: "st.SearchStrategy[Any]", count: int, *, zero_sum: bool
) -> tuple[Fraction, ...]:
    drawn = [Fraction(draw(payoff)) for _ in range(count)]
    if zero_sum:
        drawn[-1] = -sum(drawn[:-1], Fraction(0))
    return tuple(drawn)


HORIZON_DISCOUNTS = (ONE, Fraction(9, 10), Fraction(1, 2), ZERO)
STOP_CHANCES = (Fraction(1, 2), Fraction(1, 10))
STOPPED = "stopped"
ENDLESS_DISCOUNTS = (Fraction(1, 2), Fraction(9, 10), ZERO)


@st.composite
def markov_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_states: int = 3,
    max_actions: int = 2,
    max_horizon: int | None = 3,
    zero_sum: bool = False,
    stopping: bool = False,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> MarkovView:
    """Draw Markov games with a number of players in ``num_players`` (low, high).

    At most ``max_states`` states, the first not terminal; in each state 1 to ``max_actions`` legal
    actions of each player. Laws have at most two outcomes, with denominators up to 4. The horizon
    is 1 to ``max_horizon`` and the discount 1, 9/10, 1/2 or 0; with ``max_horizon=None`` there is
    no horizon and the discount is below 1. If ``stopping``, each step also ends play by a chance of
    1/2 or 1/10, in a state of its own, and the discount may be 1 in any case. Rewards are of one of
    ``kinds``; ``zero_sum`` makes two-player games unless ``num_players`` says else.
    """
    count = draw(st.integers(*((2, 2) if zero_sum and num_players == (1, 3) else num_players)))
    states = [f"s{k}" for k in range(draw(st.integers(1, max_states)))]
    ends = {s for s in states[1:] if draw(st.sampled_from([False, False, True]))}
    actions = ["abcdefgh"[:max_actions]] * count
    legal = {
        (i, s): actions[i][: draw(st.integers(1, max_actions))]
        for s in states
        if s not in ends
        for i in range(count)
    }
    stop = draw(st.sampled_from(STOP_CHANCES)) if stopping else ZERO
    if stop:
        ends.add(STOPPED)
    payoff = payoffs_of_kind(draw(st.sampled_from(kinds)))
    first = draw(_laws(states))
    if ends.issuperset(first):
        first = {states[0]: ONE}
    transitions: dict[Any, Any] = {}
    rewards: dict[Any, Any] = {}
    waiting = [s for s in first if s not in ends]
    met = set(waiting)
    while waiting:
        state = waiting.pop()
        for joint in itertools.product(*(legal[i, state] for i in range(count))):
            law = {after: (1 - stop) * weight for after, weight in draw(_laws(states)).items()}
            transitions[state, joint] = law = law | ({STOPPED: stop} if stop else {})
            for after in law:
                rewards[state, joint, after] = _markov_rewards(
                    draw, payoff, count, zero_sum=zero_sum
                )
            fresh = [after for after in law if after not in met and after not in ends]
            met.update(fresh)
            waiting.extend(fresh)
    entered = {(joint, after) for (_, joint), law in transitions.items() for after in law}
    reached = met | set(first) | {after for _, after in entered}
    game = posg_from_tables(
        players=tuple(f"player {i + 1}" for i in range(count)),
        actions=actions,
        initial=first,
        transitions=transitions,
        rewards=rewards,
        observations={pair: {(pair[1],) * count: 1} for pair in entered if pair[1] not in ends},
        initial_observations={s: {(s,) * count: 1} for s in first if s not in ends},
        legal_actions={key: tuple(own) for key, own in legal.items() if key[1] in met},
        terminal=sorted(ends & reached),
        discount=draw(
            st.sampled_from(
                ENDLESS_DISCOUNTS if max_horizon is None and not stopping else HORIZON_DISCOUNTS
            )
        ),
        horizon=None if max_horizon is None else draw(st.integers(1, max_horizon)),
    )
    return MarkovView(game)


@st.composite
def markov_profiles(draw: Draw, view: MarkovView, *, stationary: bool = False) -> MarkovProfile:
    """Draw profiles of a game: exact lotteries by state, and by time unless ``stationary``."""
    layers = [view.acting] if stationary else view.layers
    rounds = []
    for layer in layers:
        row: list[tuple[Lottery, ...]] = [()] * view.num_states
        for state in layer.tolist():
            row[state] = tuple(
                draw(_lotteries(own, len(labels)))
                for own, labels in zip(view.legal[state], view.game.actions, strict=True)
            )
        rounds.append(tuple(row))
    return MarkovProfile(tuple(rounds), is_stationary=stationary)


@st.composite
def _laws(draw: Draw, outcomes: list[str]) -> dict[str, Fraction]:
    first = draw(st.sampled_from(outcomes))
    weights = draw(st.sampled_from(WEIGHTS if len(outcomes) > 1 else CERTAIN))
    if len(weights) == 1:
        return {first: ONE}
    second = draw(st.sampled_from([x for x in outcomes if x != first]))
    return {first: weights[0], second: weights[1]}


@st.composite
def _lotteries(draw: Draw, legal: tuple[int, ...], count: int) -> Lottery:
    law = draw(_laws(list(map(str, legal))))
    return tuple(law.get(str(action), ZERO) for action in range(count))


def _markov_rewards(
    draw: Draw, payoff: "st.SearchStrategy[Any]", count: int, *, zero_sum: bool
) -> tuple[Fraction, ...]:
    drawn = [Fraction(draw(payoff)) for _ in range(count)]
    if zero_sum:
        drawn[-1] = -sum(drawn[:-1], ZERO)
    return tuple(drawn)
