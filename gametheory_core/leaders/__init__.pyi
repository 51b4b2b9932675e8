from gametheory_core.leaders.figures import draw_leader_flow as draw_leader_flow
from gametheory_core.leaders.figures import draw_leader_policies as draw_leader_policies
from gametheory_core.leaders.follower_responses import FollowerClass as FollowerClass
from gametheory_core.leaders.follower_responses import FollowerResponse as FollowerResponse
from gametheory_core.leaders.follower_responses import FollowerTies as FollowerTies
from gametheory_core.leaders.follower_responses import follower_response as follower_response
from gametheory_core.leaders.follower_responses import leader_returns as leader_returns
from gametheory_core.leaders.follower_responses import (
    num_stationary_followers as num_stationary_followers,
)
from gametheory_core.leaders.follower_responses import response_returns as response_returns
from gametheory_core.leaders.generators import deterministic_leaders as deterministic_leaders
from gametheory_core.leaders.generators import leader_games as leader_games
from gametheory_core.leaders.generators import memoized_leaders as memoized_leaders
from gametheory_core.leaders.generators import stationary_followers as stationary_followers
from gametheory_core.leaders.generators import stochastic_leaders as stochastic_leaders
from gametheory_core.leaders.generators import timed_followers as timed_followers
from gametheory_core.leaders.gradients import LeaderGradient as LeaderGradient
from gametheory_core.leaders.gradients import expected_reinforce as expected_reinforce
from gametheory_core.leaders.gradients import leader_gradient as leader_gradient
from gametheory_core.leaders.gradients import queried_gradient as queried_gradient
from gametheory_core.leaders.markov_stackelberg import (
    MarkovStackelbergCertificate as MarkovStackelbergCertificate,
)
from gametheory_core.leaders.markov_stackelberg import (
    certify_markov_stackelberg as certify_markov_stackelberg,
)
from gametheory_core.leaders.markov_stackelberg_optima import (
    MarkovStackelbergOptimaCertificate as MarkovStackelbergOptimaCertificate,
)
from gametheory_core.leaders.policies import DeterministicLeader as DeterministicLeader
from gametheory_core.leaders.policies import LeaderCommitment as LeaderCommitment
from gametheory_core.leaders.policies import MemoizedLeader as MemoizedLeader
from gametheory_core.leaders.policies import PlannedFollower as PlannedFollower
from gametheory_core.leaders.policies import StationaryFollower as StationaryFollower
from gametheory_core.leaders.policies import StochasticLeader as StochasticLeader
from gametheory_core.leaders.policies import TimedFollower as TimedFollower
from gametheory_core.leaders.policies import leader_policies as leader_policies
from gametheory_core.leaders.policies import leader_policy as leader_policy
from gametheory_core.leaders.policies import num_leader_policies as num_leader_policies
from gametheory_core.leaders.policy_forms import leader_from_text as leader_from_text
from gametheory_core.leaders.policy_forms import leader_to_text as leader_to_text
from gametheory_core.leaders.policy_forms import to_policy as to_policy
from gametheory_core.leaders.problem import leader_problem as leader_problem
from gametheory_core.leaders.query_oracle import HALT as HALT
from gametheory_core.leaders.query_oracle import Halting as Halting
from gametheory_core.leaders.query_oracle import QueryDisplay as QueryDisplay
from gametheory_core.leaders.query_oracle import QueryOracle as QueryOracle
from gametheory_core.leaders.query_oracle import halting_states as halting_states
from gametheory_core.leaders.returns import oracle_response as oracle_response
from gametheory_core.leaders.returns import oracle_returns as oracle_returns
from gametheory_core.leaders.returns import sampled_query_returns as sampled_query_returns
from gametheory_core.leaders.several_followers import FollowersView as FollowersView
from gametheory_core.leaders.several_followers import followers_view as followers_view
from gametheory_core.leaders.stochastic_commitment import (
    CommitmentBoundCertificate as CommitmentBoundCertificate,
)
from gametheory_core.leaders.stochastic_commitment import (
    StochasticCommitmentCertificate as StochasticCommitmentCertificate,
)
from gametheory_core.leaders.stochastic_commitment import (
    certify_stochastic_commitment as certify_stochastic_commitment,
)
from gametheory_core.leaders.stochastic_stackelberg import (
    StochasticStackelbergCertificate as StochasticStackelbergCertificate,
)
from gametheory_core.leaders.stochastic_stackelberg import (
    certify_stochastic_stackelberg as certify_stochastic_stackelberg,
)
from gametheory_core.leaders.view import LeaderView as LeaderView
from gametheory_core.leaders.view import leader_view as leader_view
