"""Answers compared with those worked out from the definitions, and with other solvers'."""

from fractions import Fraction
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np

import gametheory_core as gt
from gametheory_core.games.properties import has_perfect_recall, is_constant_sum
from solvers import solve
from solvers.dominance import reduce_game
from tests.fuzz import plain_answers
from tests.fuzz.runs import Finding
from tests.planted_games import merged

MOST_CELLS = 30  # of games whose linear programs are solved once more
NEAR = Fraction(1, 10**6)  # of a profile that stands for an irrational one
MOST_NODES = 400  # of trees of rules
MOST_DIGITS = 80  # of their payoffs
EQUILIBRIA = {"nash", "all-nash", "pure-nash", "best-nash", "minimax", "max-entropy", "sequential"}
EQUILIBRIA |= {"subgame-perfect", "quasi-perfect"}


def recomputed(runs):
    """What an answer says of itself is so: gains are as small, lists as long, values as large."""
    game = runs.game
    is_tree = isinstance(game, gt.ExtensiveFormGame)
    if not is_tree and not isinstance(game, gt.NormalFormGame):
        return
    may_list = not is_tree or (plain_answers.can_list_plans(game) and has_perfect_recall(game))
    for name, route in runs.routes().items():
        answer = runs.answer(name)
        if answer is None:
            continue
        if str(route.answers.concept) in EQUILIBRIA and may_list:
            yield from large_gains(game, name, answer)
        if name in DEFINED and not is_tree:
            wanted, found = DEFINED[name](game, answer)
            if wanted != found:
                yield Finding(
                    "recomputed", name, "differs", f"wanted {wanted}, found {found}"[:2000]
                )


def large_gains(game, name, answer):
    """Equilibria in which somebody gains more than the certificate admits."""
    for solution in answer.solutions:
        epsilon = solution.certificate.epsilon
        if epsilon is None:  # the claim is about a point near the profile
            continue
        gains = plain_answers.gains(game, solution.profile)
        if getattr(solution.certificate, "radius", 0):
            epsilon = NEAR * max(1, np.abs(game.payoffs).max())
        if max(gains) > epsilon:
            yield Finding("recomputed", name, "no equilibrium", f"gains {gains}")


def _pure_list(game, answer):
    listed = {tuple(int(np.argmax(s)) for s in x.profile.strategies) for x in answer.solutions}
    return (plain_answers.pure_equilibria(game) if answer.is_complete else listed), listed


def _has_pure(game, answer):
    """All pure equilibria are in a complete list."""
    if not answer.is_complete:
        return set(), set()
    listed = {
        tuple(int(np.argmax(s)) for s in x.profile.strategies)
        for x in answer.solutions
        if all(max(s) == 1 for s in x.profile.strategies)
    }
    return plain_answers.pure_equilibria(game), listed


def _is_small(game):
    longest = max(max(abs(p.numerator), p.denominator) for p in game.exact_payoffs.ravel())
    return game.exact_payoffs[0].size <= MOST_CELLS and longest < 10**MOST_DIGITS


def _value(game, answer):
    if not _is_small(game):
        return None, None
    return plain_answers.minimax_value(game.exact_payoffs[0]), answer.solutions[0].payoffs[0]


def _commitment(game, answer):
    if not _is_small(game) or game.num_players != 2:
        return None, None
    found = answer.solutions[0].payoffs[0]
    return plain_answers.commitment_value(*game.exact_payoffs), found


def _welfare(coarse):
    def compare(game, answer):
        if not _is_small(game):
            return None, None
        wanted = plain_answers.correlated_welfare(game, coarse=coarse)
        return wanted, sum(answer.solutions[0].payoffs)

    return compare


def _survivors(game, answer):
    if not _is_small(game):
        return None, None
    return plain_answers.undominated(game), tuple(map(tuple, answer.solutions[0].profile))


DEFINED = {  # (what an answer must be, what it is) by solver
    "pure-nash by pure": _pure_list,
    "all-nash by vertex_enumeration": _has_pure,
    "all-nash by support_enumeration": _has_pure,
    "all-nash by polynomial_support_enumeration": _has_pure,
    "minimax by minimax": _value,
    "stackelberg by strong_stackelberg": _commitment,
    "stackelberg by pure_followers_stackelberg": _commitment,
    "correlated-commitment by correlated_commitment": _commitment,
    "correlated by correlated_equilibrium": _welfare(coarse=False),
    "coarse-correlated by correlated_equilibrium": _welfare(coarse=True),
    "dominance by iterated_dominance": _survivors,
}


# --- one solver and another ---------------------------------------------------------------------


def agreement(runs):
    """Solvers that answer the same question agree, also on the normal form of a tree."""
    is_table = isinstance(runs.game, gt.NormalFormGame | gt.ExtensiveFormGame)
    for subject, compare in (AGREEMENTS if is_table else AGREEMENTS_ABOUT_RULES).items():
        if runs.subject in {None, subject}:
            for problem in compare(Questions(runs)):
                yield Finding("agreement", subject, "differs", problem[:2000])


class Questions:
    """Payoffs of exact answers, and those of the normal form of a tree."""

    def __init__(self, runs):
        self.runs, self.game = runs, runs.game
        self.subject, runs.subject = runs.subject, None
        self.taken = runs.routes()
        runs.subject = self.subject

    def answer(self, name):
        return self.runs.answer(name) if name in self.taken else None

    def payoffs(self, name):
        answer = self.answer(name)
        return None if answer is None else answer.solutions[0].payoffs

    def normal_form(self):
        """The normal form of a tree, if it is small."""
        if not isinstance(self.game, gt.ExtensiveFormGame) or not has_perfect_recall(self.game):
            return None
        try:
            normal = gt.extensive_to_normal(self.game, max_profiles=MOST_CELLS).target
        except gt.UnsupportedGame:
            return None
        return normal if _is_small(normal) else None


def differing(names, values):
    """Say which of several values differ, where there are any."""
    known = {name: value for name, value in zip(names, values, strict=True) if value is not None}
    if len(set(known.values())) > 1:
        yield str({name: str(value) for name, value in known.items()})


def one_value(asked):
    """The value of a zero-sum game is one number."""
    names = ["minimax by minimax", "minimax by sequence_form_lp", "max-entropy by max_entropy"]
    names += ["nash by lemke_howson", "nash by sequence_form_lcp", "nash by backward_induction"]
    names += ["quasi-perfect by quasi_perfect", "sequential by sequential_equilibrium"]
    if not ({"minimax by minimax", "minimax by sequence_form_lp"} & asked.taken.keys()):
        return
    values = [asked.payoffs(name) for name in names]
    values = [
        value and value[0] if not name.startswith("max-entropy") else None
        for name, value in zip(names, values, strict=True)
    ]
    normal = asked.normal_form()
    if normal is not None:
        names.append("the normal form")
        values.append(plain_answers.minimax_value(normal.exact_payoffs[0]))
    yield from differing(names, values)


def one_commitment(asked):
    """What a leader of one follower gets is one number, and no more for one who may get less."""
    names = ["strong_stackelberg", "pure_followers_stackelberg", "extensive_stackelberg"]
    names = ["stackelberg by " + name for name in names]
    open_tree = "stackelberg by perfect_information_commitment"
    if open_tree in asked.taken:
        names.append(open_tree)
    if asked.game.num_players != 2 or not (set(names) & asked.taken.keys()):
        return
    values = [asked.payoffs(name) for name in names]
    values = [value and value[0] for value in values]
    normal = asked.normal_form()
    if normal is not None:
        names.append("the normal form")
        values.append(plain_answers.commitment_value(*normal.exact_payoffs))
    yield from differing(names, values)
    best = next((value for value in values if value is not None), None)
    correlated = asked.payoffs("correlated-commitment by extensive_correlated_commitment")
    if best is not None and correlated is not None and correlated[0] < best:
        yield f"correlation loses: {correlated[0]} < {best}"


def one_list(asked):
    """Both lists of all extreme equilibria are the same; they span those found otherwise."""
    names = ["all-nash by vertex_enumeration", "all-nash by support_enumeration"]
    lists = [asked.answer(name) for name in names]
    if isinstance(asked.game, gt.NormalFormGame):
        yield from differing(names, [as_set(found) for found in lists])
        parts = asked.answer("nash-components by nash_components")
        whole = as_set(lists[0])
        if whole is not None and asked.game.num_players == 2:
            for name in ("lemke_howson", "logit_homotopy", "minimax", "pure"):
                one = asked.answer(f"nash by {name}")
                if one is not None and one.solutions[0].certificate.epsilon == 0:
                    yield from outside(whole, one, name)
            if parts is not None:
                yield from differing([names[0], "components"], [whole, corners_of(parts)])
    else:
        known = [
            found and found.is_complete and frozenset(s.payoffs for s in found.solutions)
            for found in lists
        ]
        yield from differing(names, [found or None for found in known])


def as_set(answer):
    """The profiles of a complete list."""
    if answer is None or not answer.is_complete:
        return None
    return frozenset(tuple(map(tuple, s.profile.strategies)) for s in answer.solutions)


def corners_of(answer):
    """The extreme equilibria in maximal sets of interchangeable ones."""
    certificate = answer.solutions[0].certificate
    found = set()
    for component in certificate.components:
        for part in component.subsets:
            found |= set(product(map(tuple, part.first), map(tuple, part.second)))
    return frozenset(found)


def outside(whole, one, name):
    """Tell where an equilibrium mixes no extreme ones that all go together."""
    x, y = (tuple(s) for s in one.solutions[0].profile.strategies)
    game = one.game
    columns = {b for _, b in whole}
    rows = [a for a in {a for a, _ in whole} if _replies(game, a, y)]
    columns = [b for b in columns if _replies(game, x, b)]
    if not plain_answers.is_mixture(x, rows) or not plain_answers.is_mixture(y, columns):
        yield f"{name} finds {one.solutions[0].profile}, no mixture of extreme equilibria"


def _replies(game, x, y):
    profile = SimpleNamespace(strategies=[np.array(x, dtype=object), np.array(y, dtype=object)])
    return max(plain_answers.gains(game, profile)) == 0


def nested_welfare(asked):
    """What is easier to enforce pays no less: correlated, extensive-form, coarse, normal coarse."""
    normal = asked.normal_form()
    names = ["extensive-form-correlated by ", "extensive-form-coarse-correlated by "]
    names += ["coarse-correlated by "]
    names = [name + "extensive_form_correlated_equilibrium" for name in names]
    found = {name: asked.payoffs(name) for name in names if name in asked.taken}
    sums = [(name, sum(value)) for name, value in found.items() if value is not None]
    if normal is not None and asked.game.num_players == 2 and sums:
        sums.insert(0, ("correlated", plain_answers.correlated_welfare(normal, coarse=False)))
        coarse = plain_answers.correlated_welfare(normal, coarse=True)
        sums.append(("coarse", coarse))
        last = found.get(names[-1])
        if last is not None and sum(last) != coarse:
            yield f"coarse correlated: {sum(last)} is not {coarse}"
    for (one, less), (other, more) in pairwise(sums):
        if less > more:
            yield f"{one} pays {less}, and {other} only {more}"


def nothing_left_out(asked):
    """An equilibrium of many players that another solver finds is in the list of all.

    But for how weight is spread over copies of actions.
    """
    if not isinstance(asked.game, gt.NormalFormGame):
        return
    listed = as_set(asked.answer("all-nash by polynomial_support_enumeration"))
    if listed is None:
        return
    reduction = reduce_game(asked.game)
    known = [merged(reduction, profile) for profile in listed]
    for name in ("nash by logit_homotopy", "nash by pure"):
        one = asked.answer(name)
        if one is None or one.solutions[0].certificate.epsilon != 0:
            continue
        found = merged(reduction, one.solutions[0].profile.strategies)
        if min(distance(found, other) for other in known) > NEAR:
            yield f"{name} finds {one.solutions[0].profile}, which is not in the list"


def distance(profile, other):
    """The largest difference of two probabilities."""
    pairs = zip(profile, other, strict=True)
    return max(abs(a - b) for own, its in pairs for a, b in zip(own, its, strict=True))


def best_of_list(asked):
    """The best equilibrium pays as much as the best extreme one."""
    best = asked.payoffs("best-nash by mixed_integer")
    listed = asked.answer("all-nash by vertex_enumeration")
    if best is not None and listed is not None and listed.is_complete:
        most = max(sum(solution.payoffs, Fraction(0)) for solution in listed.solutions)
        if sum(best) != most:
            yield f"the best pays {sum(best)}, of the list {most}"


AGREEMENTS = {
    compare.__name__: compare
    for compare in (
        one_value,
        one_commitment,
        one_list,
        nothing_left_out,
        nested_welfare,
        best_of_list,
    )
}


# --- Bayesian games and rules -------------------------------------------------------------------


def same_commitment(asked):
    """A leader of a Bayesian or security game gets what the normal form says."""
    name = "stackelberg by bayesian_stackelberg"
    if isinstance(asked.game, gt.SecurityGame):
        name = "stackelberg by security_stackelberg"
    elif not isinstance(asked.game, gt.BayesianGame):
        return
    answer = asked.answer(name)
    if answer is None or answer.solutions[0].certificate.epsilon:
        return
    if isinstance(asked.game, gt.SecurityGame):
        normal = gt.conversions.security_to_normal(asked.game)
    else:
        normal = gt.conversions.harsanyi_transform(asked.game).target
    if _is_small(normal):
        wanted = plain_answers.commitment_value(*normal.exact_payoffs)
        paid = answer.solutions[0].payoffs[0]
        if wanted != paid:
            yield f"{name} pays {paid}, the normal form {wanted}"


def one_value_in_turn(asked):
    """Where one player gains what the other loses, stages have the value of the whole tree."""
    perfect = asked.payoffs("markov-perfect by stage_nash_induction")
    if perfect is None or asked.game.horizon is None or asked.game.horizon > 2:
        return
    tree = gt.conversions.posg_to_extensive(asked.game).target
    if tree.num_nodes > MOST_NODES:
        return
    if tree.num_players == 2 and is_constant_sum(tree):
        value = solve(tree, "minimax").solutions[0].payoffs[0]
    elif tree.num_players == 1:
        value = solve(tree, "nash").solutions[0].payoffs[0]
    else:
        return
    if value != perfect[0]:
        yield f"stages are worth {perfect[0]}, the tree {value}"


def bounded_leaders(asked):
    """No deterministic leader gets more than the bound for stochastic ones."""
    plain = asked.answer("markov-stackelberg by markov_stackelberg")
    mixed = asked.answer("markov-commitment by stochastic_markov_commitment")
    if plain is not None and mixed is not None:
        value = plain.solutions[0].certificate.leader_value
        bound = mixed.solutions[0].certificate.upper_bound
        if value > bound:
            yield f"{value} is more than the bound {bound}"


AGREEMENTS_ABOUT_RULES = {
    compare.__name__: compare for compare in (same_commitment, one_value_in_turn, bounded_leaders)
}
