"""A certificate of every kind, with a value in most fields; the claims need not hold."""

from dataclasses import replace
from fractions import Fraction

from gametheory_core.catalog.index import load
from gametheory_core.catalog.repeated import RepeatedGame
from gametheory_core.certificates.absent_equilibrium import AbsentEquilibriumCertificate
from gametheory_core.certificates.alpha_rank import AlphaRankCertificate, Populations
from gametheory_core.certificates.bayesian_stackelberg import (
    LEAF,
    BayesianStackelbergCertificate,
    BoundNode,
    ResponseMultiplier,
)
from gametheory_core.certificates.completeness import certify_completeness
from gametheory_core.certificates.components import certify_nash_components
from gametheory_core.certificates.correlated import certify_correlated
from gametheory_core.certificates.correlated_commitment import CorrelatedCommitmentCertificate
from gametheory_core.certificates.correlated_payoffs import CorrelatedPayoffsCertificate
from gametheory_core.certificates.dominance import (
    Dominance,
    DominanceCertificate,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.certificates.equilibrium_bounds import (
    AbsenceWeight,
    IncentiveWeight,
    Label,
    Leaf,
)
from gametheory_core.certificates.extensive_correlated import (
    ExtensiveOptimality,
    certify_extensive_correlated,
)
from gametheory_core.certificates.extensive_correlated_bound import (
    ActionFlow,
    ConsistencyMultiplier,
    DeviationPrice,
)
from gametheory_core.certificates.extensive_correlated_commitment import (
    ExtensiveCorrelatedCommitmentCertificate,
)
from gametheory_core.certificates.extensive_stackelberg import ExtensiveStackelbergCertificate
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    DeviationWeight,
    ReplyCase,
    SequenceTransfer,
)
from gametheory_core.certificates.extensive_stackelberg_frontiers import (
    CommitmentKind,
    PerfectInformationCommitmentCertificate,
)
from gametheory_core.certificates.extensive_stackelberg_segments import PayoffSegment
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.isolated_equilibrium import IsolatedEquilibriumCertificate
from gametheory_core.certificates.markov_correlated import MarkovCorrelatedCertificate
from gametheory_core.certificates.markov_perfect import MarkovPerfectCertificate
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.certificates.max_entropy_correlated import certify_max_entropy_correlated
from gametheory_core.certificates.max_gini_correlated import certify_max_gini_correlated
from gametheory_core.certificates.minimax import certify_minimax
from gametheory_core.certificates.nash import certify_nash
from gametheory_core.certificates.optimal_equilibrium import (
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
)
from gametheory_core.certificates.pure_completeness import PureCompletenessCertificate
from gametheory_core.certificates.pure_followers import ChangeMultiplier, PureFollowersCertificate
from gametheory_core.certificates.quasi_perfect import QuasiPerfectCertificate
from gametheory_core.certificates.security import SecurityCertificate
from gametheory_core.certificates.sequential import SequentialCertificate
from gametheory_core.certificates.stackelberg import StackelbergCertificate
from gametheory_core.certificates.stage_stackelberg import StageStackelbergCertificate
from gametheory_core.certificates.subgame_perfect import SubgamePerfectCertificate
from gametheory_core.certificates.tree_objective import TreeObjective
from gametheory_core.certificates.weak_stackelberg import WeakStackelbergCertificate
from gametheory_core.certificates.zero_sum_markov import ZeroSumMarkovCertificate
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.evaluation.triggers import ExtensiveCorrelation
from gametheory_core.formats.gambit_extensive import parse_efg
from gametheory_core.formats.gambit_normal import parse_nfg
from gametheory_core.leaders.deviation_prices import (
    DeviationPrices,
    DeviationRate,
    GuaranteeLottery,
    PriceNode,
)
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.markov_stackelberg import MarkovStackelbergCertificate
from gametheory_core.leaders.markov_stackelberg_optima import (
    MarkovStackelbergOptimaCertificate,
    OptimalPattern,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    LeaderCommitment,
    StationaryFollower,
    StochasticLeader,
    TimedFollower,
)
from gametheory_core.leaders.stochastic_commitment import (
    CommitmentBoundCertificate,
    StochasticCommitmentCertificate,
)
from gametheory_core.leaders.view import leader_view
from gametheory_core.mediation.catalog import mediated_prisoners_dilemma
from gametheory_core.mediation.certificate import MediatedCertificate
from gametheory_core.mediation.fairness import EndRule, Fairness, FairnessKind, MediatorStage
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.recursion import MediatorIncentives
from gametheory_core.strategies.behavioral import pure_behavior, uniform_behavior
from gametheory_core.strategies.correlated import (
    behavioral_mixture,
    correlated_distribution,
    product_distribution,
)
from gametheory_core.strategies.coverage import CoverageLottery
from gametheory_core.strategies.markov_policies import (
    MarkovCorrelation,
    MarkovProfile,
    uniform_markov_profile,
)
from gametheory_core.strategies.mixed import uniform_profile
from gametheory_core.strategies.trembles import TremblingProfile


def mediated_claim():
    game = mediated_prisoners_dilemma(rounds=1)
    gini = Fairness(FairnessKind.GINI, weights=(Fraction(2, 3), Fraction(1, 3)))
    incentives = MediatorIncentives(gini, MediatorStage.FULL, EndRule.STEP_IDEAL)
    profile = MediatedProfile((((0, 1),),), ((1,),))
    return MediatedCertificate(
        game, profile, incentives, (Fraction(1, 3), Fraction(2)), Fraction(10**30)
    )


def bayesian_claim():
    game = load("house_patrol:types=1")
    node = BoundNode(LEAF, (ResponseMultiplier(0, 1, 2, Fraction(1, 3)),))
    third = Fraction(1, 3)
    return BayesianStackelbergCertificate(game, uniform_profile(game), third, third, (node,))


def dominance_claim(game):
    third = (Fraction(1, 3), Fraction(2, 3))
    gone, stays = Elimination(1, 0, 2, (1,), third), Survival(0, 0, ((0,), (1,)), third)
    return DominanceCertificate(
        game, Dominance.WEAK, DominatedBy.MIXED, (gone,), ((0,), (1,)), (stays,), True
    )


def commitment_claims(game):
    third = Fraction(1, 3)
    distribution = product_distribution(uniform_profile(game))
    change = ChangeMultiplier(0, 1, third)
    price = IncentivePrice(0, 0, 1, third)
    guarded, lottery = load("guarded_targets"), CoverageLottery(((), (0, 2)), (1, 10**40))
    return [
        PureFollowersCertificate(game, 0, uniform_profile(game), third, third, ((change,), ())),
        CorrelatedCommitmentCertificate(game, 0, distribution, (third,), third, (price,)),
        SecurityCertificate(guarded, lottery, 1, third, -third, third, third),
    ]


def best_equilibrium_claims(game, profile):
    third, labels = Fraction(1, 3), (Label(0, 0), Label(1, 1))
    leaf = Leaf((IncentiveWeight(1, 0, 1, third),), (AbsenceWeight(1, 0, third),))
    questions, leaves = (labels[1], None, None), (leaf, Leaf())
    objective = EquilibriumObjective.LEAST_PAYOFF
    return [
        OptimalEquilibriumCertificate(
            game, profile, objective, 1, labels, third, Fraction(2), questions, leaves
        ),
        AbsentEquilibriumCertificate(game, labels, questions, leaves),
    ]


def max_entropy_claim(game):
    profile, third = uniform_profile(game), Fraction(1, 3)
    gaps = (Fraction(1, 10**26), Fraction(0))
    return MaxEntropyCertificate(game, profile, -third, third, gaps, profile, (third, Fraction(0)))


def extensive_correlated_claim(tree):
    profiles = [uniform_behavior(tree), pure_behavior(tree, (1,))]
    mixture = behavioral_mixture(profiles, weights=["1/3", "2/3"])
    kind, third = ExtensiveCorrelation.EXTENSIVE, Fraction(1, 3)
    measured = certify_extensive_correlated(tree, mixture, kind=kind)
    price = DeviationPrice(0, None, 1, third, (ActionFlow(0, 1, third),))
    multiplier = ConsistencyMultiplier(1, 0, 2, -third)
    best = ExtensiveOptimality(TreeObjective((third,)), third, third, (price,), (multiplier,))
    return replace(measured, optimality=best)


def refinement_claims(tree):
    third, profile = Fraction(1, 3), uniform_behavior(tree)
    trembles = TremblingProfile((((Fraction(1),), (third, Fraction(-2)), (Fraction(10**30),)),))
    return [
        QuasiPerfectCertificate(tree, profile, (third,), trembles),
        SequentialCertificate(tree, profile, ((third, Fraction(2, 3)), ()), (third,), trembles),
    ]


def tree_commitment_claims(tree):
    third, profile = Fraction(1, 3), uniform_behavior(tree)
    deviation, transfer = DeviationWeight(1, 2, third), SequenceTransfer(0, 1, -third)
    leaf, mixture = ReplyCase(-1, (deviation,), (transfer,)), behavioral_mixture([profile])
    segment = PayoffSegment((-third, third), (third, Fraction(10**30)))
    return [
        ExtensiveStackelbergCertificate(
            tree, 0, profile, third, third, (ReplyCase(0), leaf, ReplyCase(-1))
        ),
        ExtensiveCorrelatedCommitmentCertificate(
            tree, 1, mixture, (third,), third, (deviation,), (transfer,)
        ),
        PerfectInformationCommitmentCertificate(
            tree, 0, CommitmentKind.PURE, profile, third, third, ((segment,), (segment, segment))
        ),
    ]


def stochastic_commitment_claims():
    game = leader_view(RepeatedGame.of("chicken")).game
    third, sure, none = Fraction(1, 3), (Fraction(0), Fraction(1)), ()
    policy = StochasticLeader(((third, Fraction(2, 3)), none, none, none, none))
    root = PriceNode(0, 0, Fraction(0), (DeviationRate(0, 1, third), DeviationRate(1, 1, third)))
    prices = DeviationPrices((GuaranteeLottery(0, 0, sure),), (root,))
    kinds = (FollowerClass.TIME_AWARE, FollowerTies.WEAK)
    return [
        StochasticCommitmentCertificate(game, 1, policy, *kinds, third, -third, third, prices),
        CommitmentBoundCertificate(game, 0, third, prices),
    ]


def markov_stackelberg_claims():
    game, third = leader_view(RepeatedGame.of("chicken")).game, Fraction(1, 3)
    leader, follower = DeterministicLeader((1, -1)), StationaryFollower((0, -1))
    kinds = (FollowerClass.STATIONARY, FollowerTies.WEAK)
    proof = ((Fraction(0), third), (follower,), (0, -1, -1))
    timed = LeaderCommitment(leader, TimedFollower(((0, -1), (1, 0))))
    fixed = LeaderCommitment(leader, follower)
    pattern = OptimalPattern((-2, 1), (-1,))
    return [
        MarkovStackelbergCertificate(game, 0, *kinds, each, third, -third, third, *proof, (-1,))
        for each in (timed, fixed)
    ] + [MarkovStackelbergOptimaCertificate(game, 1, *kinds, third, 2, (pattern,), *proof)]


def markov_claims():
    third, zero = Fraction(1, 3), Fraction(0)
    view = markov_view(RepeatedGame.of("matching_pennies", rounds=2, recall=0))
    stationary = uniform_markov_profile(view)
    timed = MarkovProfile(stationary.lotteries * 2, is_stationary=False)
    values = (((third, -third),), ((zero, Fraction(10**30)),))
    rows = ((third, zero), (zero, Fraction(2)))
    law = correlated_distribution([["1/3", 0], [0, "2/3"]])
    return [
        MarkovPerfectCertificate(view.game, timed, (third, zero), third, third, values, values),
        ZeroSumMarkovCertificate(view.game, stationary, -third, third, third, zero, (third,)),
        StageStackelbergCertificate(view.game, 1, timed, (third, zero), third, ((rows,), ((),))),
        MarkovCorrelatedCertificate(
            view.game, MarkovCorrelation(((law,), (None,))), (third, zero), third
        ),
    ]


def certificates_of_every_kind():
    game = parse_nfg('NFG 1 R "" { "A" "B" } { 1 2 } 1 0 0 1')
    tree = parse_efg('EFG 2 R "" { "A" } p "" 1 1 "" { "l" "r" } 0 t "" 1 { 1 } t "" 1')
    third, profile = Fraction(1, 3), uniform_profile(game)
    rows = ((third, Fraction(-2)), (Fraction(0), Fraction(10**30)))
    return [
        StackelbergCertificate(game, 1, profile, third, Fraction(2), rows),
        WeakStackelbergCertificate(
            game, 0, profile, third, Fraction(2), (third, Fraction(2, 3)), True, rows, ()
        ),
        SubgamePerfectCertificate(tree, uniform_behavior(tree), (third,), third),
        *refinement_claims(tree),
        certify_completeness(game),
        PureCompletenessCertificate(game, (profile,)),
        IsolatedEquilibriumCertificate(game, profile, third, rows),
        bayesian_claim(),
        *commitment_claims(game),
        dominance_claim(game),
        certify_nash_components(load("degenerate")),
        certify_correlated(game, product_distribution(profile)),
        certify_max_entropy_correlated(game, product_distribution(profile)),
        certify_max_gini_correlated(game, product_distribution(profile)),
        CorrelatedPayoffsCertificate(game, CorrelatedKind.COARSE, (0, 1), (), (), ()),
        *best_equilibrium_claims(game, profile),
        certify_minimax(game, profile),
        max_entropy_claim(game),
        AlphaRankCertificate(game, Populations.ONE_EACH, third, product_distribution(profile)),
        certify_nash(tree, uniform_behavior(tree)),
        extensive_correlated_claim(tree),
        *tree_commitment_claims(tree),
        *markov_claims(),
        mediated_claim(),
        *markov_stackelberg_claims(),
        *stochastic_commitment_claims(),
    ]
