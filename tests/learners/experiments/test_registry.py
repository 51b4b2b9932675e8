"""Each learner is made from words, stops and goes on bit for bit, and is judged."""

import inspect
import sys

import numpy as np
import pytest

from gametheory_core.errors import InvalidArgument, MissingDependency
from learners.experiments import Status, config_from, run, trained_learner
from learners.experiments.registry import learner_class, options_of
from learners.experiments.setup import appraisal_of
from learners.leaders.judging import BY_BEST_RESPONSE
from learners.protocol import LEARNERS, Plays, declaration_of

DILEMMA = {"name": "repeated_prisoners_dilemma", "parameters": {"rounds": 2}}
MATRIX = {"name": "rock_paper_scissors"}
CHICKEN = {"name": "mediated_chicken", "parameters": {"rounds": 2}}
GAMES = {  # where the game that its declaration asks for is not one that it takes
    "BanditLearner": {"name": "repeated_prisoners_dilemma", "parameters": {"rounds": 1}},
    "MetaStackelberg": {"name": "iterated_prisoners_dilemma"},
    "InvadersTrade": {"name": "bilateral_trade"},  # skipped without the emulator
    "RegularizedNashDynamics": {
        "name": "repeated_rock_paper_scissors",
        "parameters": {"rounds": 1},
    },
    "JamQLearning": CHICKEN,
    "DeepJamQLearning": CHICKEN,
    "SelfishLeaders": CHICKEN,
}
OPTIONS = {  # where a learner has no defaults, or slow ones
    "BanditLearner": {
        "minimizer": {"kind": "Exp3", "exploration": 0.1, "low": 0, "high": 5},
        "steps": 5,
    },
    "RegretLearner": {"minimizer": {"kind": "RegretMatchingPlus"}, "steps": 5},
    "MetaStackelberg": {"follower": {"kind": "ContextualQ", "iterations": 2, "episodes": 10}},
    "InvadersTrade": {
        "follower": {"kind": "TradeQ", "iterations": 3, "episodes": 1},
        "leader": {"kind": "TradeQ", "iterations": 2, "episodes": 1},
        "machines": 1,
        "judged_by": 2,
    },
    "PPO": {"steps": 4, "epochs": 1},
    "DQN": {"warm_up": 4, "batch_size": 4},
    "JamQLearning": {"block": 10},
    "DeepJamQLearning": {"batch_size": 4},
    "SelfishLeaders": {"block": 10, "selection": "lots"},
    "SelfPlay": {
        "scheme": {"sampling": {"kind": "DeltaUniform"}, "gate": {"kind": "Append"}},
        "live": {"name": "QLearning"},
    },
    "PopulationTraining": {"live": {"name": "QLearning"}, "members": 2},
}


def made_by(name):
    """The class of a learner; the test is skipped where what it needs is not installed."""
    try:
        return learner_class(name)
    except MissingDependency as absent:
        pytest.skip(str(absent))


def game_for(name):
    """A small game of the kind that a learner declares to be made on."""
    declared = declaration_of(made_by(name))
    return GAMES.get(name, MATRIX if declared.plays is Plays.GAME else DILEMMA)


def experiment(name, output, iterations):
    return config_from(
        {
            "output": str(output),
            "game": game_for(name),
            "learner": {"name": name, **OPTIONS.get(name, {})},
            "training": {"iterations": iterations, "checkpoint_every": 2},
        },
        path="test",
    )


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_learner_goes_on_from_words_bit_for_bit(name, tmp_path):
    made_by(name)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)
    whole = run(experiment(name, tmp_path / "whole", 5), 1)
    parts = experiment(name, tmp_path / "parts", 5)

    def interrupt(progress):
        if progress.done == 3:
            raise KeyboardInterrupt("by the test")

    with pytest.raises(KeyboardInterrupt, match="by the test"):
        run(parts, 1, on_iteration=interrupt)
    found = run(parts, 1)
    assert found.status is Status.FINISHED
    assert (found.curve, found.findings) == (whole.curve, whole.findings)
    judged = appraisal_of(parts, trained_learner(parts, 1), seed=0)
    judged.verify()
    assert judged.findings == found.findings
    leads = declaration_of(learner_class(name)).judge is BY_BEST_RESPONSE
    usual = "leader_value" if leads else "nash_conv"
    judged_by = {"InvadersTrade": "model return/buyer"}.get(name, usual)
    assert judged_by in {each.name for each in found.findings}


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_options_are_all_that_the_constructor_takes(name):
    made = made_by(name)
    taken = set(inspect.signature(made).parameters) - {"rng"}
    assert {option.name for option in options_of(made)} == taken - {"environment", "game", "batch"}


def test_unknown_learner_is_named_with_the_nearest():
    with pytest.raises(InvalidArgument, match=r"unknown learner 'Sarza'\. Did you mean Sarsa\?"):
        learner_class("Sarza")


def test_defaults_are_shown_as_a_file_would_say_them():
    options = {option.name: option for option in options_of(learner_class("QLearning"))}
    assert options["at_horizon"].default == "'ends'"
    assert options["step_size"].accepts.startswith("a number or a table Constant(value)")


def test_sampled_judging_is_asked_for_by_config(tmp_path):
    config = config_from(
        {
            "output": str(tmp_path),
            "game": {"name": "repeated_prisoners_dilemma", "parameters": {"rounds": 100}},
            "learner": {"name": "QLearning"},
            "training": {"iterations": 2},
            "assessment": {"method": "sampled", "episodes": 50},
        },
        path="test",
    )
    found = run(config, 1)
    assert "SAMPLED" in found.method
    assert np.isfinite([finding.standard_error for finding in found.findings]).all()
