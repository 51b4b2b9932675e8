"""Self-play: one learner trains against frozen copies of itself, as a scheme says."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import as_float
from gametheory_core.distributions import Distribution, draw, push_forward
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import BatchedEnvironment, Snapshot
from learners.batches.game import BatchedGame
from learners.experiments.registry import learner_class, read_options
from learners.options import Count, checked
from learners.policies import as_probabilities, require_environment
from learners.protocol import Learner, declaration_of
from learners.self_play.evaluation import (
    Evaluation,
    Evaluator,
    ExactReturns,
    ExactWins,
    SampledWins,
    snapshot_policies,
)
from learners.self_play.frozen import FrozenPolicy, frozen
from learners.self_play.live_play import LivePlay, Results
from learners.self_play.menagerie import FIRST_RATING, Menagerie, Record, require_menagerie
from learners.self_play.opponents import LIVE, MOST_BYTES, Opponents
from learners.self_play.sampling import (
    CoarseCorrelated,
    EloKernel,
    Independent,
    MetaGame,
    PolicySampling,
    Prioritized,
    expected_score,
)
from learners.self_play.schemes import SelfPlayScheme
from learners.self_play.views import seat_views
from learners.snapshots import Kept, require_fitting
from learners.streams import streams_under
from learners.training import require_learner

Live: TypeAlias = Mapping[str, Any] | Callable[..., Learner]

STEP = 32.0  # of Elo's ratings
OF_ANY_SIZE = (
    "points", "matches", "ratings", "outcomes", "snapshots", "win_rates", "payoffs", "live", "play",
)  # fmt: skip


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

    KEPT = (
        "play", "live", "_streams", "_made", "_episodes", "_points", "_matches", "_ratings",
        "_outcomes",
    )  # fmt: skip

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
        players = len(environment.players)
        if players < 2:  # somebody to meet
            raise InvalidArgument(needs="a game of two players or more", found=f"it has {players}")
        if seat is not None:
            require_integer(seat, name="seat", low=0, high=players - 1)
        self.scheme = scheme
        self.environment = environment
        self.views = seat_views(environment) if all(environment.num_observations) else None
        self._every, self._remembers = every, remembers
        self._looks = isinstance(scheme.sampling, Prioritized | EloKernel)  # at results
        streams = streams_under(rng, "live", "opponents", "gate", "evaluation")
        self._streams = streams[1:3]
        rows = self.views.num_observations if self.views else 0
        shape = (rows, max(environment.num_actions))
        self._opponents = Opponents(
            shape, lanes=environment.num_episodes * players, most_bytes=most_bytes
        )
        self._evaluator = self._made_evaluator(evaluation, streams[3])
        self._draws = Draws(players - 1, self._streams[0])
        self.play = LivePlay(
            environment,
            views=self.views,
            opponents=self._opponents,
            draw=self._draws.places,
            seat=seat,
            rng=self._streams[0],
        )
        self._opponents.put(1, np.full(shape, 1 / shape[1]))  # whom a reset meets
        self.live = made_live(live, self.play, streams[0])
        self._made = self._episodes = 0
        first = self._frozen()
        self._opponents.put(LIVE, first)
        given = Menagerie((first,)) if begins_with is None else require_menagerie(begins_with)
        self._begin_with(given)
        for number, snapshot in enumerate(given):  # all of the right shape
            if isinstance(snapshot, np.ndarray):
                as_probabilities(snapshot, name=f"begins_with[{number}]")

    def _made_evaluator(
        self, evaluation: Evaluation | None, rng: np.random.Generator
    ) -> Evaluator | None:
        if not isinstance(self.scheme.sampling, MetaGame | CoarseCorrelated):
            return None
        if self.views is None or not isinstance(self.environment, BatchedGame):
            raise UnsupportedGame(
                needs="a batched game with numbered observations, for what snapshots earn",
                found=f"got {shown(self.environment)}",
                remedy="Take a scheme that needs no meta-game, such as DeltaUniform.",
            )
        seed = int(rng.integers(2**31))
        pairs = isinstance(self.scheme.sampling, MetaGame)
        return Evaluator(self.environment, self.views, evaluation, seed=seed, pairs=pairs)

    # The menagerie

    @property
    def menagerie(self) -> Menagerie:
        """The frozen policies, with what is known of them now."""
        records = tuple(
            Record(Fraction(points), int(matches))
            for points, matches in zip(self._points.tolist(), self._matches.tolist(), strict=True)
        )
        ratings = tuple(self._ratings.tolist())
        return replace(self._menagerie, records=records, ratings=ratings)

    def _begin_with(self, menagerie: Menagerie) -> None:
        """Begin with these snapshots, of whom nothing is known but what the menagerie says."""
        count = len(menagerie)
        rates = menagerie.win_rates
        self._menagerie = Menagerie(
            menagerie.snapshots,
            win_rates=None if rates is None else as_float(rates),
            payoffs=menagerie.payoffs,
        )
        if self._evaluator is not None:
            self._menagerie = self._evaluator.completed(self._menagerie)
        self._points, self._matches = np.zeros(count), np.zeros(count)
        self._ratings = np.array(menagerie.ratings or (FIRST_RATING,) * (count + 1))
        self._outcomes = np.zeros(0)
        self._opponents.keep_only(menagerie.snapshots)
        self._weigh()

    def _frozen(self) -> FrozenPolicy:
        return frozen(
            self.live,
            num_observations=self.play.num_observations[0],
            num_actions=self.play.num_actions[0],
        )

    def _weigh(self) -> None:
        """Look whom opponents are drawn from now."""
        known = self.menagerie if self._looks else self._menagerie
        self._draws.weigh(self.scheme.sampling, known)

    # Iterations

    def improve(self) -> Mapping[str, float]:
        """Let the live learner make an iteration, and look whether it is kept."""
        self._opponents.put(LIVE, self._frozen())
        if self._looks:
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
        self._outcomes = np.concatenate([self._outcomes, results.points.mean(axis=1)])
        places = results.opponents  # of whom some may be gone, where a gate keeps fewer
        past = (places != LIVE) & (places <= len(self._menagerie))
        who = results.opponents[past] - 1
        np.add.at(self._points, who, results.points[past])
        np.add.at(self._matches, who, 1)
        fading = self._remembers / np.maximum(self._matches, self._remembers)
        self._points *= fading
        self._matches = np.floor(self._matches * fading + 0.5)
        if isinstance(self.scheme.sampling, EloKernel):
            self._rate(who, results.points[past])

    def _rate(self, who: NDArray[np.int64], points: NDArray[np.float64]) -> None:
        ratings = self._ratings.tolist()
        for other, own in zip(who.tolist(), points.tolist(), strict=True):
            step = STEP * (own - expected_score(ratings[-1], ratings[other]))
            ratings[-1] += step
            ratings[other] -= step
        self._ratings = np.array(ratings)

    def _gate(self) -> bool:
        """Let the gate look at a copy of the live policy; tell whether it is kept."""
        before, copy = self._menagerie, self._frozen()
        law = self.scheme.gate.law(before, copy, outcomes=self._outcomes)
        after = draw(law, self._streams[1])
        if after is before:
            return False
        if len(after) == len(before) + 1:
            self._keep(after, copy)
        else:
            self._begin_with(after)
        self._outcomes = np.zeros(0)
        self._weigh()
        return True

    def _keep(self, after: Menagerie, copy: FrozenPolicy) -> None:
        before = self._menagerie
        self._menagerie = after
        if self._evaluator is not None:
            self._menagerie = self._evaluator.grown(before, after)
        self._opponents.put(len(after), copy)
        self._points = np.append(self._points, 0.0)
        self._matches = np.append(self._matches, 0.0)
        self._ratings = np.append(self._ratings, self._ratings[-1])

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
        require_fitting(snapshot, own, ignored=OF_ANY_SIZE)
        kept, copy = snapshot["snapshots"], self._frozen()
        size = max(1, len(kept) if isinstance(kept, list | tuple) else 0)
        of_that_size: dict[str, Any] = {
            "snapshots": own["snapshots"][:1] * size,
            "points": np.zeros(size),
            "matches": np.zeros(size),
            "ratings": np.zeros(size + 1),
        }
        for name, axes in (("win_rates", 2), ("payoffs", len(self.environment.players))):
            of_that_size[name] = None if snapshot[name] is None else np.zeros((size,) * axes)
        require_fitting({name: snapshot[name] for name in of_that_size}, of_that_size)
        policies = tuple(
            np.array(own) if isinstance(copy, np.ndarray) else cast("Any", copy).revived(own)
            for own in kept
        )
        super().restore(snapshot)
        known = {name: snapshot[name] for name in ("win_rates", "payoffs")}
        self._menagerie = Menagerie(policies, **known)
        self._opponents.keep_only(policies)
        self._opponents.put(LIVE, self._frozen())
        self._weigh()


class Draws:
    """Draws of opponents as a policy sampling distribution says."""

    def __init__(self, opponents: int, rng: np.random.Generator) -> None:
        self._opponents = opponents
        self._rng = rng
        self._live = 0
        self._tuples = np.zeros((1, opponents), dtype=np.int64)
        self._cumulative = np.ones(1)

    def weigh(self, sampling: PolicySampling, menagerie: Menagerie) -> None:
        """Draw by this distribution from now on."""
        self._live = len(menagerie)
        if isinstance(sampling, Independent):
            weights = sampling.weights(menagerie)
            self._tuples = np.arange(len(weights))[:, None]
        else:
            law = sampling.law(menagerie, self._opponents)
            self._tuples = np.array([who for who, _ in law])
            weights = [weight for _, weight in law]
        self._cumulative = np.cumsum([float(weight) for weight in weights])

    def places(self, count: int) -> NDArray[np.int64]:
        """Draw the opponents of so many episodes, as places of ``Opponents``."""
        draws = self._opponents // self._tuples.shape[1]
        whole = self._cumulative[-1]
        numbers = self._rng.random((count, draws)) * whole
        numbers = np.minimum(numbers, np.nextafter(whole, 0.0))  # a product may be rounded up
        drawn = np.searchsorted(self._cumulative, numbers, side="right")
        candidates = self._tuples[drawn].reshape(count, self._opponents)
        return np.where(candidates == self._live, LIVE, candidates + 1)


def seated_policies(play: LivePlay, live: Learner) -> PolicyProfile:
    """Return the policy of one player of ``play`` as exact policies of the game's seats."""
    (policy,) = live.policies()
    return tuple(_seated(play, seat, policy) for seat in range(len(play.environment.players)))


def _seated(play: LivePlay, seat: int, policy: Policy) -> Policy:
    labels = play.environment.action_labels[seat]
    views = play.views

    def act(information_state: InformationState) -> Distribution[Any]:
        seen = play.environment.observe(seat, information_state)
        if views is not None:
            past: list[Any] = views.numbers[seat][seen].tolist()
        else:
            past = [tuple(row) for row in play.marked(seen, seat).tolist()]
        known: list[Any] = [past[0]]
        for action, number in zip(information_state[1::2], past[1:], strict=True):
            known += [labels.index(action), number]
        return push_forward(policy[tuple(known)], lambda number: labels[number])

    return policy_from(act)


def made_live(live: Live, play: LivePlay, rng: np.random.Generator) -> Learner:
    """Make the learner that trains one seat.

    Raises:
        InvalidArgument: If there is no such learner, or it does not play batches.
    """
    if not isinstance(live, Mapping):
        if not callable(live):
            raise InvalidArgument(
                needs='a table such as {"name": "PPO"} or a function that makes a learner',
                found=f"got {shown(live)}",
                where="live",
            )
        made = live(play, rng=rng)
        require_learner(made)
    else:
        options = dict(live)
        kind = learner_class(str(options.pop("name", "")), path="live.name")
        declared = declaration_of(kind)
        if not declared.is_batched or declared.batch is not None:
            raise InvalidArgument(
                needs="a learner that plays one seat in batches, such as PPO or QLearning",
                found=f"{kind.__name__} plays {declared.plays.value}",
                where="live.name",
            )
        made = kind(play, **read_options(kind, options, path="live"), rng=rng)
    if len(made.policies()) != 1:
        raise InvalidArgument(
            needs="a learner of one seat", found=f"got one of {len(made.policies())}", where="live"
        )
    return made
