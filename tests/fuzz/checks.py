"""What is asked of every answer: each check yields what it finds wrong about one game."""

import json
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import islice

import numpy as np

import gametheory_core as gt
from gametheory_core import formats, testing
from gametheory_core.conversions import posg_to_aec, posg_to_extensive, posg_to_tabular
from gametheory_core.games import is_constant_sum, is_rules_of_posg
from solvers import Budget
from solvers.solution import solution_of
from solvers.solver import SEATS, declarations
from tests.core.naive_trees import written
from tests.fuzz.comparisons import agreement, recomputed
from tests.fuzz.runs import Finding, called, described
from tests.fuzz.simpler import children, like
from tests.solvers.sample_games import FIRST, NEEDED, UNSEEDED

LONG = 2**20  # characters of a file, which may take the time of one call
MOST_FORGERIES = 100  # of a certificate that are drawn from
SLOW = 0.5  # seconds after which a call is not made again


def answers(runs):
    """Every solver answers or refuses in its own words, in time, with certificates that verify."""
    for name in runs.routes():
        yield from judged(runs, "answers", name, runs.outcome(name))


def judged(runs, check, name, outcome):
    """What is wrong with one outcome and the certificates in it."""
    if outcome.wrong:
        yield Finding(check, name, *outcome.wrong)
    refused = outcome.refusal
    if type(refused).__name__ in {"CertificateRejected", "InvalidGame", "InvalidStrategy"}:
        yield Finding(check, name, type(refused).__name__, str(refused))
    if isinstance(refused, gt.NotConverged) and outcome.seconds < 1:
        yield Finding(check, name, "gives up", f"after {outcome.seconds:.2f} s: {refused}")
    found = outcome.value if outcome.value is not None else getattr(refused, "best", None)
    if found is None:
        return
    for certificate in certificates(found):
        verified = called(certificate.verify)
        if verified.wrong or verified.refusal:
            yield Finding(check, name, "rejected", f"{verified.wrong or verified.refusal}")


def certificates(found):
    """The certificates of an answer or of a solution."""
    solutions = getattr(found, "solutions", None) or getattr(found, "equilibria", None) or ()
    own = [found] if hasattr(found, "certificate") else []
    yield from (solution.certificate for solution in (*solutions, *own))
    if getattr(found, "completeness", None) is not None:
        yield found.completeness


def files(runs):
    """An answer written to a file and read again is verified, and the same."""
    for name in runs.routes():
        answer = runs.answer(name)
        if answer is not None:
            yield from kept(name, answer)


def kept(name, answer, *, is_about_concept=True):
    """What is wrong with the file of an answer; options may make it one about something else."""

    def verified(text):
        read = formats.parse_json(text, name="answer")
        if is_about_concept and (answer.solutions or answer.completeness is not None):
            formats.verified_certificates(read)

    def same_again(certificate, text):
        again = formats.certificate_from(formats.parse_json(text, name="certificate"))
        assert again == certificate, f"{certificate.kind} is read as another one"
        assert json.dumps(formats.certificate_record(again)) == text

    steps = [(answer.to_record, verified)]
    for certificate in certificates(answer):
        steps.append(
            (partial(formats.certificate_record, certificate), partial(same_again, certificate))
        )
    for record, read in steps:
        done = called(lambda record=record: json.dumps(record()))
        if done.value is not None:
            done = called(partial(read, done.value), share=max(1.0, len(done.value) / LONG))
        if done.wrong or done.refusal:
            yield Finding("files", name, *(done.wrong or ("refused", str(done.refusal))))
            return


def repeats(runs):
    """The same call gives the same answer."""
    for name, route in runs.routes().items():
        if runs.answer(name) is None or runs.outcome(name).seconds > SLOW:
            continue
        again = runs.solved(runs.game, route)
        if again.seconds > SLOW:  # the clock may have ended it
            continue
        if again.value is None or told(runs.answer(name)) != told(again.value):
            yield Finding("repeats", name, "differs", f"{again.value!r} {again.refusal}")


def told(answer):
    """All that an answer says but for how it was got."""
    proved = list(certificates(answer))
    return answer.is_complete, answer.evidence, [s.profile for s in answer.solutions], proved


def options(runs):
    """Every solver takes the options that it declares, drawn at random."""
    for name, route in runs.routes().items():
        rng = runs.rng("options", name)
        if runs.outcome(name).seconds > SLOW or rng.random() < 0.5:
            continue
        given = {}
        for option in route.options:
            kinds = route.solver.options[option]
            members = [m for k in kinds if isinstance(k, type) and issubclass(k, Enum) for m in k]
            if option in SEATS and hasattr(runs.game, "num_players"):
                given[option] = int(rng.integers(runs.game.num_players))
            elif members:
                given[option] = members[int(rng.integers(len(members)))]
            elif option == "rng":
                given[option] = np.random.default_rng(int(rng.integers(1000)))
        given = {option: value for option, value in given.items() if rng.random() < 0.7}
        outcome = runs.solved(runs.game, route, **given)
        for finding in judged(runs, "options", name, outcome):
            yield Finding("options", name, finding.kind, f"{given}: {finding.detail}")
        if outcome.value is not None:
            yield from (
                Finding("options", name, found.kind, f"{given}: {found.detail}")
                for found in kept(name, outcome.value, is_about_concept=False)
            )


def budgets(runs):
    """A budget of any size ends with what is certified, or a refusal that holds the best so far."""
    for name, route in runs.routes().items():
        rng = runs.rng("budgets", name)
        if runs.outcome(name).seconds > SLOW or rng.random() < 0.5:
            continue
        steps, seconds = int(rng.integers(12)), float(rng.choice([0, 1e-3, 1e-2, 2]))
        budget = Budget(seconds=seconds, iterations=steps)
        outcome = runs.solved(runs.game, route, budget=budget)
        for finding in judged(runs, "budgets", name, outcome):
            if finding.kind != "gives up":
                yield Finding("budgets", name, finding.kind, f"{budget}: {finding.detail}")
        if outcome.value is not None:
            yield from (
                Finding("budgets", name, found.kind, f"{budget}: {found.detail}")
                for found in kept(name, outcome.value)
            )


def forged(runs):
    """No claim of a certificate can be changed unnoticed; what is given may, if all stays true."""
    for name in runs.routes():
        found, rng = runs.answer(name), runs.rng("forged", name)
        if found is None or rng.random() < 0.7:
            continue
        for certificate in list(certificates(found))[:2]:
            for is_claim, forgeries in (
                (True, testing.forged_claims(certificate)),
                (False, testing.forged_givens(certificate)),
            ):
                some = [each for each in islice(forgeries, MOST_FORGERIES) if rng.random() < 0.2]
                for where, forgery in some:
                    outcome = called(forgery.verify)
                    if outcome.wrong and outcome.wrong[0] != "late":
                        yield Finding(
                            "forged", name, outcome.wrong[0], f"{where}: {outcome.wrong[1]}"
                        )
                    elif is_claim and outcome.refusal is None:
                        yield Finding("forged", name, "unnoticed", where)


def functions(runs):
    """What declares no concept, such as play that is repeated, takes every game it says."""
    for declared in declarations():
        name = declared.name
        if declared.answers or name in FIRST or runs.subject not in {None, name}:
            continue
        if not all((getattr(n, "holds", None) or n.test)(runs.game) for n in declared.takes):
            continue
        given = {
            option: value() if callable(value) else value
            for option, value in NEEDED.items()
            if option in declared.options and not (option == "rng" and name in UNSEEDED)
        }
        outcome = called(declared.function, runs.game, **given)
        if outcome.wrong:
            yield Finding("functions", name, *outcome.wrong)
        solution = None if outcome.value is None else solution_of(outcome.value)
        for certificate in () if solution is None else certificates(solution):
            verified = called(certificate.verify)
            if verified.wrong or verified.refusal:
                yield Finding("functions", name, "rejected", f"{verified}")


def laws(runs):
    """A game obeys the laws of its kind, and so do the conversions that take it."""
    for name, check in law_checks(runs):
        if runs.subject not in {None, name} or runs.rng("law", name).random() < 0.7:
            continue
        outcome = called(check)
        if outcome.wrong and outcome.wrong[0] != "late":  # pure policies may be many
            yield Finding("laws", name, *outcome.wrong)
        elif outcome.refusal is not None and not isinstance(outcome.refusal, gt.UnsupportedGame):
            yield Finding("laws", name, type(outcome.refusal).__name__, str(outcome.refusal))


def law_checks(runs):
    """(name, function) of each law for a kind of game."""
    game, rng = runs.game, runs.rng("laws")

    def converted(convert):
        return lambda: testing.check_conversion(convert(game), rng=rng, num_profiles=1)

    yield "record", lambda: same_after_record(game)
    if isinstance(game, gt.NormalFormGame):
        yield "normal form", lambda: testing.check_normal_form(game, rng=rng)
        yield "nfg", lambda: same_payoffs(game, formats.parse_nfg(formats.format_nfg(game)))
        yield "normal_to_extensive", converted(gt.conversions.normal_to_extensive)
        yield "normal_to_posg", converted(gt.conversions.normal_to_posg)
    elif isinstance(game, gt.ExtensiveFormGame):
        yield "tree", lambda: testing.check_tree(game, rng=rng)
        yield "efg", lambda: same_payoffs(game, formats.parse_efg(formats.format_efg(game)))
        yield "extensive_to_normal", converted(gt.extensive_to_normal)
        yield "canonical_tree", converted(gt.conversions.canonical_tree)
        yield "separate_chance", converted(gt.conversions.separate_chance)
    elif isinstance(game, gt.BayesianGame):
        yield "Bayesian", lambda: testing.check_bayesian(game, rng=rng)
    elif is_rules_of_posg(game):
        yield "POSG", lambda: testing.check_posg(game, rng=rng)
        yield "posg_to_tabular", converted(posg_to_tabular)
        if game.horizon is not None and game.horizon < 3:
            yield "posg_to_aec", converted(posg_to_aec)
            yield "posg_to_extensive", converted(posg_to_extensive)
    elif hasattr(game, "mover"):
        yield "AEC", lambda: testing.check_aec(game, rng=rng)
        if game.horizon is not None and game.horizon < 4:
            yield "aec_to_posg", converted(gt.conversions.aec_to_posg)
            yield "aec_to_extensive", converted(gt.conversions.aec_to_extensive)


def same_after_record(game):
    """Require that a game's record holds all of it."""
    if not hasattr(game, "digest"):
        return
    record = json.dumps(formats.game_record(game))
    again = formats.game_from(formats.parse_json(record, name="game"))
    assert again == game, "the record is read as another game"
    assert again.digest == game.digest
    assert json.dumps(formats.game_record(again)) == record


def same_payoffs(game, again):
    """Require that a file of Gambit's formats holds the payoffs and the shape."""
    if isinstance(game, gt.NormalFormGame):
        assert (again.exact_payoffs == game.exact_payoffs).all()
        return
    assert (again.exact_terminal_payoffs == game.exact_terminal_payoffs).all()
    assert [s.actions for s in again.infosets] == [s.actions for s in game.infosets]


# --- the same game in other words ---------------------------------------------------------------


def relabeled(runs):
    """Answers that are unique stay the same when actions change places, and payoffs their unit."""
    if not isinstance(runs.game, gt.NormalFormGame | gt.ExtensiveFormGame):
        return
    rng = runs.rng("relabeled")
    scale = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 9)))
    shifts = [Fraction(int(s), 7) for s in rng.integers(-9, 10, runs.game.num_players)]
    orders = []
    if isinstance(runs.game, gt.NormalFormGame):
        orders = [rng.permutation(count).tolist() for count in runs.game.num_actions]
        table = runs.game.exact_payoffs[(slice(None), *np.ix_(*orders))]
        moved = [scale * own + shift for own, shift in zip(table, shifts, strict=True)]
        other = gt.NormalFormGame.from_payoffs(np.array(moved, dtype=object))
    else:
        turned = mirrored(written(runs.game), scale, shifts)
        other = gt.from_sketch(turned, players=runs.game.players)
    for name, route in runs.routes().items():
        if name not in UNIQUE or runs.answer(name) is None or runs.outcome(name).seconds > SLOW:
            continue
        outcome = runs.solved(other, route)
        if outcome.seconds > SLOW:
            continue
        if outcome.value is None:
            yield Finding("relabeled", name, "refused", f"{outcome.refusal or outcome.wrong}")
            continue
        wanted = UNIQUE[name](runs.answer(name), lambda a: a, lambda v, i: scale * v + shifts[i])
        found = UNIQUE[name](outcome.value, lambda a: unordered(a, orders), lambda v, _: v)
        if wanted != found:
            yield Finding("relabeled", name, "differs", f"wanted {wanted}, found {found}"[:2000])


def seated(runs):
    """Answers that favor no seat are the same when players change places."""
    if not isinstance(runs.game, gt.NormalFormGame) or runs.game.num_players == 1:
        return
    backwards = range(runs.game.num_players - 1, -1, -1)
    table = [runs.game.exact_payoffs[i].transpose(backwards) for i in backwards]
    other = gt.NormalFormGame.from_payoffs(np.array(table, dtype=object))
    for name, route in runs.routes().items():
        if name not in FAIR or runs.answer(name) is None or runs.outcome(name).seconds > SLOW:
            continue
        outcome = runs.solved(other, route)
        if outcome.value is not None and outcome.seconds < SLOW:
            wanted = UNIQUE[name](runs.answer(name), lambda a: a[::-1], lambda v, _: v)
            found = UNIQUE[name](outcome.value, lambda a: a, lambda v, _: v)
            if wanted != found:
                detail = f"wanted {wanted}, found {found}"[:2000]
                yield Finding("seated", name, "differs", detail)


def mirrored(node, scale, shifts):
    """A nested tree with all actions in the opposite order, and payoffs in another unit."""
    paid = [scale * value for value in node.payoffs]
    if isinstance(node, gt.Terminal):
        return gt.Terminal([value + shift for value, shift in zip(paid, shifts, strict=True)])
    below = {a: mirrored(child, scale, shifts) for a, child in reversed(children(node).items())}
    return like(node, below, payoffs=paid)


def unordered(strategies, orders):
    """Entries of each strategy by the actions' first places."""
    out = []
    for own, order in zip(strategies, orders, strict=True):
        entries = [None] * len(order)
        for place, action in enumerate(order):
            entries[action] = own[place]
        out.append(tuple(entries))
    return tuple(out)


def _pays(player):
    return lambda answer, _actions, units: units(answer.solutions[0].payoffs[player], player)


def _value(answer, actions, units):
    """What the first player earns, where players are rivals; else equilibria may differ."""
    return is_constant_sum(answer.game).holds and _pays(0)(answer, actions, units)


def _welfare(answer, _actions, units):
    return sum(units(p, i) for i, p in enumerate(answer.solutions[0].payoffs))


def _profiles(answer, actions, units):
    if not hasattr(answer.game, "num_actions"):  # plans that agree where they come pay the same
        return answer.is_complete and {
            tuple(units(p, i) for i, p in enumerate(s.payoffs)) for s in answer.solutions
        }
    return answer.is_complete and {
        actions(tuple(map(tuple, solution.profile.strategies))) for solution in answer.solutions
    }


def _survivors(answer, actions, _units):
    game, kept = answer.game, answer.solutions[0].profile
    marks = [
        tuple(a in own for a in range(n)) for own, n in zip(kept, game.num_actions, strict=True)
    ]
    return actions(tuple(marks))


def _corners(answer, _actions, units):
    vertices = answer.solutions[0].certificate.vertices
    players = answer.solutions[0].certificate.players
    return {tuple(units(v, i) for v, i in zip(vertex, players, strict=True)) for vertex in vertices}


UNIQUE = {  # what of an answer is the same for all right answers
    "minimax by minimax": _pays(0),
    "stackelberg by strong_stackelberg": _pays(0),
    "stackelberg by weak_stackelberg": lambda a, _, units: units(
        a.solutions[0].certificate.upper_bound, 0
    ),
    "stackelberg by pure_followers_stackelberg": _pays(0),
    "correlated-commitment by correlated_commitment": _pays(0),
    "correlated by correlated_equilibrium": _welfare,
    "coarse-correlated by correlated_equilibrium": _welfare,
    "best-nash by mixed_integer": _welfare,
    "all-nash by vertex_enumeration": _profiles,
    "all-nash by support_enumeration": _profiles,
    "pure-nash by pure": _profiles,
    "dominance by iterated_dominance": _survivors,
    "correlated-payoffs by correlated_payoff_vertices": _corners,
    "minimax by sequence_form_lp": _pays(0),
    "quasi-perfect by quasi_perfect": _value,
    "stackelberg by extensive_stackelberg": _pays(0),
    "stackelberg by perfect_information_commitment": _pays(0),
    "extensive-form-correlated by extensive_form_correlated_equilibrium": _welfare,
    "extensive-form-coarse-correlated by extensive_form_correlated_equilibrium": _welfare,
    "coarse-correlated by extensive_form_correlated_equilibrium": _welfare,
}


FAIR = {name for name, read in UNIQUE.items() if read in {_welfare, _profiles, _survivors}}


CHECKS = {
    check.__name__: check
    for check in (
        answers,
        files,
        recomputed,
        agreement,
        repeats,
        options,
        budgets,
        forged,
        functions,
        laws,
        relabeled,
        seated,
    )
}


def findings(runs, only=None):
    """All that is wrong with a game; of one check alone where it is named."""
    for name, check in CHECKS.items():
        if only in {None, name}:
            try:
                yield from check(runs)
            except Exception as error:  # noqa: BLE001 (an answer that cannot even be looked at)
                yield Finding(name, runs.subject or "all", type(error).__name__, described(error))
