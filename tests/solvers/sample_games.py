"""Games of every kind that solvers take, and a call of each solver with one that it takes."""

from functools import cache
from types import ModuleType

import numpy as np

import gametheory_core as gt
import solvers
from gametheory_core.compact import PolymatrixGame
from gametheory_core.conversions import posg_to_tabular
from gametheory_core.games import ImplicitGame, is_rules_of_posg
from tests.public_rooms import public_rooms

TWO_BY_TWO = gt.NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
ZERO_SUM = gt.NormalFormGame.zero_sum([[2, -1], [-1, 1]])
WIN_RATES = [["1/2", "3/4"], ["1/4", "1/2"]]
WINS = [[0, 3], [1, 0]]
NAMED = (
    "stag_hunt",
    "chicken",
    "shapley_cycle",
    "irrational_equilibrium",
    "nine_equilibria",
    "kuhn_poker",
    "beer_quiche",
    "centipede:rounds=3",
    "selten_horse",
    "one_card_poker",
    "absent_minded_driver",
    "forgetful_bit",
    "leduc_poker",
    "house_patrol",
    "guarded_targets",
    "iterated_prisoners_dilemma:rounds=2",
    "iterated_hero:rounds=3",
    "stopping_pennies",
    "repeated_matching_pennies",
    "fish_war",
    "big_match",
    "tiger",
    "mediated_chicken",
    "ring_of_pennies:players=3",
    "public_good_on_ring:players=4",
    "braess:players=3",
    "affine_triangle",
    "el_farol:players=4,seats=2",
    "kuhn_poker_ranges",
)


def forgetful_pair(depth, *, zero_sum=False):
    """Two players who forget more and more bits: plans soon are far too many."""

    def below(past):
        if len(past) == depth:
            return gt.Terminal([sum(past), -sum(past) if zero_sum else 0])
        player = len(past) % 2
        seen = (player, *past[1:]) if len(past) > 1 else (player, *past)
        return gt.Decision(player, seen, {str(a): below((*past, a)) for a in range(2)})

    return gt.from_sketch(below(()), players=("Ann", "Bob"))


def _hidden_move():
    own = [gt.Terminal([1, 0]), gt.Terminal([0, 2]), gt.Terminal([3, 1]), gt.Terminal([1, 1])]
    replies = [gt.Decision(1, "after", {"l": own[2 * i], "r": own[2 * i + 1]}) for i in range(2)]
    return gt.from_sketch(
        gt.Decision(0, "", {"u": replies[0], "d": replies[1]}), players=("A", "B")
    )


def _drawn_open_tree():
    moves = [
        gt.Decision(0, f"{i}", {"l": gt.Terminal([i, 1]), "r": gt.Terminal([1, i])})
        for i in range(2)
    ]
    return gt.from_sketch(
        gt.Chance({"h": ("1/2", moves[0]), "t": ("1/2", moves[1])}), players=("A", "B")
    )


@cache
def games():
    """Return sample games of every kind, the smallest first; rules as tables."""
    own = [
        ZERO_SUM,
        TWO_BY_TWO,
        gt.NormalFormGame.from_payoffs([[1, 2, 2]]),
        gt.NormalFormGame.from_payoffs(
            [[[[1], [-1]], [[-1], [1]]], [[[-1], [1]], [[1], [-1]]], [[[0], [0]], [[0], [0]]]]
        ),
        gt.from_sketch(
            gt.Decision(0, "", {"l": gt.Terminal([1]), "r": gt.Terminal([1])}), players=("A",)
        ),
        _hidden_move(),
        _drawn_open_tree(),
        forgetful_pair(3, zero_sum=True),
        forgetful_pair(9),
        PolymatrixGame.from_edges(dict.fromkeys([(0, 1), (1, 2)], ([[1, 0], [0, 2]],) * 2)),
        gt.SecurityGame.from_payoffs(
            resources=1,
            defender_covered=[0, 0],
            defender_uncovered=[-5, -2],
            attacker_covered=[[-1, -1], [0, -1]],
            attacker_uncovered=[[5, 2], [2, 5]],
        ),
    ]
    return [*own, *(tabulated(gt.load_game(name)) for name in NAMED)]


def tabulated(game):
    """Return rules as tables, and other games as they are."""
    return posg_to_tabular(game).target if is_rules_of_posg(game) else game


def flow_arguments():
    """Return a leader's view of a game, and what the leader begins with."""
    from gametheory_core.distributions import uniform
    from gametheory_core.leaders import leader_policy, leader_view

    view = leader_view(gt.load_game("iterated_prisoners_dilemma:rounds=2"))
    even = {seen: uniform(("C", "D")) for seen in view.game.observations[0]}
    return view, leader_policy(view, even)


PUBLIC = {
    name: getattr(room, name)
    for room in public_rooms("solvers")
    for name in room.__all__
    if not isinstance(getattr(room, name), ModuleType)
}

NEEDED = {  # options that solvers cannot do without, and such as make them quick
    "alpha": 1.0,
    "exploration": 0.1,
    "iterations": 3,
    "rationality": 1.0,
    "resamples": 3,
    "rng": lambda: np.random.default_rng(0),
    "steps": 3,
    "temperature": 0.5,
}
UNSEEDED = {"hedge", "regret_matching", "regret_matching_plus", "smoothed_fictitious_play"}
UNSEEDED |= {"jam_value_iteration", "stochastic_markov_commitment"}
FIRST = {  # what else than a game is given first
    "all_through_normal_form": lambda: (gt.load_game("beer_quiche"), solvers.vertex_enumeration),
    "batch_elo": lambda: (WINS,),
    "hidden_query_flow": flow_arguments,
    "leading_nash_averages": lambda: ([[0, 1], [-1, 0]],),
    "implicit_double_oracle": lambda: (ImplicitGame(lambda i, j: (i - j) ** 2, (9, 9)),),
    "nash_averaging": lambda: ([[0, 1], [-1, 0]],),
    "nash_averaging_against_tasks": lambda: ([[0, 1], [1, 0]],),
    "nash_bootstrap": lambda: (WINS,),
    "one_through_normal_form": lambda: (gt.load_game("beer_quiche"), solvers.lemke_howson),
    "queried_flow": flow_arguments,
    "relative_performance_curve": lambda: (WIN_RATES,),
    "relative_population_performance": lambda: (WIN_RATES,),
}


def taken_by(declared, *requirements):
    """Return the sample games that a solver takes, and that have what is required besides."""
    needed = (*declared.takes, *requirements)
    return [game for game in games() if not first_lack(needed, game)]


def first_lack(needed, game):
    """Return the first of several requirements that a game lacks."""
    for requirement in needed:
        test = getattr(requirement, "holds", None) or requirement.test
        if not test(game):
            return requirement
    return None


def call_of(declared):
    """Return arguments and options with which a solver answers soon."""
    name = declared.name
    besides = declared.answers[0].takes if declared.answers else ()
    first = FIRST[name]() if name in FIRST else (taken_by(declared, *besides)[0],)
    options = {
        option: value() if callable(value) else value
        for option, value in NEEDED.items()
        if option in declared.options and not (option == "rng" and name in UNSEEDED)
    }
    return first, options
