"""JAX environments as POSGs: known values, laws counted one by one, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from gametheory_core import (  # noqa: E402
    InvalidArgument,
    InvalidGame,
    UnsupportedGame,
    load_game,
    posg_to_extensive,
)
from gametheory_core.adapters import KeyDraws, posg_from_jax  # noqa: E402
from gametheory_core.conversions import posg_to_tabular  # noqa: E402
from gametheory_core.games.rules import IDLE, NULL  # noqa: E402
from gametheory_core.testing import check_posg  # noqa: E402
from solvers import sequence_form_lp  # noqa: E402
from tests.core.adapters.jax_games import Discrete, Scripted, gamble, pursuit, repeated, result  # noqa: E402

BOTH = Scripted.agents


def value(game):
    solution = sequence_form_lp(posg_to_extensive(game).target)
    solution.certificate.verify()
    return solution.certificate.game_value


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_repeated_matrix_has_its_value(rounds):
    game = posg_from_jax(repeated([[2, 0], [0, 1]], rounds=rounds))
    assert value(game) == Fraction(2 * rounds, 3)


@pytest.mark.parametrize("steps", [1, 2])
def test_pursuit_has_its_value(steps):
    assert value(posg_from_jax(pursuit(steps=steps))) == 1 - Fraction(2, 3) ** steps


def test_tree_is_that_of_the_same_game_of_the_catalogue():
    game = posg_from_jax(repeated([[1, -1], [-1, 1]], rounds=2))
    own = posg_to_extensive(load_game("repeated_matching_pennies:rounds=2")).target
    tree = posg_to_extensive(game).target
    assert (tree.num_nodes, tree.num_decision_infosets) == (
        own.num_nodes,
        own.num_decision_infosets,
    )


def test_equal_arrays_are_one_state():
    table = posg_to_tabular(posg_from_jax(pursuit(steps=3))).target
    # the start; six pairs of different cells after one step, and after two; the end
    assert len(table.states) == 1 + 6 + 6 + 1


@pytest.mark.parametrize(
    "game",
    [
        posg_from_jax(repeated([[2, 0], [0, 1]], rounds=2)),
        posg_from_jax(pursuit(steps=2)),
        posg_from_jax(gamble(), keys=range(5)),
        posg_from_jax(gamble(), keys=range(3), draws=KeyDraws.ONCE),
    ],
    ids=lambda game: f"{game.title}-{game.keys}",
)
def test_laws_of_posgs_hold(game):
    check_posg(game, rng=np.random.default_rng(1))


def test_law_is_that_of_single_steps_with_each_key():
    env, keys = gamble(), range(20)
    game = posg_from_jax(env, keys=keys)
    start, weight = game.initial().items[0]
    firsts = [int(env.reset(jax.random.PRNGKey(k))[1][0]) for k in keys]
    assert weight == Fraction(firsts.count(int(start.tree()[0])), 20)
    played = {"row": jnp.int32(1), "column": jnp.int32(0)}
    dice = [int(env.step(jax.random.PRNGKey(k), start.tree(), played)[1][0]) for k in keys]
    law = game.transition(start, (1, 0))
    assert {int(s.tree()[0]): w for s, w in law} == {
        die: Fraction(dice.count(die), 20) for die in dice
    }
    for state, _ in law:
        die = int(state.tree()[0])
        assert game.reward(start, (1, 0), state) == (Fraction(die, 2), -Fraction(die, 2))
        assert state.shown[0].observation == die


def test_what_one_end_pays_is_the_mean_over_keys():
    env = gamble(rounds=1)
    game = posg_from_jax(env, keys=range(10))
    start = game.initial().items[0][0]
    ((end, _),) = game.transition(start, (1, 1))
    dice = [int(jax.random.randint(jax.random.PRNGKey(k), (), 0, 4)) for k in range(10)]
    assert game.is_terminal(end)
    assert game.reward(start, (1, 1), end)[0] == Fraction(sum(dice), 20)


def test_one_key_for_a_play_decides_all_of_it():
    game = posg_from_jax(gamble(), keys=range(6), draws=KeyDraws.ONCE)
    assert len(game.initial()) == 6
    for start, _ in game.initial():
        ((then, _),) = game.transition(start, (0, 0))
        assert len(game.transition(then, (0, 0))) == 1


def test_step_that_begins_anew_ends_play():
    agents, inner = BOTH, repeated([[2, 0], [0, 1]], rounds=1)

    def step(key, state, actions):
        _, _, paid, dones, _ = inner.step(key, state, actions)
        again = {"last": jax.random.randint(key, (2,), 0, 99), "round": jnp.int32(0)}
        return dict.fromkeys(agents, again["last"]), again, paid, dones, {}

    assert value(posg_from_jax(replace(inner, step=step))) == Fraction(2, 3)


def test_masks_and_agents_that_are_done():
    """Only action 1 is available to the row player, who is done after the first step."""
    agents, zero = BOTH, jnp.int32(0)

    def step(_, time, actions):
        paid = jnp.float32(10) * time + actions["row"]
        return result(agents, zero, time + 1, (paid, paid), over=time == 1, done=("row",))

    env = Scripted(lambda _: (dict.fromkeys(agents, zero), zero), step)
    masks = {"row": jnp.array([0, 1]), "column": jnp.array([1, 1])}
    game = posg_from_jax(env, available=lambda _: masks)
    start = game.initial().items[0][0]
    row, column = start.shown
    assert (game.legal_actions(0, row), game.legal_actions(1, column)) == ((1,), (0, 1))
    ((then, _),) = game.transition(start, (1, 0))
    assert then.shown[0] is NULL
    assert game.legal_actions(0, NULL) == (IDLE,)
    ((end, _),) = game.transition(then, (IDLE, 1))
    assert game.reward(then, (IDLE, 1), end) == (10, 10)  # the environment got 0 for IDLE
    with pytest.raises(InvalidArgument, match="legal actions in JaxState"):
        game.transition(then, (1, 1))
    check_posg(game, rng=np.random.default_rng(0))


def test_joint_actions_beyond_one_call_are_told_apart():
    agents = BOTH

    def step(_, state, actions):
        paid = actions["row"] * 100.0 + actions["column"]
        return result(agents, state, state, (paid, -paid), over=jnp.asarray(True))

    env = Scripted(lambda _: (dict.fromkeys(agents, 0), jnp.int32(0)), step, Discrete(11))
    game = posg_from_jax(env)
    start = game.initial().items[0][0]
    for joint in [(0, 0), (5, 8), (5, 9), (10, 10), (7, 1)]:
        ((end, _),) = game.transition(start, joint)
        assert game.reward(start, joint, end)[0] == 100 * joint[0] + joint[1]


def test_rewards_are_the_rationals_that_the_floats_are():
    game = posg_from_jax(repeated([[0.1, 0], [0, 1]], rounds=1))
    start = game.initial().items[0][0]
    ((end, _),) = game.transition(start, (0, 0))
    assert game.reward(start, (0, 0), end)[0] == Fraction(float(np.float32(0.1)))


def broken_at(cause):
    env = repeated([[2, 0], [0, 1]], rounds=2)

    def step(key, state, actions):
        seen, after, paid, dones, infos = env.step(key, state, actions)
        if cause == "fails":
            raise RuntimeError("out of cards")
        if cause == "grows":
            after = after | {"round": after["round"].astype(jnp.float32)}
        if cause == "nan":
            paid = paid | {"row": jnp.float32(np.nan)}
        if cause == "draws":
            after = after | {"last": jax.random.randint(key, (2,), 0, 99)}
        return seen, after, paid, dones, infos

    return replace(env, step=step)


@pytest.mark.parametrize(
    ("cause", "kind", "told"),
    [
        ("fails", UnsupportedGame, r"repeated: .* at step in the state .*round.*=0: .*out of card"),
        ("grows", UnsupportedGame, r"round.* int32\[\].* after a reset, .*float32\[\].*after a st"),
        ("draws", UnsupportedGame, r"needs keys, .* after actions \(0, 0\) in JaxState.*range"),
        ("nan", InvalidGame, "repeated: reward: .*finite"),
    ],
)
def test_what_goes_wrong_in_a_step_is_named(cause, kind, told):
    game = posg_from_jax(broken_at(cause))
    start = game.initial().items[0][0]
    with pytest.raises(kind, match=told):
        game.transition(start, (0, 0))


def test_reset_that_draws_needs_keys():
    with pytest.raises(UnsupportedGame, match="gamble: needs keys, .* after reset"):
        posg_from_jax(gamble()).initial()


@pytest.mark.parametrize(
    "held", ["text", object(), jax.random.key(0)], ids=["text", "object", "typed key"]
)
def test_states_must_be_arrays(held):
    env = replace(
        repeated([[1]], rounds=1),
        reset=lambda _: (dict.fromkeys(BOTH, jnp.zeros(2)), {"at": jnp.zeros(2), "held": held}),
    )
    with pytest.raises(UnsupportedGame, match=r"arrays of numbers, .*state\['held'\] is"):
        posg_from_jax(env)


@pytest.mark.parametrize("space", [Discrete(2, (2,)), "Box(0, 1)"])
def test_actions_must_be_discrete(space):
    with pytest.raises(UnsupportedGame, match="Discrete actions, .* of 'row' in repeated"):
        posg_from_jax(replace(repeated([[1]], rounds=1), actions=space))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"keys": ()}, "different keys, at least one"),
        ({"keys": (1, 1)}, "different keys"),
        ({"keys": 3}, "keys"),
        ({"keys": (-1,)}, "keys"),
        ({"draws": "once"}, "draws"),
    ],
)
def test_options_are_checked(options, told):
    with pytest.raises(InvalidArgument, match=told):
        posg_from_jax(gamble(), **options)


def test_an_environment_is_asked_for():
    with pytest.raises(InvalidArgument, match="'coin_game' has no agents"):
        posg_from_jax("coin_game")


def test_play_that_is_over_has_no_state_left():
    game = posg_from_jax(repeated([[1, 0], [0, 1]], rounds=1))
    ((end, _),) = game.transition(game.initial().items[0][0], (0, 0))
    with pytest.raises(InvalidArgument, match="it is over"):
        end.tree()
