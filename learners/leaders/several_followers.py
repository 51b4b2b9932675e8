"""Several followers, each of whom learns what to do against every leader, the others learning too.

Each has a table of her own over (answers, own observation), and her own queries. Before any leader
learns they play against leaders drawn at random, and learn in turn: one explores and learns by
Q-learning while the others are greedy, so that what she learns is a response to what they would
play, not to their exploring. A turn is long enough to respond to all leaders, and each has several.
What they settle on, against each leader, is the *oracle*: if none of them regrets it, a Nash
equilibrium of the game that he leaves them.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import DeterministicLeader, StationaryFollower
from gametheory_core.leaders.several_followers import FollowersView
from learners._kernels.arrays import FollowerSeats
from learners.leaders.encounters import Response, greedy_actions
from learners.leaders.offers import (
    Answers,
    Floats,
    Ints,
    Offer,
    asked_once,
    drawn_plans,
    known_plans,
    query_steps,
)
from learners.leaders.q_followers import (
    ITERATIONS,
    ITERATIONS_WHERE_DRAWN,
    ContextualQOptions,
    learning_rule,
)
from learners.leaders.stage import Situations, Stage, require_table, situations_of
from learners.snapshots import Kept

TURNS = 4  # of each follower, if there are several
MOST_STEPS = 20_000_000  # of play that a default may take: some minutes
LEADERS = 32  # for as many a single follower's iterations are meant


class ContextualQFollowers(Kept):
    """Followers of ``ContextualQOptions`` on one stage, each with a table of her own.

    A turn is by default as many iterations as a single follower has, for each ``LEADERS`` leaders;
    ``iterations`` are those of a turn. Who is alone has one.
    """

    KEPT = ("_values", "_made")
    UNCHECKED = ()

    def __init__(self, stage: Stage, shared: FollowersView, options: ContextualQOptions) -> None:
        if options.follower_class is not FollowerClass.STATIONARY:
            raise UnsupportedGame(
                needs="followers without a clock, if there are several",
                found=f"follower_class is {options.follower_class.value!r}",
                remedy="Let them see the step: put it into the observations.",
            )
        self._stage = stage
        self._shared = shared
        self._options = options
        count = len(shared.followers)
        usual = ITERATIONS if stage.is_deterministic else ITERATIONS_WHERE_DRAWN
        usual *= ceil(stage.contexts.count / LEADERS)
        self._turn = usual if options.iterations is None else options.iterations
        self.pretraining = self._turn * count * (TURNS if count > 1 else 1)
        if options.iterations is None:
            self._require_soon_over(count)
        self.situations = situations_of(stage, FollowerClass.STATIONARY)
        self._seats = _seats(shared)
        require_table(stage.contexts, stage.view, row=self._seats.legal.size)
        self._rule = learning_rule(options, is_drawn=not stage.is_deterministic)
        self._values: Floats = np.empty((stage.contexts.count, *self._seats.legal.shape))
        for i in range(count):
            own = Situations(self._seats.numbers[i], self._seats.legal[i])
            first = stage.middle_values(own, options.discount, follower=i)[:, None]
            self._values[:, i] = first if options.initial is None else options.initial
        self._made = 0

    def _require_soon_over(self, count: int) -> None:
        """Refuse a default that would take hours, with what it is and what can be asked for."""
        view, contexts = self._stage.view, self._stage.contexts
        leader, turns = view.game.players[view.leader], self.pretraining // self._turn
        steps = self.pretraining * self._options.episodes * view.horizon
        if steps > MOST_STEPS:
            raise InvalidArgument(
                needs=f"iterations of a turn, where the default takes over {MOST_STEPS:,} steps of "
                "play before the leader learns",
                found=f"it is {self._turn:,} for each of {turns} turns of {count} followers, "
                f"{counted(steps)} steps, since {leader!r} may answer {contexts.num_queries} "
                f"queries in {counted(contexts.count)} ways",
                remedy="Give follower=ContextualQOptions(iterations=...), so many or fewer; or let "
                "the leader observe less.",
                argument="iterations",
                where="MetaStackelberg",
            )

    @property
    def name(self) -> str:
        """Of the algorithm, and how many there are."""
        return f"{len(self._shared.followers)} followers by contextual Q-learning"

    asks_once = True

    tells_earnings = False

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Let one of them learn from a batch of episodes against random leaders."""
        contexts, episodes = self._stage.contexts, self._options.episodes
        plans = contexts.uniform_plans(episodes, rng)
        learning = self._stage.learn_all(
            self._stage.leaders(known_plans(plans, self._stage.leader_legal.shape)),
            self._seats,
            self._values,
            contexts.numbers(plans),
            np.full(episodes, self._made // self._turn % len(self._shared.followers)),
            self._rule,
            rng,
        )
        self._made += 1
        means = learning.returns.mean(axis=0)
        metrics = {"return/leader": float(means[0]), "return/follower": float(means[1:].sum())}
        return metrics, learning.steps

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet each leader by what each does greedily against what he answers her."""
        plans = [offer.plans]
        for _ in self._shared.followers[1:]:
            is_fresh = offer.answers is Answers.FRESH
            legal = self._stage.leader_legal
            own = drawn_plans(offer.probabilities, offer.which, legal, rng) if is_fresh else None
            plans.append(offer.plans if own is None else own)
        numbers = np.stack([self._stage.contexts.numbers(own) for own in plans], axis=1)
        met, rows = np.unique(numbers, axis=0, return_inverse=True)
        asked = np.sum([asked_once(replace(offer, plans=own)) for own in plans], axis=0)
        codes = np.stack([self._codes(own) for own in met])
        strategies = (codes[:, :, None] == np.arange(self.situations.legal.shape[1])) * 1.0
        return Response(strategies, rows.reshape(-1), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> StationaryFollower:
        """Return what all do greedily against a leader, as the merged player's policy."""
        number = self._stage.contexts.numbers(np.array([leader.actions]))
        acts = self.situations.legal.any(axis=1)
        codes = self._codes(np.repeat(number, len(self._shared.followers)))
        return StationaryFollower(tuple(np.where(acts, codes, -1).tolist()))

    def _codes(self, numbers: Ints) -> Ints:
        """Return what all do, each knowing one leader, by what all see; (joint observations,)."""
        values = self._values[numbers, np.arange(len(numbers))]
        own = greedy_actions(values, self._seats.legal)
        seen = self._shared.observed.T.astype(np.int64)
        codes: Ints = self._shared.joint_code(np.take_along_axis(own, seen, axis=1))
        return codes


def _seats(shared: FollowersView) -> FollowerSeats:
    """Return what followers tell apart and may do, padded to the most that one of them has."""
    game, followers = shared.game, shared.followers
    most_seen = max(len(game.observations[i]) for i in followers)
    most_actions = max(len(game.actions[i]) for i in followers)
    legal = np.zeros((len(followers), most_seen, most_actions), dtype=np.bool_)
    for k, follower in enumerate(followers):
        for o in range(len(game.observations[follower])):
            legal[k, o, list(shared.actions(follower, o))] = True
    counts = [len(game.actions[i]) for i in followers]
    strides = np.array([int(np.prod(counts[k + 1 :])) for k in range(len(counts))], dtype=np.int64)
    numbers = np.repeat(shared.seen[:, None].astype(np.int64), shared.merged.horizon + 1, axis=1)
    return FollowerSeats(np.ascontiguousarray(numbers), legal, strides)
