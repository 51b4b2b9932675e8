"""Leader views read games correctly, and refuse what is no Markov game with a leader."""

import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.conversions import posg_from_tables, posg_to_tabular
from gametheory_core.leaders import LeaderView, leader_games, leader_view
from gametheory_core.leaders import view as leader_tables
from tests.sample_sizes import examples

SOME = examples(25)


def table(**changes):
    """Return a game of two states for which play may be short, changed by keywords."""
    given_rows = {
        "players": ("Ann", "Bob"),
        "actions": (("l", "r"), ("x",)),
        "initial": {"s": 1},
        "transitions": {
            ("s", ("l", "x")): {"s": "1/3", "t": "2/3"},
            ("s", ("r", "x")): {"t": 1},
            ("t", ("l", "x")): {"t": 1},
            ("t", ("r", "x")): {"t": 1},
        },
        "rewards": {("s", ("l", "x"), "s"): (1, 2), ("s", ("l", "x"), "t"): (4, "1/2")},
        "horizon": 3,
    }
    return posg_from_tables(**{**given_rows, **changes})


def signals(after_left):
    """Return what both see on entering t, by the action that led there; in s always "s"."""
    return {
        (("l", "x"), "s"): {("s", "s"): 1},
        (("l", "x"), "t"): after_left,
        (("r", "x"), "t"): {("t", "t"): 1},
    }


FIRST = {"s": {("s", "s"): 1}}


def test_step_gives_expected_rewards_and_the_next_law():
    for leader in (0, 1):
        step = leader_view(table(), leader=leader).step(0, *((0, 0)))
        paid = (Fraction(3), Fraction(1))
        assert step.rewards == (paid if leader == 0 else paid[::-1])
        assert step.next == ((0, Fraction(1, 3)), (1, Fraction(2, 3)))


@SOME
@given(leader_games())
def test_tables_say_what_steps_say(view):
    check_tables(view)


def test_tables_leave_out_rows_after_the_horizon():
    """A table made for a longer play has rows of states in which nobody acts any more."""
    game = posg_to_tabular(iterated_prisoners_dilemma(rounds=3)).target
    view = LeaderView(replace(game, horizon=1))
    assert view.leader_observation.tolist() == [0, -1, -1, -1, -1]
    check_tables(view)


def check_tables(view):
    tables = view.tables
    for state in range(view.num_states):
        own = view.leader_observation[state]
        legal = (
            (view.leader_actions(own), view.follower_actions(view.follower_observation[state]))
            if own >= 0
            else ((), ())
        )
        assert np.flatnonzero(tables.leader_legal[state]).tolist() == sorted(legal[0])
        assert np.flatnonzero(tables.follower_legal[state]).tolist() == sorted(legal[1])
        for a, b in product(*(range(size) for size in tables.rewards.shape[1:3])):
            cell = (state, a, b)
            law = np.zeros(view.num_states, dtype=object)
            np.add.at(law, tables.successor[cell], tables.weight[cell].astype(object))
            if a in legal[0] and b in legal[1]:
                step = view.step(*cell)
                assert tuple(
                    Fraction(r, tables.reward_denominator) for r in tables.rewards[cell].tolist()
                ) == (step.rewards)
                assert {
                    s: Fraction(w, tables.weight_denominator) for s, w in enumerate(law) if w
                } == dict(step.next)
            else:
                assert not law.any()
                assert not tables.rewards[cell].any()
                with pytest.raises(InvalidArgument, match="needs legal actions in a state where"):
                    view.step(*cell)
    assert [Fraction(w, tables.initial_denominator) for w in tables.initial_weight.tolist()] == [
        dict(view.initial).get(s, 0) for s in range(view.num_states)
    ]


@SOME
@given(leader_games())
def test_observations_are_what_the_rules_show(view):
    game = view.game
    for state, _ in game.initial():
        if not game.is_terminal(state):
            ((seen, _),) = game.initial_observation(state)
            s = game.state_index[state]
            assert game.observations[view.leader][view.leader_observation[s]] == seen[view.leader]
            assert (
                game.observations[view.follower][view.follower_observation[s]]
                == seen[view.follower]
            )


@SOME
@given(leader_games())
def test_reachable_states_are_those_of_some_play(view):
    game = view.game
    level = {state for state, _ in game.initial()}
    earliest = dict.fromkeys(level, 0)
    for step in range(view.horizon):
        going_on = {s for s in level if not game.is_terminal(s)}
        assert {game.states[s] for s in np.flatnonzero(view.reachable(step))} == going_on
        following = set()
        for state in going_on:
            s = game.state_index[state]
            for a in view.leader_actions(view.leader_observation[s]):
                for b in view.follower_actions(view.follower_observation[s]):
                    following |= {game.states[n] for n, _ in view.step(s, a, b).next}
        level = following
        for state in level:
            earliest.setdefault(state, step + 1)
    assert view.first_step.tolist() == [earliest[state] for state in game.states]
    assert not view.reachable(view.horizon).any()


def test_five_observations_of_an_iterated_game_come_in_the_order_of_the_source():
    view = leader_view(iterated_prisoners_dilemma())
    assert view.game.observations[0] == tuple(
        () if not pair else (tuple(pair),) for pair in ("", "CC", "CD", "DC", "DD")
    )
    assert view.leader_observation.tolist() == list(range(5))
    assert (view.leader, view.follower, view.horizon, view.discount) == (0, 1, 10, 1)


def test_nobody_acts_in_states_that_only_the_end_reaches():
    view = leader_view(iterated_prisoners_dilemma(rounds=1))
    assert view.leader_observation.tolist() == [0, -1, -1, -1, -1]
    assert [view.leader_actions(o) for o in range(5)] == [(0, 1), (), (), (), ()]


def test_views_are_equal_by_game_and_leader_and_pickle():
    view = leader_view(iterated_prisoners_dilemma(), leader=1)
    assert view.leader_observation.size == 5
    again = pickle.loads(pickle.dumps(view))
    assert again == view
    assert hash(again) == hash(view)
    assert not again.leader_observation.flags.writeable
    assert again != leader_view(view, leader=0)
    assert leader_view(view, leader=1) is view
    assert leader_view(view, leader=1, horizon=4).horizon == 4


def test_horizon_is_the_smaller_of_both():
    endless = RepeatedGame.of("chicken", rounds=None)
    assert leader_view(endless, horizon=7).horizon == 7
    assert leader_view(iterated_prisoners_dilemma(rounds=3), horizon=7).horizon == 3
    with pytest.raises(UnsupportedGame, match=r"needs a game with a horizon.*horizon=\.\.\."):
        leader_view(table(horizon=None))


@pytest.mark.parametrize("who", [0, 1])
def test_observation_that_remembers_the_way_is_refused_with_the_state_and_both(who):
    """In t one sees how one came there: put that into the state."""
    other = ("other", "t") if who == 0 else ("t", "other")
    game = table(observations=_everywhere(signals({other: 1})), initial_observations=FIRST)
    with pytest.raises(
        UnsupportedGame,
        match=rf"^leader_view: .*player {('Ann', 'Bob')[who]!r} may see "
        "('other' or 't'|'t' or 'other') in state 't'",
    ):
        leader_view(game)


def test_observation_drawn_at_random_is_refused():
    law = {("t", "t"): "1/2", ("t", "u"): "1/2"}
    game = table(observations=_everywhere(signals(law)), initial_observations=FIRST)
    with pytest.raises(UnsupportedGame, match="'Bob' may see 't' or 'u' in state 't'"):
        leader_view(game)


def test_observations_after_the_last_step_do_not_matter():
    law = {("t", "t"): "1/2", ("t", "u"): "1/2"}
    game = table(observations=_everywhere(signals(law)), initial_observations=FIRST)
    assert leader_view(game, horizon=1).leader_observation.tolist() == [0, -1]


def test_observations_after_the_last_step_do_not_matter_in_states_met_before():
    """One may come to x by the right only from step 2 on, when a play of two steps is over."""
    game = posg_from_tables(
        players=("Ann", "Bob"),
        actions=(("l", "r"), ("-",)),
        initial={"s": 1},
        transitions={
            ("s", ("l", "-")): {"x": 1},
            ("s", ("r", "-")): {"y": 1},
            **{(state, (a, "-")): {"x": 1} for state in "xy" for a in "lr"},
        },
        observations={
            (("l", "-"), "x"): {("usual", "usual"): 1},
            (("r", "-"), "x"): {("other", "usual"): 1},
            (("r", "-"), "y"): {("usual", "usual"): 1},
        },
        initial_observations={"s": {("usual", "usual"): 1}},
    )
    assert leader_view(game, horizon=2).leader_observation.tolist() == [0, 0, 0]
    with pytest.raises(UnsupportedGame, match="'Ann' may see .* in state 'x'"):
        leader_view(game, horizon=3)


def _everywhere(rows):
    """Add what is seen when play stays in t: the usual."""
    return {**rows, (("l", "x"), "t"): rows[("l", "x"), "t"]}


def test_three_players_and_a_wrong_leader_are_refused():
    three = RepeatedGame(NormalFormGame.from_payoffs([[[[1]]]] * 3, actions=[["x"]] * 3))
    with pytest.raises(UnsupportedGame, match="needs two players, a leader and a follower, but"):
        leader_view(three, horizon=1)
    for leader in (2, True, -1):
        with pytest.raises(InvalidArgument, match=r"leader to be 0 \('Ann'\) or 1 \('Bob'\)"):
            leader_view(table(), leader=leader)
    with pytest.raises(InvalidArgument, match="LeaderView: needs game to be of type TabularPOSG"):
        LeaderView(iterated_prisoners_dilemma())


def test_tables_without_all_rows_are_refused():
    game = posg_to_tabular(iterated_prisoners_dilemma(rounds=1)).target
    longer = replace(game, horizon=3)
    with pytest.raises(UnsupportedGame, match=r"\('C', 'C'\) has none in state \(\('C', 'C'\),\)"):
        LeaderView(longer)


def test_tables_with_rows_of_illegal_actions_are_refused():
    game = table()
    fewer = ((0,),), game.legal[1]
    with pytest.raises(UnsupportedGame, match="an illegal one has a row in state 's'"):
        LeaderView(replace(game, legal=fewer))


def test_tables_that_fill_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr(leader_tables, "MAX_CELLS", 39)
    with pytest.raises(UnsupportedGame, match=r"at most 39 cells .* has 40"):
        _ = leader_view(iterated_prisoners_dilemma()).tables


@given(st.integers(2, 60), st.integers(2, 60))
def test_numbers_beyond_64_bits_stay_exact(power, other):
    game = table(
        rewards={
            ("s", ("l", "x"), "s"): (2**power, 0),
            ("s", ("l", "x"), "t"): (f"1/{3**other}", 0),
        }
    )
    view = leader_view(game)
    tables = view.tables
    found = Fraction(int(tables.rewards[0, 0, 0, 0]), tables.reward_denominator)
    assert found == Fraction(2**power, 3) + Fraction(2, 3 ** (other + 1))
