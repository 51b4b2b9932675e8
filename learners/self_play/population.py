"""Population-based training: learners that meet each other, and the worst copy the best."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, require_integer, shown
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.batches.game import BatchedGame
from learners.frozen import FrozenPolicy, frozen
from learners.options import require_kind
from learners.policies import require_environment
from learners.protocol import Plays, learner
from learners.self_play.by_results import EloKernel
from learners.self_play.draws import Draws
from learners.self_play.evolution import Evolution
from learners.self_play.live_learner import made_live, seated_play, seated_policies
from learners.self_play.live_play import Results
from learners.self_play.menagerie import Menagerie
from learners.self_play.opponents import LIVE
from learners.self_play.sampling import LooksAt, PolicySampling
from learners.self_play.standings import FIRST_RATING, rated
from learners.self_play.views import seat_views
from learners.snapshots import Kept, with_own_episodes
from learners.streams import child_stream, streams_under


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
        self.options = dict(options)
        played = cast("BatchedEnvironment", environment)
        self._draws = Draws(len(environment.players) - 1, play_rng)
        views = seat_views(played)
        self.play = seated_play(played, self._draws, views=views, seat=seat, rng=play_rng)
        self.live = made_live(self.options, self.play, self._live_rng)

    def frozen(self) -> FrozenPolicy:
        """Return what the member would do now."""
        return frozen(self.live, self.play)

    def meet(self, sampling: PolicySampling, menagerie: Menagerie) -> None:
        """Meet these from the next episode on."""
        self.play.opponents.keep_only(menagerie.snapshots)
        self.play.opponents.put(LIVE, self.frozen())
        self._draws.weigh(sampling, menagerie)

    def succeed(self, winner: "_Member", factors: Mapping[str, Fraction]) -> None:
        """Take what another has learned, and its options, some of them multiplied.

        Whole numbers stay whole; if an option would leave its range, none is changed.
        """
        learned = with_own_episodes(self.live, winner.live.snapshot())  # made before play is reset
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
        self.live.restore(learned)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot; the learner is made anew, since its options may be others."""
        self.options = dict(snapshot["options"])
        self.live = made_live(self.options, self.play, self._live_rng)
        super().restore(snapshot)


@learner(plays=Plays.SEATS)
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
        sampling: PolicySampling = EloKernel(),  # noqa: B008 frozen
        evolution: Evolution = Evolution(),  # noqa: B008 frozen
        seat: int | None = None,
        rng: np.random.Generator,
    ) -> None:
        require_environment(environment)
        require_instance(environment, BatchedGame, name="environment")
        require_instance(live, Mapping, name="live")
        require_instance(rng, np.random.Generator, name="rng")
        require_integer(members, name="members", low=2)
        require_instance(evolution, Evolution, name="evolution")
        require_kind(sampling, PolicySampling, name="sampling", what="one, such as EloKernel()")
        if sampling.looks_at in {LooksAt.WIN_RATES, LooksAt.PAYOFFS}:
            raise InvalidArgument(
                needs="sampling that looks at no meta-game, such as EloKernel()",
                found=f"got {shown(sampling)}",
                remedy="Use SelfPlay for a meta-game.",
            )
        self._varies = as_tuple(varies, name="varies")
        for number, option in enumerate(self._varies):
            if option in self._varies[:number]:
                raise InvalidArgument(
                    needs="each option that varies once", found=f"got {option!r} twice",
                    where="varies",
                )  # fmt: skip
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
        places = results.opponents
        counts = (places != LIVE) & (places != number + 1)  # against others than oneself
        others, points = places[counts] - 1, results.points[counts]
        self._ratings = rated(self._ratings, number, others, points)

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
