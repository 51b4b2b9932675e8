"""The profiles and beliefs in answers: what is drawn of a solution, a run or several equilibria."""

from fractions import Fraction
from typing import Any

from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.trembles import infoset_nodes


def profiles_in(answers: object) -> Any:
    """Return the profiles in several answers, or in one that has several; others stay as they are.

    >>> from types import SimpleNamespace
    >>> profiles_in([SimpleNamespace(profile="p"), "q"])
    ['p', 'q']
    """
    own: Any = _several(answers)
    if own is None:
        own = [answers] if hasattr(answers, "profile") else answers
    return [profile_in(answer) for answer in own] if isinstance(own, list | tuple) else own


def profile_in(answer: object) -> Any:
    """Return the profile in a solution or a certificate, or the average of a run.

    A profile stays as it is.

    Raises:
        InvalidArgument: If the answer has several, or none.

    >>> from types import SimpleNamespace
    >>> profile_in(SimpleNamespace(profile="p")), profile_in("q")
    ('p', 'q')
    """
    single = _single(answer)
    return getattr(single, "profile", getattr(single, "average", single))


def beliefs_in(game: ExtensiveFormGame, answer: object) -> dict[int, Fraction]:
    """Return the beliefs in a sequential equilibrium where there is something to believe.

    Args:
        game: Whose tree.
        answer: A solution, certificate or assessment with ``beliefs``; anything else has none.

    Returns:
        Node -> belief, at information sets of two and more nodes.

    Raises:
        InvalidStrategy: If the beliefs are of another game.

    >>> from gametheory_core.catalog import load
    >>> beliefs_in(load("kuhn_poker"), "a profile")
    {}
    """
    single = _single(answer)
    beliefs = getattr(getattr(single, "certificate", single), "beliefs", ())
    nodes = infoset_nodes(game)
    if beliefs and list(map(len, beliefs)) != list(map(len, nodes)):
        raise InvalidStrategy(
            needs="a belief for each node of each information set",
            found="the numbers of beliefs are those of another game",
        )
    return {
        node: belief
        for own, held in zip(nodes, beliefs, strict=bool(beliefs))
        for node, belief in zip(own, held, strict=True)
        if len(own) > 1
    }


def _several(answer: object) -> Any:
    """Return the solutions in an answer to a question for several; None if it is none."""
    return getattr(answer, "solutions", getattr(answer, "equilibria", None))


def _single(answer: object) -> Any:
    found = _several(answer)
    if found is None:
        return answer
    if len(found) != 1:
        name = "solutions" if hasattr(answer, "solutions") else "equilibria"
        raise InvalidArgument(
            needs="one profile",
            found=f"the answer has {len(found)}",
            remedy=f"Give one of its {name}: answer.{name}[0]." if found else "",
        )
    return found[0]
