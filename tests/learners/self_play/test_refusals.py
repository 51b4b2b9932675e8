"""What self-play cannot do it refuses before anything is learned, by key and with a reason."""

import numpy as np
import pytest

from gametheory_core import Decision, InvalidArgument, Terminal, UnsupportedGame, from_sketch
from gametheory_core.catalog import RepeatedGame, RirRPS, fish_war, kuhn_poker
from learners import batched
from learners.batch import features
from learners.experiments import config_from, run
from learners.experiments.registry import learner_class
from learners.experiments.setup import learner_of
from learners.protocol import LEARNERS, Plays, declaration_of
from learners.self_play import (
    Append,
    CoarseCorrelated,
    ExactReturns,
    ExactWins,
    Menagerie,
    Naive,
    SampledWins,
    SelfPlay,
    SelfPlayScheme,
    delta_uniform,
    naive,
    psro,
)
from tests.learners.self_play.scripted import Scripted

GRU = {"name": "PPO", "steps": 4, "network": {"hidden": [4], "recurrence": "gru", "memory_size": 3}}
NOT_OF_A_SEAT = sorted(
    name
    for name in LEARNERS
    if (found := declaration_of(learner_class(name))).plays is not Plays.BATCHES or found.batch
)


def match():
    return batched(RirRPS(2, 1), episodes=4, seed=1)


def alone():
    tree = from_sketch(Decision(0, "only", {"go": Terminal([1])}), players=["A"])
    return batched(tree, episodes=2, seed=1)


def made(environment=None, *, scheme=None, live=None, **options):
    return SelfPlay(
        match() if environment is None else environment,
        scheme=delta_uniform() if scheme is None else scheme,
        live={"name": "TabularReinforce"} if live is None else live,
        **{"rng": np.random.default_rng(1), **options},
    )


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"environment": RirRPS(2, 1)}, "needs an environment that plays many episodes at once"),
        ({"environment": alone()}, "needs a game of two players or more, but it has 1"),
        ({"scheme": naive}, "scheme"),
        ({"scheme": "naive"}, "scheme"),
        ({"scheme": Naive()}, "scheme"),
        ({"seat": 2}, "seat"),
        ({"seat": -1}, "seat"),
        ({"seat": "first"}, "seat"),
        ({"seat": True}, "seat"),
        ({"every": 0}, "every"),
        ({"every": 1.5}, "every"),
        ({"remembers": 0}, "remembers"),
        ({"most_bytes": 0}, "most_bytes"),
        ({"rng": 3}, "rng"),
        ({"begins_with": 5}, "needs a menagerie, but got"),
        ({"begins_with": []}, "needs at least one snapshot"),
        ({"begins_with": Menagerie(("a",))}, "needs frozen policies, tables or networks, but got"),
        ({"begins_with": Menagerie((np.ones((2, 3)),))}, r"needs snapshots of this game, tables"),
        *(
            ({"begins_with": [np.full((10, 3), entry)]}, r"begins_with\[0\]")
            for entry in (np.nan, -1.0, 5.0, 0.0)
        ),
        ({"begins_with": [np.full((10, 3), "1/3")]}, r"begins_with\[0\] to be a table of n"),
        ({"begins_with": [np.full((10, 3), "x", dtype=object)]}, r"\[0\] to be a table of numbers"),
        ({"begins_with": [np.full((10, 3), 1 / 3 + 0j)]}, r"\[0\] to be a table of numbers"),
        ({"live": lambda _play, rng: rng}, "needs a learner"),
        ({"live": lambda: 1}, r"live: needs a function of the environment and rng=, but got .*too"),
        ({"evaluation": "exact"}, "evaluation"),
        ({"evaluation": ExactWins}, "evaluation"),
        ({"live": 3}, r'live: needs a table such as \{"name": "PPO"\} or a function'),
        ({"live": "PPO"}, "live: needs a table such as"),
        ({"live": {}}, r"live.name: needs the name of a learner, such as .*, but got \{\}"),
        ({"live": {"name": "QLearner"}}, "live.name: unknown learner .* Did you mean QLearning"),
        ({"live": {"name": 5}}, "live.name"),
        ({"live": {"name": "QLearning", "step": 1}}, "live at step: unknown key. Did you mean"),
        ({"live": {"name": "QLearning", "step_size": "x"}}, "live at step_size: needs"),
        ({"live": {"name": "QLearning", "step_size": -1}}, "step_size"),
        ({"live": {"name": "BanditLearner"}}, "live at minimizer: needs a value, but has none"),
        ({"live": {"name": "QLearning", "rng": 3}}, "live at rng: unknown key"),
    ],
)
def test_what_makes_no_sense_is_refused_by_key(options, match):
    with pytest.raises(InvalidArgument, match=match):
        made(**options)


@pytest.mark.parametrize("name", NOT_OF_A_SEAT)
def test_learners_that_play_no_seat_are_refused(name):
    with pytest.raises(
        InvalidArgument, match=f"live.name: needs a learner that plays one seat in ba.*{name} plays"
    ):
        made(live={"name": name})


def test_one_that_learns_in_both_seats_is_refused():
    with pytest.raises(UnsupportedGame, match="two players of a zero-sum game, but there are 1"):
        made(live={"name": "RegularizedNashDynamics"})


def test_learners_of_several_seats_are_refused():
    class OfTwo(Scripted):
        def policies(self):
            return ({}, {})

    with pytest.raises(
        InvalidArgument, match="live: needs a learner of one seat, but got one of 2"
    ):
        made(live=OfTwo)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"environment": features(match())}, "numbered observations, for what snapshots earn"),
        (
            {"environment": batched(fish_war(), episodes=2, seed=1)},
            "two players for win rates, but the game has 3.*such as DeltaUniform",
        ),
        ({"live": GRU}, "policies of the last observation, but got one that remembers"),
        (
            {"environment": batched(kuhn_poker(), episodes=2, seed=1), "evaluation": ExactWins()},
            "match that is the same from both seats",
        ),
        (
            {
                "environment": batched(
                    RepeatedGame.of("battle_of_the_sexes", rounds=2), episodes=2, seed=1
                ),
                "evaluation": ExactReturns(),
            },
            "zero-sum game",
        ),
    ],
)
def test_schemes_that_need_win_rates_refuse_games_without(options, match):
    options.setdefault("live", {"name": "PPO", "steps": 4, "network": {"hidden": [4]}})
    with pytest.raises(UnsupportedGame, match=match):
        made(scheme=psro(), **options)


def test_payoffs_are_sampled_or_refused():
    scheme = SelfPlayScheme(CoarseCorrelated(), Append())
    play = batched(RepeatedGame.of("battle_of_the_sexes", rounds=2), episodes=2, seed=1)
    for evaluation in (ExactReturns(), ExactWins()):
        with pytest.raises(
            InvalidArgument, match=r"evaluation: needs SampledWins\(\) .*but got Ex"
        ):
            made(play, scheme=scheme, evaluation=evaluation)
    assert made(play, scheme=scheme, evaluation=SampledWins(20)).menagerie.payoffs.shape == (1, 1)


def test_learners_of_all_seats_are_named():
    for name in ("SelfPlay", "PopulationTraining"):
        with pytest.raises(InvalidArgument, match=f"live.name: .* but {name} plays all seats"):
            made(live={"name": name})


def test_snapshots_there_are_none_of_are_refused():
    learner = made()
    with pytest.raises(InvalidArgument, match="number"):
        learner.policies_of(1)
    network = made(live=GRU)
    with pytest.raises(InvalidArgument, match="needs a table, but got a policy that remembers"):
        network.policies_of(0)


def experiment(**learner):
    return {
        "game": {"name": "rir_rps", "parameters": {"repetitions": 2, "recall": 1}},
        "learner": {
            "name": "SelfPlay",
            "scheme": {"sampling": {"kind": "DeltaUniform"}, "gate": {"kind": "Append"}},
            "live": {"name": "QLearning"},
            **learner,
        },
        "training": {"iterations": 1},
        "assessment": {"method": "not"},
    }


def scheme(sampling, gate=None):
    return {"scheme": {"sampling": sampling, "gate": gate or {"kind": "Append"}}}


@pytest.mark.parametrize(
    ("learner", "match"),
    [
        (scheme({"kind": "DeltaUnifrom"}), "scheme.sampling.kind: needs .* DeltaUniform"),
        (scheme({}), "scheme.sampling.kind: needs to say which"),
        (scheme({"kind": "DeltaUniform", "delta": "2"}), "scheme.sampling: .*needs delta from 0"),
        (scheme({"kind": "DeltaUniform", "delta": "nan"}), "scheme.sampling: .*needs delta from 0"),
        (scheme({"kind": "DeltaUniform", "delta": -0.5}), "scheme.sampling"),
        (scheme({"kind": "DeltaUniform", "delta": True}), "scheme.sampling.delta: needs a number"),
        (scheme({"kind": "DeltaUniform", "dleta": 0}), "scheme.sampling.dleta: unknown key. Did y"),
        (scheme({"kind": "MetaGame", "solver": "nash"}), "scheme.sampling.solver: needs one of"),
        (
            scheme({"kind": "Naive"}, {"kind": "BinomialTest", "matches": 2}),
            "scheme.gate: .*gate that can open",
        ),
        (scheme({"kind": "Naive"}, {"kind": "RollingWindow", "share": 0}), "scheme.gate: .*above"),
        ({"scheme": {"sampling": {"kind": "Naive"}}}, "scheme.gate: needs a value"),
        ({"live": "PPO"}, "learner.live: needs a table"),
        ({"evry": 2}, "learner.evry: unknown key. Did you mean every"),
    ],
)
def test_files_that_say_what_makes_no_sense_are_refused_by_key(learner, match):
    with pytest.raises(InvalidArgument, match=match):
        config_from(experiment(**learner), path="test.toml")


@pytest.mark.parametrize(
    ("learner", "match"),
    [
        ({"live": {"name": "QLearner"}}, "learner.live.name: unknown learner"),
        ({"live": {"name": "QLearning", "stepsize": 1}}, "learner.live.stepsize: unknown key"),
        (
            {"live": {"name": "MetaStackelberg"}},
            "learner.live.name: needs a learner that plays one",
        ),
        ({"seat": 5}, "learner.seat"),
    ],
)
def test_files_with_other_learners_or_seats_are_refused_before_training(tmp_path, learner, match):
    record = {**experiment(**learner), "output": str(tmp_path)}
    config = config_from(record, path="test.toml")
    with pytest.raises(InvalidArgument, match=match):
        learner_of(config, 1)
    with pytest.raises(InvalidArgument, match=match):
        run(config, 1)
