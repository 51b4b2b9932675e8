"""Matches: what is paid, what bots see, and what is refused."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners.roshambo import Bot, play_match
from learners.roshambo.matches.guarded_matches import guarded_match
from learners.roshambo.matches.matches import Match
from tests.learners.roshambo.misbehaving_bots import Cheat
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted


def test_paper_beats_rock_scissors_paper_and_rock_scissors():
    match = play_match(Scripted([1, 2, 0, 0, 1]), Scripted([0, 1, 2, 0, 2]), throws=5, seeds=(0, 0))
    assert match.outcomes.tolist() == [1, 1, 1, 0, -1]
    assert match.returns == (2, -2)


def test_the_same_seeds_give_the_same_match_again():
    bots = Drawn(), Drawn()
    first, again = (play_match(*bots, throws=50, seeds=(3, 4)).histories for _ in range(2))
    other = play_match(*bots, throws=50, seeds=(3, 5)).histories
    assert (first == again).all()
    assert (first[0] == other[0]).all()
    assert (first[1] != other[1]).any()


def test_bots_see_all_throws_so_far_own_ones_first_and_cannot_change_them():
    seen = []

    class Watching(Drawn):
        def throw(self, own, other):
            seen.append((list(own), list(other)))
            with pytest.raises(ValueError, match="read-only"):
                own[:] = 0
            return super().throw(own, other)

    match = play_match(Drawn(), Watching(), throws=9, seeds=(1, 2))
    rows = match.histories.tolist()
    assert seen == [(rows[1][:t], rows[0][:t]) for t in range(9)]
    assert not match.histories.flags.writeable


@pytest.mark.parametrize("seat", [0, 1])
def test_who_writes_in_its_histories_deceives_itself_alone(seat):
    seen = []

    class Watching(Drawn):
        def throw(self, own, other):
            seen.append((list(own), list(other)))
            return super().throw(own, other)

    def of(cheat):
        bots = (Watching(), cheat)[:: 1 if seat else -1]
        return play_match(*bots, throws=30, seeds=(1, 1))

    honest = of(Scripted([1])).histories
    assert (of(Cheat()).histories == honest).all()
    assert honest[seat].tolist() == [1] * 30
    assert seen[30:] == [(list(honest[1 - seat][:t]), [1] * t) for t in range(30)]
    pair = (Drawn, Cheat)[:: 1 if seat else -1]
    found = guarded_match(pair, throws=30, seeds=(1, 1), limit=9.0)
    assert found.paid == Match(honest).returns[0]


@pytest.mark.parametrize("thrown", [3, -1, 1.0, "1", None])
def test_what_is_no_throw_is_refused(thrown):
    class Wrong(Copying):
        def throw(self, own, other):
            return thrown if len(own) == 4 else 0

    with pytest.raises(InvalidArgument, match="throw 4 of Wrong"):
        play_match(Copying(), Wrong(), throws=9, seeds=(0, 0))


def test_integers_of_numpy_are_throws():
    class Numpy(Copying):
        def throw(self, own, other):
            return np.int8(1)

    assert play_match(Numpy(), Copying(), throws=3, seeds=(0, 0)).histories[0].tolist() == [1, 1, 1]


def test_what_is_no_match_is_refused():
    bot = Copying()
    with pytest.raises(InvalidArgument, match="second to be of type Bot"):
        play_match(bot, "rock", seeds=(0, 0))
    with pytest.raises(InvalidArgument, match="needs two bots"):
        play_match(bot, bot, seeds=(0, 0))
    with pytest.raises(InvalidArgument, match="two seeds"):
        play_match(bot, Copying(), seeds=(0, 0, 0))
    with pytest.raises(InvalidArgument, match="throws"):
        play_match(bot, Copying(), throws=0, seeds=(0, 0))
    with pytest.raises(InvalidArgument, match="seed"):
        play_match(bot, Copying(), seeds=(0, -1))


def test_bots_are_bots():
    assert isinstance(Copying(), Bot)
    assert not isinstance(3, Bot)
