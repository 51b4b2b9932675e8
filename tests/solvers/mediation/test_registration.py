"""Answers of mediated games as tables: the rows are the play."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from gametheory_core.arguments import shown_players
from solvers.results.tables import answer_table, label_text
from tests.sample_sizes import examples
from tests.solvers.mediation.mediated_cases import mediated_cases
from tests.theorems.led_games import play_out


@given(mediated_cases(deterministic=True, horizons=(1, 3), max_states=2), st.integers(0, 99))
def test_rows_follow_play_to_its_end(case, seed):
    game, _ = case
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    rows = answer_table(game, profile).rows
    names = shown_players(game.players)
    leaders = [names.index(leader) for *_, leader, _ in rows]
    labels = [[label_text(action) for action in own] for own in game.actions]
    actions = [labels[i].index(row[-1]) for i, row in zip(leaders, rows, strict=True)]
    assert [row[0] for row in rows] == list(map(str, range(len(rows))))
    seen = []

    def acted(step, state, returns, _leader):
        seen.append((label_text(game.states[state]), ", ".join(map(str, map(Fraction, returns)))))
        return actions[step]

    (first,) = game.initial_kernel.outcome.tolist()
    assert bool(rows) != game.is_terminal(first)
    assert play_out(game, leaders, acted) == tuple(mediation.mediated_returns(game, profile))
    assert [row[1:3] for row in rows] == seen


@examples(40)
@given(mediated_cases(horizons=(1, 2), max_states=3), st.integers(0, 99))
def test_rows_begin_with_all_states_in_which_play_may_begin(case, seed):
    game, _ = case
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    rows = answer_table(game, profile).rows
    begun = [s for s in game.initial_kernel.outcome.tolist() if not game.is_terminal(s)]
    assert {row[1] for row in rows if row[0] == "0"} == {
        label_text(game.states[state]) for state in begun
    }
