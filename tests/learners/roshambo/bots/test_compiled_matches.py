"""Matches in one compiled loop: the same as throw by throw, reproducible, and checked."""

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.roshambo import evaluate_bot, play_match
from learners.roshambo.bots import (
    CompiledBot,
    Family,
    Recipe,
    Start,
    embedded_bot,
    embedded_bots,
    embedded_population,
    seats,
)
from learners.roshambo.bots.compiled_bot import SPACING
from learners.roshambo.bots.seats import GOLDEN, uniform
from tests.learners.roshambo.bots.plain_bots import Stream

NAMES = [recipe.name for recipe in embedded_bots()]
OPPONENTS = ("uniform", "conditional_response", "rotations")


class ThrowByThrow:
    """A bot that hides that it is compiled."""

    def __init__(self, name):
        self.bot = embedded_bot(name)
        self.reset, self.throw = self.bot.reset, self.bot.throw


def recipe(throw, **start):
    return Recipe("own", Family("own", throw, lambda: Start(**start)))


def out_of_range(seat, t):
    return 3 if t == 5 else 0


def below(seat, t):
    return -1 if t == 2 else 0


def spiteful(seat, t):
    """Beat the other's last throw once for each loss, and then what that would be beaten by."""
    if t > 0 and (seat.other[t - 1] - seat.own[t - 1]) % 3 == 1:
        seat.floats[0] += 1.0
    if t == 0 or uniform(seat.ints) < seat.rules[0]:
        return 0
    return (seat.other[t - 1] + int(seat.floats[0])) % 3


@pytest.mark.parametrize("name", NAMES)
def test_one_loop_plays_as_throw_by_throw(name):
    for number, other in enumerate(OPPONENTS):
        seeds = (31 + number, 47)
        match = play_match(embedded_bot(name), embedded_bot(other), throws=150, seeds=seeds)
        seen = play_match(ThrowByThrow(name), ThrowByThrow(other), throws=150, seeds=seeds)
        assert (match.histories == seen.histories).all()
        turned = play_match(embedded_bot(other), embedded_bot(name), throws=150, seeds=seeds[::-1])
        assert (turned.histories[::-1] == match.histories).all()


def test_two_compiled_bots_are_never_asked_for_a_throw(monkeypatch):
    def asked(*_):
        raise ValueError("asked")

    monkeypatch.setattr(CompiledBot, "throw", asked)
    match = play_match(embedded_bot("beat"), embedded_bot("cycle_up"), throws=20, seeds=(1, 2))
    assert match.returns == (1, -1)
    with pytest.raises(ValueError, match="asked"):
        play_match(ThrowByThrow("beat"), embedded_bot("cycle_up"), throws=20, seeds=(1, 2))


@pytest.mark.parametrize("name", ["uniform", "rotations", "wolf", "moody", "tree_joint"])
def test_a_match_is_the_same_again_by_its_seeds_and_no_other(name):
    bots = embedded_bot(name), embedded_bot("uniform")

    def played(*seeds):
        return play_match(*bots, throws=300, seeds=seeds).histories

    first = played(1, 2)
    assert not first.flags.writeable
    assert (played(1, 2) == first).all()
    assert (played(1, 3)[1] != first[1]).any()
    if name == "uniform":
        assert (played(4, 2)[0] != first[0]).any()
        assert (played(4, 2)[1] == first[1]).all()


def test_random_numbers_are_those_of_splitmix():
    """The first numbers of the published generator from 0, and seeds that are far apart."""
    stream = Stream(0)
    assert [int(stream() * 2**53) for _ in range(2)] == [
        0xE220A8397B1DCDAF >> 11,
        0x6E789E6AA1B965F4 >> 11,
    ]
    ints, plain = np.array([SPACING * 7 % 2**64], dtype=np.uint64).view(np.int64), Stream(7)
    assert [uniform(ints) for _ in range(100)] == [plain() for _ in range(100)]
    inverse = pow(GOLDEN, -1, 2**64)
    for apart in range(1, 2000):  # in steps of the counter, either way
        steps = apart * SPACING * inverse % 2**64
        assert min(steps, 2**64 - steps) > 10**9


@pytest.mark.parametrize("names", [("match_own", "periods"), ("periods", "match_both")])
def test_a_match_can_go_on_throw_by_throw(names):
    one, other = (embedded_bot(name) for name in names)
    whole = play_match(one, other, throws=60, seeds=(1, 2)).histories
    first = play_match(one, other, throws=40, seeds=(1, 2)).histories
    for t in range(40, 60):
        assert one.throw(*whole[:, :t]) == whole[0, t]
        assert other.throw(*whole[::-1, :t]) == whole[1, t]
    assert (first == whole[:, :40]).all()


def test_long_matches_have_room():
    seen = play_match(ThrowByThrow("late_copy"), ThrowByThrow("uniform"), throws=2500, seeds=(1, 2))
    assert (seen.histories[0, 4:] == seen.histories[1, :-4]).all()
    match = play_match(
        embedded_bot("late_copy"), embedded_bot("uniform"), throws=2500, seeds=(1, 2)
    )
    assert (seen.histories == match.histories).all()


def test_a_bot_of_a_users_own_plays_in_the_loop():
    own = recipe(spiteful, rules=[0.25], floats=1)
    match = play_match(CompiledBot(own), embedded_bot("beat"), throws=200, seeds=(3, 4))
    rng, lost, x, y = Stream(3), 0, [], []
    for t in range(200):
        lost += t > 0 and (y[-1] - x[-1]) % 3 == 1
        throw = 0 if t == 0 or rng() < 0.25 else (y[-1] + lost) % 3
        y.append((x[-1] + 1) % 3 if t else 1)
        x.append(throw)
    assert match.histories.tolist() == [x, y]
    assert lost > 3


@pytest.mark.parametrize(("throw", "where"), [(out_of_range, 5), (below, 2)])
def test_what_is_no_throw_is_refused(throw, where):
    with pytest.raises(InvalidArgument, match=f"throw {where} of own"):
        play_match(CompiledBot(recipe(throw)), embedded_bot("copy"), throws=9, seeds=(1, 2))
    with pytest.raises(InvalidArgument, match=f"throw {where} of"):
        play_match(ThrowByThrow("copy"), CompiledBot(recipe(throw)), throws=9, seeds=(1, 2))


def test_histories_of_another_match_are_refused():
    bot = embedded_bot("beat")
    bot.throw([], [])
    with pytest.raises(InvalidArgument, match="two histories of 1 throws"):
        bot.throw([], [])
    with pytest.raises(InvalidArgument, match="two histories of 1 throws"):
        bot.throw([1], [])
    with pytest.raises(InvalidArgument, match="throws of 0, 1 and 2"):
        bot.throw([1], [3])
    assert bot.throw([1], [1]) == 2
    bot.reset(1)
    assert bot.throw([], []) == 1
    with pytest.raises(InvalidArgument, match="needs two bots"):
        play_match(bot, bot, seeds=(1, 2))
    with pytest.raises(InvalidArgument, match="recipe"):
        CompiledBot("beat")
    with pytest.raises(InvalidArgument, match="seed"):
        bot.reset(-1)


def test_evaluation_plays_makers_of_compiled_bots_in_processes():
    population = {name: embedded_population()[name] for name in ("cycle_up", "uniform")}
    agent = embedded_population()["periods"]
    scores = evaluate_bot(agent, population, matches=4, seed=3, throws=300, jobs=2)
    assert (
        evaluate_bot(agent, population, matches=4, seed=3, throws=300).returns == scores.returns
    ).all()
    assert scores.means[0] > 280
    assert abs(scores.means[1]) < 40


def test_bots_and_makers_can_be_pickled():
    bot = pickle.loads(pickle.dumps(embedded_population()["markov_1"]))()
    again = pickle.loads(pickle.dumps(bot))
    seen = [
        play_match(own, embedded_bot("beat"), throws=50, seeds=(1, 2)).histories.tolist()
        for own in (bot, again)
    ]
    assert seen[0] == seen[1]
    assert again.name == "markov_1"


def test_numba_is_loaded_when_a_compiled_bot_is_wanted():
    script = """
import sys
from pathlib import Path
from learners.roshambo import evaluate_bot, play_match
class Rock:
    def reset(self, seed): pass
    def throw(self, own, other): return 0
assert play_match(Rock(), Rock(), throws=2, seeds=(1, 2)).returns == (0, 0)
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_loops_are_made_from_their_own_room():
    """What numba keeps on disk is fresh by the contents of this room and of the door to numba."""
    room = Path(seats.__file__).parent
    looked_at = 0
    for path in sorted(room.glob("*.py")):
        if path.name in {"population.py", "__init__.py"}:  # no loops
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                ("learners", "solvers")
            ):
                assert (node.module or "").startswith(
                    ("learners.roshambo.bots", "solvers._kernels.compile")
                ), path
                looked_at += 1
    assert looked_at > 25
