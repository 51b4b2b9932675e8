"""Which algorithm answers which question about which games: one table, read from the top.

Each row names an algorithm, the concept it answers, and the games it takes. A new solver is a new
row.
"""

from functools import partial

from gametheory_core.certificates.dominance import Dominance
from gametheory_core.certificates.incentives import CorrelatedKind
from solvers import calls, rule_calls, takes, tree_calls
from solvers.bimatrix.lemke_howson import lemke_howson
from solvers.bimatrix.support_enumeration import support_enumeration
from solvers.bimatrix.vertex_enumeration import vertex_enumeration
from solvers.concepts import Algorithm, Concept
from solvers.correlated.extensive_form import (
    extensive_form_coarse_correlated_equilibrium,
    extensive_form_correlated_equilibrium,
    normal_form_coarse_correlated_equilibrium,
)
from solvers.dynamics.regret_matching import regret_matching
from solvers.leaders.deterministic import markov_stackelberg
from solvers.leaders.stochastic_commitment import stochastic_markov_commitment
from solvers.many_players.pure import pure
from solvers.markov.shapley import shapley_value_iteration
from solvers.markov.stage_games import (
    stage_nash_induction,
    stage_stackelberg_induction,
)
from solvers.refinements.quasi_perfect import quasi_perfect
from solvers.refinements.sequential import sequential_equilibrium
from solvers.stackelberg.bayesian import bayesian_stackelberg
from solvers.stackelberg.commitment import strong_stackelberg, weak_stackelberg
from solvers.stackelberg.correlated_commitment import correlated_commitment
from solvers.stackelberg.extensive_commitment import extensive_stackelberg
from solvers.stackelberg.extensive_correlated_commitment import extensive_correlated_commitment
from solvers.stackelberg.extensive_perfect_information import perfect_information_commitment
from solvers.stackelberg.pure_followers import pure_followers_stackelberg
from solvers.stackelberg.security import security_stackelberg
from solvers.trees.backward_induction import backward_induction
from solvers.trees.reduced_normal_form import isolated_equilibria
from solvers.trees.sequence_form_lcp import sequence_form_lcp
from solvers.trees.sequence_form_lp import sequence_form_lp
from solvers.trees.subgame_perfect import subgame_perfect
from solvers.zero_sum.max_entropy import max_entropy
from solvers.zero_sum.minimax import minimax

_ZERO_SUM_TREE = "two players, constant sum and perfect recall: one linear program finds a solution"
_ALL_VERTICES = "two players: every extreme equilibrium is a pair of best-response vertices"
_ALL_SUPPORTS = "two players, few actions: every pair of supports can be tried"
_LEARNED = "play without regret at each information set, certified to an epsilon"
_PLANS = "two players: one linear program over pairs of sequences, drawn as a lottery over profiles"
_REDUCED = "; the tree's reduced normal form is solved and the result carried back"

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        "backward_induction",
        Concept.NASH,
        "perfect information: the best action at each node, from the end",
        takes.perfect_information_tree,
        partial(calls.plainly, backward_induction),
    ),
    Algorithm(
        "sequence_form_lp",
        Concept.NASH,
        _ZERO_SUM_TREE,
        takes.constant_sum_recall_tree,
        partial(calls.plainly, sequence_form_lp),
        ("tolerance",),
    ),
    Algorithm(
        "counterfactual_regret",
        Concept.NASH,
        "two players, constant sum and perfect recall: " + _LEARNED,
        takes.constant_sum_recall_tree,
        tree_calls.regret_play,
        ("tolerance",),
    ),
    Algorithm(
        "minimax",
        Concept.NASH,
        "two players, constant sum: one linear program finds a solution",
        takes.constant_sum_normal_form,
        partial(calls.plainly, minimax),
        ("tolerance",),
    ),
    Algorithm(
        "lemke_howson",
        Concept.NASH,
        "two players: a path of pivots ends at an equilibrium, proved exactly",
        takes.two_player_normal_form,
        partial(calls.plainly, lemke_howson),
        ("tolerance",),
    ),
    Algorithm(
        "sequence_form_lcp",
        Concept.NASH,
        "two players: a path of pivots over sequences ends at an equilibrium, proved exactly",
        takes.two_player_recall_tree,
        partial(calls.plainly, sequence_form_lcp),
    ),
    Algorithm(
        "lemke_howson",
        Concept.NASH,
        "two players: a path of pivots ends at an equilibrium, proved exactly" + _REDUCED,
        takes.two_player_recall_tree,
        partial(calls.one_reduced, lemke_howson),
    ),
    Algorithm(
        "pure",
        Concept.NASH,
        "more players: the first pure equilibrium",
        takes.normal_form,
        partial(calls.plainly, calls.first_pure),
    ),
    Algorithm(
        "pure",
        Concept.NASH,
        "more players: the first pure equilibrium" + _REDUCED,
        takes.recall_tree,
        partial(calls.one_reduced, calls.first_pure),
    ),
    Algorithm(
        "logit_homotopy",
        Concept.NASH,
        "any number of players: the limit of logit equilibria, certified to a rational epsilon",
        takes.normal_form,
        partial(calls.plainly, calls.logit_limit),
        ("tolerance",),
    ),
    Algorithm(
        "logit_homotopy",
        Concept.NASH,
        "any number of players: the limit of logit equilibria" + _REDUCED,
        takes.recall_tree,
        partial(calls.one_reduced, calls.logit_limit),
    ),
    Algorithm(
        "vertex_enumeration",
        Concept.ALL_NASH,
        _ALL_VERTICES,
        takes.two_player_normal_form,
        partial(calls.plainly, vertex_enumeration),
    ),
    Algorithm(
        "vertex_enumeration",
        Concept.ALL_NASH,
        _ALL_VERTICES + _REDUCED,
        takes.two_player_recall_tree,
        partial(calls.all_reduced, vertex_enumeration),
    ),
    Algorithm(
        "support_enumeration",
        Concept.ALL_NASH,
        _ALL_SUPPORTS,
        takes.two_player_normal_form,
        partial(calls.plainly, support_enumeration),
    ),
    Algorithm(
        "support_enumeration",
        Concept.ALL_NASH,
        _ALL_SUPPORTS + _REDUCED,
        takes.two_player_recall_tree,
        partial(calls.all_reduced, support_enumeration),
    ),
    Algorithm(
        "pure",
        Concept.ALL_NASH,
        "one player: every equilibrium mixes the pure ones",
        takes.one_player_normal_form,
        partial(calls.plainly, pure),
    ),
    Algorithm(
        "pure",
        Concept.ALL_NASH,
        "one player: every equilibrium mixes the pure ones" + _REDUCED,
        takes.one_player_recall_tree,
        partial(calls.all_reduced, pure),
    ),
    Algorithm(
        "polynomial_support_enumeration",
        Concept.ALL_NASH,
        "three players and more, few actions: boxes of probabilities, cut until they are decided",
        takes.many_player_normal_form,
        calls.isolated_equilibria,
        ("tolerance",),
    ),
    Algorithm(
        "polynomial_support_enumeration",
        Concept.ALL_NASH,
        "three players and more, few plans: boxes of probabilities, cut until decided" + _REDUCED,
        takes.many_player_recall_tree,
        partial(calls.all_reduced, isolated_equilibria),
    ),
    Algorithm(
        "pure",
        Concept.PURE_NASH,
        "every joint action is checked",
        takes.normal_form,
        partial(calls.plainly, pure),
    ),
    Algorithm(
        "pure",
        Concept.PURE_NASH,
        "every joint action is checked" + _REDUCED,
        takes.recall_tree,
        partial(calls.all_reduced, pure),
    ),
    Algorithm(
        "mixed_integer",
        Concept.BEST_NASH,
        "two players: branch and bound over what is played, with a proof that none is better",
        takes.two_player_normal_form,
        calls.best_nash,
        ("objective", "player"),
    ),
    Algorithm(
        "nash_components",
        Concept.NASH_COMPONENTS,
        "two players: extreme equilibria that may be mixed belong together",
        takes.two_player_normal_form,
        calls.components,
    ),
    Algorithm(
        "minimax",
        Concept.MINIMAX,
        "two players, constant sum: one linear program finds a solution",
        takes.constant_sum_normal_form,
        partial(calls.plainly, minimax),
        ("tolerance",),
    ),
    Algorithm(
        "sequence_form_lp",
        Concept.MINIMAX,
        _ZERO_SUM_TREE,
        takes.constant_sum_recall_tree,
        partial(calls.plainly, sequence_form_lp),
        ("tolerance",),
    ),
    Algorithm(
        "counterfactual_regret",
        Concept.MINIMAX,
        "two players, constant sum and perfect recall: " + _LEARNED,
        takes.constant_sum_recall_tree,
        tree_calls.regret_play,
        ("tolerance",),
    ),
    Algorithm(
        "max_entropy",
        Concept.MAX_ENTROPY,
        "two players, constant sum: of all optimal strategies, the most even ones",
        takes.constant_sum_normal_form,
        partial(calls.plainly, max_entropy),
        ("tolerance",),
    ),
    Algorithm(
        "iterated_dominance",
        Concept.DOMINANCE,
        "strictly dominated actions go, round by round, mixed strategies may dominate",
        takes.normal_form,
        partial(calls.dominance, Dominance.STRICT),
    ),
    Algorithm(
        "iterated_dominance",
        Concept.WEAK_DOMINANCE,
        "weakly dominated actions go, all of a round at once, mixed strategies may dominate",
        takes.normal_form,
        partial(calls.dominance, Dominance.WEAK),
    ),
    Algorithm(
        "correlated_equilibrium",
        Concept.CORRELATED,
        "one linear program over joint actions, each player's swaps as rows",
        takes.normal_form,
        partial(calls.correlated, CorrelatedKind.CORRELATED),
        ("objective", "player", "tolerance"),
    ),
    Algorithm(
        "coarse_correlated_equilibrium",
        Concept.COARSE_CORRELATED,
        "one linear program over joint actions, each player's fixed deviations as rows",
        takes.normal_form,
        partial(calls.correlated, CorrelatedKind.COARSE),
        ("objective", "player", "tolerance"),
    ),
    Algorithm(
        "regret_matching",
        Concept.COARSE_CORRELATED,
        "play without regret: its empirical play is certified to an epsilon",
        takes.normal_form,
        partial(calls.dynamics, regret_matching),
        ("tolerance",),
    ),
    Algorithm(
        "normal_form_coarse_correlated_equilibrium",
        Concept.COARSE_CORRELATED,
        _PLANS,
        takes.two_player_recall_tree,
        partial(tree_calls.tree_correlated, normal_form_coarse_correlated_equilibrium),
        ("objective", "player"),
    ),
    Algorithm(
        "counterfactual_regret",
        Concept.COARSE_CORRELATED,
        _LEARNED,
        takes.recall_tree,
        tree_calls.coarse_regret_play,
        ("tolerance",),
    ),
    Algorithm(
        "extensive_form_correlated_equilibrium",
        Concept.EXTENSIVE_CORRELATED,
        _PLANS,
        takes.two_player_recall_tree,
        partial(tree_calls.tree_correlated, extensive_form_correlated_equilibrium),
        ("objective", "player"),
    ),
    Algorithm(
        "extensive_form_coarse_correlated_equilibrium",
        Concept.EXTENSIVE_COARSE_CORRELATED,
        _PLANS,
        takes.two_player_recall_tree,
        partial(tree_calls.tree_correlated, extensive_form_coarse_correlated_equilibrium),
        ("objective", "player"),
    ),
    Algorithm(
        "correlated_payoff_vertices",
        Concept.CORRELATED_PAYOFFS,
        "one exact linear program for each corner and each edge of the first two players' payoffs",
        takes.several_player_normal_form,
        calls.correlated_payoffs_of_two,
    ),
    Algorithm(
        "quantal_response",
        Concept.QUANTAL_RESPONSE,
        "the logit branch up to a rationality, in floats; its distance from Nash is certified",
        takes.normal_form,
        calls.quantal,
        ("rationality",),
    ),
    Algorithm(
        "strong_stackelberg",
        Concept.STACKELBERG,
        "two players: one linear program for each response worth inducing",
        takes.two_player_normal_form,
        partial(calls.plainly, strong_stackelberg),
        ("leader",),
    ),
    Algorithm(
        "weak_stackelberg",
        Concept.STACKELBERG,
        "two players, ties against the leader: one linear program for each full best-reply region",
        takes.two_player_normal_form,
        partial(calls.plainly, weak_stackelberg),
        ("leader",),
    ),
    Algorithm(
        "pure_followers_stackelberg",
        Concept.STACKELBERG,
        "several followers: one linear program for each pure equilibrium worth inducing",
        takes.normal_form,
        partial(calls.plainly, pure_followers_stackelberg),
        ("leader",),
    ),
    Algorithm(
        "bayesian_stackelberg",
        Concept.STACKELBERG,
        "a follower of unknown type: a mixed-integer program, then exact linear programs",
        takes.bayesian_game,
        partial(calls.plainly, bayesian_stackelberg),
    ),
    Algorithm(
        "security_stackelberg",
        Concept.STACKELBERG,
        "a security game: one sweep over the targets, without listing coverages",
        takes.security_game,
        partial(calls.plainly, security_stackelberg),
    ),
    Algorithm(
        "perfect_information_commitment",
        Concept.STACKELBERG,
        "two players, nothing hidden and no chance: what can be promised, from the end of play",
        takes.two_player_perfect_information_tree,
        partial(calls.plainly, perfect_information_commitment),
        ("leader",),
    ),
    Algorithm(
        "extensive_stackelberg",
        Concept.STACKELBERG,
        "a tree of two players: branch and bound over what the follower answers, proved optimal",
        takes.two_player_recall_tree,
        partial(calls.plainly, extensive_stackelberg),
        ("leader",),
    ),
    Algorithm(
        "correlated_commitment",
        Concept.CORRELATED_COMMITMENT,
        "one linear program over joint actions that the others gain nothing by leaving",
        takes.normal_form,
        partial(calls.plainly, correlated_commitment),
        ("leader",),
    ),
    Algorithm(
        "extensive_correlated_commitment",
        Concept.CORRELATED_COMMITMENT,
        "a tree of two players: one linear program over pairs of sequences the follower obeys",
        takes.two_player_recall_tree,
        partial(calls.plainly, extensive_correlated_commitment),
        ("leader",),
    ),
    Algorithm(
        "alpha_rank_limit",
        Concept.ALPHA_RANK,
        "populations under infinitely strong selection: the stationary law of takeovers",
        takes.normal_form,
        calls.alpha_ranking,
    ),
    Algorithm(
        "backward_induction",
        Concept.SUBGAME_PERFECT,
        "perfect information: the best action at each node, from the end",
        takes.perfect_information_tree,
        partial(calls.plainly, backward_induction),
    ),
    Algorithm(
        "subgame_perfect",
        Concept.SUBGAME_PERFECT,
        "perfect recall: subgames from the last to the first, each by who moves in it",
        takes.recall_tree,
        partial(calls.plainly, subgame_perfect),
        ("tolerance",),
    ),
    Algorithm(
        "sequential_equilibrium",
        Concept.SEQUENTIAL,
        "an equilibrium with beliefs, rational at every information set, from vanishing mistakes",
        takes.constant_sum_or_perfect_information_tree,
        partial(calls.plainly, sequential_equilibrium),
    ),
    Algorithm(
        "quasi_perfect",
        Concept.QUASI_PERFECT,
        "two players, constant sum: a linear program whose mistakes have a symbol for their size",
        takes.constant_sum_recall_tree,
        partial(calls.plainly, quasi_perfect),
    ),
    Algorithm(
        "markov_stackelberg",
        Concept.MARKOV_STACKELBERG,
        "two players and a horizon: branch and bound over deterministic memoryless leaders",
        takes.leader_game,
        partial(rule_calls.leading, markov_stackelberg),
        ("leader", "followers", "ties"),
    ),
    Algorithm(
        "stochastic_markov_commitment",
        Concept.MARKOV_COMMITMENT,
        "two players and a horizon: lotteries found by local search, with a bound on all such",
        takes.leader_game,
        partial(rule_calls.leading, stochastic_markov_commitment),
        ("leader", "followers", "ties", "tolerance"),
    ),
    Algorithm(
        "stage_nash_induction",
        Concept.MARKOV_PERFECT,
        "a horizon, and all see the state: an equilibrium of each stage, from the end",
        takes.open_game_with_horizon,
        partial(calls.plainly, stage_nash_induction),
        ("tolerance",),
    ),
    Algorithm(
        "stage_correlated_induction",
        Concept.MARKOV_CORRELATED,
        "a horizon, and all see the state: a correlated equilibrium of each stage, from the end",
        takes.open_game_with_horizon,
        rule_calls.correlated_stages,
        ("objective", "player"),
    ),
    Algorithm(
        "stage_stackelberg_induction",
        Concept.STAGE_STACKELBERG,
        "a horizon, and both see the state: the best commitment in each stage, from the end",
        takes.open_leader_game,
        partial(calls.plainly, stage_stackelberg_induction),
        ("leader",),
    ),
    Algorithm(
        "shapley_value_iteration",
        Concept.MINIMAX,
        "two players, rewards that sum to 0, no horizon: values of states until they settle",
        takes.endless_zero_sum_game,
        partial(calls.plainly, shapley_value_iteration),
        ("tolerance",),
    ),
    Algorithm(
        "jam_value_iteration",
        Concept.MEDIATED,
        "agents and a mediator answer each other exactly until a round changes nothing",
        takes.mediated_game,
        rule_calls.mediated,
        ("objective", "end_rule", "stage"),
    ),
)
