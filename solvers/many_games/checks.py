"""Answers to many games, checked again: that arrays belong together, and what they say."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.many_equilibria import require_equilibria, shares_of
from gametheory_core.errors import CertificateRejected
from solvers.concepts import Concept
from solvers.many_games.answers import Found, ManyAnswers, solutions_in
from solvers.many_games.batch import Batch, as_floats
from solvers.many_games.forms import Form
from solvers.solution import SolutionSet

AT_ONCE = 8_192  # answers
CELLS = 2**22  # of payoffs that are looked at together
ROUNDING = 1e-12  # of what answers pay, in parts of the largest payoff
EQUILIBRIA = (Concept.NASH, Concept.MINIMAX, Concept.ALL_NASH)
SEVERAL = (Concept.ALL_NASH, Concept.PURE_NASH)  # which have any number of answers


class Claims(NamedTuple):
    """Answers, the games they are about, and those that were solved one by one."""

    answers: ManyAnswers
    batch: Batch
    form: Form
    apart: Mapping[int, Found]


def verify_answers(claims: Claims) -> None:
    """Refuse answers of which one is wrong; see ``ManyAnswers.verify``."""
    answers = claims.answers
    _require_whole(claims)
    _require_payoffs(claims)
    if answers.concept in EQUILIBRIA:
        for some in _pieces(answers, np.flatnonzero(~answers.found_apart[answers.games])):
            _require_equilibria(claims, some)
    one_by_one = answers.concept not in (Concept.NASH, Concept.MINIMAX)
    for index in range(len(answers)) if one_by_one else np.flatnonzero(answers.found_apart):
        _require_one(claims, int(index))


def _rejected(needs: str, found: str, game: int | None = None) -> CertificateRejected:
    return CertificateRejected(needs=needs, found=found, witness=game)


def _require_whole(claims: Claims) -> None:
    """Refuse arrays that do not belong together."""
    answers = claims.answers
    games, counts, apart = answers.games, answers.counts, answers.found_apart
    own, batch = answers.payoffs, claims.batch.payoffs
    if own is not batch and not np.array_equal(own, batch):
        raise _rejected("the payoffs of the games that were solved", "the array has others")
    if not np.array_equal(np.flatnonzero(apart), sorted(claims.apart)):
        raise _rejected("found_apart to tell which games were solved one by one", "it does not")
    is_known = (games >= 0) & (games < len(answers))
    if not is_known.all() or (np.diff(games) < 0).any():
        raise _rejected("numbers of games in increasing order", "games has others")
    made = np.bincount(games, minlength=len(answers))
    wrong = made != counts
    if answers.concept not in SEVERAL:
        wrong |= counts != 1
    if wrong.any():
        game = int(np.argmax(wrong))
        found = f"game {game} has {made[game]}, and counts says {counts[game]}"
        raise _rejected("as many answers as a game has", found, game)
    if answers.concept in EQUILIBRIA:
        return  # which are looked at closer
    for number, weights in enumerate(answers.weights):
        empty = ~weights.any(axis=tuple(range(1, weights.ndim))) & ~apart[games]
        if empty.any():
            game = int(games[np.argmax(empty)])
            raise _rejected("weights that are not all 0", f"weights[{number}] of game {game} are")


def _pieces(answers: ManyAnswers, entries: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Divide answers, so that payoffs of their games take little memory."""
    cells = answers.payoffs[:1].size or 1
    size = max(1, min(AT_ONCE, CELLS // cells))
    for start in range(0, len(entries), size):
        yield entries[start : start + size]


def _tables(claims: Claims, entries: NDArray[np.int64]) -> NDArray[Any]:
    """Return the payoffs of both players, or of all, in the games of some answers."""
    payoffs = claims.answers.payoffs[claims.answers.games[entries]]
    return np.concatenate([payoffs, -payoffs], axis=1) if claims.batch.are_matrices else payoffs


def _require_payoffs(claims: Claims) -> None:
    """Refuse expected payoffs that strategies do not pay, where floats can tell."""
    answers = claims.answers
    for some in _pieces(answers, np.arange(len(answers.games))):
        tables, said = as_floats(_tables(claims, some)), answers.expected_payoffs[some]
        with np.errstate(invalid="ignore", over="ignore"):
            played = tuple(own[some] for own in answers.strategies)
            paid = claims.form.expected(played, tables, np.arange(len(some)))
            if np.array_equal(paid, said, equal_nan=True):
                continue
            largest = np.abs(tables).max(axis=tuple(range(1, tables.ndim)))[:, np.newaxis]
            wrong = np.isfinite(paid) & ~(np.abs(said - paid) <= ROUNDING * largest)
        if wrong.any():
            game = int(answers.games[some[np.argmax(wrong.any(axis=1))]])
            raise _rejected(
                "what answers pay", f"expected_payoffs has something else for game {game}", game
            )


def _require_equilibria(claims: Claims, entries: NDArray[np.int64]) -> None:
    answers = claims.answers
    weights = [own[entries] for own in answers.weights]
    try:
        require_equilibria(_tables(claims, entries), weights)
    except CertificateRejected as error:
        game = int(answers.games[entries[error.witness]])
        raise error.changed(
            found=f"the answer to game {game} is none: {error.found}", witness=game
        ) from None
    for exact, floats in zip(weights, answers.strategies, strict=True):
        _require_near(shares_of(exact.transpose(2, 1, 0)).T, floats[entries])


def _require_one(claims: Claims, index: int) -> None:
    answers = claims.answers
    found = answers[index]
    proofs = solutions_in(found)
    for own in proofs:
        own.certificate.verify()
    if isinstance(found, SolutionSet):
        found.completeness.verify()
    profiles = [own.profile for own in proofs]
    if answers.exact(index) != profiles:
        needs = "the answer that the solver of one game proves"
        raise _rejected(needs, f"game {index} has another in the arrays", index)
    first, last = np.searchsorted(answers.games, [index, index + 1]).tolist()
    if last - first != len(profiles):
        raise _rejected(f"{len(profiles)} answers to game {index}", f"there are {last - first}")
    for entry, profile in zip(range(first, last), profiles, strict=True):
        nearest = claims.form.floats(profile, claims.batch.num_actions)
        for own, floats in zip(nearest, answers.strategies, strict=True):
            _require_near(own, floats[entry])


def _require_near(nearest: FloatArray, floats: FloatArray) -> None:
    if not np.allclose(nearest, floats, rtol=1e-15 + 1e-16 * floats.shape[-1], atol=0):
        raise _rejected(
            "floats next to the exact probabilities",
            f"one is off by {np.abs(nearest - floats).max()}",
        )
