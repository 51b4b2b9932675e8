"""Experiments are read as they are meant, and errors name the key and the nearest right one."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gametheory_core import InvalidArgument, MalformedFile
from learners import ActsOn, Sees
from learners.experiments import config_from, config_record, read_config
from learners.experiments.config import Judging

WHOLE = """
label = "mine"
output = "elsewhere"

[game]
name = "kuhn_poker"
horizon = 9

[environment]
episodes = 8
sees = "history"

[learner]
name = "QLearning"
step_size = { kind = "PerVisit", power = 0.7 }
exploration = { kind = "EpsilonGreedy", epsilon = 0.2 }
discount = "none"
learns = [0]

[training]
iterations = 10
seeds = [3, 4]
seconds = 2
log_every = 2
checkpoint_every = 5
assess_every = 10

[assessment]
method = "sampled"
acts_on = "last-observation"
max_nodes = 100
episodes = 500
"""
SHORT = """
[game]
name = "kuhn_poker"
[learner]
name = "QLearning"
[training]
iterations = 10
"""


def test_every_key_is_read(toml):
    config = read_config(toml(WHOLE))
    assert (config.title, config.output) == ("mine", "elsewhere")
    assert (config.game.name, config.game.horizon) == ("kuhn_poker", 9)
    assert (config.environment.episodes, config.environment.sees) == (8, Sees.HISTORY)
    assert config.learner.name == "QLearning"
    assert config.learner.options["step_size"] == {"kind": "PerVisit", "power": 0.7}
    assert config.training.seeds == (3, 4)
    assert config.training.seconds == 2.0
    assert (config.training.log_every, config.training.checkpoint_every) == (2, 5)
    assert config.assessment.method is Judging.SAMPLED
    assert config.assessment.acts_on is ActsOn.LAST_OBSERVATION
    assert (config.assessment.max_nodes, config.assessment.episodes) == (100, 500)


def test_what_is_left_out_has_defaults(toml):
    config = read_config(toml(SHORT))
    assert (config.title, config.output, config.training.seeds) == ("QLearning", "runs", (0,))


@pytest.mark.parametrize("text", [WHOLE, SHORT])
def test_record_reads_back_the_same(toml, text):
    config = read_config(toml(text))
    record = json.loads(json.dumps(config_record(config)))
    assert config_from(record, path="back") == config


def test_file_of_a_game_is_meant_from_the_config(toml):
    text = SHORT.replace('name = "kuhn_poker"', 'file = "games/my.efg"')
    path = toml(text)
    assert Path(read_config(path).game.file) == path.parent / "games" / "my.efg"


def changed(old, new):
    assert old in WHOLE
    return WHOLE.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("step_size", "step_siez"),
            r"test\.toml at learner\.step_siez: unknown key\. Did you mean step_size\? Keys are",
        ),
        (changed("iterations", "iteration"), r"training\.iteration: unknown key\. Did you mean"),
        (changed("[game]", '"" = 1\n[game]'), r'test\.toml at "": unknown key\. Keys are'),
        (changed("[game]", '"a b" = 1\n[game]'), r'test\.toml at "a b": unknown key'),
        (changed("[game]", "[gane]"), r"test\.toml at gane: unknown key\. Did you mean game\?"),
        (changed("kuhn_poker", "kuhn_pokr"), r"at game: no game 'kuhn_pokr'\. Did you mean kuhn_p"),
        (changed("QLearning", "QLearnin"), r"at learner\.name: unknown learner 'QLearnin'\. Did"),
        (changed('"PerVisit"', '"PerVist"'), r"step_size\.kind: needs one of Constant, .*PerVisit"),
        (
            changed("power = 0.7", "pover = 0.7"),
            r"step_size\.pover: unknown key\. Did you mean pow",
        ),
        (changed("power = 0.7", 'power = "a"'), r"step_size\.power: needs a number, but got 'a'"),
        (changed("power = 0.7", "power = 7"), r"at learner\.step_size: .*needs a finite"),
        (changed('"history"', '"histroy"'), r"environment\.sees: needs one of 'last', 'timed', 'h"),
        (changed("learns = [0]", "learns = 0"), r"learner\.learns: needs a list, each an integer"),
        (changed("learns = [0]", "learns = ['a']"), r"learner\.learns\[0\]: needs an integer, but"),
        (changed("seeds = [3, 4]", "seeds = [3, 3]"), r"at training: needs at least one"),
        (changed("seeds = [3, 4]", "seeds = [-1]"), r"needs seeds to be an integer from 0 to 922"),
        (changed("[3, 4]", f"[{10**400}]"), r"needs seeds to be an integer from 0 to 922337"),
        (changed('"elsewhere"', '"a\\u0000b"'), r"output: needs names .* without a null character"),
        (
            changed('"elsewhere"', '"a/' + "b" * 300 + '"'),
            r"output: needs names of at most 200 bytes",
        ),
        (changed('"mine"', '"' + "\u00e4" * 101 + '"'), r"label: needs names of at most 200 bytes"),
        (changed('name = "kuhn_poker"', 'file = "a\\u0000.efg"'), r"file: needs names .* null"),
        (changed("iterations = 10", "iterations = 0"), r"at training: .* of at least 1, but got 0"),
        (
            changed("iterations = 10", "iterations = true"),
            r"training\.iterations: needs an integer",
        ),
        (changed("iterations = 10", ""), r"training\.iterations: needs a value, but has none"),
        (changed("seconds = 2", "seconds = -2"), r"needs a finite seconds of at least 0"),
        (changed("episodes = 8", "episodes = 0"), r"at environment: .* from 1 to 1000000"),
        (changed("episodes = 8", "episodes = 1_000_001"), r"environment: .* but got 1000001"),
        (changed("episodes = 500", f"episodes = {10**12}"), r"assessment: .* from 2 to 10000000"),
        (changed("[environment]", "[[environment]]"), r"environment: needs a table"),
        (
            changed('name = "kuhn_poker"', ""),
            r"at game: needs one of a name .* a population, but got none of them",
        ),
        (changed("horizon = 9", "horizon = 0"), r"at game: needs horizon"),
        (changed("horizon = 9", "parameters = { a = 1 }"), r"parameters\.a: unknown key|at a: unk"),
        (changed('name = "QLearning"', ""), r"learner\.name: needs the name of a learner, but got"),
        (SHORT.replace("[training]", "[trainin]"), r"trainin: unknown key\. Did you mean training"),
    ],
)
def test_errors_name_the_key_and_what_is_meant(toml, text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_config(toml(text))


def of_a_game(learner="QLearning", game='name = "chicken"', option="", head="assessment"):
    text = f'[game]\n{game}\n[learner]\nname = "{learner}"\n[training]\niterations = 1\n'
    return f"{text}[{head}]\n{option}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[game]\nname = "chicken"\n[learner]\nname = "QLearning"',
            "at training: needs a value, but",
        ),
        (of_a_game("JamQLearning", head="environment"), "at environment: needs a learner that pla"),
        (
            of_a_game("QLearning", option='follower_class = "stationary"'),
            r"at assessment\.follower_class: .* QLearn",
        ),
        (
            of_a_game("MetaStackelberg", option='acts_on = "last-observation"'),
            r"at assessment\.acts_on: .* MetaSt",
        ),
        (
            of_a_game("MetaStackelberg", option='method = "sampled"'),
            r"at assessment\.method: .* by definition",
        ),
        (of_a_game("JamQLearning", option="max_nodes = 5"), r"max_nodes: .* read is method\."),
        (of_a_game("SelfishLeaders", option="episodes = 5"), r"episodes: .* method, max_nodes"),
        (of_a_game(game='name = "chicken"\nfile = "a.efg"'), "at game: .* but got 2 of them"),
        (
            of_a_game(game='name = "kuhn_poker"\nparameters = { rounds = 3 }'),
            r"at game\.parameters\.rounds: unknown key",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_by_its_key(toml, text, message):
    with pytest.raises(InvalidArgument, match=message):
        read_config(toml(text))


def test_policies_of_the_past_are_not_judged_by_state(toml):
    with pytest.raises(InvalidArgument, match=r'at assessment\.acts_on: .* environment\.sees = "h'):
        read_config(toml(changed('"sampled"', '"exact"')))
    assert read_config(toml(changed('"sampled"', '"not"'))).environment.sees is Sees.HISTORY


def test_file_that_is_no_toml_is_refused(toml):
    with pytest.raises(
        MalformedFile, match=r"test\.toml: needs lines such as .*TOML., but .*line 2"
    ):
        read_config(toml("a = 1\nb = ]"))


@pytest.mark.parametrize(
    ("text", "message"),
    [("a = " + "[" * 2000 + "]" * 2000, "nested too deeply"), ("a = " + "1" * 5000, "4300 digits")],
)
def test_file_that_python_cannot_hold_is_refused(toml, text, message):
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)  # Python's own limit; command lines lift it
    try:
        with pytest.raises(MalformedFile, match=rf"test\.toml: needs .*TOML.*, but.*{message}"):
            read_config(toml(text))
    finally:
        sys.set_int_max_str_digits(before)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="needs a file that can be read"):
        read_config(tmp_path / "none.toml")


def test_label_is_the_title(experiment):
    assert replace(experiment(), label="other").title == "other"
