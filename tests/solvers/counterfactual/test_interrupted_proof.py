"""A run that is interrupted while its answer is being proved keeps what it has played."""

import pytest

from gametheory_core import load_game
from solvers import counterfactual_regret
from solvers.counterfactual import full_width


@pytest.mark.parametrize(
    ("name", "proof"),
    [("kuhn_poker", "certify_minimax"), ("beer_quiche", "certify_extensive_correlated")],
)
def test_state_survives_an_interrupted_proof(monkeypatch, name, proof):
    game = load_game(name)

    def interrupted(*_arguments, **_options):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(full_width, proof, interrupted)
        with pytest.raises(KeyboardInterrupt, match=r"^$") as caught:
            counterfactual_regret(game, steps=40)
    assert caught.value.state.steps == 40
    rest = counterfactual_regret(game, steps=10, start=caught.value.state)
    assert rest.profile == counterfactual_regret(game, steps=50).profile
