"""Who takes part, by words: registries and files, and what is said where words are wrong."""

import pickle
import sys

import pytest

from gametheory_core import InvalidArgument
from gametheory_core.errors import MissingDependency
from learners.roshambo import agents_named, held_out_bots, population_named, tournament
from learners.roshambo.tournaments.entrants import AGENTS, POPULATIONS
from learners.roshambo.tournaments.makers import Entrant

BOTS = '''
import siblings
HELD = siblings.ONE
class Rock:
    """Throws rock."""
    def reset(self, seed): pass
    def throw(self, own, other): return 0
class Paper(Rock):
    def throw(self, own, other): return HELD
class Half:
    def reset(self, seed): pass
def scissors():
    bot = Rock()
    bot.throw = lambda own, other: 2
    return bot
BOTS = [Rock, Paper]
NAMED = {"r": Rock, "s": scissors, 3: Paper}
TWICE = [Rock, Rock]
EMPTY = []
WRONG = [Rock, Half]
MADE = [Rock()]
NUMBER = 5
rock = Rock()
'''


@pytest.fixture
def file(tmp_path):
    (tmp_path / "siblings.py").write_text("ONE = 1\n")
    path = tmp_path / "my_bots.py"
    path.write_text(BOTS)
    return path


def test_a_file_has_populations_and_agents(file):
    bots = population_named(f"{file}:BOTS")
    named = population_named(f"{file}:NAMED")
    assert (list(bots), list(named)) == (["Rock", "Paper"], ["r", "s", "3"])
    assert [maker().throw([], []) for maker in (*bots.values(), *named.values())] == [0, 1, 0, 2, 1]
    agents = agents_named([f"{file}:Paper", "Rock", f"{file}:scissors", "context_mixing"], bots)
    assert list(agents) == ["Paper", "Rock", "scissors", "context_mixing"]
    assert agents["Rock"] is bots["Rock"]
    again = pickle.loads(pickle.dumps(agents["Paper"]))
    assert type(again()).__name__ == "Paper"


def test_the_embedded_population_has_an_open_and_a_held_out_part():
    parts = [population_named(name) for name in ("embedded_training", "held_out")]
    assert list(parts[1]) == sorted(held_out_bots(), key=list(population_named("embedded")).index)
    assert {**parts[0], **parts[1]}.keys() == population_named("embedded").keys()
    assert not parts[0].keys() & parts[1].keys()


def test_an_agent_that_needs_another_package_says_so_before_it_plays(monkeypatch):
    for name in ("learners.adapters.open_spiel_roshambo", "pyspiel"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.delitem(sys.modules, "learners.roshambo.agents.model_access", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingDependency, match="pip install 'gametheory-core"):
        agents_named(["type_mixture"], {})


def test_entrants_of_files_play_in_other_processes(file):
    agents = agents_named([f"{file}:scissors"], {})
    found = tournament(agents, population_named(f"{file}:BOTS"), episodes=1, seed=1, throws=9)
    assert found.returns.tolist() == [[[-9], [9]]]


def test_a_changed_file_is_not_taken_for_the_old_one(file, tmp_path):
    folder = tmp_path / "out"
    bots = population_named(f"{file}:BOTS")
    tournament({"a": bots["Rock"]}, bots, episodes=1, seed=1, throws=9, folder=folder)
    file.write_text(BOTS + "# changed\n")
    changed = population_named(f"{file}:BOTS")
    with pytest.raises(InvalidArgument, match="'a' as its matches were played, BOTS of a file wit"):
        tournament({"a": changed["Rock"]}, bots, episodes=1, seed=1, throws=9, folder=folder)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("open_spil", "no population 'open_spil'. Did you mean open_spiel?"),
        ("nothing", "Populations are embedded, embedded_training, held_out, open_spiel, and "),
        ("{}", "there is no name. It defines Rock, Paper, BOTS"),
        ("{}:BTS", "it defines no 'BTS'. Did you mean BOTS?"),
        ("{}:EMPTY", "a bot or more, but it is empty"),
        ("{}:TWICE", "'Rock' stands twice. Give a mapping"),
        ("{}:WRONG", "WRONG, Half: .*Half has no throw"),
        ("{}:MADE", "MADE, Rock: .*Give the class itself, not a bot of it"),
        ("{}:NUMBER", "a list or a mapping of bots, but it is 5"),
        ("{}x.py:BOTS", "a file with bots, but there is none"),
    ],
)
def test_populations_that_are_none_are_explained(file, words, said):
    with pytest.raises(InvalidArgument, match=said):
        population_named(words.format(file))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["contextmixing"], "no agent 'contextmixing'. Did you mean context_mixing?"),
        (["rok"], "Did you mean rock.*and the 2 bots of the population"),
        (["rock", "rock"], "two of the name 'rock'"),
        (["{}:Rock", "{}:Rock"], "two of the name 'Rock'"),
        (["{}:rock"], "Give the class itself, not a bot of it"),
        (["{}:NUMBER"], "a class of bots, or a function that makes one"),
        (["{}:Half"], "Half has no throw"),
        (["{}:Stone"], "it defines no 'Stone'"),
        (["{}"], "with a name that the file defines"),
    ],
)
def test_agents_that_are_none_are_explained(file, words, said):
    bots = {"rock": object, "paper": object}
    with pytest.raises(InvalidArgument, match=said):
        agents_named([word.format(file) for word in words], bots)


def test_a_file_that_fails_says_how(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("1 / 0")
    with pytest.raises(InvalidArgument, match="it raises ZeroDivisionError: 'division by zero'"):
        population_named(f"{path}:BOTS")


@pytest.mark.parametrize("text", ["import sys; sys.exit(3)", "raise SystemExit(3)"])
def test_a_file_that_leaves_says_so(tmp_path, text):
    path = tmp_path / "leaving.py"
    path.write_text(text)
    with pytest.raises(InvalidArgument, match="it raises SystemExit: '3'"):
        population_named(f"{path}:BOTS")
    path.write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt, match="^$"):
        population_named(f"{path}:BOTS")


def test_registered_agents_are_made():
    for name, place in AGENTS.items():
        bot = Entrant(place)()
        bot.reset(1)
        assert bot.throw([], []) in {0, 1, 2}, name


def test_registered_populations_have_bots():
    pytest.importorskip("pyspiel")
    assert len(POPULATIONS["open_spiel"](1000)) == 43
    assert population_named("open_spiel", throws=1200)["greenberg"]().throws == 1200
