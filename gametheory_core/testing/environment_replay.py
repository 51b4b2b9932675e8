"""Episodes played again, in all the ways in which a right environment shows them once more."""

import copy
import random
from collections.abc import Callable, Hashable, Iterator
from enum import Enum
from functools import partial

import numpy as np

from gametheory_core.errors import LawBroken
from gametheory_core.testing.environment_content import spoil
from gametheory_core.testing.environment_episode import Episode, told
from gametheory_core.testing.environment_laws import EnvironmentLaw, broken, readable, shown
from gametheory_core.testing.environment_look import Look, Table

DOUBTS = 40  # more fresh copies, before a difference is laid to anything but the seed


class Again(Enum):
    """How an episode is played again: the law that is broken if it differs, and on what."""

    FRESH = (EnvironmentLaw.SEEDED, "another fresh copy, reset with options=None,")
    USED = (EnvironmentLaw.FORGOTTEN, "a copy used before")
    SPOILED = (EnvironmentLaw.OWN_COPY, "a copy whose observations were written into")
    ASKED = (EnvironmentLaw.ASKED, "a copy that was asked for all observations, twice")
    DISTURBED = (EnvironmentLaw.GENERATORS, "a copy beside which others drew random numbers")
    BESIDE = (EnvironmentLaw.APART, "a copy beside which another one played")


def play_again(
    episode: Episode, other: Episode | None, used: Table, make_table: Callable[[], Table]
) -> None:
    """Play an episode again in every way.

    Args:
        other: Another episode, to be played beside it.
        used: A table on which others have been played.
        make_table: Makes a fresh one.
    """
    fresh = make_table()
    _again(episode, fresh, Again.FRESH, options=None)
    close(fresh)
    try:
        _cut_short(episode, used)
        _again(episode, used, Again.USED)
        fresh = make_table()
        for _ in range(2):  # the second time finds what is kept for later episodes
            fresh.takes_back = True
            _again(episode, fresh, Again.SPOILED, _spoil)
        close(fresh)
        fresh = make_table()
        _again(episode, fresh, Again.ASKED, lambda _: fresh.ask())
        _play_disturbed(episode, fresh)
        close(fresh)
        if other is not None:
            _play_beside(episode, other, make_table(), make_table())
    except LawBroken:
        # Without a seed two copies may agree by chance: name the simpler cause if it is one.
        for _ in range(DOUBTS):
            another = make_table()
            _again(episode, another, Again.FRESH)
            close(another)
        raise


def agrees(episode: Episode, table: Table, seed: int | None) -> bool:
    """Tell whether another seed, or none, shows the same episode after the same actions."""
    for move, before in enumerate(episode.looks):
        look = _step(episode, table, move, seed)
        if look.content != before.content:
            return False
    return True


def close(table: Table) -> None:
    """Close an environment, if it can be."""
    if hasattr(table.env, "close"):
        table.env.close()


def _step(episode: Episode, table: Table, move: int, seed: int | None, **options: None) -> Look:
    if not move:
        return told(table, lambda: table.reset(seed, **options))
    return told(table, lambda: table.step(copy.deepcopy(episode.actions[move - 1])))


def _again(
    episode: Episode,
    table: Table,
    again: Again,
    between: Callable[[Look], None] | None = None,
    **options: None,
) -> None:
    for _ in _moves(episode, table, again, between, **options):
        pass


def _moves(
    episode: Episode,
    table: Table,
    again: Again,
    between: Callable[[Look], None] | None = None,
    **options: None,
) -> Iterator[None]:
    """Play the same actions from the same seed, and require the same episode to its end."""
    law, where = again.value
    for move, before in enumerate(episode.looks):
        try:
            look = _step(episode, table, move, episode.seed, **options)
        except LawBroken as error:  # the first play broke none, so this one differs
            what = f"{where} continues otherwise than the first time. {error}"
            broken(law, table.story, what, cause=error)
        if look.content != before.content:
            due, found = _difference(before, look)
            broken(
                law,
                table.story,
                f"needs {due}, as shown the first time, but {where} shows {found}.",
            )
        if between is not None:
            told(table, partial(between, look))
        yield


def _play_beside(episode: Episode, other: Episode, table: Table, beside: Table) -> None:
    """Play two episodes by turns."""
    following = _moves(other, beside, Again.BESIDE)
    for _ in _moves(episode, table, Again.BESIDE):
        next(following, None)
    for _ in following:
        pass
    close(table)
    close(beside)


def _cut_short(episode: Episode, table: Table) -> None:
    """Play the first half of an episode and leave it."""
    for move in range((len(episode.actions) + 1) // 2 + 1):
        _step(episode, table, move, episode.seed)


def _spoil(look: Look) -> None:
    for lent in look.lent:
        spoil(lent.given)
        if lent.is_whole and isinstance(lent.given, dict):
            lent.given.clear()


def _play_disturbed(episode: Episode, table: Table) -> None:
    """Play while others draw from the generators that all share, and seed them."""
    kept = random.getstate(), np.random.get_state()  # noqa: NPY002 the one that all share is meant

    random.seed(0)
    np.random.seed(1)  # noqa: NPY002
    before = _generators()
    try:
        for _ in _moves(episode, table, Again.DISTURBED):
            if _generators() != before:
                broken(
                    EnvironmentLaw.GENERATORS,
                    table.story,
                    "the environment drew from the generators of random or numpy.random, or seeded "
                    "them. Keep a generator of its own.",
                )
            number = 7919 * (1 + len(table.story.moves))
            random.seed(number)
            np.random.seed(number)  # noqa: NPY002
            before = _generators()
    finally:
        random.setstate(kept[0])
        np.random.set_state(kept[1])  # noqa: NPY002


def _generators() -> Hashable:
    """Return the states of the generators that all share."""
    name, key, *rest = np.random.get_state()  # noqa: NPY002
    return random.getstate(), name, np.asarray(key).tobytes(), tuple(rest)


def _difference(before: Look, now: Look) -> tuple[str, str]:
    for name in ("movers", "rewards", "allowed", "listed", "left"):
        due, found = getattr(before, name), getattr(now, name)
        if due != found:
            return f"{name} {readable(due)}", f"{name} {readable(found)}"
    return f"observations {shown(before.observations)}", shown(now.observations)
