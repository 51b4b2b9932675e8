"""The laws of rules hold on drawn games and in the catalogue, and notice planted bugs."""

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame, expected_returns, load_game
from gametheory_core.conversions import aec_from_tables, posg_from_tables
from gametheory_core.distributions import Distribution, point_mass, push_forward, uniform
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation import aec_trajectories, best_response_returns, posg_trajectories
from gametheory_core.games import CHANCE, NULL, TabularPOSG
from gametheory_core.games.table_content import Kernel
from gametheory_core.testing import (
    aecs,
    aecs_with_absences,
    check_aec,
    check_posg,
    posgs,
    posgs_with_absences,
    rule_laws,
)
from tests.laws.changed_rules import Changed
from tests.sample_sizes import examples

SEEDS = st.integers(0, 2**16)
SOME = examples(20)


def seeded(seed=0):
    return np.random.default_rng(seed)


@SOME
@given(posgs() | posgs_with_absences(), SEEDS)
def test_drawn_posgs_obey_their_laws(game, seed):
    check_posg(game, rng=seeded(seed), num_profiles=1)


@SOME
@given(aecs() | aecs_with_absences(), SEEDS)
def test_drawn_aec_games_obey_their_laws(game, seed):
    check_aec(game, rng=seeded(seed), num_profiles=1, moves=3)


@pytest.mark.parametrize("name", ["tiger", "cleanup_random_order", "public_coin", "steady_pay"])
def test_posgs_of_the_catalogue_obey_their_laws(name):
    check_posg(load_game(name), rng=seeded(), steps=1)


@pytest.mark.parametrize("name", ["random_order_team", "seen_choice", "fair_payment"])
def test_aec_games_of_the_catalogue_obey_their_laws(name):
    check_aec(load_game(name), rng=seeded())


# A POSG: Ann bets or not on a card that she sees; Bob sees whether she did, and must follow

POSG = posg_from_tables(
    players=["Ann", "Bob"],
    actions=[["bet", "pass"], ["call", "wait"]],
    initial={"low": "1/3", "high": "2/3"},
    initial_observations={"low": {("L", NULL): 1}, "high": {("H", NULL): 1}},
    transitions={
        (card, (own, "wait")): {"end": "1/2", card: "1/2"}
        for card, own in (("low", "pass"), ("high", "bet"), ("high", "pass"))
    },
    rewards={("high", ("bet", "wait"), "end"): (3, -1), ("high", ("bet", "wait"), "high"): (1, 1)},
    observations={
        (("pass", "wait"), "low"): {("L", NULL): 1},
        (("pass", "wait"), "high"): {("H", NULL): 1},
        (("bet", "wait"), "high"): {("H", NULL): 1},
    },
    legal_actions={(0, "L"): ["pass"], (1, NULL): ["wait"]},
    terminal=["end"],
    discount="1/2",
    title="Bet",
)
# An AEC game: chance deals, Ann bets or passes, and so on until chance ends it
AEC = aec_from_tables(
    players=["Ann", "Bob"],
    actions=[["bet", "pass"], ["call"]],
    initial_state="deal",
    chances={"deal": {"low": "1/3", "high": "2/3"}, "bet": {"end": "1/2", "high": "1/2"}},
    moves={(0, "low", "pass"): "end", (0, "high", "bet"): "bet", (0, "high", "pass"): "end"},
    turns={
        ("deal", CHANCE, NULL, "low"): {0: 1},
        ("deal", CHANCE, NULL, "high"): {0: 1},
        ("high", 0, "bet", "bet"): {CHANCE: 1},
        ("bet", CHANCE, NULL, "high"): {0: 1},
    },
    rewards={
        ("high", 0, "bet", "bet"): {(3, -1): "1/2", (1, 1): "1/2"},
        ("bet", CHANCE, NULL, "end"): (2, 0),
    },
    observations={(0, "low"): {"L": 1}, (0, "high"): {"H": 1}},
    legal_actions={(0, "L"): ["pass"]},
    terminal=["end"],
    discount="1/2",
    title="Deal",
)


def test_the_games_that_bugs_are_planted_in_obey_the_laws():
    check_posg(POSG, rng=seeded(), steps=3)
    check_posg(Changed(POSG), rng=seeded())
    check_aec(AEC, rng=seeded())
    check_aec(Changed(AEC), rng=seeded())


def by_turns(*answers):
    """Answer differently each time."""
    calls = count()
    return lambda *_: answers[next(calls) % len(answers)]


def differently(usual, other, *, call):
    """Answer as usual, but for one call."""
    calls = count(1)
    return lambda *asked: other if next(calls) == call else usual(*asked)


def reward(paid):
    return lambda *_: paid


NAN = float("nan")
BOTH_BUGS = {
    "a float discount": ({"discount": 0.5}, "needs an exact discount"),
    "a discount above one": ({"discount": Fraction(3, 2)}, r"Fraction in \[0, 1\]"),
    "a negative horizon": ({"horizon": -1}, "needs a horizon of at least 0"),
    "a horizon of True": ({"horizon": True}, "needs a horizon of at least 0"),
    "no title": ({"title": None}, "needs a title"),
    "an end that is nearly false": ({"is_terminal": lambda s: s == "end" or None}, "True or False"),
    "no actions": ({"legal_actions": lambda *_: ()}, "at least one action, but is"),
    "an action twice": ({"legal_actions": lambda *_: ("pass", "pass")}, "different actions"),
    "a list of actions": ({"legal_actions": lambda *_: ["pass"]}, "needs a tuple of at least one"),
}
POSG_BUGS = {
    "NaN paid": ({"reward": reward((NAN, 0))}, r"reward\('\w+', .*'Ann': needs a finite number"),
    "one reward too few": ({"reward": reward((1,))}, "needs a tuple of 2 rewards"),
    "rewards that change": (
        {"reward": by_turns((1, 1), (1, 2), (1, 3))},
        r"reward\(.*needs the same answer .*is \(1, \d\) and then \(1, \d\)",
    ),
    "no law": ({"transition": lambda *_: "end"}, r"transition\(.*needs a Distribution, but is"),
    "weights above one": (
        {"transition": lambda *_: Distribution((("end", Fraction(3, 4)), ("low", Fraction(1, 2))))},
        "weights that sum to exactly 1",
    ),
    "an unsteady transition": (
        {"transition": by_turns(point_mass("end"), uniform(["end", "high"]))},
        r"transition\(.*needs the same answer to the same question",
    ),
    "an unsteady start": (
        {"initial": by_turns(POSG.initial(), POSG.initial(), point_mass("high"))},
        r"initial\(\): needs the same answer",
    ),
    "an observation too long": (
        {"observation": lambda *_: point_mass(("H", NULL, NULL))},
        "needs a tuple with an observation for each of 2 players",
    ),
    "an unsteady observation": (
        {"observation": differently(POSG.observation, point_mass(("H", "?")), call=5)},
        r"observation\(.*needs the same answer",
    ),
    "a list for a state": (
        {"transition": lambda *_: point_mass(["end"])},
        "needs hashable labels, but one is",
    ),
}


@pytest.mark.parametrize(
    ("bug", "message"), (BOTH_BUGS | POSG_BUGS).values(), ids=BOTH_BUGS | POSG_BUGS
)
def test_planted_bugs_in_a_posg_break_its_laws(bug, message):
    with pytest.raises(LawBroken, match=message):
        check_posg(Changed(POSG, **bug), rng=seeded())


AEC_BUGS = {
    "NaN paid": ({"reward": lambda *_: point_mass((NAN, 0))}, "'Ann': needs a finite number"),
    "one reward too few": ({"reward": lambda *_: point_mass((1,))}, "needs a tuple of 2 rewards"),
    "a bare reward": ({"reward": reward((1, 1))}, r"reward\(.*needs a Distribution, but is"),
    "an unsteady reward": (
        {"reward": by_turns(point_mass((1, 1)), point_mass((1, 2)))},
        r"reward\(.*needs the same answer",
    ),
    "a random move": ({"move": lambda *_: uniform(["bet", "end"])}, "needs one state, but gives"),
    "an unsteady move": ({"move": by_turns("bet", "end")}, r"move\(.*needs the same answer"),
    "an unknown mover": (
        {"next_player": lambda *_: point_mass(2)},
        r"movers in -1 \(chance\)\.\.1",
    ),
    "an unsteady turn": (
        {"next_player": differently(AEC.next_player, point_mass(1), call=6)},
        r"next_player\(.*needs the same answer",
    ),
    "an unsteady view": (
        {"observation": differently(AEC.observation, point_mass("?"), call=4)},
        r"observation\(0, '\w+'\): needs the same answer",
    ),
    "unsteady chances": (
        {"chance": differently(AEC.chance, point_mass("end"), call=3)},
        r"chance\('\w+'\): needs the same answer",
    ),
}


@pytest.mark.parametrize(
    ("bug", "message"), (BOTH_BUGS | AEC_BUGS).values(), ids=BOTH_BUGS | AEC_BUGS
)
def test_planted_bugs_in_an_aec_game_break_its_laws(bug, message):
    with pytest.raises(LawBroken, match=message):
        check_aec(Changed(AEC, **bug), rng=seeded())


def test_legal_actions_that_depend_on_the_hidden_state_break_the_law():
    """The rules remember which state they were last asked about."""
    last = ["high"]

    def transition(state, joint):
        last[0] = state
        return POSG.transition(state, joint)

    def legal_actions(player, seen):
        return (
            ("wait", "call")
            if (player, last[0]) == (1, "low")
            else POSG.legal_actions(player, seen)
        )

    leaky = Changed(POSG, transition=transition, legal_actions=legal_actions)
    with pytest.raises(LawBroken, match=r"legal_actions\(1, NULL\): needs the same answer"):
        check_posg(leaky, rng=seeded())


# Dataclasses that are no values


@dataclass
class Thawed:
    game: object

    def __getattr__(self, name):
        if name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)


@dataclass(frozen=True)
class Unhashable(Thawed.__mro__[1]):
    game: object
    notes: list

    __getattr__ = Thawed.__getattr__


@dataclass(frozen=True, eq=False)
class Unequal:
    game: object

    __getattr__ = Thawed.__getattr__


@pytest.mark.parametrize(
    ("wrap", "message"),
    [
        (Thawed, "needs a frozen dataclass"),
        (lambda game: Unhashable(game, []), "needs to be hashable and to pickle, but: unhashable"),
        (Unequal, "must equal its pickled copy"),
    ],
    ids=["not frozen", "not hashable", "not equal"],
)
def test_dataclasses_that_are_no_values_break_the_law(wrap, message):
    with pytest.raises(LawBroken, match=message):
        check_posg(wrap(POSG), rng=seeded())
    with pytest.raises(LawBroken, match=message):
        check_aec(wrap(AEC), rng=seeded())


# Evaluation that does not add up


def shifted(function, *, by):
    return lambda *asked, **options: function(*asked, **options) + by


def half(follow):
    """Lose half of the probability of every play."""

    class Lost:
        def __init__(self, law):
            self.items = tuple((play, weight / 2) for play, weight in law.items)

    return lambda *asked, **options: Lost(follow(*asked, **options))


def going_on(follow):
    """Do not notice ends of play."""

    def unending(game, profile):
        return follow(Changed(game, is_terminal=lambda _: False, horizon=1), profile)

    return unending


EVALUATION_BUGS = {
    "returns": ("expected_returns", shifted(expected_returns, by=1), "returns are averages"),
    "best responses": (
        "best_response_returns",
        shifted(best_response_returns, by=-5),
        "no policy gains more than a best response",
    ),
}


@pytest.mark.parametrize(
    ("name", "wrong", "message"), EVALUATION_BUGS.values(), ids=EVALUATION_BUGS
)
def test_wrong_evaluation_breaks_the_laws(monkeypatch, name, wrong, message):
    monkeypatch.setattr(rule_laws, name, wrong)
    with pytest.raises(LawBroken, match=message):
        check_posg(POSG, rng=seeded())
    with pytest.raises(LawBroken, match=message):
        check_aec(AEC, rng=seeded())


def test_plays_that_lose_probability_break_the_laws(monkeypatch):
    monkeypatch.setattr(rule_laws, "posg_trajectories", half(posg_trajectories))
    monkeypatch.setattr(rule_laws, "aec_trajectories", half(aec_trajectories))
    with pytest.raises(LawBroken, match="plays must sum to 1, but sum to 1/2"):
        check_posg(POSG, rng=seeded())
    with pytest.raises(LawBroken, match="plays must sum to 1, but sum to 1/2"):
        check_aec(AEC, rng=seeded())


def test_plays_cut_short_break_the_laws(monkeypatch):
    monkeypatch.setattr(rule_laws, "posg_trajectories", going_on(posg_trajectories))
    with pytest.raises(LawBroken, match="plays end in the first terminal state, or after 2 steps"):
        check_posg(POSG, rng=seeded())


def lingering(follow):
    """Let plays stay one more step in the terminal state."""

    def stay(play):
        last = play.steps[-1]._replace(state=play.final_state, rewards=(0, 0))
        return play._replace(steps=(*play.steps, last)) if play.final_state == "end" else play

    return lambda *asked: push_forward(follow(*asked), stay)


def test_plays_that_go_on_from_an_end_break_the_laws(monkeypatch):
    monkeypatch.setattr(rule_laws, "posg_trajectories", lingering(posg_trajectories))
    with pytest.raises(LawBroken, match="plays end in the first terminal state, or after 2 steps"):
        check_posg(POSG, rng=seeded())


def test_plays_that_chance_does_not_begin_break_the_laws(monkeypatch):
    def headless(follow):
        return lambda *asked: push_forward(
            follow(*asked), lambda play: play._replace(moves=(None, *play.moves[1:])[1:])
        )

    monkeypatch.setattr(rule_laws, "aec_trajectories", headless(aec_trajectories))
    monkeypatch.setattr(rule_laws, "_check_ends", lambda *_: None)
    with pytest.raises(LawBroken, match="chance moves first, and its action is NULL, but not in"):
        check_aec(AEC, rng=seeded())


def test_answers_are_asked_again_where_no_play_is_followed():
    questions = set()

    def reward(*question):
        """Answer differently from the second time on."""
        again = question in questions
        questions.add(question)
        return (2, 2) if again else (1, 1)

    with pytest.raises(LawBroken, match=r"reward\(.*needs the same answer"):
        check_posg(Changed(POSG, reward=reward), rng=seeded(), steps=0)


def test_tables_with_other_best_responses_break_the_laws(monkeypatch):
    def better_in_tables(game, profile):
        return best_response_returns(game, profile) + isinstance(game, TabularPOSG)

    monkeypatch.setattr(rule_laws, "best_response_returns", better_in_tables)
    with pytest.raises(LawBroken, match="tables must have the best responses of the rules"):
        check_posg(Changed(POSG), rng=seeded())


def richer_tables(convert):
    def wrong(game, **options):
        conversion = convert(game, **options)
        table = conversion.target
        return replace(conversion, target=replace(table, reward_vectors=table.reward_vectors + 1))

    return wrong


def likelier_tables(convert):
    def wrong(game, **options):
        conversion = convert(game, **options)
        kernel = conversion.target.transition_kernel
        weight = kernel.weight.copy()
        row = int(np.flatnonzero(kernel.sizes == 2)[0])
        weight[kernel.row(row)] = [Fraction(1, 5), Fraction(4, 5)]
        other = Kernel(kernel.start, kernel.outcome, weight)
        return replace(conversion, target=replace(conversion.target, transition_kernel=other))

    return wrong


@pytest.mark.parametrize("change", [richer_tables, likelier_tables])
def test_tables_that_play_differently_break_the_laws(monkeypatch, change):
    monkeypatch.setattr(rule_laws, "posg_to_tabular", change(rule_laws.posg_to_tabular))
    monkeypatch.setattr(rule_laws, "aec_to_tabular", change(rule_laws.aec_to_tabular))
    with pytest.raises(LawBroken, match="tables must play as the rules do, but PosgPlay"):
        check_posg(Changed(POSG), rng=seeded())
    with pytest.raises(LawBroken, match="tables must play as the rules do, but AecPlay"):
        check_aec(Changed(AEC), rng=seeded())


# Observations that tell other players' actions


def dealt(*, bob_sees):
    """Ann may bet on a high card only; Bob sees something."""
    seen = {"low": "dull", "high": "shiny"}
    return posg_from_tables(
        players=["Ann", "Bob"],
        actions=[["bet", "pass"], ["wait"]],
        initial={"low": "1/2", "high": "1/2"},
        initial_observations={
            card: {(card, seen[card] if bob_sees else NULL): 1} for card in ("low", "high")
        },
        transitions={
            ("low", ("pass", "wait")): {"end": 1},
            ("high", ("bet", "wait")): {"end": 1},
            ("high", ("pass", "wait")): {"end": 1},
        },
        legal_actions={(0, "low"): ["pass"]},
        terminal=["end"],
        title="Dealt",
    )


def test_an_observation_that_tells_anothers_actions_is_refused_only_if_asked():
    check_posg(dealt(bob_sees=False), rng=seeded(), private_actions=True)
    check_posg(dealt(bob_sees=True), rng=seeded())
    message = (
        r"Dealt: private actions must not be told, but when 'Bob' sees '(dull|shiny)', 'Ann' may "
        r"have \(.*\) \(in state '(low|high)'\), and never when it is '(dull|shiny)'"
    )
    with pytest.raises(LawBroken, match=message):
        check_posg(dealt(bob_sees=True), rng=seeded(), private_actions=True)


def test_actions_that_never_differ_tell_nothing():
    game = load_game("public_coin")
    check_posg(game, rng=seeded(), private_actions=True)


def test_games_too_large_to_ask_everything_are_refused():
    with pytest.raises(UnsupportedGame, match="needs at most max_states = 3"):
        check_posg(load_game("cleanup_simultaneous"), rng=seeded(), max_states=3)
    with pytest.raises(UnsupportedGame, match="needs at most max_states = 3"):
        check_aec(load_game("reversing_order"), rng=seeded(), max_states=3)
