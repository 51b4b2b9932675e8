"""Self-play: one learner trains against frozen copies of itself, as a scheme says."""

import operator
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import as_float
from gametheory_core.distributions import Distribution, draw
from gametheory_core.errors import UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.batches.game import BatchedGame
from learners.frozen import FrozenPolicy, frozen
from learners.options import Count, checked
from learners.policies import as_doubles, as_probabilities, require_environment
from learners.protocol import Plays, learner
from learners.self_play.draws import Draws
from learners.self_play.evaluation import (
    Evaluation,
    Evaluator,
    ExactReturns,
    ExactWins,
    SampledWins,
    snapshot_policies,
)
from learners.self_play.live_learner import Live, made_live, seated_play, seated_policies
from learners.self_play.live_play import Results
from learners.self_play.menagerie import Menagerie, require_fitting_menagerie, require_menagerie
from learners.self_play.opponents import LIVE, MOST_BYTES
from learners.self_play.sampling import LooksAt
from learners.self_play.schemes import SelfPlayScheme
from learners.self_play.standings import Standings
from learners.self_play.views import seat_views
from learners.snapshots import Kept
from learners.streams import streams_under


@learner(plays=Plays.SEATS)
@checked
class SelfPlay(Kept):
    """A learner that plays against frozen copies of itself.

    Each iteration is one of the live learner's. Before it, the live policy is frozen as its own
    opponent; opponents are drawn anew for each episode, from the scheme's policy sampling
    distribution. After it, a copy of the live policy stands before the gate.

    Args:
        environment: The game in batches, of any number of players.
        scheme: Whom the live policy meets, and who is kept.
        live: The learner: a table ``{"name": "PPO", "steps": 128}`` of its name and options, or a
            function that makes one of ``environment`` and ``rng=``.
        every: Iterations from one gate to the next.
        seat: Where the live policy sits; None for any seat, all equally likely.
        evaluation: How snapshots are compared, where the scheme asks for it; by default as exactly
            as the game allows.
        remembers: Matches against a snapshot that count when opponents are drawn by results; older
            ones fade.
        most_bytes: Of snapshots' tables in memory; larger stacks lie on disk.
        begins_with: The first snapshots; by default a copy of the first policy.
        rng: All chance.

    Raises:
        InvalidArgument: If an option makes no sense, or the learner cannot play one seat.
        UnsupportedGame: If the scheme needs win rates, and the game has not two players.

    Metrics: those of the live learner; "points", its mean points a match in this iteration;
    "menagerie", its size; "kept", 1 where the gate let the policy in.

    Source: :cite:`hernandez2019selfplay`, algorithm 1, with one counter of episodes, and the copy
        made before the gate.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> from learners.self_play import SelfPlay, delta_uniform
    >>> game = RepeatedGame.of("rock_paper_scissors", rounds=2)
    >>> play = batched(game, episodes=16, seed=1)
    >>> options = {"name": "TabularReinforce"}
    >>> rng = np.random.default_rng(1)
    >>> learner = SelfPlay(play, scheme=delta_uniform(), live=options, rng=rng)
    >>> learner.improve()["menagerie"]
    2.0
    """

    KEPT = ("play", "live", "_streams", "_made", "_episodes")

    name = "self-play"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        scheme: SelfPlayScheme,
        live: Live,
        every: Count = 1,
        seat: int | None = None,
        evaluation: Evaluation | None = None,
        remembers: Count = 100,
        most_bytes: Count = MOST_BYTES,
        begins_with: Menagerie | None = None,
        rng: np.random.Generator,
    ) -> None:
        require_environment(environment)
        require_instance(scheme, SelfPlayScheme, name="scheme")
        if evaluation is not None:
            require_instance(evaluation, (ExactWins, ExactReturns, SampledWins), name="evaluation")
        self.scheme = scheme
        self.environment = environment
        self.views = seat_views(environment) if all(environment.num_observations) else None
        self._every, self._remembers = every, remembers
        self._looks_at = scheme.sampling.looks_at
        streams = streams_under(rng, "live", "opponents", "gate", "evaluation")
        self._streams = streams[1:3]
        self._evaluator = self._made_evaluator(evaluation, streams[3])
        self._draws = Draws(len(environment.players) - 1, self._streams[0])
        self.play = seated_play(
            environment, self._draws, views=self.views, seat=seat, rng=self._streams[0],
            most_bytes=most_bytes,
        )  # fmt: skip
        self._opponents = self.play.opponents
        self.live = made_live(live, self.play, streams[0])
        self._made = self._episodes = 0
        first = self._frozen()
        self._opponents.put(LIVE, first)
        given = Menagerie((first,)) if begins_with is None else require_menagerie(begins_with)
        tables = {k: own for k, own in enumerate(given) if isinstance(own, np.ndarray)}
        for number, table in tables.items():
            tables[number] = as_doubles(table, name=f"begins_with[{number}]")
        snapshots = tuple(tables.get(number, own) for number, own in enumerate(given))
        self._begin_with(replace(given, snapshots=snapshots))
        for number, table in tables.items():  # all of the right shape
            as_probabilities(table, name=f"begins_with[{number}]")

    def _made_evaluator(
        self, evaluation: Evaluation | None, rng: np.random.Generator
    ) -> Evaluator | None:
        if self._looks_at not in {LooksAt.WIN_RATES, LooksAt.PAYOFFS}:
            return None
        if self.views is None or not isinstance(self.environment, BatchedGame):
            raise UnsupportedGame(
                needs="a batched game with numbered observations, for what snapshots earn",
                found=f"got {shown(self.environment)}",
                remedy="Take a scheme that needs no meta-game, such as DeltaUniform.",
            )
        seed = int(rng.integers(2**31))
        pairs = self._looks_at is LooksAt.WIN_RATES
        return Evaluator(self.environment, self.views, evaluation, seed=seed, pairs=pairs)

    # The menagerie

    @property
    def menagerie(self) -> Menagerie:
        """The frozen policies, with what is known of them now."""
        standings = self._standings
        return replace(self._menagerie, records=standings.records, ratings=standings.ratings)

    def _begin_with(self, menagerie: Menagerie) -> None:
        """Begin with these snapshots, of whom nothing is known but what the menagerie says."""
        known = menagerie.win_rates
        floats = None if known is None else as_float(known)
        self._menagerie = Menagerie(
            menagerie.snapshots, win_rates=floats, payoffs=menagerie.payoffs
        )
        if self._evaluator is not None:
            self._menagerie = self._evaluator.completed(self._menagerie)
        rates = self._looks_at is LooksAt.RATINGS
        self._standings = Standings(menagerie, remembers=self._remembers, rates=rates)
        self._forget_outcomes()
        self._opponents.keep_only(menagerie.snapshots)
        self._weigh()

    def _forget_outcomes(self) -> None:
        self._outcomes = array("d")  # mean points of each episode since the menagerie changed
        self._seen = 0  # of them the gate

    def _frozen(self) -> FrozenPolicy:
        return frozen(self.live, self.play)

    def _weigh(self) -> None:
        """Look whom opponents are drawn from now."""
        self._draws.weigh(self.scheme.sampling, self.menagerie)

    # Iterations

    def improve(self) -> Mapping[str, float]:
        """Let the live learner make an iteration, and look whether it is kept."""
        self._opponents.put(LIVE, self._frozen())
        if self._looks_at in {LooksAt.RECORDS, LooksAt.RATINGS}:  # which each match changes
            self._weigh()
        metrics = dict(self.live.improve())
        results = self.play.results()
        self._note(results)
        self._made += 1
        kept = self._made % self._every == 0 and self._gate()
        if len(results.points):
            metrics["points"] = float(results.points.mean())
        return {
            **metrics,
            "episodes": float(self._episodes),
            "menagerie": float(len(self._menagerie)),
            "kept": float(kept),
        }

    def _note(self, results: Results) -> None:
        """Keep how episodes ended."""
        self._episodes += len(results.points)
        self._outcomes.extend(results.points.mean(axis=1).tolist())
        places = results.opponents  # of whom some may be gone, where a gate keeps fewer
        past = (places != LIVE) & (places <= len(self._menagerie))
        self._standings.note(places[past] - 1, results.points[past])

    def _gate(self) -> bool:
        """Let the gate look at a copy of the live policy; tell whether it is kept."""
        before, copy = self._menagerie, self._frozen()
        law = self.scheme.gate.law(before, copy, outcomes=self._outcomes, seen=self._seen)
        require_instance(law, Distribution, name="what the gate's law returns")
        after = draw(law, self._streams[1])
        require_instance(after, Menagerie, name="what the gate's law is over")
        if _same(after, before):
            self._seen = len(self._outcomes)
            return False
        if not _same(after, (*before, copy)):
            self._begin_with(after)
            return True
        self._menagerie = self._evaluator.grown(before, after) if self._evaluator else after
        self._opponents.put(len(after), copy)
        self._standings.join()
        self._forget_outcomes()
        self._weigh()
        return True

    # What was learned

    def policies(self) -> PolicyProfile:
        """Return the live policy, one policy for each seat, exact."""
        return seated_policies(self.play, self.live)

    def policies_of(self, number: int) -> PolicyProfile:
        """Return a snapshot, one policy for each seat, exact.

        Raises:
            InvalidArgument: If there is no such snapshot, or it is a network.
        """
        require_integer(number, name="number", low=0, high=len(self._menagerie) - 1)
        environment, views = cast("Any", self.environment), cast("Any", self.views)
        return snapshot_policies(environment, views, self._menagerie[number])

    # Going on later

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to continue exactly from here."""
        return {
            **super().snapshot(),
            **self._standings.snapshot(),
            "outcomes": np.array(self._outcomes),
            "snapshots": [
                own.copy() if isinstance(own, np.ndarray) else own.snapshot()
                for own in self._menagerie
            ],
            "win_rates": self._menagerie.win_rates,
            "payoffs": self._menagerie.payoffs,
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of what was made with the same options, however many are kept.

        Raises:
            InvalidArgument: If it was made with others.
        """
        own = self.snapshot()
        players, needs = len(self.environment.players), self._looks_at.name.lower()
        require_fitting_menagerie(snapshot, own, players=players, needs=needs)
        try:
            self._take(snapshot)
        except BaseException:
            self._take(own)
            raise

    def _take(self, snapshot: Snapshot) -> None:
        """Become what a snapshot that fits says."""
        copy: Any = self._frozen()
        policies = tuple(
            as_probabilities(own, name=f"snapshots[{number}]")
            if isinstance(copy, np.ndarray)
            else copy.revived(own)
            for number, own in enumerate(snapshot["snapshots"])
        )
        known = {name: snapshot[name] for name in ("win_rates", "payoffs")}
        self._menagerie = Menagerie(policies, **known)
        super().restore(snapshot)
        self._standings.restore(snapshot)
        self._outcomes, self._seen = array("d", snapshot["outcomes"]), 0
        self._opponents.keep_only(policies)
        self._opponents.put(LIVE, self._frozen())
        self._weigh()


def _same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Tell whether both hold the same snapshots, in the same order."""
    return len(one) == len(other) and all(map(operator.is_, one, other))
