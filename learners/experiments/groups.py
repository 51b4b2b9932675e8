"""Runs by their labels: a label stands for one experiment, of which each seed counts once."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from learners.experiments.run_records import Run


def runs_by_label(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """Group runs by label.

    Raises:
        InvalidArgument: If a label stands for two experiments, or for the same run twice.
    """
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.label, []).append(run)
    for label, own in groups.items():
        _refuse_mixed(label, own)
        counts = Counter(run.seed for run in own)
        twice = next((seed for seed, count in counts.items() if count > 1), None)
        if twice is not None:
            raise InvalidArgument(
                needs="each run once",
                found=f"seed {twice} of {label!r} is there twice",
                remedy="Give it once.",
            )
    return groups


def first_difference(one: Any, other: Any, path: str = "") -> tuple[str, str, str] | None:
    """Return where two records differ first, and what each has there; None if they do not."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *other]:
            found = first_difference(one.get(key), other.get(key), f"{path}.{key}".strip("."))
            if found is not None:
                return found
        return None
    return None if one == other else (path, shown(one), shown(other))


def _refuse_mixed(label: str, runs: list[Run]) -> None:
    for run in runs:
        found = first_difference(runs[0].experiment, run.experiment)
        if found is not None:
            key, one, other = found
            raise InvalidArgument(
                needs="one experiment under each label",
                found=f"of the runs called {label!r} one has {key} {one} and one {other}",
                remedy="Give them different labels.",
            )
