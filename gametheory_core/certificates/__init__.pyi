from gametheory_core.certificates.all_equilibria import (
    AllEquilibriaCertificate as AllEquilibriaCertificate,
)
from gametheory_core.certificates.all_equilibria import (
    certify_all_equilibria as certify_all_equilibria,
)
from gametheory_core.certificates.alpha_rank import AlphaRankCertificate as AlphaRankCertificate
from gametheory_core.certificates.alpha_rank import Populations as Populations
from gametheory_core.certificates.alpha_rank import certify_alpha_rank as certify_alpha_rank
from gametheory_core.certificates.bayes_nash import BayesNashCertificate as BayesNashCertificate
from gametheory_core.certificates.bayes_nash import (
    BayesNashCompletenessCertificate as BayesNashCompletenessCertificate,
)
from gametheory_core.certificates.bayes_nash import certify_bayes_nash as certify_bayes_nash
from gametheory_core.certificates.bayes_nash import (
    certify_bayes_nash_completeness as certify_bayes_nash_completeness,
)
from gametheory_core.certificates.bayesian_stackelberg import (
    BayesianStackelbergCertificate as BayesianStackelbergCertificate,
)
from gametheory_core.certificates.bayesian_stackelberg import (
    certify_bayesian_stackelberg as certify_bayesian_stackelberg,
)
from gametheory_core.certificates.best_of_all import BestOfAllCertificate as BestOfAllCertificate
from gametheory_core.certificates.best_of_all import certify_best_of_all as certify_best_of_all
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
from gametheory_core.certificates.completeness import (
    certify_nash_components as certify_nash_components,
)
from gametheory_core.certificates.completeness import (
    certify_pure_completeness as certify_pure_completeness,
)
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
from gametheory_core.certificates.correlated_commitment import (
    certify_correlated_commitment as certify_correlated_commitment,
)
from gametheory_core.certificates.correlated_commitment import (
    certify_extensive_correlated_commitment as certify_extensive_correlated_commitment,
)
from gametheory_core.certificates.correlated_payoffs import (
    CorrelatedPayoffsCertificate as CorrelatedPayoffsCertificate,
)
from gametheory_core.certificates.correlated_payoffs import (
    certify_correlated_payoffs as certify_correlated_payoffs,
)
from gametheory_core.certificates.dominance import Dominance as Dominance
from gametheory_core.certificates.dominance import DominanceCertificate as DominanceCertificate
from gametheory_core.certificates.dominance import DominatedBy as DominatedBy
from gametheory_core.certificates.dominance import certify_dominance as certify_dominance
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
from gametheory_core.certificates.equilibrium_bounds import AbsenceWeight as AbsenceWeight
from gametheory_core.certificates.equilibrium_bounds import IncentiveWeight as IncentiveWeight
from gametheory_core.certificates.equilibrium_bounds import Label as Label
from gametheory_core.certificates.extensive_correlated import BoundProof as BoundProof
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveCorrelatedCertificate as ExtensiveCorrelatedCertificate,
)
from gametheory_core.certificates.extensive_correlated import (
    certify_extensive_correlated as certify_extensive_correlated,
)
from gametheory_core.certificates.extensive_stackelberg import (
    ExtensiveStackelbergCertificate as ExtensiveStackelbergCertificate,
)
from gametheory_core.certificates.extensive_stackelberg import (
    certify_extensive_stackelberg as certify_extensive_stackelberg,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    CommitmentKind as CommitmentKind,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    PayoffSegment as PayoffSegment,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    PerfectInformationCommitmentCertificate as PerfectInformationCommitmentCertificate,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    certify_perfect_information_commitment as certify_perfect_information_commitment,
)
from gametheory_core.certificates.implicit_minimax import (
    ImplicitMinimaxCertificate as ImplicitMinimaxCertificate,
)
from gametheory_core.certificates.implicit_minimax import ImplicitReply as ImplicitReply
from gametheory_core.certificates.implicit_minimax import (
    certify_implicit_minimax as certify_implicit_minimax,
)
from gametheory_core.certificates.implicit_minimax import (
    implicit_best_response as implicit_best_response,
)
from gametheory_core.certificates.incentives import CorrelatedKind as CorrelatedKind
from gametheory_core.certificates.incentives import Evenness as Evenness
from gametheory_core.certificates.incentives import IncentivePrice as IncentivePrice
from gametheory_core.certificates.incentives import LinearObjective as LinearObjective
from gametheory_core.certificates.isolated_equilibrium import (
    IsolatedEquilibriumCertificate as IsolatedEquilibriumCertificate,
)
from gametheory_core.certificates.isolated_equilibrium import (
    certify_isolated_equilibrium as certify_isolated_equilibrium,
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
from gametheory_core.certificates.max_entropy import certify_max_entropy as certify_max_entropy
from gametheory_core.certificates.optimal_equilibrium import (
    AbsentEquilibriumCertificate as AbsentEquilibriumCertificate,
)
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective as EquilibriumObjective,
)
from gametheory_core.certificates.optimal_equilibrium import (
    OptimalEquilibriumCertificate as OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.optimal_equilibrium import (
    certify_optimal_equilibrium as certify_optimal_equilibrium,
)
from gametheory_core.certificates.optimal_tree_equilibrium import (
    OptimalTreeEquilibriumCertificate as OptimalTreeEquilibriumCertificate,
)
from gametheory_core.certificates.optimal_tree_equilibrium import (
    certify_optimal_tree_equilibrium as certify_optimal_tree_equilibrium,
)
from gametheory_core.certificates.public_minimax import (
    PublicMinimaxCertificate as PublicMinimaxCertificate,
)
from gametheory_core.certificates.public_minimax import (
    certify_public_minimax as certify_public_minimax,
)
from gametheory_core.certificates.pure_followers import (
    PureFollowersCertificate as PureFollowersCertificate,
)
from gametheory_core.certificates.pure_followers import (
    certify_pure_followers as certify_pure_followers,
)
from gametheory_core.certificates.quantal_response import (
    QuantalResponseCertificate as QuantalResponseCertificate,
)
from gametheory_core.certificates.quantal_response import (
    certify_quantal_response as certify_quantal_response,
)
from gametheory_core.certificates.refinements import (
    QuasiPerfectCertificate as QuasiPerfectCertificate,
)
from gametheory_core.certificates.refinements import SequentialCertificate as SequentialCertificate
from gametheory_core.certificates.refinements import certify_quasi_perfect as certify_quasi_perfect
from gametheory_core.certificates.refinements import certify_sequential as certify_sequential
from gametheory_core.certificates.security import SecurityCertificate as SecurityCertificate
from gametheory_core.certificates.security import certify_security as certify_security
from gametheory_core.certificates.signaling_completeness import (
    SignalingCompletenessCertificate as SignalingCompletenessCertificate,
)
from gametheory_core.certificates.signaling_completeness import (
    certify_signaling_completeness as certify_signaling_completeness,
)
from gametheory_core.certificates.stackelberg import (
    StackelbergCertificate as StackelbergCertificate,
)
from gametheory_core.certificates.stackelberg import (
    StageStackelbergCertificate as StageStackelbergCertificate,
)
from gametheory_core.certificates.stackelberg import certify_stackelberg as certify_stackelberg
from gametheory_core.certificates.stackelberg import (
    certify_stage_stackelberg as certify_stage_stackelberg,
)
from gametheory_core.certificates.support_solutions import SupportSolution as SupportSolution
from gametheory_core.certificates.weak_perfect_bayesian import (
    WeakPerfectBayesianCertificate as WeakPerfectBayesianCertificate,
)
from gametheory_core.certificates.weak_perfect_bayesian import (
    certify_weak_perfect_bayesian as certify_weak_perfect_bayesian,
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
