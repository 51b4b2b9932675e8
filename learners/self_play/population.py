"""Population-based training: learners that meet each other, and the worst copy the best."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, require_integer, shown
from gametheory_core.distributions import Distribution, draw, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.batches.game import BatchedGame
from learners.options import Count, PositiveShare, checked
from learners.policies import require_environment
from learners.protocol import Learner
from learners.self_play.frozen import FrozenPolicy, frozen
from learners.self_play.live_play import LivePlay, Results
from learners.self_play.menagerie import FIRST_RATING, Menagerie
from learners.self_play.opponents import LIVE, Opponents
from learners.self_play.sampling import EloKernel, Independent, MetaGame, Sampling, expected_score
from learners.self_play.self_play import STEP, Draws, made_live, seated_policies
from learners.self_play.views import seat_views
from learners.snapshots import Kept
from learners.streams import child_stream, streams_under

# What belongs to episodes under way, and not to what was learned.
_OF_EPISODES = {
    "environment", "turn", "rng", "tally", "previous", "policy_memory", "value_memory",
    "has_begun", "observation", "action", "reward", "factor", "decisions", "errors", "updates",
    "update",
}  # fmt: skip


@dataclass(frozen=True)
class Succession:
    """Who takes whose place, and by what its options are multiplied.

    Attributes:
        loser, winner: Numbers of members.
        factors: One for each option that varies.
    """

    loser: int
    winner: int
    factors: tuple[Fraction, ...]


@dataclass(frozen=True)
@checked
class Evolution:
    """The worst members copy the best, with options changed a little.

    Attributes:
        every: Iterations from one succession to the next.
        share: Of members, at the bottom who copy, and at the top who are copied; at least one.
        factors: By which an option of a copy is multiplied, all equally likely.

    Source: :cite:`jaderberg2017population`, with 20 % and factors 4/5 and 6/5.

    >>> law = Evolution().laws((1500.0, 1600.0, 1400.0), options=1)[0]
    >>> [(s.loser, s.winner, str(s.factors[0]), str(w)) for s, w in law]
    [(2, 1, '4/5', '1/2'), (2, 1, '6/5', '1/2')]
    """

    every: Count = 10
    share: PositiveShare = 0.2
    factors: tuple[Fraction, ...] = (Fraction(4, 5), Fraction(6, 5))

    def __post_init__(self) -> None:
        kept = as_tuple(self.factors, name="factors")
        if not kept or any(not Fraction(factor) > 0 for factor in kept):
            raise InvalidArgument(
                needs="factors above 0, at least one", found=f"got {shown(kept)}", where="Evolution"
            )
        object.__setattr__(self, "factors", tuple(map(Fraction, kept)))
        if self.share > 0.5:  # nobody both copies and is copied
            raise InvalidArgument(
                needs="a share of at most 1/2", found=f"got {self.share}", where="Evolution"
            )

    def laws(
        self, ratings: tuple[float, ...], *, options: int = 1
    ) -> tuple[Distribution[Succession], ...]:
        """Return who follows each of the worst members, the worst first; all independent.

        Args:
            ratings: Of the members; of equal ones the first is the better.
            options: How many vary.
        """
        count = max(1, floor(self.share * len(ratings)))
        order = sorted(range(len(ratings)), key=lambda member: (-ratings[member], member))
        best, worst = order[:count], order[-count:][::-1]
        return tuple(
            uniform(
                Succession(loser, winner, factors)
                for winner, factors in product(best, product(self.factors, repeat=options))
            )
            for loser in worst
        )


class _Member(Kept):
    """One learner of a population, at its own episodes."""

    KEPT = ("play", "live", "options")

    def __init__(
        self,
        environment: BatchedGame,
        options: Mapping[str, Any],
        *,
        seat: int | None,
        rng: np.random.Generator,
    ) -> None:
        play_rng, self._live_rng = child_stream(rng), child_stream(rng)
        played: Any = environment
        self.views = seat_views(played)
        self.options = dict(options)
        shape = (self.views.num_observations, max(environment.num_actions))
        lanes = environment.num_episodes * len(environment.players)
        self.opponents = Opponents(shape, lanes=lanes)
        self.opponents.put(1, np.full(shape, 1 / shape[1]))
        self.draws = Draws(len(environment.players) - 1, play_rng)
        self.play = LivePlay(
            played,
            views=self.views,
            opponents=self.opponents,
            draw=self.draws.places,
            seat=seat,
            rng=play_rng,
        )
        self.live: Learner = made_live(self.options, self.play, self._live_rng)

    def frozen(self) -> FrozenPolicy:
        """Return what the member would do now."""
        shape = (self.play.num_observations[0], self.play.num_actions[0])
        return frozen(self.live, num_observations=shape[0], num_actions=shape[1])

    def meet(self, sampling: Sampling, menagerie: Menagerie) -> None:
        """Meet these from the next episode on."""
        self.opponents.keep_only(menagerie.snapshots)
        self.opponents.put(LIVE, self.frozen())
        self.draws.weigh(sampling, menagerie)

    def succeed(self, winner: "_Member", factors: Mapping[str, Fraction]) -> None:
        """Take what another has learned, and its options, some of them multiplied.

        Whole numbers stay whole; if an option would leave its range, none is changed.
        """
        before = self.live.snapshot()
        options = dict(winner.options)
        for name, factor in factors.items():
            value = options[name] * factor
            whole = isinstance(options[name], int)
            options[name] = max(1, round(value)) if whole else float(value)
        try:
            live = made_live(options, self.play, self._live_rng)
        except InvalidArgument:  # out of an option's range
            options = dict(winner.options)
            live = made_live(options, self.play, self._live_rng)
        self.options, self.live = options, live
        found = transplanted(before, winner.live.snapshot())
        if "actions" in before:  # of episodes under way, at the top alone
            found["actions"] = before["actions"]
        self.live.restore(found)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot; the learner is made anew, since its options may be others."""
        self.options = dict(snapshot["options"])
        self.live = made_live(self.options, self.play, self._live_rng)
        super().restore(snapshot)


def transplanted(own: Any, given: Any) -> Any:
    """Return what another has learned, in one's own episodes.

    Args:
        own, given: Snapshots of learners of one kind.

    >>> transplanted({"values": 1, "rng": "mine"}, {"values": 2, "rng": "yours"})
    {'values': 2, 'rng': 'mine'}
    """
    if isinstance(own, Mapping) and isinstance(given, Mapping):
        mine, theirs = cast("Mapping[str, Any]", own), cast("Mapping[str, Any]", given)
        return {
            name: mine[name]
            if name in _OF_EPISODES and name in mine
            else transplanted(mine.get(name), theirs[name])
            for name in theirs
        }
    if isinstance(own, list | tuple) and isinstance(given, list | tuple):
        pairs = (cast("list[Any]", own), cast("list[Any]", given))
        if len(pairs[0]) == len(pairs[1]):
            return [transplanted(a, b) for a, b in zip(*pairs, strict=True)]
    return given


class PopulationTraining(Kept):
    """Population-based training: members learn side by side, against each other.

    In each iteration every member makes one of its own, against members frozen before it, drawn by
    ``sampling``. Matches change Elo's ratings. Now and then the worst copy the best.

    Args:
        environment: The game in batches.
        live: The learner of each member: a table of its name and options.
        varies: Options that evolution changes; numbers that ``live`` gives.
        members: At least 2.
        sampling: Whom members meet, by ratings: snapshot ``k`` is member ``k``.
        evolution: Who follows whom.
        seat: Where members sit when they learn; None for any seat.
        rng: All chance.

    Raises:
        InvalidArgument: If an option makes no sense, or a learner cannot play one seat.

    Metrics: "points" and "rating" of the best and the worst member, "rating/<member>", and
    "option/<name>/<member>" of what varies.

    ``policies()`` are those of the member with the highest rating.

    Sources:
        :cite:`jaderberg2017population`.
        :cite:`jaderberg2019human`: opponents of nearly equal rating.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> game = RepeatedGame.of("rock_paper_scissors", rounds=2)
    >>> learner = PopulationTraining(
    ...     batched(game, episodes=8, seed=1),
    ...     live={"name": "TabularReinforce", "step_size": 0.5},
    ...     varies=("step_size",),
    ...     members=3,
    ...     rng=np.random.default_rng(1),
    ... )
    >>> learner.improve()["episodes"]
    24.0
    """

    KEPT = ("_members", "_ratings", "_made", "_episodes", "_rng")

    name = "population-based training"

    def __init__(
        self,
        environment: BatchedGame,
        *,
        live: Mapping[str, Any],
        varies: tuple[str, ...] = (),
        members: int = 10,
        sampling: Sampling = EloKernel(),  # noqa: B008 frozen
        evolution: Evolution = Evolution(),
        seat: int | None = None,
        rng: np.random.Generator,
    ) -> None:
        require_environment(environment)
        require_instance(environment, BatchedGame, name="environment")
        require_instance(live, Mapping, name="live")
        require_instance(rng, np.random.Generator, name="rng")
        require_integer(members, name="members", low=2)
        require_instance(evolution, Evolution, name="evolution")
        if seat is not None:
            require_integer(seat, name="seat", low=0, high=len(environment.players) - 1)
        if not isinstance(sampling, Independent) or isinstance(sampling, MetaGame):
            raise InvalidArgument(
                needs="sampling that looks at no meta-game, such as EloKernel()",
                found=f"got {shown(sampling)}",
                remedy="Use SelfPlay for a meta-game.",
            )
        self._varies = as_tuple(varies, name="varies")
        for option in self._varies:
            value = live.get(option)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidArgument(
                    needs=f"a number for {option!r} in live, since it is to vary",
                    found=f"got {shown(value)}",
                    where="varies",
                )
        self.environment = environment
        self._sampling, self._evolution = sampling, evolution
        streams = streams_under(rng, "evolution", *(f"member {k}" for k in range(members)))
        self._rng = streams[0]
        count = environment.num_episodes
        self._members = [
            _Member(
                environment.anew(episodes=count, seed=int(own.integers(2**31))),
                live,
                seat=seat,
                rng=own,
            )
            for own in streams[1:]
        ]
        self._ratings = np.full(members, FIRST_RATING)
        self._made = self._episodes = 0

    @property
    def menagerie(self) -> Menagerie:
        """The members as they are now, with their ratings; the best stands beside them."""
        ratings = self._ratings.tolist()
        return Menagerie(
            tuple(own.frozen() for own in self._members), ratings=(*ratings, max(ratings))
        )

    def improve(self) -> Mapping[str, float]:
        """Let every member make an iteration, and the worst copy the best if it is time."""
        policies = tuple(own.frozen() for own in self._members)
        points = [self._improve(number, policies) for number in range(len(policies))]
        self._made += 1
        if self._made % self._evolution.every == 0:
            self._evolve()
        metrics = {"episodes": float(self._episodes)}
        played = [own for own in points if own is not None]
        if played:
            metrics |= {"points": float(np.mean(played))}
        for number, member in enumerate(self._members):
            metrics[f"rating/{number}"] = float(self._ratings[number])
            metrics |= {f"option/{n}/{number}": float(member.options[n]) for n in self._varies}
        return metrics

    def _improve(self, number: int, policies: tuple[FrozenPolicy, ...]) -> float | None:
        member = self._members[number]
        ratings = tuple(self._ratings.tolist())
        known = Menagerie(policies, ratings=(*ratings, ratings[number]))
        member.meet(self._sampling, known)
        member.live.improve()
        results = member.play.results()
        self._episodes += len(results.points)
        self._rate(number, results)
        return float(results.points.mean()) if len(results.points) else None

    def _rate(self, number: int, results: Results) -> None:
        ratings = self._ratings.tolist()
        met, points = results.opponents.ravel().tolist(), results.points.ravel().tolist()
        for place, own in zip(met, points, strict=True):
            other = place - 1
            if place == LIVE or other == number:
                continue
            step = STEP * (own - expected_score(ratings[number], ratings[other]))
            ratings[number] += step
            ratings[other] -= step
        self._ratings = np.array(ratings)

    def _evolve(self) -> None:
        laws = self._evolution.laws(tuple(self._ratings.tolist()), options=len(self._varies))
        for law in laws:
            found = draw(law, self._rng)
            factors = dict(zip(self._varies, found.factors, strict=True))
            self._members[found.loser].succeed(self._members[found.winner], factors)
            self._ratings[found.loser] = self._ratings[found.winner]

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of what was made with the same options.

        Raises:
            InvalidArgument: If it is of another number of members, or of something else.
        """
        members = snapshot.get("members", ())
        if set(snapshot) != set(self.snapshot()) or len(members) != len(self._members):
            raise InvalidArgument(
                needs=f"a snapshot of {len(self._members)} members",
                found=f"got one of {len(members)} with {', '.join(sorted(map(str, snapshot)))}",
                remedy="Make the population with the options it had.",
                where="restore",
            )
        super().restore(snapshot)

    def policies(self) -> PolicyProfile:
        """Return the policy of the best member, one for each seat, exact."""
        best = self._members[int(np.argmax(self._ratings))]
        return seated_policies(best.play, best.live)
