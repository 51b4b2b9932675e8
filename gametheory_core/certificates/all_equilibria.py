"""All equilibria of a game of any number of players: a list, and a proof that none is missing.

Every equilibrium has supports. A tree of questions parts all choices of supports, "does this player
play this action?", and drops an action once it earns less than another one, whatever the others
play that the answers so far allow. Where all questions are answered, the strategies with these
supports are halved into cells (see ``support_cells``), each of which is shown to hold no
equilibrium, or none but a solution of the supports' equations that the list names.

All this may be about what is left of the game without strictly dominated actions and copies, which
has the same equilibria, but for how weight is spread over copies (see ``reduced_game``).
"""

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import NoReturn, TypeAlias

import numpy as np

from gametheory_core.certificates.claim import CheckableFact, claim, claimed, not_the_same_set
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.reduced_game import Reduction, checked_reduction
from gametheory_core.certificates.support_cells import Part, parts_of, unproved
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    are_apart,
    is_equilibrium,
    profile_of,
    require_solution,
    sign_at,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.support_rows import DifferenceTables, Integers, Supports
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

KIND = "all-equilibria"
ASK, DROP = 0, 1  # kinds of steps; those about cells have greater numbers

Choice: TypeAlias = tuple[tuple[frozenset[int], frozenset[int]], ...]  # played, perhaps played


def _measure(
    game: NormalFormGame,
    solutions: tuple[SupportSolution, ...],
    steps: tuple[tuple[int, ...], ...],
    eliminations: tuple[Elimination, ...],
    merges_copies: bool,  # noqa: FBT001
) -> "AllEquilibriaCertificate":
    """Check solutions and steps, and return the certificate with the equilibria among them."""
    reduction = checked_reduction(game, eliminations, merges_copies=merges_copies)
    profiles = equilibria_among(reduction, solutions)
    require_none_missing(reduction, solutions, steps)
    return AllEquilibriaCertificate(game, solutions, steps, profiles, eliminations, merges_copies)


@claim(KIND, measure=_measure, answer="", completes=("all-nash",))
class AllEquilibriaCertificate(CheckableFact):
    """The claim that ``profiles`` are all equilibria of the game.

    An equilibrium may be irrational; then its profile is the middle of a box of its own, which
    holds this equilibrium and no other one with its supports. Where copies of actions are merged,
    each profile plays one of a class; as good is any other way to spread its weight over the class.

    Attributes:
        game: Any number of players.
        solutions: Of the equations of supports, in what is left of the game; some are no
            equilibria. Actions that are left are numbered anew, as in steps.
        steps: ``(ASK, player, action)``, with the steps for the answer no, then those for yes;
            ``(DROP, player, action, better)``; and those of ``parts_of`` for supports that are
            left. A player who may play one action only plays it.
        profiles: The equilibria, in any order.
        eliminations: Strictly dominated actions that are left out, in order.
        merges_copies: Whether only the first of each class of copies is left.
    """

    game: NormalFormGame
    solutions: tuple[SupportSolution, ...]
    steps: tuple[tuple[int, ...], ...]
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)
    eliminations: tuple[Elimination, ...] = ()
    merges_copies: bool = False

    @property
    def indices(self) -> tuple[int | None, ...]:
        """The index of each profile, 1 or -1; None where an action that is not played is tied.

        It is the sign of the determinant of the derivatives of what reference actions earn more
        than the other supported ones (Ritzberger 1994).
        Where all have one, every equilibrium is regular, and indices sum to 1.
        """
        reduction = checked_reduction(
            self.game, self.eliminations, merges_copies=self.merges_copies
        )
        tables = DifferenceTables(reduction.target)
        signs = {
            profile: None if len(carried) > 1 else sign_at(rows, solution)
            for solution in self.solutions
            for rows in [tables.rows(solution.supports)]
            if is_equilibrium(rows, solution)
            for carried in [list(reduction.expansions(profile_of(reduction.target, solution)))]
            for profile in carried
        }
        return tuple(signs[profile] for profile in self.profiles)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        number = len(self.profiles)
        if self.merges_copies:
            return (
                f"complete: every equilibrium of the game is one of the {number} profiles, but for "
                "how weight is spread over copies of actions"
            )
        if number == 1:
            return "complete: the profile is the only equilibrium of the game"
        return f"complete: the {number} profiles are all equilibria of the game"


def certify_all_equilibria(
    game: NormalFormGame,
    solutions: Sequence[SupportSolution],
    steps: Sequence[tuple[int, ...]],
    *,
    eliminations: Sequence[Elimination] = (),
    merges_copies: bool = False,
) -> AllEquilibriaCertificate:
    """State that the equilibria among some solutions are all equilibria, and check that.

    Args:
        game, solutions, steps, eliminations, merges_copies: As in ``AllEquilibriaCertificate``.

    Raises:
        CertificateRejected: If a solution or a step does not hold, or something is left open.

    In the prisoner's dilemma each player's first action is worse than the second, and what is left
    is one profile, alone.

    >>> from fractions import Fraction
    >>> from gametheory_core import load_game
    >>> from gametheory_core.certificates.support_cells import ALONE
    >>> both = SupportSolution(((1,), (1,)), ((Fraction(1),), (Fraction(1),)), Fraction(0), ())
    >>> steps = [(DROP, 0, 0, 1), (DROP, 1, 0, 1), (ALONE, 0)]
    >>> found = certify_all_equilibria(load_game("prisoners_dilemma"), [both], steps)
    >>> found.statement
    'complete: the profile is the only equilibrium of the game'
    """
    return _measure(game, tuple(solutions), tuple(steps), tuple(eliminations), merges_copies)


def equilibria_among(
    reduction: Reduction, solutions: tuple[SupportSolution, ...]
) -> tuple[MixedProfile, ...]:
    """Check the solutions, each on its own and against each other; return the equilibria."""
    tables = DifferenceTables(reduction.target)
    return tuple(chain.from_iterable(map(reduction.expansions, _equilibria(tables, solutions))))


def require_none_missing(
    reduction: Reduction,
    solutions: tuple[SupportSolution, ...],
    steps: tuple[tuple[int, ...], ...],
    excess: Callable[[Supports], Integers] | None = None,
) -> None:
    """Check the steps: no equilibrium, or none with an excess above 0, is none of the solutions."""
    tables = DifferenceTables(reduction.target)
    start, todo = 0, [_everything(reduction.target)]
    parts: list[Part] = []
    while todo:
        choice = _settled(todo.pop())
        if choice is None:
            continue
        is_drop = start < len(steps) and steps[start][:1] == (DROP,)
        if not (is_drop or any(perhaps for _, perhaps in choice)):
            supports = tuple(tuple(sorted(played)) for played, _ in choice)
            try:
                parts += parts_of(
                    tables.rows(supports), steps, start=start, has_bound=excess is not None
                )
            except ValueError as error:
                _reject(str(error))
            start = parts[-1].step + 1
            continue
        todo += _followed(tables, choice, steps, start)
        start += 1
    if start < len(steps):
        _reject(f"step {start} comes after all supports are done")
    for part in unproved(parts, solutions, excess):
        claim_made = "excluded" if part.number < 0 else f"said to hold solution {part.number} only"
        supports = part.tree.rows.supports
        _reject(f"step {part.step}: a cell of supports {supports} is {claim_made}, unproved")


def _equilibria(
    tables: DifferenceTables, solutions: tuple[SupportSolution, ...]
) -> tuple[MixedProfile, ...]:
    """Check the solutions, each on its own and against each other; return the equilibria."""
    profiles: list[MixedProfile] = []
    for number, solution in enumerate(solutions):
        _require_supports(tables.game, solution.supports, number)
        rows = tables.rows(solution.supports)
        fault = require_solution(rows, solution)
        if fault:
            _reject(f"has solution {number}, of supports {solution.supports}, but {fault}")
        is_one = is_equilibrium(rows, solution)
        if is_one is None:
            _reject(
                f"has solution {number}, of supports {solution.supports}, in a box of radius "
                f"{float(solution.radius):.3g} that does not tell whether it is an equilibrium"
            )
        if is_one:
            profiles.append(profile_of(tables.game, solution))
    _require_apart(solutions)
    return tuple(profiles)


def _require_supports(game: NormalFormGame, supports: Supports, number: int) -> None:
    fits = len(supports) == game.num_players and all(
        own and list(own) == sorted(set(own)) and own[0] >= 0 and own[-1] < count
        for own, count in zip(supports, game.num_actions, strict=True)
    )
    if not fits:
        _reject(f"has solution {number} with supports {supports}, which are none of the game's")


def _require_apart(solutions: tuple[SupportSolution, ...]) -> None:
    by_supports: dict[Supports, list[SupportSolution]] = {}
    for solution in solutions:
        by_supports.setdefault(solution.supports, []).append(solution)
    for supports, own in by_supports.items():
        if not all(are_apart(one, other) for one, other in combinations(own, 2)):
            _reject(f"has two solutions of supports {supports} whose boxes meet")


def _everything(game: NormalFormGame) -> Choice:
    return tuple((frozenset[int](), frozenset(range(count))) for count in game.num_actions)


def _settled(choice: Choice) -> Choice | None:
    """Let players who have one action left play it; None if one has none left."""
    if not all(played or perhaps for played, perhaps in choice):
        return None
    return tuple(
        (perhaps, played) if not played and len(perhaps) == 1 else (played, perhaps)
        for played, perhaps in choice
    )


def _followed(
    tables: DifferenceTables, choice: Choice, steps: tuple[tuple[int, ...], ...], start: int
) -> list[Choice]:
    """Return what a step about supports leaves to do, the last one first."""
    if start >= len(steps) or len(steps[start]) not in (3, 4):
        _reject(f"step {start} is not about an action")
    kind, player, action, *better = steps[start]
    counts = tables.game.num_actions
    if not (0 <= player < len(counts) and 0 <= action < counts[player]):
        _reject(f"step {start} is not about an action")
    played, perhaps = choice[player]
    if kind == ASK and not better and action in perhaps:
        without = _changed(choice, player, played, perhaps - {action})
        return [_changed(choice, player, played | {action}, perhaps - {action}), without]
    if kind == DROP and better and action in played | perhaps:
        if not (
            0 <= better[0] < counts[player] and _is_worse(tables, choice, player, action, better[0])
        ):
            _reject(f"step {start} drops an action that is not shown to be worse")
        return [] if action in played else [_changed(choice, player, played, perhaps - {action})]
    return _reject(f"step {start} asks for, or drops, an action that is not open")


def _changed(
    choice: Choice, player: int, played: frozenset[int], perhaps: frozenset[int]
) -> Choice:
    return (*choice[:player], (played, perhaps), *choice[player + 1 :])


def _is_worse(
    tables: DifferenceTables, choice: Choice, player: int, action: int, better: int
) -> bool:
    """Tell whether an action earns less than another one under all that the others may play.

    It earns no more anywhere, and less everywhere, or where all play what they surely play.
    """
    gains = tables.exact(player, better)[action]
    others = [sorted(a | b) for a, b in choice]
    others[player] = [0]
    here = gains[np.ix_(*others)]
    if np.all(here > 0):
        return True
    sure = [sorted(played) for played, _ in choice]
    sure[player] = [0]
    return bool(np.all(here >= 0) and np.any(gains[np.ix_(*sure)] > 0))


def _reject(problem: str) -> NoReturn:
    raise CertificateRejected(found=problem)
