"""Players who come and go: each law has a game that breaks it alone, and drawn games obey all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import find

from gametheory_core.conversions import aec_from_tables, posg_from_tables
from gametheory_core.errors import LawBroken
from gametheory_core.games import AWAY, CHANCE, IDLE, NULL
from gametheory_core.games.presence import Presence, late_players, scenes
from gametheory_core.testing import aecs_with_absences, check_aec, check_posg, posgs_with_absences
from tests.sample_sizes import to_reach


def posg(*, views=None, legal=None, rewards=None):
    """Ann is there for the first two steps, Bob for the last two of three."""
    seen = [("a", AWAY), ("a", "b"), (AWAY, "b")]
    seen = seen if views is None else views
    own = {
        (i, o): (legal or IDLE,) if o is AWAY else ("go",)
        for signal in seen
        for i, o in enumerate(signal)
    }
    joint = [tuple(own[i, o][0] for i, o in enumerate(signal)) for signal in seen]
    times = range(len(seen))
    return posg_from_tables(
        players=["Ann", "Bob"],
        actions=[["go", IDLE, "act"], ["go", IDLE, "act"]],
        initial={0: 1},
        initial_observations={0: {seen[0]: 1}},
        transitions={(t, joint[t]): {t + 1: 1} for t in times},
        rewards={(t, joint[t], t + 1): paid for t, paid in (rewards or {}).items()},
        observations={(joint[t], t + 1): {seen[t + 1]: 1} for t in times[:-1]},
        legal_actions=own,
        terminal=[len(seen)],
        title="Relay",
    )


def aec(*, views=None, legal=IDLE, rewards=None):
    """Ann and Bob have turns one after the other, after each of which chance moves."""
    seen = ["a", AWAY, "a", "b", AWAY, "b"] if views is None else views
    count = len(seen)
    act = [legal if o is AWAY else "go" for o in seen]
    return aec_from_tables(
        players=["Ann", "Bob"],
        actions=[["go", IDLE, "act"], ["go", IDLE, "act"]],
        initial_state="start",
        chances={"start": {0: 1}, **{(k, "acted"): {k + 1: 1} for k in range(count)}},
        moves={(k % 2, k, act[k]): (k, "acted") for k in range(count)},
        turns={
            ("start", CHANCE, NULL, 0): {0: 1},
            **{(k, k % 2, act[k], (k, "acted")): {CHANCE: 1} for k in range(count)},
            **{((k - 1, "acted"), CHANCE, NULL, k): {k % 2: 1} for k in range(1, count)},
        },
        rewards={
            ((k, k % 2, act[k], (k, "acted")) if isinstance(k, int) else k): paid
            for k, paid in (rewards or {}).items()
        },
        observations={(k % 2, k): {o: 1} for k, o in enumerate(seen)},
        legal_actions={(k % 2, o): (act[k],) for k, o in enumerate(seen)},
        terminal=[count],
        title="Turns",
    )


def check(game, **options):
    rng = np.random.default_rng(0)
    if hasattr(game, "next_player"):
        check_aec(game, rng=rng, num_profiles=1, moves=3, **options)
    else:
        check_posg(game, rng=rng, num_profiles=1, **options)


PAID_WHILE_THERE = {0: (1, 0), 1: (2, 3), 2: (0, 4)}


def test_a_relay_obeys_the_laws_and_is_paid_on_leaving():
    game = posg(rewards=PAID_WHILE_THERE)
    check(game)
    assert late_players(game) == {1}
    check(aec(rewards={0: (1, 0), 2: (2, 0), 3: (5, 1), 5: (0, 1)}))
    assert late_players(aec()) == {1}


def test_shot_before_the_first_turn_is_not_late():
    assert late_players(aec(views=["a", AWAY, "a", AWAY])) == frozenset()


BROKEN = {
    "acts while away": (posg(legal="act"), r"one legal action IDLE.*'Ann' may do \('act',\)"),
    "acts while away, in turns": (aec(legal="act"), r"one legal action IDLE.*'Ann' may do"),
    "paid before it joins": (
        posg(rewards={0: (0, 1)}),
        r"no rewards.*after the states 0 'Bob' has not joined yet and is paid 1 for \('go', IDLE\)",
    ),
    "paid after it left": (
        posg(rewards={2: (1, 0)}),
        r"the states 0, 1, 2 'Ann' has left and is paid 1 for \(IDLE, 'go'\) there.*leads to 3",
    ),
    "paid for the turn that says it is away": (
        aec(rewards={4: (1, 0)}), r"'Ann' has left and is paid 1 for IDLE"
    ),
    "paid between turns": (
        aec(rewards={5: (1, 0)}), r"'Ann' has left and is paid 1 for 'go'"
    ),
    "paid before the turn in which it joins": (
        aec(rewards={2: (0, 1)}), r"'Bob' has not joined yet and is paid 1"
    ),
    "comes back": (
        posg(views=[("a", "b"), (AWAY, "b"), ("c", "b")]),
        r"see AWAY for good, but after the states 0, 1, 2 'Ann' comes back",
    ),
    "comes back in turns": (
        aec(views=["a", "b", AWAY, "b", "a", "b"]), "AWAY for good.*'Ann' comes back"
    ),
    "nobody there": (
        posg(views=[("a", "b"), (AWAY, AWAY)]),
        "somebody there.*after the states 0, 1 all players are away",
    ),
    "nobody there in turns": (
        aec(views=["a", "b", AWAY, AWAY, AWAY, AWAY]), "somebody there.*all players are away"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("game", "complaint"), BROKEN.values(), ids=BROKEN)
def test_what_breaks_a_law_is_refused_with_the_play(game, complaint):
    with pytest.raises(LawBroken, match=complaint):
        check(game)


def test_what_is_seen_where_the_horizon_ends_play_is_no_coming_back():
    game = posg(views=[("a", "b"), (AWAY, "b"), ("c", "b")])
    check(replace(game, horizon=2))


def some_leave(game):
    return any(Presence.GONE in scene.presences for scene in scenes(game))


def some_join(game):
    return bool(late_players(game))


@pytest.mark.parametrize("happens", [some_leave, some_join])
@pytest.mark.parametrize("kind", [posgs_with_absences, aecs_with_absences])
def test_drawn_games_have_players_who_join_late_and_others_who_leave_early(kind, happens):
    assert find(kind(), happens, settings=to_reach)
