"""What a model lets an environment show next: an exact Bayes filter over the model's states.

A *moment* is what a game shows between two moves: who moves now and what these players observe,
what the move before paid, and whether play continues. A *belief* is the law of the model's states
given all moments and actions so far.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution, point_mass, times
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import AEC, AWAY, IDLE, NULL, POSG
from gametheory_core.games.tree_table import CHANCE

MOST_CHANCE_MOVES = 1000  # in a row


class End(Enum):
    """Whether play continues."""

    RUNNING = "play going on"
    TERMINATED = "termination"
    TRUNCATED = "truncation"
    BOTH = "termination and truncation"


@dataclass(frozen=True)
class Moment:
    """What a model shows between two moves.

    Attributes:
        movers: Players who act now; none at the end.
        observations: What each mover sees; at the end all players, if the model says that.
        rewards: What the move before, and chance after it, paid each player.
        away: Who of a POSG's players is not there, and so idles.
        absent: Who of an AEC game's players saw ``AWAY`` at its last turn, and so is no agent.
    """

    movers: tuple[int, ...]
    observations: tuple[Any, ...]
    rewards: tuple[Fraction | int, ...]
    end: End
    away: tuple[int, ...] = ()
    absent: frozenset[int] = frozenset()


Branch: TypeAlias = tuple[Moment, Any, Fraction]  # what is shown, what stays hidden, the weight


class Moments(Protocol):
    """A model as a process of moments and hidden states."""

    def first(self) -> Iterable[Branch]:
        """Return the branches before the first move."""
        ...

    def after(self, hidden: Any, actions: tuple[Any, ...]) -> Iterable[Branch]:
        """Return the branches after the movers' actions."""
        ...


@dataclass(frozen=True)
class JointMoments:
    """A POSG, in which all move at every moment who are there; hidden are the state and the step.

    Attributes:
        shows_last: Whether observations at the end are the model's too.
    """

    game: POSG
    shows_last: bool = False

    def first(self) -> Iterable[Branch]:
        """Return the branches before the first step."""
        zero = (0,) * len(self.game.players)
        for state, weight in self.game.initial():
            yield from self._shown(state, 0, zero, None, weight)

    def after(self, hidden: Any, actions: tuple[Any, ...]) -> Iterable[Branch]:
        """Return the branches of one step."""
        state, step, movers = hidden
        acting = dict(zip(movers, actions, strict=True))
        joint = tuple(acting.get(player, IDLE) for player in range(len(self.game.players)))
        for following, weight in self.game.transition(state, joint):
            rewards = _exact(self.game.reward(state, joint, following))
            yield from self._shown(following, step + 1, rewards, joint, weight)

    def _shown(
        self,
        state: Any,
        step: int,
        rewards: tuple[Fraction | int, ...],
        actions: tuple[Any, ...] | None,
        weight: Fraction,
    ) -> Iterable[Branch]:
        end = _end(self.game, state, step)
        if end is not End.RUNNING:
            for seen, share in self._seen_last(state, actions):
                yield Moment((), tuple(seen), rewards, end), None, weight * share
            return
        for seen, share in self._seen(state, actions):
            movers = tuple(i for i, view in enumerate(seen) if view is not AWAY)
            away = tuple(i for i, view in enumerate(seen) if view is AWAY)
            moment = Moment(movers, tuple(seen[i] for i in movers), rewards, end, away)
            yield moment, (state, step, movers), weight * share

    def _seen(self, state: Any, actions: tuple[Any, ...] | None) -> Distribution[Any]:
        if actions is None:
            return self.game.initial_observation(state)
        return self.game.observation(actions, state)

    def _seen_last(self, state: Any, actions: tuple[Any, ...] | None) -> Distribution[Any]:
        """Return what is seen at the end; nothing if it is not asked for, or not said."""
        if self.shows_last:
            with suppress(Exception):  # rules need not say what is seen when all is over
                return self._seen(state, actions)
        return point_mass(())


@dataclass(frozen=True)
class TurnMoments:
    """An AEC game, in which one player moves at a time; chance moves are part of the move before.

    So are the moves of those who are away.

    Hidden are the state, the mover, the number of moves made, who is absent, and what is still to
    be paid: what chance pays before the first turn comes with the first move, for PettingZoo pays
    nothing at a reset.

    Attributes:
        tells_absent: Whether moments say who is absent; a POSG asked in turns tells it at once.
    """

    game: AEC
    tells_absent: bool = True

    def first(self) -> Iterable[Branch]:
        """Return the branches before the first player's move."""
        zero = (0,) * len(self.game.players)
        for shown, hidden, weight in self._settle(
            {(self.game.initial_state, CHANCE, 0, frozenset(), zero): ONE}
        ):
            if hidden is None:
                yield shown, None, weight
            else:
                yield replace(shown, rewards=zero), (*hidden[:4], shown.rewards), weight

    def after(self, hidden: Any, actions: tuple[Any, ...]) -> Iterable[Branch]:
        """Return the branches of one player's move."""
        following = self.game.move(hidden[1], hidden[0], actions[0])
        return self._settle(self._paid(hidden, actions[0], following, ONE))

    def off_turn(self, hidden: Any, player: int) -> dict[Any, Fraction]:
        """Return what a player would see if it were its turn; nothing if rules do not say that."""
        with suppress(Exception):
            return dict(self.game.observation(player, hidden[0]))
        return {}

    def _paid(
        self, before: tuple[Any, ...], action: Any, following: Any, weight: Fraction
    ) -> dict[Any, Fraction]:
        game = self.game
        state, mover, moves, absent, paid = before
        frontier: dict[Any, Fraction] = {}
        over = _end(game, following, moves + 1) is not End.RUNNING
        for rewards, share in game.reward(state, mover, action, following):
            total = tuple(p + r for p, r in zip(paid, _exact(rewards), strict=True))
            nexts = ((CHANCE, ONE),) if over else game.next_player(state, mover, action, following)
            for player, part in nexts:
                key = (following, player, moves + 1, absent, total)
                joint = times(times(weight, share), part)
                frontier[key] = frontier[key] + joint if key in frontier else joint
        return frontier

    def _settle(self, frontier: dict[Any, Fraction]) -> Iterable[Branch]:
        """Let chance move, and who is away, until players do who are there, or play ends."""
        game = self.game
        nothing = (0,) * len(game.players)
        for _ in range(MOST_CHANCE_MOVES):
            waiting: dict[Any, Fraction] = {}
            for (state, mover, moves, absent, paid), weight in frontier.items():
                end = _end(game, state, moves)
                if end is not End.RUNNING:
                    yield Moment((), (), paid, end), None, weight
                    continue
                silent: list[tuple[Any, Any, Fraction]] = []
                missing = absent
                if mover == CHANCE:
                    silent.extend((NULL, following, w) for following, w in game.chance(state))
                else:
                    for seen, share in game.observation(mover, state):
                        if seen is AWAY:
                            silent.append((IDLE, game.move(mover, state, IDLE), share))
                            missing = absent | {mover} if self.tells_absent else absent
                            continue
                        there = absent - {mover}
                        shown = Moment((mover,), (seen,), paid, end, absent=there)
                        yield shown, (state, mover, moves, there, nothing), times(weight, share)
                for action, following, share in silent:
                    before = (state, mover, moves, missing, paid)
                    reached = self._paid(before, action, following, times(weight, share))
                    for key, part in reached.items():
                        waiting[key] = waiting[key] + part if key in waiting else part
            if not waiting:
                return
            frontier = waiting
        raise UnsupportedGame(
            needs=f"chance to make at most {MOST_CHANCE_MOVES} moves in a row",
            found=f"in {game.title!r} it makes more",
            remedy="Sum them up in one move.",
        )


def _end(game: POSG | AEC, state: Any, moves: int) -> End:
    is_late = game.horizon is not None and moves >= game.horizon
    if game.is_terminal(state):
        return End.BOTH if is_late else End.TERMINATED
    return End.TRUNCATED if is_late else End.RUNNING


def _exact(rewards: Iterable[Fraction | int]) -> tuple[Fraction | int, ...]:
    """Leave integers as they are: they are added and hashed many times faster than rationals."""
    return tuple(r if type(r) is int else Fraction(r) for r in rewards)


@dataclass(frozen=True, eq=False)
class Belief:
    """The law of the hidden states, given all that was shown and done; numbered when first met."""

    number: int
    law: tuple[tuple[Any, Fraction], ...]


@dataclass(frozen=True, eq=False)
class Forecast:
    """The law of the next moment, and the belief after each."""

    law: dict[Moment, Fraction]
    beliefs: dict[Moment, Belief]


@dataclass
class Forecaster:
    """Answers what may come next, each question once."""

    moments: Moments
    _beliefs: dict[frozenset[Any], Belief] = field(default_factory=dict[frozenset[Any], Belief])
    _known: dict[Any, Forecast] = field(default_factory=dict[Any, Forecast])

    def first(self) -> Forecast:
        """Return the forecast before the first move."""
        if None not in self._known:
            self._known[None] = self._forecast([(b, ONE) for b in self.moments.first()])
        return self._known[None]

    def believed(self, forecast: Forecast, moments: Sequence[Moment]) -> Belief:
        """Return the belief after one of some moments, which one is not shown."""
        if len(moments) == 1:
            return forecast.beliefs[moments[0]]
        law: dict[Any, Fraction] = {}
        total = sum((forecast.law[moment] for moment in moments), ZERO)
        for moment in moments:
            for hidden, weight in forecast.beliefs[moment].law:
                share = weight * forecast.law[moment] / total
                law[hidden] = law.get(hidden, ZERO) + share
        return self._belief(law)

    def after(self, belief: Belief, actions: tuple[Any, ...]) -> Forecast:
        """Return the forecast after the movers' actions."""
        key = (belief.number, actions)
        if key not in self._known:
            branches = [
                (branch, weight)
                for hidden, weight in belief.law
                for branch in self.moments.after(hidden, actions)
            ]
            self._known[key] = self._forecast(branches)
        return self._known[key]

    def _forecast(self, branches: list[tuple[Branch, Fraction]]) -> Forecast:
        joint: dict[Moment, dict[Any, Fraction]] = {}
        for (moment, hidden, share), weight in branches:
            law = joint.setdefault(moment, {})
            part = times(share, weight)
            law[hidden] = law[hidden] + part if hidden in law else part
        totals = {moment: sum(law.values(), ZERO) for moment, law in joint.items()}
        beliefs = {
            moment: self._belief({x: w / totals[moment] for x, w in law.items()})
            for moment, law in joint.items()
        }
        return Forecast(totals, beliefs)

    def _belief(self, law: dict[Any, Fraction]) -> Belief:
        key = frozenset(law.items())
        known = self._beliefs.get(key)
        if known is None:
            known = self._beliefs[key] = Belief(len(self._beliefs), tuple(law.items()))
        return known
