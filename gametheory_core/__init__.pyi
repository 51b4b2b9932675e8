from gametheory_core.certificates.alpha_rank import AlphaRankCertificate as AlphaRankCertificate
from gametheory_core.certificates.alpha_rank import Populations as Populations
from gametheory_core.certificates.bayesian_stackelberg import (
    BayesianStackelbergCertificate as BayesianStackelbergCertificate,
)
from gametheory_core.certificates.claim import Certificate as Certificate
from gametheory_core.certificates.completeness import (
    CompletenessCertificate as CompletenessCertificate,
)
from gametheory_core.certificates.completeness import (
    NashComponentsCertificate as NashComponentsCertificate,
)
from gametheory_core.certificates.completeness import (
    PureCompletenessCertificate as PureCompletenessCertificate,
)
from gametheory_core.certificates.completeness import certify_completeness as certify_completeness
from gametheory_core.certificates.correlated import CorrelatedCertificate as CorrelatedCertificate
from gametheory_core.certificates.correlated import PayoffFloor as PayoffFloor
from gametheory_core.certificates.correlated import (
    certify_coarse_correlated as certify_coarse_correlated,
)
from gametheory_core.certificates.correlated import certify_correlated as certify_correlated
from gametheory_core.certificates.correlated_commitment import (
    CorrelatedCommitmentCertificate as CorrelatedCommitmentCertificate,
)
from gametheory_core.certificates.correlated_commitment import (
    ExtensiveCorrelatedCommitmentCertificate as ExtensiveCorrelatedCommitmentCertificate,
)
from gametheory_core.certificates.correlated_payoffs import (
    CorrelatedPayoffsCertificate as CorrelatedPayoffsCertificate,
)
from gametheory_core.certificates.dominance import Dominance as Dominance
from gametheory_core.certificates.dominance import DominanceCertificate as DominanceCertificate
from gametheory_core.certificates.dominance import DominatedBy as DominatedBy
from gametheory_core.certificates.equilibrium import MinimaxCertificate as MinimaxCertificate
from gametheory_core.certificates.equilibrium import NashCertificate as NashCertificate
from gametheory_core.certificates.equilibrium import (
    SubgamePerfectCertificate as SubgamePerfectCertificate,
)
from gametheory_core.certificates.equilibrium import certify_minimax as certify_minimax
from gametheory_core.certificates.equilibrium import certify_nash as certify_nash
from gametheory_core.certificates.equilibrium import (
    certify_subgame_perfect as certify_subgame_perfect,
)
from gametheory_core.certificates.equilibrium_bounds import Label as Label
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate as ExtensiveCorrelatedCertificate,
)
from gametheory_core.certificates.extensive_correlated import (
    certify_extensive_correlated as certify_extensive_correlated,
)
from gametheory_core.certificates.extensive_stackelberg import (
    ExtensiveStackelbergCertificate as ExtensiveStackelbergCertificate,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    CommitmentKind as CommitmentKind,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    PerfectInformationCommitmentCertificate as PerfectInformationCommitmentCertificate,
)
from gametheory_core.certificates.incentives import CorrelatedKind as CorrelatedKind
from gametheory_core.certificates.incentives import Evenness as Evenness
from gametheory_core.certificates.incentives import IncentivePrice as IncentivePrice
from gametheory_core.certificates.incentives import LinearObjective as LinearObjective
from gametheory_core.certificates.isolated_equilibrium import (
    IsolatedEquilibriumCertificate as IsolatedEquilibriumCertificate,
)
from gametheory_core.certificates.markov_perfect import (
    MarkovCorrelatedCertificate as MarkovCorrelatedCertificate,
)
from gametheory_core.certificates.markov_perfect import (
    MarkovPerfectCertificate as MarkovPerfectCertificate,
)
from gametheory_core.certificates.markov_perfect import (
    certify_markov_correlated as certify_markov_correlated,
)
from gametheory_core.certificates.markov_perfect import (
    certify_markov_perfect as certify_markov_perfect,
)
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate as MaxEntropyCertificate
from gametheory_core.certificates.optimal_equilibrium import (
    AbsentEquilibriumCertificate as AbsentEquilibriumCertificate,
)
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective as EquilibriumObjective,
)
from gametheory_core.certificates.optimal_equilibrium import (
    OptimalEquilibriumCertificate as OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.pure_followers import (
    PureFollowersCertificate as PureFollowersCertificate,
)
from gametheory_core.certificates.refinements import (
    QuasiPerfectCertificate as QuasiPerfectCertificate,
)
from gametheory_core.certificates.refinements import SequentialCertificate as SequentialCertificate
from gametheory_core.certificates.refinements import certify_quasi_perfect as certify_quasi_perfect
from gametheory_core.certificates.refinements import certify_sequential as certify_sequential
from gametheory_core.certificates.security import SecurityCertificate as SecurityCertificate
from gametheory_core.certificates.stackelberg import (
    StackelbergCertificate as StackelbergCertificate,
)
from gametheory_core.certificates.stackelberg import (
    StageStackelbergCertificate as StageStackelbergCertificate,
)
from gametheory_core.certificates.weak_stackelberg import (
    WeakStackelbergCertificate as WeakStackelbergCertificate,
)
from gametheory_core.certificates.zero_sum_markov import (
    ZeroSumMarkovCertificate as ZeroSumMarkovCertificate,
)
from gametheory_core.certificates.zero_sum_markov import (
    certify_zero_sum_markov as certify_zero_sum_markov,
)
from gametheory_core.conversions.aec_extensive import aec_to_extensive as aec_to_extensive
from gametheory_core.conversions.aec_posg import aec_to_posg as aec_to_posg
from gametheory_core.conversions.bayesian_normal import harsanyi_transform as harsanyi_transform
from gametheory_core.conversions.bayesian_normal import security_to_bayesian as security_to_bayesian
from gametheory_core.conversions.bayesian_normal import security_to_normal as security_to_normal
from gametheory_core.conversions.conversion import Conversion as Conversion
from gametheory_core.conversions.conversion import Correspondence as Correspondence
from gametheory_core.conversions.conversion import Preserved as Preserved
from gametheory_core.conversions.dispatch import add_dispatch as add_dispatch
from gametheory_core.conversions.dispatch import clock_leak as clock_leak
from gametheory_core.conversions.extensive_normal import extensive_to_normal as extensive_to_normal
from gametheory_core.conversions.from_tables import aec_from_tables as aec_from_tables
from gametheory_core.conversions.from_tables import posg_from_tables as posg_from_tables
from gametheory_core.conversions.posg_aec import posg_to_aec as posg_to_aec
from gametheory_core.conversions.posg_aec_factored import (
    posg_to_aec_factored as posg_to_aec_factored,
)
from gametheory_core.conversions.posg_extensive import posg_to_extensive as posg_to_extensive
from gametheory_core.conversions.simpler_forms import canonical_tree as canonical_tree
from gametheory_core.conversions.simpler_forms import restrict_actions as restrict_actions
from gametheory_core.conversions.simpler_forms import separate_chance as separate_chance
from gametheory_core.conversions.static_games import extensive_to_aec as extensive_to_aec
from gametheory_core.conversions.static_games import normal_to_extensive as normal_to_extensive
from gametheory_core.conversions.static_games import normal_to_posg as normal_to_posg
from gametheory_core.conversions.static_games import posg_to_normal as posg_to_normal
from gametheory_core.conversions.tabular import aec_to_tabular as aec_to_tabular
from gametheory_core.conversions.tabular import markov_view as markov_view
from gametheory_core.conversions.tabular import posg_to_tabular as posg_to_tabular
from gametheory_core.distributions import Distribution as Distribution
from gametheory_core.distributions import distribution as distribution
from gametheory_core.distributions import point_mass as point_mass
from gametheory_core.distributions import product as product
from gametheory_core.distributions import push_forward as push_forward
from gametheory_core.distributions import uniform as uniform
from gametheory_core.errors import CertificateRejected as CertificateRejected
from gametheory_core.errors import GameTheoryError as GameTheoryError
from gametheory_core.errors import InfeasibleProgram as InfeasibleProgram
from gametheory_core.errors import InvalidArgument as InvalidArgument
from gametheory_core.errors import InvalidGame as InvalidGame
from gametheory_core.errors import InvalidStrategy as InvalidStrategy
from gametheory_core.errors import MalformedFile as MalformedFile
from gametheory_core.errors import MissingDependency as MissingDependency
from gametheory_core.errors import NotConverged as NotConverged
from gametheory_core.errors import NumericalFailure as NumericalFailure
from gametheory_core.errors import UnboundedProgram as UnboundedProgram
from gametheory_core.errors import UnsupportedGame as UnsupportedGame
from gametheory_core.evaluation.deviations import BestResponse as BestResponse
from gametheory_core.evaluation.deviations import best_response as best_response
from gametheory_core.evaluation.deviations import deviation_gains as deviation_gains
from gametheory_core.evaluation.deviations import epsilon as epsilon
from gametheory_core.evaluation.deviations import exploitability as exploitability
from gametheory_core.evaluation.deviations import nash_conv as nash_conv
from gametheory_core.evaluation.extensive_deviations import distance_to as distance_to
from gametheory_core.evaluation.infoset_deviations import InfosetDeviation as InfosetDeviation
from gametheory_core.evaluation.infoset_deviations import ReachStatus as ReachStatus
from gametheory_core.evaluation.infoset_deviations import deviation_rows as deviation_rows
from gametheory_core.evaluation.infoset_deviations import infoset_deviations as infoset_deviations
from gametheory_core.evaluation.off_path import UnreachedInfoset as UnreachedInfoset
from gametheory_core.evaluation.off_path import unreached_infosets as unreached_infosets
from gametheory_core.evaluation.payoffs import action_payoffs as action_payoffs
from gametheory_core.evaluation.payoffs import expected_payoffs as expected_payoffs
from gametheory_core.evaluation.payoffs import outcome_distribution as outcome_distribution
from gametheory_core.evaluation.payoffs import payoff_rows as payoff_rows
from gametheory_core.evaluation.payoffs import reach_probabilities as reach_probabilities
from gametheory_core.evaluation.regrets import external_regret as external_regret
from gametheory_core.evaluation.regrets import internal_regret as internal_regret
from gametheory_core.evaluation.regrets import swap_regret as swap_regret
from gametheory_core.evaluation.returns import best_response_returns as best_response_returns
from gametheory_core.evaluation.returns import expected_returns as expected_returns
from gametheory_core.evaluation.returns import policy_nash_conv as policy_nash_conv
from gametheory_core.evaluation.returns import return_gains as return_gains
from gametheory_core.evaluation.subgame_deviations import OneShotDeviation as OneShotDeviation
from gametheory_core.evaluation.subgame_deviations import one_shot_deviations as one_shot_deviations
from gametheory_core.evaluation.subgame_deviations import subgame_deviations as subgame_deviations
from gametheory_core.evaluation.trajectories import aec_trajectories as aec_trajectories
from gametheory_core.evaluation.trajectories import memoryless_returns as memoryless_returns
from gametheory_core.evaluation.trajectories import posg_trajectories as posg_trajectories
from gametheory_core.evaluation.triggers import ExtensiveCorrelation as ExtensiveCorrelation
from gametheory_core.formats.files import read_game as read_game
from gametheory_core.formats.files import write_game as write_game
from gametheory_core.games.bayesian import BayesianGame as BayesianGame
from gametheory_core.games.bayesian import SecurityGame as SecurityGame
from gametheory_core.games.extensive_form import TERMINAL as TERMINAL
from gametheory_core.games.extensive_form import ExtensiveFormGame as ExtensiveFormGame
from gametheory_core.games.markov_view import MarkovView as MarkovView
from gametheory_core.games.normal_form import NormalFormGame as NormalFormGame
from gametheory_core.games.properties import Verdict as Verdict
from gametheory_core.games.properties import has_perfect_information as has_perfect_information
from gametheory_core.games.properties import has_perfect_recall as has_perfect_recall
from gametheory_core.games.properties import is_absent_minded as is_absent_minded
from gametheory_core.games.properties import is_constant_sum as is_constant_sum
from gametheory_core.games.properties import is_zero_sum as is_zero_sum
from gametheory_core.games.reward_changes import rescale_rewards as rescale_rewards
from gametheory_core.games.reward_changes import shape_rewards as shape_rewards
from gametheory_core.games.rules import AEC as AEC
from gametheory_core.games.rules import IDLE as IDLE
from gametheory_core.games.rules import NULL as NULL
from gametheory_core.games.rules import POSG as POSG
from gametheory_core.games.rules import AecPlay as AecPlay
from gametheory_core.games.rules import Move as Move
from gametheory_core.games.rules import PosgPlay as PosgPlay
from gametheory_core.games.rules import Step as Step
from gametheory_core.games.rules import stop_aec as stop_aec
from gametheory_core.games.rules import stop_posg as stop_posg
from gametheory_core.games.subgames import subgame as subgame
from gametheory_core.games.subgames import subgame_roots as subgame_roots
from gametheory_core.games.tables import TabularAEC as TabularAEC
from gametheory_core.games.tables import TabularPOSG as TabularPOSG
from gametheory_core.games.tree_draft import Chance as Chance
from gametheory_core.games.tree_draft import Decision as Decision
from gametheory_core.games.tree_draft import Terminal as Terminal
from gametheory_core.games.tree_draft import TreeRules as TreeRules
from gametheory_core.games.tree_draft import from_sketch as from_sketch
from gametheory_core.games.tree_draft import lay_out as lay_out
from gametheory_core.games.tree_layout import count_nodes as count_nodes
from gametheory_core.games.tree_layout import lay_out_rules as lay_out_rules
from gametheory_core.games.tree_layout import probe_nodes as probe_nodes
from gametheory_core.games.tree_table import CHANCE as CHANCE
from gametheory_core.games.tree_table import InformationSet as InformationSet
from gametheory_core.games.tree_table import Outcome as Outcome
from gametheory_core.loading import load_game as load_game
from gametheory_core.strategies.behavioral import BehavioralProfile as BehavioralProfile
from gametheory_core.strategies.behavioral import pure_behavior as pure_behavior
from gametheory_core.strategies.behavioral import uniform_behavior as uniform_behavior
from gametheory_core.strategies.correlated import BehavioralMixture as BehavioralMixture
from gametheory_core.strategies.correlated import CorrelatedDistribution as CorrelatedDistribution
from gametheory_core.strategies.correlated import behavioral_mixture as behavioral_mixture
from gametheory_core.strategies.correlated import correlated_distribution as correlated_distribution
from gametheory_core.strategies.correlated import correlated_payoffs as correlated_payoffs
from gametheory_core.strategies.correlated import draw_recommendations as draw_recommendations
from gametheory_core.strategies.correlated import product_distribution as product_distribution
from gametheory_core.strategies.markov_policies import MarkovCorrelation as MarkovCorrelation
from gametheory_core.strategies.markov_policies import MarkovProfile as MarkovProfile
from gametheory_core.strategies.markov_policies import markov_policies as markov_policies
from gametheory_core.strategies.markov_policies import markov_profile as markov_profile
from gametheory_core.strategies.markov_policies import (
    uniform_markov_profile as uniform_markov_profile,
)
from gametheory_core.strategies.mixed import CoverageLottery as CoverageLottery
from gametheory_core.strategies.mixed import MixedProfile as MixedProfile
from gametheory_core.strategies.mixed import pure_profile as pure_profile
from gametheory_core.strategies.mixed import supports as supports
from gametheory_core.strategies.mixed import uniform_profile as uniform_profile
from gametheory_core.strategies.policies import Policy as Policy
from gametheory_core.strategies.policies import policy_from as policy_from
from gametheory_core.strategies.policies import reactive as reactive
from gametheory_core.strategies.policies import uniform_policies as uniform_policies
from gametheory_core.strategies.sequence_form import RealizationPlan as RealizationPlan
from gametheory_core.strategies.sequence_form import SequenceForm as SequenceForm
from gametheory_core.strategies.sequence_form import behavioral_profile as behavioral_profile
from gametheory_core.strategies.sequence_form import realization_plan as realization_plan
from gametheory_core.strategies.sequence_form import sequence_form as sequence_form
from gametheory_core.strategies.trembles import Assessment as Assessment
from gametheory_core.strategies.trembles import TremblingProfile as TremblingProfile
from gametheory_core.strategies.trembles import trembling_profile as trembling_profile
from gametheory_core.strategies.trembles import uniform_trembles as uniform_trembles
