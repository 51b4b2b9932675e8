"""Tournaments: seeds by names, files that grow, and matches that somebody breaks off."""

import json
import threading
from functools import partial

import numpy as np
import pytest

from gametheory_core import InvalidArgument, MalformedFile
from gametheory_core.errors import GameTheoryError
from learners.roshambo import PopulationScores, play_match, population_named, tournament
from learners.roshambo.matches.guarded_matches import Outcome, forfeit, guarded_match
from learners.roshambo.tournaments.match_records import MatchRecords
from learners.roshambo.tournaments.tournaments import seeds_by_name
from tests.learners.roshambo import misbehaving_bots as bad
from tests.learners.roshambo.misbehaving_bots import Rock
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

POPULATION = {"paper": partial(Scripted, [1]), "drawn": Drawn, "cycle": partial(Scripted, [0, 1])}
AGENTS = {"drawn": Drawn, "copying": Copying}


def played(agents=None, population=None, **options):
    chosen = {"episodes": 3, "seed": 5, "throws": 30} | options
    return tournament(agents or AGENTS, population or POPULATION, **chosen)


def test_matches_are_those_of_play_match_with_seeds_by_name():
    found = played()
    assert (found.agents, found.bots) == (("drawn", "copying"), ("paper", "drawn", "cycle"))
    everybody = AGENTS | POPULATION
    for a, agent in enumerate(AGENTS):
        for b, bot in enumerate(POPULATION):
            names = sorted((agent, bot))
            for match in range(3):
                makers = [everybody[name] for name in names]
                seeds = seeds_by_name(5, *names, match)
                own = play_match(makers[0](), makers[1](), throws=30, seeds=seeds)
                assert found.returns[a, b, match] == own.returns[names.index(agent)]
    assert found.forfeits == ()
    assert isinstance(found.scores("copying"), PopulationScores)
    assert found.scores("copying").means.tolist() == found.table.means[1].tolist()


def test_two_bots_of_the_population_play_one_match_for_both_orders(tmp_path):
    seen = []
    whole = played(POPULATION, folder=tmp_path, on_match=lambda *own: seen.append(own))
    assert len(seen) == seen[-1][1] == 6 * 3
    mirrored = -whole.returns.swapaxes(0, 1)
    others = ~np.eye(3, dtype=bool)
    assert (whole.returns[others] == mirrored[others]).all()
    some = played({"drawn": Drawn}, folder=tmp_path, on_match=pytest.fail)  # the same matches
    assert (some.returns[0] == whole.returns[1]).all()
    namesake = played({"cycle": Rock}, folder=tmp_path, jobs=2)  # is no member: plays for itself
    assert (namesake.returns[0, 0] == -30).all()
    assert (namesake.returns[0, 2] == played({"cycle": Rock}).returns[0, 2]).all()
    again = played(POPULATION, folder=tmp_path, on_match=pytest.fail)
    assert (again.returns == whole.returns).all()


def test_losers_are_named_in_both_orders():
    members = {"rock": Rock, "silent": bad.Silent}
    found = played(members, members, episodes=1)
    assert found.returns[:, :, 0].tolist() == [[0, 30], [-30, -30]]
    assert [own.loser for own in found.forfeits] == ["silent"] * 3


def test_neither_processes_nor_company_change_a_match():
    whole = played(jobs=2)
    assert (whole.returns == played().returns).all()
    alone = played({"copying": Copying}, {"cycle": POPULATION["cycle"]}, episodes=2)
    assert (alone.returns[0, 0] == whole.returns[1, 2, :2]).all()
    assert (played(seed=6).returns != whole.returns).any()


def test_a_tournament_goes_on_from_its_folder(tmp_path):
    whole = played(episodes=30)
    stopped = []

    def stop(done, total, words):
        stopped.append((done, total, words))
        if done == 70:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        played(episodes=30, folder=tmp_path, on_match=stop)
    file = tmp_path / "matches.jsonl"
    content = file.read_text()
    file.write_text(content + content.splitlines()[-1][:20])  # a line that is half there
    left = []
    again = played(episodes=30, folder=tmp_path, on_match=lambda *own: left.append(own[0]))
    assert (again.returns == whole.returns).all()
    assert left == list(range(71, 181))
    assert stopped[0][1:] == (180, "drawn - paper")

    def refused(*_):
        raise AssertionError("played again")

    assert (played(folder=tmp_path, on_match=refused).returns == whole.returns[:, :, :3]).all()
    more = played({"rock": Rock, **AGENTS}, episodes=3, folder=tmp_path)
    assert (more.returns[1:] == whole.returns[:, :, :3]).all()


def test_folders_of_something_else_are_refused(tmp_path):
    played(folder=tmp_path)
    for change in ({"seed": 6}, {"throws": 31}, {"seconds": 1.0}):
        with pytest.raises(InvalidArgument, match="matches of the same tournament"):
            played(folder=tmp_path, **change)
    with pytest.raises(InvalidArgument, match="the agent 'copying' as its matches were played"):
        played({"copying": Drawn}, folder=tmp_path)
    with pytest.raises(InvalidArgument, match="can be written"):
        played(folder=tmp_path / "matches.jsonl")


def lost(match, **change):
    return [{"match": match, "loser": 1, "why": "late"} | change]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"returns": [31]}, r"at returns\[0\]: needs an integer of at least -30, at most 30"),
        ({"returns": [0, 2**70]}, r"at returns\[1\]: needs an integer of at least -30"),
        ({"returns": ["x"]}, r"at returns\[0\]: needs an integer"),
        ({"match": -1}, "at match: needs an integer of at least 0"),
        ({"match": 1.5}, "at match: needs an integer"),
        ({"forfeits": lost(7, loser=-1)}, r"at forfeits\[0\].loser: needs an integer of at"),
        ({"forfeits": lost(7, loser=7)}, r"at forfeits\[0\].loser: needs an integer of at"),
        ({"forfeits": lost(9)}, r"at forfeits\[0\].match: needs an integer of at"),
        ({"forfeits": lost(7, why="")}, r"at forfeits\[0\]: needs a reason"),
        ({"returns": [30], "forfeits": 2 * lost(7)}, r"at forfeits\[1\]: needs a reason"),
        ({"forfeits": lost(7)}, r"at returns\[0\]: needs 30, as match 7 was forfeited"),
        ({"match": 0, "returns": [30]}, r"at returns\[0\]: needs match 0 as in a line before"),
        ({"first": {"side": "x", "name": "y"}}, "at first.side: needs one of"),
        ({"source": "x", "side": "bot", "name": "drawn"}, "at source: needs 'Drawn', as"),
    ],
)
def test_lines_that_are_no_record_are_refused(tmp_path, change, fault):
    played(folder=tmp_path)
    file = tmp_path / "matches.jsonl"
    lines = file.read_text().splitlines()
    kept = json.loads(lines[-1])
    alone = {"match": 7, "returns": [2], "forfeits": []}
    text = "\n".join(lines)
    file.write_text(f"{text}\n{json.dumps(kept | alone)}\n")
    played(folder=tmp_path)  # fits
    file.write_text(f"{text}\n{json.dumps(kept | alone | change)}\n")
    with pytest.raises(MalformedFile, match=f"jsonl, line {len(lines) + 1} {fault}"):
        played(folder=tmp_path)


@pytest.mark.parametrize("line", ["", "nonsense", "[NaN]"])
def test_a_line_that_is_no_json_is_named_once(tmp_path, line):
    played(folder=tmp_path)
    file = tmp_path / "matches.jsonl"
    number = len(file.read_text().splitlines()) + 1
    file.write_text(f"{file.read_text()}{line}\n")
    with pytest.raises(MalformedFile, match=rf"jsonl, line {number}: needs JSON") as caught:
        played(folder=tmp_path)
    assert caught.value.line == number


def test_a_partial_with_other_arguments_is_another_agent(tmp_path):
    once = {"population": {"rock": Rock}, "folder": tmp_path}
    found = [played({"x": partial(Scripted, [1])}, **once).returns.tolist() for _ in range(2)]
    assert found == [[[[30] * 3]]] * 2
    with pytest.raises(InvalidArgument, match="agent 'x' as its matches were played, Scripted"):
        played({"x": partial(Scripted, [2])}, **once)


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (bad.Silent, "throw 3 is None (type NoneType), not 0, 1 or 2"),
        (bad.Wild, "throw 3 is 3 (type int), not 0, 1 or 2"),
        (bad.Raising, "KeyError at throw 3: \"'lost'\""),
        (bad.Exiting, "SystemExit at throw 3: '4'"),
        (bad.Hungry, "MemoryError at throw 3: ''"),
        (bad.Unspeakable, "WorseError at throw 3: 'it cannot be told: RuntimeError'"),
        (bad.Unmade, "OSError before the first throw: 'no file'"),
        (partial(Rock, 1, 2), "TypeError before the first throw: 'Rock() takes no arguments'"),
    ],
)
def test_who_breaks_off_a_match_forfeits_it(bot, why):
    for seat in (0, 1):
        pair = (bot, Rock) if seat == 0 else (Rock, bot)
        found = guarded_match(pair, throws=50, seeds=(1, 2), limit=9.0)
        assert (found.loser, found.why, found.is_broken) == (seat, why, False)
        assert found.paid == (50 if seat else -50)


def test_what_is_no_bot_and_one_object_twice_forfeit():
    found = guarded_match((bad.NoBot, Rock), throws=5, seeds=(1, 2), limit=9.0)
    assert (found.loser, found.paid) == (0, -5)
    assert "no reset(seed) and throw(own, other)" in found.why
    rock = Rock()
    found = guarded_match((lambda: rock, lambda: rock), throws=5, seeds=(1, 2), limit=9.0)
    assert (found.loser, found.paid) == (1, 5)


def test_time_is_counted_for_each_by_itself():
    assert guarded_match((bad.Tardy, Rock), throws=3, seeds=(1, 2), limit=0.9).why == ""
    for seat in (0, 1):
        pair = (bad.Tardy, Rock) if seat == 0 else (Rock, bad.Tardy)
        found = guarded_match(pair, throws=9, seeds=(1, 2), limit=0.5)
        assert (found.loser, found.why) == (seat, "took more than 0.5 seconds, at throw 2")


def test_a_tournament_outlives_bots_that_end_their_process():
    agents = {"leaving": bad.Leaving, "crashing": bad.Crashing, "talking": bad.Talking}
    found = tournament(
        agents, {"rock": Rock, "leaving": bad.Leaving}, episodes=2, seed=1, throws=9, jobs=1
    )
    rock, leaving = found.returns[:, 0], found.returns[:, 1]
    assert rock.tolist() == [[-9, -9], [-9, -9], [1, 1]]
    assert leaving.tolist() == [[-9, -9], [-9, -9], [9, 9]]  # the first that is asked goes first
    assert len(found.forfeits) == 10
    first = found.forfeits[0]
    assert (first.agent, first.bot, first.match, first.loser) == ("leaving", "rock", 0, "leaving")
    assert first.why == "its process ended with exit code 7 at throw 3"
    crashed = next(own for own in found.forfeits if own.agent == "crashing")
    assert crashed.why == "its process ended by signal 11 at throw 3"


@pytest.mark.parametrize("seat", [0, 1])
def test_who_closes_what_results_go_by_forfeits(seat, capfd):
    names = ("a", "z")[:: 1 if seat else -1]  # the first by name is asked first
    for closing in (bad.Closing, bad.ClosingForever):
        agent, bot = {names[0]: closing}, {names[1]: Rock}
        found = tournament(agent, bot, episodes=1, seed=1, throws=2000)
        assert found.returns.tolist() == [[[-2000]]]
        assert [own.side for own in found.forfeits] == ["agent"]
        assert "its process ended" in found.forfeits[0].why
    assert capfd.readouterr().err == ""


def test_who_ends_the_process_between_matches_forfeits_to_a_bot_of_ours():
    name, trusted = next(iter(population_named("embedded").items()))
    found = tournament({"last": bad.LeavingAtLast}, {name: trusted}, episodes=1, seed=1, throws=9)
    assert found.returns.tolist() == [[[-9]]]
    assert [own.side for own in found.forfeits] == ["agent"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_bot_leaves_behind_is_met_by_nobody_else(jobs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(
        "from tests.learners.roshambo import misbehaving_bots as bad\n"
        "BOTS = {'alarm': bad.Alarm, 'chdir': bad.Chdir, 'zen': bad.Zen}\nROCK = {'rock': bad.Rock}"
    )
    found = tournament(
        population_named("own.py:BOTS"),
        population_named("own.py:ROCK"),
        episodes=2,
        seed=1,
        throws=9,
        jobs=jobs,
    )
    assert found.returns.tolist() == [[[0, 0]], [[0, 0]], [[9, 9]]]
    assert found.forfeits == ()


def test_a_process_that_ends_once_a_match_is_no_forfeit(tmp_path, monkeypatch):
    monkeypatch.setenv("LEAVING_ONCE", str(tmp_path))
    options = {"population": {"drawn": Drawn}, "episodes": 4, "throws": 99}
    found = played({"a": bad.LeavingOnce}, **options)
    assert len(list(tmp_path.iterdir())) == 4
    assert found.forfeits == ()
    assert (found.returns == played({"a": Rock}, **options).returns).all()


def test_who_compiles_in_its_first_match_is_not_too_slow():
    rock = {"population": {"rock": Rock}, "throws": 9, "seconds": 0.5}
    assert played({"compiling": bad.Compiling}, **rock).forfeits == ()


def test_who_never_returns_is_ended(monkeypatch):
    monkeypatch.setattr("learners.roshambo.matches.isolated_matches.FIRST_SLACK", 0.5)
    found = tournament(
        {"rock": Rock},
        {"sleeping": bad.Sleeping, "rock": Rock},
        episodes=2,
        seed=1,
        throws=9,
        seconds=0.5,
    )
    assert found.returns.tolist() == [[[9, 9], [0, 0]]]
    assert [own.loser for own in found.forfeits] == ["sleeping"] * 2
    assert found.forfeits[1].why == "took more than 0.5 seconds, at throw 3"


def test_processes_that_cannot_begin_are_told(monkeypatch):
    monkeypatch.setattr("learners.roshambo.matches.isolated_matches._START", "raise SystemExit(5)")
    with pytest.raises(GameTheoryError, match="they end with exit code 5 before the first"):
        played()


def test_what_cannot_be_sent_to_a_process_is_refused():
    lock = threading.Lock()
    with pytest.raises(InvalidArgument, match="what makes agent a to be sent.*cannot be pickled"):
        played({"a": lambda: lock})


def test_forfeits_are_read_again(tmp_path):
    once = {"agents": {"a": bad.Silent}, "population": {"rock": Rock}, "folder": tmp_path}
    assert played(**once).forfeits == played(**once).forfeits != ()
    lines = (tmp_path / "matches.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["returns"] == [-30] * 3


def test_matches_with_gaps_between_are_read_again(tmp_path):
    shared, ended = {"seed": 1, "throws": 9}, {0: 5, 1: -3, 4: 2, 7: 0, 8: 1}
    records = MatchRecords(tmp_path / "file", shared, {})
    for match in (8, 0, 4, 1, 7):
        records.add(((("agent", "a"), ("bot", "b")), match), Outcome(ended[match]))
    records.add(((("bot", "a"), ("bot", "c")), 3), forfeit(1, "why", throws=9))
    records.write()
    again = MatchRecords(tmp_path / "file", shared, {}).played
    assert again == records.played
    assert {match: own.paid for (pair, match), own in again.items() if pair[1][1] == "b"} == ended


def test_what_is_no_tournament_is_refused():
    with pytest.raises(InvalidArgument, match="somebody in agents, but it is empty"):
        tournament({}, POPULATION, episodes=1, seed=1)
    with pytest.raises(InvalidArgument, match="somebody in population"):
        tournament(AGENTS, {}, episodes=1, seed=1)
    with pytest.raises(InvalidArgument, match="Give its class"):
        played({"rock": Rock()})
    for wrong in (None, [Rock], 5):
        with pytest.raises(InvalidArgument, match="population to be of type Mapping"):
            tournament(AGENTS, wrong, episodes=1, seed=1)
    for name in ("", 1, "a\nb"):
        with pytest.raises(InvalidArgument, match="agents with different names"):
            played({name: Rock})
    for option, value in (
        ("episodes", 0),
        ("seed", -1),
        ("throws", 0),
        ("jobs", 0),
        ("jobs", -2),
        ("seconds", 0.0),
    ):
        with pytest.raises(InvalidArgument, match=option.removesuffix("s")):
            played(**{option: value})


def test_seeds_differ_from_match_to_match_and_pair_to_pair():
    names = ("a", "b", "ab", "")
    found = {
        seeds_by_name(seed, one, two, match)
        for seed in range(3)
        for one in names
        for two in names
        for match in range(50)
    }
    assert len(found) == 3 * 16 * 50
    assert np.min(list(found)) >= 1


def test_bots_of_ours_have_time_to_compile(monkeypatch):
    """As if compiling took long: no match of a bot that compiles ends within no time at all."""
    monkeypatch.setattr("learners.roshambo.matches.isolated_matches.FIRST_SLACK", -1e9)
    ours = {"win_stay": population_named("embedded")["win_stay_lose_shift"]}
    found = tournament(ours, ours, episodes=1, seed=1, throws=50)
    assert found.forfeits == ()
    strange = played({"compiling": bad.Compiling}, {"rock": Rock}, throws=9, seconds=0.5)
    assert strange.forfeits
