"""The profiles in answers: what is drawn of a solution, a run or several equilibria."""

from typing import Any

from gametheory_core.errors import InvalidArgument


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
    """Return the profile in a solution, a run or a certificate; a profile stays as it is.

    Raises:
        InvalidArgument: If the answer has several, or none.

    >>> from types import SimpleNamespace
    >>> profile_in(SimpleNamespace(profile="p")), profile_in("q")
    ('p', 'q')
    """
    return getattr(_single(answer), "profile", answer)


def beliefs_in(answer: object) -> Any:
    """Return the beliefs in a sequential equilibrium; None if the answer has none.

    >>> beliefs_in("a profile")
    """
    single = _single(answer)
    certificate = getattr(single, "certificate", single)
    return getattr(certificate, "beliefs", None)


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
