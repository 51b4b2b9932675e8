"""Stackelberg learning in two phases: first a follower for every leader, then the leader.

Phase 1: a contextual follower learns against random leaders. Phase 2: in each episode the leader
is queried for his action after each observation, which pays nothing; then he plays against the
follower, who knows the answers. He learns by plain reinforcement learning on these episodes.
"""

from collections.abc import Mapping

import numpy as np

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.kinds import require_posg
from gametheory_core.games.rules import POSG
from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    StationaryFollower,
    check_leader_policy,
)
from gametheory_core.leaders.policy_forms import to_policy
from gametheory_core.leaders.several_followers import FollowersView, followers_view
from gametheory_core.leaders.view import LeaderView, leader_view
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.leaders.commitments import LearnedCommitment
from learners.leaders.contextual_gradients import (
    ContextualGradientFollower,
    ContextualPolicyGradientOptions,
    ContextualPPOOptions,
)
from learners.leaders.encounters import Follower, Leader, Meeting
from learners.leaders.judging import BY_BEST_RESPONSE, Regrets
from learners.leaders.knowing_followers import (
    ExactFollower,
    ExactResponseOptions,
    InnerLoopWeightsFollower,
    InnerLoopWeightsOptions,
)
from learners.leaders.mean_dynamics import MeanDynamicsFollower, MeanDynamicsOptions
from learners.leaders.network_followers import ContextualNetworkFollower, ContextualNetworkOptions
from learners.leaders.network_leader import LeaderDQNOptions, NetworkLeader
from learners.leaders.offers import Answers, Floats, Queries
from learners.leaders.q_followers import (
    ContextualQFollower,
    ContextualQOptions,
    InnerLoopQFollower,
    InnerLoopQOptions,
)
from learners.leaders.several_followers import ContextualQFollowers
from learners.leaders.softmax_leaders import (
    EvolutionLeader,
    Fitness,
    LeaderEvolutionOptions,
    LeaderPolicyGradientOptions,
    LeaderPPOOptions,
    SoftmaxLeader,
)
from learners.leaders.stage import Stage
from learners.options import checked
from learners.protocol import Plays, learner
from learners.snapshots import require_fitting
from learners.streams import generator_state, named_stream, restore_generator, streams_under

FollowerOptions = (
    ContextualQOptions
    | ContextualNetworkOptions
    | ContextualPolicyGradientOptions
    | ContextualPPOOptions
    | InnerLoopQOptions
    | InnerLoopWeightsOptions
    | MeanDynamicsOptions
    | ExactResponseOptions
)
LeaderOptions = (
    LeaderPolicyGradientOptions | LeaderPPOOptions | LeaderEvolutionOptions | LeaderDQNOptions
)

DEFAULT_FOLLOWER = ContextualQOptions()
DEFAULT_LEADER = LeaderPPOOptions()


@learner(plays=Plays.RULES, judge=BY_BEST_RESPONSE)
@checked
class MetaStackelberg:
    """Learn to lead: Algorithm 1 of "Oracles & Followers", with any follower and leader.

    Args:
        game: A horizon, and observations that are functions of the state. Player 0 leads, unless a
            view says otherwise, and all others follow: if there are several, each learns by
            ``ContextualQOptions`` of her own.
        follower: ``ContextualQOptions``, ``ContextualNetworkOptions``,
            ``ContextualPolicyGradientOptions``, ``ContextualPPOOptions``, ``InnerLoopQOptions``,
            ``InnerLoopWeightsOptions``, ``MeanDynamicsOptions`` or ``ExactResponseOptions``.
        leader: ``LeaderPolicyGradientOptions``, ``LeaderPPOOptions`` or ``LeaderEvolutionOptions``.
        answers: Whether what is answered is held in play (default), or each use draws afresh.
        queries: Whether the leader learns from queries (default), or his policy is read unseen; or
            sees which they are, and may lie.
        rng: Of everything that is drawn.

    Raises:
        UnsupportedGame: If the game does not fit, or the leader has more policies than the follower
            can tabulate.
        InvalidArgument: If an option is of the wrong type.

    Metrics of each iteration: "return/leader" and "return/follower" (means of the episodes played,
    undiscounted; of several followers what they get together), "environment steps" (so far; queries
    count if visible); in phase 1 "entropy/follower" of followers who mix; in phase 2
    "entropy/leader", and exactly, of the greedy leader and what is played against him,
    "greedy return/leader", "greedy return/follower" and "regret/follower" (the largest of several;
    left out if one has too many policies to try).

    Source: :cite:`gerstgrasser2023oracles`, algorithm 1.

    >>> from gametheory_core import load_game
    >>> from learners import train
    >>> game = load_game("iterated_prisoners_dilemma:rounds=10")
    >>> learner = MetaStackelberg(game, rng=np.random.default_rng(1))
    >>> learned = train(learner, iterations=learner.iterations)
    >>> learner.commitment().leader
    DeterministicLeader(actions=(1, 0, 1, 0, 1))
    >>> learned.metrics[-1]["greedy return/leader"], learned.metrics[-1]["regret/follower"]
    (-9.0, 0.0)
    """

    def __init__(
        self,
        game: POSG | LeaderView | FollowersView,
        *,
        follower: FollowerOptions = DEFAULT_FOLLOWER,
        leader: LeaderOptions = DEFAULT_LEADER,
        answers: Answers = Answers.MEMOIZED,
        queries: Queries = Queries.VISIBLE,
        rng: np.random.Generator,
    ) -> None:
        self._stage = stage_of(game)
        self.view, self.shared = self._stage.view, self._stage.shared
        follower_rng, leader_rng, network_rng, own_network_rng = streams_under(
            rng, "follower", "leader", "network", "follower network"
        )
        self._follower = follower_on(self._stage, follower, own_network_rng)
        self._meeting = Meeting(self._stage, self._follower, answers, queries)
        self._streams = {"follower": follower_rng, "leader": leader_rng}
        self._leader = leader_on(self._meeting, leader, network_rng)
        known = getattr(follower, "follower_class", FollowerClass.STATIONARY)
        self._regrets = Regrets(self.view, known, shared=self.shared)
        self._made = 0
        self._steps = 0

    @property
    def name(self) -> str:
        """Of the algorithm."""
        return f"Meta-Stackelberg, {self._leader.name} against {self._follower.name}"

    @property
    def iterations(self) -> int:
        """How many iterations are meant to be made, both phases together."""
        return self._follower.pretraining + self._leader.iterations

    @property
    def environment_steps(self) -> int:
        """How many have been made."""
        return self._steps

    def improve(self) -> Mapping[str, float]:
        """Make one iteration: of the follower until she is prepared, then of the leader."""
        if self._made < self._follower.pretraining:
            metrics, steps = self._follower.prepare(self._streams["follower"])
        else:
            with np.errstate(over="ignore", invalid="ignore"):  # what breaks shows in the metrics
                metrics, steps = self._leader.improve(self._meeting, self._streams["leader"])
                metrics = dict(metrics) | self._regrets.metrics(self.commitment())
        self._made += 1
        self._steps += steps
        return dict(metrics) | {"environment steps": float(self._steps)}

    def probabilities(self) -> Floats:
        """Return what the leader does as it is, shape (observations, actions)."""
        return self._leader.probabilities()[-len(self._stage.leader_legal) :]

    def commitment(self) -> LearnedCommitment:
        """Return the leader's likeliest actions, and what the follower plays against them.

        Where queries are flagged, she plays against his likeliest answers.
        """
        count = len(self._stage.leader_legal)
        answers, deeds = map(self._greedy, np.split(self._leader.probabilities(), [count]))
        answered = DeterministicLeader(answers)
        return LearnedCommitment(
            DeterministicLeader(deeds) if deeds else answered, self._follower.policy(answered)
        )

    def _greedy(self, probabilities: Floats) -> tuple[int, ...]:
        if not len(probabilities):
            return ()
        legal = self._stage.leader_legal
        actions = np.where(legal, probabilities, -1.0).argmax(axis=1)
        return tuple(np.where(legal.any(axis=1), actions, -1).tolist())

    def response_to(self, leader: DeterministicLeader) -> LearnedCommitment:
        """Return a leader with what the follower plays against him.

        Raises:
            InvalidStrategy: If he is none of this game.
        """
        require_instance(leader, DeterministicLeader, name="leader")
        check_leader_policy(self.view, leader)
        return LearnedCommitment(leader, self._follower.policy(leader))

    def policies(self) -> PolicyProfile:
        """Return the greedy leader and the follower who knows him, in the order of the game."""
        learned = self.commitment()
        if self.shared is not None and isinstance(learned.follower, StationaryFollower):
            return self.shared.profile(learned.leader, self.shared.apart(learned.follower))
        pair = (to_policy(self.view, learned.leader), to_policy(self.view, learned.follower))
        return pair if self.view.leader == 0 else pair[::-1]

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return {
            "iterations": self._made,
            "environment steps": self._steps,
            "follower": self._follower.snapshot(),
            "leader": self._leader.snapshot(),
            "streams": {who: generator_state(rng) for who, rng in self._streams.items()},
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        parts = ("iterations", "environment steps", "follower", "leader", "streams")
        require_fitting(snapshot, dict.fromkeys(parts))
        require_fitting(snapshot["streams"], dict.fromkeys(self._streams))
        self._follower.restore(snapshot["follower"])
        self._leader.restore(snapshot["leader"])
        self._made = snapshot["iterations"]
        self._steps = snapshot["environment steps"]
        for who, rng in self._streams.items():
            restore_generator(rng, snapshot["streams"][who])


def stage_of(game: POSG | LeaderView | FollowersView) -> Stage:
    """Return the stage of a game: of one follower, or of several who share it."""
    if isinstance(game, LeaderView):
        return Stage(game)
    if not isinstance(game, FollowersView):
        require_posg(game)
    if isinstance(game, FollowersView) or len(game.players) > 2:
        shared = game if isinstance(game, FollowersView) else followers_view(game)
        return Stage(shared.merged, shared)
    return Stage(leader_view(game))


def follower_on(
    stage: Stage, options: FollowerOptions, rng: np.random.Generator | None = None
) -> Follower:
    """Put the follower of a record of options on a stage; ``rng`` is for networks."""
    require_instance(
        options,
        (
            ContextualQOptions,
            ContextualNetworkOptions,
            ContextualPolicyGradientOptions,
            ContextualPPOOptions,
            InnerLoopQOptions,
            InnerLoopWeightsOptions,
            MeanDynamicsOptions,
            ExactResponseOptions,
        ),
        name="follower",
    )
    if stage.shared is not None:
        if not isinstance(options, ContextualQOptions):
            raise InvalidArgument(
                needs="ContextualQOptions, if there are several followers",
                found=f"got {type(options).__name__}",
                remedy="Each of them learns by these.",
                argument="follower",
                where="MetaStackelberg",
            )
        return ContextualQFollowers(stage, stage.shared, options)
    if isinstance(options, ContextualQOptions):
        return ContextualQFollower(stage, options)
    if isinstance(options, ContextualNetworkOptions):
        own = named_stream(0, "follower network") if rng is None else rng
        return ContextualNetworkFollower(stage, options, own)
    if isinstance(options, InnerLoopQOptions):
        return InnerLoopQFollower(stage, options)
    if isinstance(options, InnerLoopWeightsOptions):
        return InnerLoopWeightsFollower(stage, options)
    if isinstance(options, MeanDynamicsOptions):
        return MeanDynamicsFollower(stage, options)
    if isinstance(options, ExactResponseOptions):
        return ExactFollower(stage, options)
    return ContextualGradientFollower(stage, options)


def leader_on(meeting: Meeting, options: LeaderOptions, rng: np.random.Generator) -> Leader:
    """Make the leader of a record of options; ``rng`` is for networks."""
    require_instance(
        options,
        (LeaderPolicyGradientOptions, LeaderPPOOptions, LeaderEvolutionOptions, LeaderDQNOptions),
        name="leader",
    )
    if isinstance(options, LeaderEvolutionOptions):
        if options.fitness is Fitness.LEARNING and not meeting.follower.tells_earnings:
            raise InvalidArgument(
                needs="a follower who learns anew for each leader, by playing or in the mean",
                found=f"the follower is {meeting.follower.name}",
                remedy="Take MeanDynamicsOptions or InnerLoopQOptions.",
                argument="fitness",
                where="LeaderEvolution",
            )
        return EvolutionLeader(meeting, options)
    if isinstance(options, LeaderDQNOptions):
        return NetworkLeader(meeting, options, rng)
    return SoftmaxLeader(meeting, options)
