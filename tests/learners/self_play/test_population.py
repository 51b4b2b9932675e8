"""Populations that train: who follows whom, what is copied and what is not, ratings, resuming."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame
from gametheory_core.catalog import RepeatedGame, RirRPS
from learners import batched
from learners.experiments.registry import learner_class
from learners.protocol import LEARNERS, Plays, declaration_of
from learners.self_play import CoarseCorrelated, Evolution, MetaGame, PopulationTraining
from learners.self_play.live_play import Results
from learners.self_play.opponents import LIVE
from learners.snapshots import Kept, with_own_episodes

GAME = RirRPS(repetitions=3, recall=1)
LIVES = [
    {"name": "TabularReinforce", "step_size": 0.5},
    {"name": "QLearning", "step_size": 0.1, "iteration": {"kind": "Episodes", "count": 8}},
    {"name": "WolfPHC"},
]

NETWORK = {"network": {"hidden": [4]}}
OPTIONS = {
    "BanditLearner": {"minimizer": {"kind": "Exp3", "exploration": 0.1, "low": -5, "high": 5}},
    "DQN": {"warm_up": 10, "updates": 3, "values": {"shape": {"hidden": [4]}}},
    "PPO": {"steps": 4, **NETWORK},
    "Reinforce": NETWORK,
    "ActorCritic": NETWORK,
}
OF_A_SEAT = sorted(
    name
    for name in LEARNERS
    if (found := declaration_of(learner_class(name))).plays is Plays.BATCHES
    and not found.batch
    and name != "RegularizedNashDynamics"  # learns in both seats
)


def population(live=LIVES[0], *, varies=None, members=4, seed=1, **options):
    given = {"evolution": Evolution(every=2), **options}
    chosen = varies if varies is not None else ("step_size",) * ("step_size" in live)
    return PopulationTraining(
        batched(GAME, episodes=8, seed=1), live=live, varies=chosen, members=members,
        rng=np.random.default_rng(seed), **given,
    )  # fmt: skip


@pytest.mark.parametrize("members", range(2, 12))
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_the_worst_follow_the_best_all_alike(members, share):
    ratings = tuple(np.random.default_rng(members).permutation(members).astype(float))
    laws = Evolution(share=share).laws(ratings, options=2)
    count = max(1, int(share * members))
    order = sorted(range(members), key=lambda member: -ratings[member])
    losers = [law.items[0][0].loser for law in laws]
    assert losers == order[::-1][:count]
    for law in laws:
        assert sum(weight for _, weight in law) == 1
        assert {step.winner for step, _ in law} == set(order[:count])
        assert len(law) == 4 * count
        assert {weight for _, weight in law} == {Fraction(1, 4 * count)}
        factors = {Fraction(4, 5), Fraction(6, 5)}
        assert {step.factors for step, _ in law} == set(product(factors, repeat=2))


def test_nobody_both_copies_and_is_copied():
    (law,) = Evolution(share=0.5).laws((1500.0, 1500.0), options=0)
    assert [(step.loser, step.winner) for step, _ in law] == [(1, 0)]


@pytest.mark.parametrize("live", LIVES, ids=lambda live: live["name"])
def test_a_copy_takes_what_was_learned_and_keeps_its_own_episodes(live):
    learner = population(live, evolution=Evolution(every=10**6))
    for _ in range(3):
        learner.improve()
    loser, winner = learner._members[:2]
    before = loser.play.snapshot()
    factors = dict.fromkeys(learner._varies, Fraction(6, 5))
    assert not np.array_equal(loser.frozen(), winner.frozen())
    loser.succeed(winner, factors)
    assert np.array_equal(loser.frozen(), winner.frozen())
    after = loser.play.snapshot()
    assert np.array_equal(before["environment"]["whole"], after["environment"]["whole"])
    assert before["environment"]["seed"] == after["environment"]["seed"]
    for name, factor in factors.items():
        assert loser.options[name] == pytest.approx(float(factor) * winner.options[name])
    assert winner.options == population(live)._members[1].options
    twin = winner.frozen().copy()
    learner.improve()
    assert not np.array_equal(loser.frozen(), winner.frozen()) or live["name"] == "QLearning"
    assert twin.shape == winner.frozen().shape


def test_a_copied_replay_is_whole():
    """In a one-shot game each action pays always the same: no transition may be of two members."""
    pytest.importorskip("torch")
    payoffs = np.array([[1, 1], [0, 0]])
    game = RepeatedGame(NormalFormGame.bimatrix(payoffs, payoffs.T), rounds=1)
    learner = PopulationTraining(
        batched(game, episodes=8, seed=1), live={"name": "DQN", "exploration": 1.0}, members=2,
        evolution=Evolution(every=10**6), rng=np.random.default_rng(1),
    )  # fmt: skip
    for _ in range(3):
        learner.improve()
    loser, winner = learner._members
    loser.succeed(winner, {})
    kept = loser.live.snapshot()["seats"][0]["replay"]["kept"]
    assert len(kept["actions"]) > 0
    assert np.array_equal(kept["rewards"][: len(kept["actions"])], 1.0 - kept["actions"])


@pytest.mark.parametrize(("option", "value"), [("discount", 0.95), ("step_size", 0.99)])
def test_an_option_that_would_leave_its_range_stays(option, value):
    live = {"name": "QLearning", option: value}
    evolution = Evolution(every=1, factors=(Fraction(6, 5),))
    learner = population(live, varies=(option,), evolution=evolution)
    for _ in range(2):
        metrics = learner.improve()
    assert {metrics[f"option/{option}/{member}"] for member in range(4)} == {value}


def test_snapshots_of_other_populations_are_refused():
    learner = population(members=3)
    with pytest.raises(InvalidArgument, match="a snapshot of 3 members, but got one of 4"):
        learner.restore(population(members=4).snapshot())
    with pytest.raises(InvalidArgument, match="a snapshot of 3 members"):
        learner.restore({})
    learner.improve()


def generators(snapshot, place=""):
    """Return where each generator of a snapshot stands, by place."""
    if not isinstance(snapshot, dict):
        parts, found = enumerate(snapshot), {}
    else:
        parts = snapshot.items()
        found = {place: repr(snapshot)} if "bit_generator" in snapshot else {}
    for key, part in parts:
        if isinstance(part, dict | list):
            found |= generators(part, f"{place}/{key}")
    return found


@pytest.mark.parametrize("name", OF_A_SEAT)
def test_copies_of_every_learner_keep_their_own_chance_and_episodes(name):
    live = {"name": name, **OPTIONS.get(name, {})}
    learner = population(live, members=2, evolution=Evolution(every=10**6))
    for _ in range(3):
        learner.improve()
    loser, winner = learner._members
    assert not np.array_equal(loser.frozen(), winner.frozen())
    before = loser.snapshot()
    loser.succeed(winner, {})
    assert np.array_equal(loser.frozen(), winner.frozen())
    after = loser.snapshot()
    assert len(generators(before)) > 1
    assert generators(after) == generators(before) != generators(winner.snapshot())
    assert repr(after["play"]) == repr(before["play"])
    learner.improve()


def test_only_what_belongs_to_episodes_is_kept():
    class Table(Kept):
        KEPT = ("values", "_rng")
        EPISODES = ("_rng",)
        values, _rng = 2, "own"

    class Whole(Kept):
        KEPT = ("tables", "turn", "steps")
        EPISODES = ("turn",)
        tables, turn, steps = (1, Table()), None, 3

    given = {"tables": [4, {"rng": "its", "values": 5}], "turn": "its", "steps": 6}
    expected = {"tables": [4, {"rng": "own", "values": 5}], "turn": None, "steps": 6}
    assert with_own_episodes(Whole(), given) == expected


def test_matches_leave_the_sum_of_ratings():
    learner = population(evolution=Evolution(every=10**6))
    for _ in range(5):
        metrics = learner.improve()
    ratings = [metrics[f"rating/{member}"] for member in range(4)]
    assert sum(ratings) == pytest.approx(4 * 1500)
    assert len(set(ratings)) > 1


def test_matches_against_oneself_do_not_count():
    learner = population(members=3)
    who = np.array([[LIVE], [2], [1]])  # member 1 meets itself twice, then member 0
    seats, returns = np.zeros(3, dtype=np.int64), np.zeros(3)
    learner._rate(1, Results(seats, who, np.array([[1.0], [1.0], [0.0]]), returns))
    assert learner._ratings.tolist() == [1516.0, 1484.0, 1500.0]


def test_evolution_happens_when_it_is_time():
    learner = population(evolution=Evolution(every=3, factors=(Fraction(2),)))
    made = [learner.improve() for _ in range(4)]
    steps = [[metrics[f"option/step_size/{member}"] for member in range(4)] for metrics in made]
    assert steps[1] == [0.5] * 4
    assert Counter(steps[2]) == {0.5: 3, 1.0: 1}
    assert steps[3] == steps[2]


@pytest.mark.parametrize("live", LIVES, ids=lambda live: live["name"])
def test_populations_go_on_bit_for_bit_through_evolution(live):
    whole, parts = population(live), population(live)
    for _ in range(3):
        whole.improve()
        parts.improve()
    kept = parts.snapshot()
    expected = [whole.improve() for _ in range(3)]
    anew = population(live, seed=2)
    anew.improve()
    anew = population(live)  # the environments' seeds are of the generator's
    anew.restore(kept)
    assert [anew.improve() for _ in range(3)] == expected
    for one, other in zip(whole.menagerie, anew.menagerie, strict=True):
        assert np.array_equal(one, other)


def test_policies_are_of_the_best():
    learner = population()
    for _ in range(3):
        learner.improve()
    best = int(np.argmax(learner._ratings))
    table = learner._members[best].frozen()
    policy = learner.policies()[0]
    first = [policy[((),)][throw] for throw in ("rock", "paper", "scissors")]
    assert np.allclose([float(weight) for weight in first], table[0], atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"members": 1}, "members"),
        ({"seat": 2}, "seat"),
        ({"seat": "a"}, "seat"),
        ({"sampling": "elo"}, "sampling to be one, such as EloKernel.*Kinds are Naive, Delta"),
        ({"sampling": MetaGame()}, "no meta-game"),
        ({"sampling": CoarseCorrelated()}, "no meta-game"),
        ({"evolution": None}, "evolution"),
        ({"varies": ("stepsize",)}, "'stepsize' in live"),
        ({"varies": ("step_size",) * 2}, "varies: needs each option .* once, but got 'step_size'"),
        ({"live": {"name": "QLearning"}, "varies": ("step_size",)}, "'step_size' in live"),
        ({"live": {"name": "RegretLearner"}, "varies": ()}, "plays one seat in batches"),
        ({"live": {"name": "PopulationTraining"}, "varies": ()}, "plays all seats"),
        ({"live": {}, "varies": ()}, "live.name: needs the name of a learner"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        population(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": 0}, "every"),
        ({"share": 0.6}, "at most 1/2"),
        ({"share": 0}, "share"),
        ({"factors": ()}, "at least one"),
        *(
            ({"factors": (1, factor)}, r"Evolution: needs a finite factors\[1\] above 0, but got")
            for factor in (0, -1, "6/5", "twice", np.nan, np.inf, True, None)
        ),
    ],
)
def test_an_evolution_that_makes_no_sense_is_refused(options, message):
    with pytest.raises(InvalidArgument, match=message):
        Evolution(**options)


@pytest.mark.parametrize(
    ("ratings", "options", "message"),
    [
        (None, 1, "laws: needs ratings to be a sequence"),
        ("abc", 1, "laws: needs ratings to be a sequence"),
        (("a", "b"), 1, r"a finite ratings\[0\], but got 'a'"),
        ((1.0, np.nan), 1, r"a finite ratings\[1\], but got nan"),
        ((1.0,), 1, "ratings of two members or more"),
        *(((1.0, 2.0), options, "options") for options in (-1, "x", None, 0.5, True)),
    ],
)
def test_successions_among_what_has_no_order_are_refused(ratings, options, message):
    with pytest.raises(InvalidArgument, match=message):
        Evolution().laws(ratings, options=options)
