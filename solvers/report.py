"""An answer as plain rows for people, and as one JSON object for machines."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gametheory_core.formats.certificate_records import certificate_record, claim_record
from gametheory_core.formats.game_records import game_record, profile_record
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import shown_players
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import AnySolution
from solvers.solve import Answer

SCHEMA = "gametheory-core/solution/1"
LONGEST_FRACTION = 30


@dataclass(frozen=True)
class ProfileRow:
    """The probability of one action.

    Attributes
    ----------
    player, infoset, action : str
        Labels; ``infoset`` is empty in a normal form.
    probability : Fraction
        How often the action is played there.
    """

    player: str
    infoset: str
    action: str
    probability: Fraction


def profile_rows(
    game: NormalFormGame | ExtensiveFormGame, profile: MixedProfile | BehavioralProfile
) -> tuple[ProfileRow, ...]:
    """List the probabilities of all actions, by player and information set."""
    exact = profile.to_exact()
    rows: list[ProfileRow] = []
    if isinstance(game, NormalFormGame) and isinstance(exact, MixedProfile):
        for player, actions, strategy in zip(
            shown_players(game.players), game.actions, exact.strategies, strict=True
        ):
            rows += _rows(player, "", actions, strategy.tolist())
    elif isinstance(game, ExtensiveFormGame) and isinstance(exact, BehavioralProfile):
        players = shown_players(game.players)
        decisions = [infoset for infoset in game.infosets if infoset.player != CHANCE]
        for infoset, probabilities in zip(decisions, exact.probabilities, strict=True):
            label = infoset.label or f"#{infoset.number}"
            rows += _rows(players[infoset.player], label, infoset.actions, probabilities.tolist())
    return tuple(rows)


def _rows(
    player: str, infoset: str, actions: tuple[str, ...], probabilities: list[Fraction]
) -> list[ProfileRow]:
    return [
        ProfileRow(player, infoset, action or f"#{k + 1}", probability)
        for k, (action, probability) in enumerate(zip(actions, probabilities, strict=True))
    ]


def readable(value: Fraction, *, longest: int = LONGEST_FRACTION) -> str:
    """Write a rational as ``p/q``, or say how long it is where nobody would read it."""
    text = str(value)
    if len(text) <= longest:
        return text
    kind = "an integer" if value.denominator == 1 else "a fraction"
    return f"({kind} of {sum(map(str.isdigit, text))} digits)"


def answer_record(answer: Answer) -> dict[str, Any]:
    """Return the JSON object of an answer; rationals are texts, nothing is rounded.

    ``game.record`` and each ``certificate.record`` hold all that ``python -m gametheory_core
    verify`` needs to check the answer without the solver.
    """
    game = answer.game
    return {
        "schema": SCHEMA,
        "game": {
            "title": game.title,
            "digest": game.digest,
            "players": list(game.players),
            "record": game_record(game),
        },
        "concept": answer.concept.value,
        "algorithm": answer.algorithm,
        "reason": answer.reason,
        "complete": answer.is_complete,
        "evidence": answer.evidence,
        "completeness": answer.completeness and certificate_record(answer.completeness),
        "seconds": round(answer.seconds, 6),
        "solutions": [_solution_record(answer, solution) for solution in answer.solutions],
    }


def _solution_record(answer: Answer, solution: AnySolution) -> dict[str, Any]:
    certificate = solution.certificate
    return {
        "profile": profile_record(answer.game, solution.profile),
        "payoffs": list(map(str, solution.payoffs)),
        "certificate": {
            "kind": certificate.kind,
            "epsilon": str(certificate.epsilon),
            "statement": certificate.statement,
            "record": claim_record(certificate),
        },
    }
