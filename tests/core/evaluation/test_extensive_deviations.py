"""Deviations from a mediator, against plays walked one by one and against mediated trees."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.evaluation import ExtensiveCorrelation, distance_to
from gametheory_core.evaluation import triggers as mixture_plans
from gametheory_core.evaluation.extensive_deviations import mixture_payoffs
from gametheory_core.games import CHANCE
from gametheory_core.strategies import behavioral_mixture
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from tests.core.naive_trees import histories
from tests.plan_pairs import Deviation, deviations, payoffs
from tests.sample_sizes import examples

KINDS = list(ExtensiveCorrelation)
TREES = extensive_form_games(
    num_players=(1, 3), max_moves=7, kinds=(PayoffKind.GENERIC, PayoffKind.RATIONAL)
)


@st.composite
def pure_mixtures(draw, game, *, most=3):
    sizes = [len(s.actions) for s in game.infosets[: game.num_decision_infosets]]
    plans = [
        tuple(draw(st.integers(0, n - 1)) for n in sizes) for _ in range(draw(st.integers(1, most)))
    ]
    weights = [draw(st.integers(1, 4)) for _ in plans]
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    return (
        plans,
        shares,
        behavioral_mixture([gt.pure_behavior(game, p) for p in plans], weights=shares),
    )


def reduced(game, plan):
    """Mark with -1 the actions that the plan's own choices rule out."""
    out = list(plan)
    for history in histories(game):
        infoset = history.infoset
        if infoset < 0 or game.infosets[infoset].player == CHANCE:
            continue
        player = game.infosets[infoset].player
        own = [step for step in history.steps if game.infosets[step[0]].player == player]
        if any(plan[s] != a for s, a in own):
            out[infoset] = -1
    return tuple(out)


def naive_gain(game, plans, shares, deviation):
    """Return what a deviation gains, play by play."""
    total = Fraction(0)
    for plan, share in zip(plans, shares, strict=True):
        told = reduced(game, plan)
        swapped = list(plan)
        for s, a in enumerate(deviation.applied(told)):
            if a != told[s]:
                swapped[s] = a
        after, before = payoffs(game, swapped), payoffs(game, plan)
        total += share * (after[deviation.player] - before[deviation.player])
    return total


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(data=st.data())
def test_the_best_trigger_gains_what_the_best_of_all_deviations_gains(kind, data):
    game = data.draw(TREES)
    assume(len(every := deviations(game, kind)) <= 300)
    plans, shares, mixture = data.draw(pure_mixtures(game))
    found = distance_to(game, mixture, kind=kind)
    best = {i: [] for i in range(game.num_players)}
    for deviation in every:
        best[deviation.player].append(naive_gain(game, plans, shares, deviation))
    for own in found.players:
        gains = best[own.player]
        if own.best_trigger is None:
            assert not own.gain
            continue
        assert own.best_trigger.gain == max(gains)
        assert own.gain >= max(0, *gains)
        assert own.best_trigger.gain == naive_gain(game, plans, shares, replayed(own.best_trigger))


def replayed(trigger):
    """Turn a witness into a deviation that can be played; what it leaves open is not reached."""
    return Deviation(trigger.player, trigger.recommended, trigger.continuation)


def mediated_tree(game, plans, shares, player, kind):
    """Lay out what one player faces who may leave the mediator at any time, others obeying."""
    seen_first = kind is ExtensiveCorrelation.EXTENSIVE

    def play(node, plan, known, alone, paid):
        outcome = int(game.node_outcome[node])
        if outcome >= 0:
            paid += game.outcomes[outcome].payoffs[player]
        infoset = int(game.node_infoset[node])
        if infoset < 0:
            return gt.Terminal([paid])
        record, child = game.infosets[infoset], int(game.first_child[node])

        def after(action, known, alone):
            return play(child + action, plan, known, alone, paid)

        if record.player == CHANCE:
            return gt.Chance(
                {f"c{a}": (p, after(a, known, alone)) for a, p in enumerate(record.probabilities)}
            )
        told = plan[infoset]
        if record.player != player:
            return after(told, known, alone)
        rest = range(len(record.actions))
        if alone:
            knows = (*known, (infoset, "alone"))
            return gt.Decision(0, knows, {f"a{a}": after(a, (*knows, a), True) for a in rest})
        knows = (*known, (infoset, told if seen_first else "unseen"))
        leave = {f"a{a}": after(a, (*knows, "left", a), True) for a in rest}
        obey = {"obey": after(told, (*known, (infoset, told)), False)}
        return gt.Decision(0, knows, {**obey, **leave})

    root = gt.Chance(
        {
            f"p{k}": (share, play(0, plan, (), False, Fraction(0)))
            for k, (plan, share) in enumerate(zip(plans, shares, strict=True))
        }
    )
    return gt.from_sketch(root, players=("Deviator",))


@pytest.mark.parametrize(
    "kind",
    [ExtensiveCorrelation.EXTENSIVE, ExtensiveCorrelation.EXTENSIVE_COARSE],
    ids=lambda kind: kind.name,
)
@given(data=st.data())
def test_the_largest_gain_is_that_of_a_best_response_to_the_mediator(kind, data):
    game = data.draw(TREES)
    plans, shares, mixture = data.draw(pure_mixtures(game))
    found = distance_to(game, mixture, kind=kind)
    for own in found.players:
        tree = mediated_tree(game, plans, shares, own.player, kind)
        best = gt.best_response(tree, gt.uniform_behavior(tree), player=0).value
        assert own.gain == best - found.payoffs[own.player]


@given(st.data())
def test_a_single_profile_is_as_far_as_it_is_from_nash(data):
    game = data.draw(TREES)
    profile = data.draw(behavioral_profiles(game))
    mixture = behavioral_mixture([profile])
    gains = gt.deviation_gains(game, profile).tolist()
    for kind in KINDS[:3]:  # the draws are independent, so recommendations tell nothing of others
        found = distance_to(game, mixture, kind=kind)
        assert [own.gain for own in found.players] == gains
        assert list(found.payoffs) == gt.expected_payoffs(game, profile).tolist()


def expanded(game, mixture):
    """Write a mixture as one of pure profiles."""
    plans, shares = [], []
    for weight, profile in zip(mixture.weights, mixture.profiles, strict=True):
        for plan in product(*(range(len(vector)) for vector in profile.probabilities)):
            share = weight
            for vector, action in zip(profile.probabilities, plan, strict=True):
                share *= vector[action]
            if share:
                plans.append(gt.pure_behavior(game, plan))
                shares.append(share)
    return behavioral_mixture(plans, weights=shares)


@given(st.data())
def test_a_mixture_is_as_far_as_the_pure_profiles_that_it_draws(data):
    game = data.draw(extensive_form_games(num_players=(1, 3), max_moves=5))
    profiles = [data.draw(behavioral_profiles(game)) for _ in range(2)]
    mixture = behavioral_mixture(profiles, weights=["2/7", "5/7"])
    assume(len((pure := expanded(game, mixture)).weights) <= 60)
    for kind in KINDS[:3]:
        found, same = distance_to(game, mixture, kind=kind), distance_to(game, pure, kind=kind)
        assert found.payoffs == same.payoffs == mixture_payoffs(game, mixture)
        assert [own.gain for own in found.players] == [own.gain for own in same.players]


@given(st.data())
def test_more_knowledge_never_gains_less(data):
    game = data.draw(TREES)
    _, _, mixture = data.draw(pure_mixtures(game, most=4))
    order = (
        ExtensiveCorrelation.NORMAL_FORM_COARSE,
        ExtensiveCorrelation.EXTENSIVE_COARSE,
        ExtensiveCorrelation.EXTENSIVE,
        ExtensiveCorrelation.NORMAL_FORM,
    )
    found = [distance_to(game, mixture, kind=kind) for kind in order]
    for player in range(game.num_players):
        gains = [distance.players[player].gain for distance in found]
        assert gains == sorted(gains)
    assert found[0].epsilon <= found[0].total


@examples(15)
@given(st.data())
def test_long_denominators_change_nothing(data):
    game = data.draw(TREES)
    profiles = [data.draw(behavioral_profiles(game)) for _ in range(2)]
    mixture = behavioral_mixture(profiles, weights=["1/3", "2/3"])
    with pytest.MonkeyPatch.context() as patch:
        before = [distance_to(game, mixture, kind=kind) for kind in KINDS[:3]]
        patch.setattr(mixture_plans, "MOST_BITS", 0)
        assert [distance_to(game, mixture, kind=kind) for kind in KINDS[:3]] == before


def test_payoffs_beyond_machine_integers_are_exact():
    huge = 10**40
    root = gt.Decision(
        0, "", {"l": gt.Terminal([huge, 0]), "r": gt.Terminal([huge + 1, Fraction(1, 3)])}
    )
    game = gt.from_sketch(root, players=("A", "B"))
    left = behavioral_mixture([gt.pure_behavior(game, (0,))])
    found = distance_to(game, left, kind=ExtensiveCorrelation.EXTENSIVE)
    assert found.epsilon == 1
    assert found.payoffs == (huge, 0)
    assert found.witness.continuation == ((0, 1),)
    assert found.players[1].best_trigger is None


def test_a_game_of_one_node_has_no_deviations():
    game = gt.from_sketch(gt.Terminal([3, "1/2"]), players=("A", "B"))
    mixture = behavioral_mixture([gt.uniform_behavior(game)])
    for kind in KINDS:
        found = distance_to(game, mixture, kind=kind)
        assert (found.epsilon, found.witness) == (0, None)
        assert found.payoffs == (3, Fraction(1, 2))


def test_what_cannot_be_measured_is_refused():
    kuhn, driver = gt.load_game("kuhn_poker"), gt.load_game("forgetful_bit")
    uniform = behavioral_mixture([gt.uniform_behavior(kuhn)])
    kind = ExtensiveCorrelation.NORMAL_FORM
    with pytest.raises(
        gt.InvalidStrategy, match="needs pure profiles where players are told whole"
    ):
        distance_to(kuhn, uniform, kind=kind)
    with pytest.raises(gt.UnsupportedGame, match="needs perfect recall, but player 'Forgetful'"):
        distance_to(driver, behavioral_mixture([gt.uniform_behavior(driver)]), kind=kind)
    with pytest.raises(gt.InvalidArgument, match="kind"):
        distance_to(kuhn, uniform, kind="extensive")
    with pytest.raises(gt.InvalidArgument, match="mixture"):
        distance_to(kuhn, gt.uniform_behavior(kuhn), kind=kind)
    with pytest.raises(gt.InvalidStrategy, match="information sets"):
        distance_to(gt.load_game("one_card_poker"), uniform, kind=KINDS[0])
