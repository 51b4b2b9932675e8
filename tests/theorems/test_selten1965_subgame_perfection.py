"""Selten 1965: trees with perfect recall have equilibria that are equilibria in every subgame.

Every generated tree of two players, with chance, hidden moves and ties, has one, found and checked
in rationals without tolerance; it is a Nash equilibrium of the whole tree. Twins: a Nash
equilibrium need not be an equilibrium of a subgame (entry deterrence, the ultimatum game); without
perfect recall there may be no equilibrium in behavioral strategies at all.

Why it matters (trees): It rules out threats that would not be carried out, and exists wherever
nobody forgets.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.certificates import certify_subgame_perfect
from gametheory_core.evaluation import subgame_deviations
from gametheory_core.games import has_perfect_recall, subgame, subgame_roots
from gametheory_core.strategies import restricted_profile
from gametheory_core.testing import extensive_form_games
from solvers import subgame_perfect

theorem = pytest.mark.theorem(
    source="Selten 1965",
    statement="A tree with perfect recall has an equilibrium that is one in every subgame.",
)


@theorem
@given(extensive_form_games(num_players=(1, 2), max_depth=5, max_moves=12))
def test_every_tree_has_an_equilibrium_of_all_subgames(game):
    solution = subgame_perfect(game)
    solution.certificate.verify()
    for root in subgame_roots(game).tolist():
        part = subgame(game, root)
        assert gt.certify_nash(part.game, restricted_profile(part, solution.profile)).epsilon == 0


@theorem
@given(extensive_form_games(num_players=(2, 3), max_depth=3, max_moves=6))
def test_subgame_perfect_profiles_are_nash(game):
    """All pure profiles of small trees: no gain in any subgame leaves none in the whole tree."""
    counts = [range(len(s.actions)) for s in game.infosets[: game.num_decision_infosets]]
    for actions in list(product(*counts))[:64]:
        profile = gt.pure_behavior(game, actions)
        if not subgame_deviations(game, profile).gains.any():
            assert gt.certify_nash(game, profile).epsilon == 0


def entry():
    answer = gt.Decision(
        1, "entered", {"fight": gt.Terminal([-1, 0]), "share": gt.Terminal([1, 1])}
    )
    root = gt.Decision(0, "start", {"out": gt.Terminal([0, 2]), "in": answer})
    return gt.from_sketch(root, players=("Entrant", "Incumbent"))


def ultimatum():
    def answer(offer):
        paid = {"accept": gt.Terminal([3 - offer, offer]), "reject": gt.Terminal([0, 0])}
        return gt.Decision(1, f"offered {offer}", paid)

    root = gt.Decision(0, "start", {str(offer): answer(offer) for offer in (0, 1, 2)})
    return gt.from_sketch(root, players=("Proposer", "Responder"))


@theorem
@pytest.mark.parametrize(
    ("game", "actions", "message"),
    [
        (entry(), (0, 0), "'share' pays 1, while the profile gets 0"),
        (ultimatum(), (2, 1, 1, 0), "'accept' pays 1, while the profile gets 0"),
    ],
)
def test_nash_equilibria_may_rest_on_empty_threats(game, actions, message):
    threat = gt.pure_behavior(game, actions)
    assert gt.certify_nash(game, threat).epsilon == 0
    with pytest.raises(gt.CertificateRejected, match=message):
        certify_subgame_perfect(game, threat)
    certify_subgame_perfect(game, subgame_perfect(game).profile)


def forgotten_choice():
    """Ann chooses twice, forgetting the first choice, and must not differ from herself.

    Bob, who sees nothing, wins if he guesses what she does. She would have to mix two plans, which
    she cannot do by choices independent of each other.
    """

    def paid(first, second, guess):
        if first != second:
            return gt.Terminal([-5, 5])
        return gt.Terminal([-1, 1] if guess == first else [1, -1])

    def guessed(first, second):
        return gt.Decision(1, "blind", {g: paid(first, second, g) for g in "LR"})

    def again(first):
        return gt.Decision(0, "forgotten", {b: guessed(first, b) for b in "LR"})

    root = gt.Decision(0, "start", {a: again(a) for a in "LR"})
    return gt.from_sketch(root, players=("Ann", "Bob"))


@theorem
def test_without_recall_there_may_be_no_equilibrium_at_all():
    """Ann's best replies are LL and RR only, and Bob's guess makes neither of them one.

    Her payoff is linear in each of her two probabilities, so a best reply that mixes would need a
    pure one that differs from itself to be best as well.
    """
    game = forgotten_choice()
    assert not has_perfect_recall(game)
    for share in (Fraction(k, 12) for k in range(13)):
        guess = [share, 1 - share]
        values = {}
        for first, second in product(range(2), repeat=2):
            sure = [[1 - a, a] for a in (first, second)]
            profile = gt.BehavioralProfile((*sure, guess))
            values[first, second] = gt.expected_payoffs(game, profile)[0]
        best = {plan for plan, value in values.items() if value == max(values.values())}
        assert best <= {(0, 0), (1, 1)}
    for choice in range(2):
        replies = [
            gt.expected_payoffs(game, gt.pure_behavior(game, (choice, choice, g))) for g in (0, 1)
        ]
        assert replies[choice][1] > replies[1 - choice][1]
        stays = gt.expected_payoffs(game, gt.pure_behavior(game, (choice, choice, choice)))[0]
        leaves = gt.expected_payoffs(
            game, gt.pure_behavior(game, (1 - choice, 1 - choice, choice))
        )[0]
        assert leaves > stays
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall, but player 'Ann' forgets"):
        subgame_perfect(game)
