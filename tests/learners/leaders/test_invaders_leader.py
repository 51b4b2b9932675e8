"""Meta-RL in Space Invaders, on a toy machine: what is learned, judged, kept and refused."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame, load_game
from gametheory_core.catalog import BilateralTrade, Buying
from learners.adapters import Gunner, InvadersOptions
from learners.experiments import Status, config_from, run
from learners.leaders import InvadersTrade, Leads, TradePPO, TradeQ, invaders_leader
from tests.learners.adapters.toy_console import ToyConsole

GAME = BilateralTrade(Buying.HIGHEST_PRICE, bullets=3, steps=3, arrival=100, hits=100, buyer=90)
PLAY = InvadersOptions(least_gap=60, most_gap=70, tail=60)
QUICK = {
    "follower": TradeQ(iterations=8, episodes=15, step_size=0.2),
    "leader": TradeQ(iterations=4, episodes=15, step_size=0.2),
    "play": PLAY,
    "machines": 1,
    "judged_by": 2,
}


@pytest.fixture(autouse=True, scope="module")
def _toy():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(invaders_leader, "AtariConsole", ToyConsole)
        yield


def made(seed=0, game=GAME, **options):
    return InvadersTrade(game, rng=np.random.default_rng(seed), **{**QUICK, **options})


@pytest.mark.parametrize(("leads", "price"), [(Leads.SELLER, 0.75), (Leads.BUYER, 0.25)])
def test_who_leads_learns_to_take_the_gains_from_trade(leads, price):
    """On a machine whose shots all hit: the returns of the exact game, which is judged beside."""
    learner = made(leads=leads)
    phases = [learner.improve()["phase"] for _ in range(learner.iterations)]
    assert phases == [1.0] * 8 + [2.0] * 4
    found = learner.appraisal()
    assert found["price"] == price
    assert found["return/seller"] == pytest.approx(3 * price)
    assert found["return/seller"] == pytest.approx(float(found["model return/seller"]))
    assert found["return/buyer"] == pytest.approx(float(found["model return/buyer"]))
    standings = {own.name: own.standing.value for own in found.findings}
    assert standings["return/seller"] == "sampled"
    assert standings["model return/seller"] == "exact"
    assert found["trade rate"] == 1
    assert found.method.startswith("SAMPLED, an estimate from 2 episodes of Space Invaders")


@pytest.mark.parametrize("done", [3, 9])
def test_a_snapshot_goes_on_bit_for_bit_in_each_phase(done):
    first, second = made(), made()
    for _ in range(done):
        first.improve()
    second.restore(first.snapshot())
    assert first.improve() == second.improve()


def test_networks_learn_to_move_and_trade_and_go_on_bit_for_bit():
    pytest.importorskip("torch").set_num_threads(1)
    ppo = TradePPO(iterations=1, steps=30, hidden=(8,), epochs=1, minibatches=1)
    play = InvadersOptions(gunner=Gunner.LEARNED, least_gap=60, most_gap=70, most_frames=300)
    first, second = (made(follower=ppo, leader=ppo, play=play) for _ in range(2))
    assert first.improve()["learner/environment steps"] == 30
    second.restore(first.snapshot())
    assert first.improve() == second.improve()
    assert first.appraisal()["return/seller"] == second.appraisal()["return/seller"]


@pytest.mark.parametrize("leads", Leads)
def test_policies_are_of_both_players_in_order(leads):
    for player, policy in enumerate(made(leads=leads).policies()):
        (said, weight), *others = policy[(0,)].items
        assert said in GAME.legal_actions(player, (0, True))
        assert (weight, others) == (1, [])


def test_a_table_cannot_learn_to_shoot():
    with pytest.raises(UnsupportedGame, match="number"):
        made(play=InvadersOptions(gunner=Gunner.LEARNED))


def test_other_games_are_refused():
    with pytest.raises(InvalidArgument, match="game to be of type BilateralTrade, but got Tiger"):
        made(game=load_game("tiger"))


def test_a_file_trains_judges_and_resumes(tmp_path):
    def config(iterations):
        learner = {"name": "InvadersTrade", "leads": "buyer", "judged_by": 2}
        learner |= {"follower": {"kind": "TradeQ", "iterations": 2, "episodes": 2}}
        learner |= {"leader": {"kind": "TradeQ", "iterations": 2, "episodes": 2}}
        learner |= {"play": {"least_gap": 60, "most_gap": 70}}
        game = {"name": "bilateral_trade", "parameters": {"bullets": 3}}
        training = {"iterations": iterations, "checkpoint_every": 1}
        record = {"game": game, "learner": learner, "training": training, "output": str(tmp_path)}
        return config_from(record, path="it")

    assert run(config(3), 1).iterations == 3
    found = run(config(4), 1)
    assert found.status is Status.FINISHED
    assert {"return/seller", "model return/buyer"} <= {own.name for own in found.findings}
    assert found.path.endswith("bilateral_trade/InvadersTrade/seed-1.jsonl")
