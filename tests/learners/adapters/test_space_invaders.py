"""Shots, bullets and hits of two players, on a toy machine and, where it is installed, the real."""

import importlib.util
import sys

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.errors import MissingDependency
from learners.adapters.invaders_gunner import SHELTERS, SHIELDS, gunner_move, places_to_fire
from learners.adapters.space_invaders import (
    BLOCK_X,
    FIRE,
    LEFT,
    MOVES,
    NO_SHOT,
    NOTHING,
    RIGHT,
    ROWS,
    SHIPS,
    SHOT_X,
    SHOT_Y,
    AtariConsole,
    Battle,
    shooters,
)
from tests.learners.adapters.toy_console import ToyConsole

CONSOLES = {"toy": ToyConsole, "real": AtariConsole}
WARM = 130  # frames before the real machine lets ships fire


@pytest.fixture(scope="module", params=CONSOLES)
def battle(request):
    if request.param == "real":
        pytest.importorskip("multi_agent_ale_py")
        pytest.importorskip("ale_py")
    return Battle(CONSOLES[request.param]())


def random_play(battle, seed, frames, bullets):
    moves = np.random.default_rng(seed).choice(MOVES, size=(frames, 2)).tolist()
    battle.begin()
    for _ in range(WARM):
        battle.frame([NOTHING, NOTHING])
    battle.bullets = list(bullets)
    return [(battle.frame(pair), battle.memory.tobytes()) for pair in moves]


def test_without_bullets_nobody_fires(battle):
    outcomes = [outcome for outcome, _ in random_play(battle, 1, 400, (0, 0))]
    assert not any(any(outcome.fired) or any(outcome.hits) for outcome in outcomes)
    assert battle.memory[SHOT_Y] == battle.memory[SHOT_Y + 1] == NO_SHOT


@pytest.mark.parametrize("bullets", [(1, 0), (0, 2), (2, 1)])
def test_each_shot_takes_a_bullet_of_whoever_fired(battle, bullets):
    outcomes = [outcome for outcome, _ in random_play(battle, 2, 500, bullets)]
    for player in (0, 1):
        assert sum(outcome.fired[player] for outcome in outcomes) == bullets[player]
        assert sum(outcome.hits[player] for outcome in outcomes) <= bullets[player]
    assert battle.bullets == [0, 0]


def test_hits_are_the_invaders_that_are_gone(battle):
    played = random_play(battle, 3, 700, (99, 99))
    before = np.frombuffer(played[0][1], dtype=np.uint8)
    after = np.frombuffer(played[-1][1], dtype=np.uint8)
    left = [sum(int(row).bit_count() for row in m[ROWS : ROWS + 6]) for m in (before, after)]
    hits = sum(sum(outcome.hits) for outcome, _ in played[1:])
    assert hits == left[0] - left[1] > 0


def test_the_same_moves_play_the_same_game(battle):
    first = random_play(battle, 4, 300, (9, 9))
    random_play(battle, 5, 100, (9, 9))
    assert random_play(battle, 4, 300, (9, 9)) == first
    battle.begin()
    begun = battle.memory.tobytes()
    random_play(battle, 5, 100, (9, 9))
    battle.begin()
    assert battle.memory.tobytes() == begun


def test_a_gunner_hits_with_every_bullet(battle):
    hits, moves = [0, 0], [NOTHING, NOTHING]
    battle.begin()
    for frame in range(WARM + 450):
        if frame in (WARM, WARM + 150, WARM + 300):  # before a ship of the real machine is hit
            battle.bullets = [1, 1]
        moves = [
            gunner_move(battle.memory, i, has_bullet=n > 0, holds_fire=moves[i] == FIRE)
            for i, n in enumerate(battle.bullets)
        ]
        outcome = battle.frame(moves)
        hits = [h + own for h, own in zip(hits, outcome.hits, strict=True)]
    assert hits == [3, 3]


def memory(shots=(NO_SHOT, NO_SHOT), shot_places=(0, 0), ships=(40, 100)):
    own = np.zeros(128, dtype=np.uint8)
    own[[SHOT_Y, SHOT_Y + 1]], own[[SHOT_X, SHOT_X + 1]] = shots, shot_places
    own[[SHIPS, SHIPS + 1]] = ships
    return own


@pytest.mark.parametrize(
    ("before", "after", "pressed", "expected"),
    [
        (memory(), memory((85, NO_SHOT), (45, 0)), (FIRE, FIRE), (True, False)),
        (memory(), memory((85, NO_SHOT), (105, 0)), (FIRE, FIRE), (False, True)),
        (memory(), memory((85, 85), (105, 45)), (FIRE, FIRE), (True, True)),
        (memory(), memory((85, NO_SHOT), (45, 0)), (NOTHING, FIRE), (False, True)),
        (memory(), memory((85, NO_SHOT), (45, 0)), (NOTHING, NOTHING), (False, False)),
        (memory((50, NO_SHOT)), memory((49, 85), (9, 45)), (FIRE, NOTHING), (True, False)),
        # shots that change slots are not new
        (memory((NO_SHOT, 60)), memory((60, NO_SHOT), (45, 0)), (FIRE, FIRE), (False, False)),
        (memory((NO_SHOT, 85)), memory((84, NO_SHOT), (45, 0)), (FIRE, FIRE), (False, False)),
    ],
)
def test_shots_are_of_the_ship_where_they_begin(before, after, pressed, expected):
    assert shooters(before, after, pressed) == expected


class PayingConsole(ToyConsole):
    def __init__(self, points):
        super().__init__()
        self.points = points

    def advance(self, moves):
        super().advance(moves)
        return self.points


@pytest.mark.parametrize(
    ("points", "hits"),
    [((0, 0), (False, False)), ((200, 0), (False, False)), ((5, 230), (True, True))],
)
def test_what_is_paid_for_the_others_death_is_no_hit(points, hits):
    battle = Battle(PayingConsole(points))
    battle.begin()
    assert battle.frame([NOTHING, NOTHING]).hits == hits


def one_invader(*, ship):
    own = memory(ships=(ship, ship))
    own[ROWS + 2], own[BLOCK_X] = 0b1000, 20  # in column 3, at 68
    return own


def test_a_gunner_goes_to_an_invader_and_fires():
    for ship, move in ((40, RIGHT), (65, RIGHT), (66, FIRE), (69, FIRE), (70, LEFT), (110, LEFT)):
        assert gunner_move(one_invader(ship=ship), 1, has_bullet=True) == move, ship


def test_a_gunner_lets_go_of_the_button_before_firing_again():
    for slips in (False, True):
        options = {"has_bullet": True, "holds_fire": True, "slips": slips}
        assert gunner_move(one_invader(ship=66), 1, **options) == NOTHING


def test_a_gunner_does_not_fire_from_below_a_shield():
    below = one_invader(ship=73)
    below[BLOCK_X] = 26
    assert 73 + 5 in SHIELDS
    assert 73 not in places_to_fire(below)
    assert gunner_move(below, 0, has_bullet=True) != FIRE
    assert gunner_move(below, 0, has_bullet=True, slips=True) == FIRE


@pytest.mark.parametrize("player", [0, 1])
def test_a_gunner_without_bullets_takes_shelter(player):
    shelter = SHELTERS[player]
    for ship, move in ((shelter - 1, RIGHT), (shelter, NOTHING), (shelter + 1, LEFT)):
        assert gunner_move(one_invader(ship=ship), player, has_bullet=False) == move


def test_a_missing_rom_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match=r"needs the ROM that ale-py.*core\[atari\]'"):
        AtariConsole()
    with pytest.raises(InvalidArgument, match="the ROM of Space Invaders, .* is not there"):
        AtariConsole(rom=tmp_path / "none.bin")


def test_a_missing_emulator_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "multi_agent_ale_py", None)
    rom = tmp_path / "rom.bin"
    rom.touch()
    with pytest.raises(MissingDependency, match=r"needs multi-agent-ale-py.*core\[atari\]'"):
        AtariConsole(rom=rom)


@pytest.mark.parametrize("mode", [1, 32, 65, True])
def test_modes_for_one_player_are_refused(mode):
    with pytest.raises(InvalidArgument, match="mode to be an integer from 33 to 64"):
        AtariConsole(mode=mode)
