"""``check_environment`` lets right environments pass, and names the law that each bug breaks."""

import re
import warnings

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from gymnasium.spaces import Dict, MultiBinary
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from gametheory_core import InvalidArgument, load_game
from gametheory_core.conversions import posg_to_aec
from gametheory_core.distributions import point_mass
from gametheory_core.errors import LawBroken
from gametheory_core.testing import EnvironmentLaw, environments
from tests.laws.planted_bugs import (
    LISTED_CARD_BUGS,
    LISTED_PENNY_BUGS,
    CardBug,
    HiddenCards,
    HiddenCardsEnv,
    PennyBug,
    WhisperedPennies,
    WhisperedPenniesEnv,
)
from tests.laws.seeded_check import check_environment

CARD_BUG_BREAKS = {
    CardBug.LEAKS_CARD: EnvironmentLaw.SECRETS,
    CardBug.SHOWS_GUESS: EnvironmentLaw.SECRETS,
    CardBug.PAYS_OTHER: EnvironmentLaw.REWARDS,
    CardBug.NOT_ZERO_SUM: EnvironmentLaw.REWARDS,
    CardBug.SWAPS_ACTIONS: EnvironmentLaw.OBSERVATIONS,  # a reward and a coin that do not fit
    CardBug.IGNORES_ACTION: EnvironmentLaw.REWARDS,
    CardBug.LOSES_LAST: EnvironmentLaw.REWARDS,
    CardBug.NEVER_CLEARS: EnvironmentLaw.REWARDS,
    CardBug.KEEPS_TOTALS: EnvironmentLaw.ACCUMULATED,
    CardBug.KEEPS_DECK: EnvironmentLaw.FORGOTTEN,
    CardBug.WRONG_COIN: EnvironmentLaw.FREQUENCIES,
    CardBug.FORGETS_CARD: EnvironmentLaw.OBSERVATIONS,
    CardBug.ONE_ARRAY: EnvironmentLaw.KEPT,
    CardBug.LENDS_STATE: EnvironmentLaw.OWN_COPY,
    CardBug.CACHES: EnvironmentLaw.OWN_COPY,
    CardBug.ENDS_EARLY: EnvironmentLaw.END,
    CardBug.OUT_OF_SPACE: EnvironmentLaw.SPACE,
    CardBug.UNSEEDED: EnvironmentLaw.SEEDED,
    CardBug.UNSEEDED_LATE: EnvironmentLaw.SEEDED,
    CardBug.SAME_DRAWS: EnvironmentLaw.FREQUENCIES,
    CardBug.SECOND_FIRST: EnvironmentLaw.ORDER,
    CardBug.WRONG_MASK: EnvironmentLaw.LEGAL,
}
PENNY_BUG_BREAKS = {
    PennyBug.OUT_OF_SPACE: EnvironmentLaw.SPACE,
    PennyBug.STRING: EnvironmentLaw.SPACE,
    PennyBug.NAN: EnvironmentLaw.SPACE,
    PennyBug.UNSEEDED_RESET: EnvironmentLaw.SEEDED,
    PennyBug.UNSEEDED_LATE: EnvironmentLaw.SEEDED,
    PennyBug.NAN_REWARD: EnvironmentLaw.NUMBERS,
    PennyBug.LEAKS_WHISPER: EnvironmentLaw.SECRETS,
    PennyBug.WRONG_WHISPER: EnvironmentLaw.FREQUENCIES,
    PennyBug.TERMINATES: EnvironmentLaw.END,
    PennyBug.LEAVES_ONE: EnvironmentLaw.LEAVING,
    PennyBug.NO_REWARD: EnvironmentLaw.ENTRIES,
}


def read_card(agent, observation):
    return tuple(observation[:4].tolist())


def read_whisper(agent, observation):
    return tuple(observation[:2].tolist())


def check_cards(bug=None, **options):
    return check_environment(
        lambda: HiddenCardsEnv(bug), HiddenCards(), read_observation=read_card, **options
    )


def check_pennies(bug=None, **options):
    return check_environment(
        lambda: WhisperedPenniesEnv(bug),
        WhisperedPennies(),
        read_observation=read_whisper,
        **options,
    )


def message_of(law):
    return re.escape(f"an environment that obeys '{law.value}', but this one does not")


@pytest.mark.parametrize("bug", CardBug, ids=lambda bug: bug.name)
def test_bug_in_turns_is_caught_by_its_law(bug):
    with pytest.raises(LawBroken, match=message_of(CARD_BUG_BREAKS[bug])):
        check_cards(bug, episodes=1000)


@pytest.mark.parametrize("bug", PennyBug, ids=lambda bug: bug.name)
def test_bug_in_joint_steps_is_caught_by_its_law(bug):
    with pytest.raises(LawBroken, match=message_of(PENNY_BUG_BREAKS[bug])):
        check_pennies(bug, episodes=1000)


@pytest.mark.parametrize("first_seed", range(0, 3000, 1000))
def test_right_environments_pass_on_many_seeds(first_seed):
    cards = check_cards(first_seed=first_seed, seed=first_seed, episodes=500)
    pennies = check_pennies(first_seed=first_seed, seed=first_seed, episodes=1000)
    assert (cards.episodes, cards.moves) == (500, 3_000)
    assert (pennies.episodes, pennies.moves) == (1000, 4_000)
    assert cards.information_states == (3 + 6 + 24) + (6 + 12 + 48)
    assert pennies.information_states == 2 * (2 + 8 + 32 + 128)
    assert min(cards.chances_tested, pennies.chances_tested) >= 20
    assert min(cards.least_p_value, pennies.least_p_value) > 1e-6


def test_right_environment_fails_no_more_often_than_the_level(monkeypatch):
    """At a level of 1/20, 25 batches of fresh seeds fail 7 times with probability 1/1000.

    So it is with any number of pairs of episodes; few are quick.
    """
    monkeypatch.setattr(environments, "PAIRS", 8)
    failed = 0
    for batch in range(25):
        try:
            check_cards(episodes=60, replays=1, first_seed=60 * batch, seed=batch, level=0.05)
        except LawBroken:
            failed += 1
    assert failed < 7


def test_witness_shows_seed_actions_what_was_due_and_found():
    with pytest.raises(
        LawBroken,
        match=r"Seed \d+, after player_0: [01], player_1: [01], player_0.*: "
        r"needs \(-?1, -?1\) with [12]/3, \(-?1, -?1\) with [12]/3, but found \(0.0, 0.0\)",
    ):
        check_cards(CardBug.LOSES_LAST)


def test_witness_of_a_wrong_chance_shows_law_counts_and_shares():
    with pytest.raises(
        LawBroken,
        match=r"with 2/3, .* with 1/3, but .* came \d+ times in \d+ episodes: a share of 0\.\d+ "
        r"instead of 0\.\d+",
    ):
        check_cards(CardBug.WRONG_COIN, episodes=800)


def test_environment_made_sequential_by_pettingzoo_passes_against_the_posg():
    report = check_environment(
        lambda: parallel_to_aec(WhisperedPenniesEnv()),
        WhisperedPennies(),
        read_observation=read_whisper,
        episodes=300,
    )
    assert report.moves == 300 * 8
    with pytest.raises(LawBroken, match=message_of(EnvironmentLaw.SECRETS)):
        check_environment(
            lambda: parallel_to_aec(WhisperedPenniesEnv(PennyBug.LEAKS_WHISPER)),
            posg_to_aec(WhisperedPennies()).target,
            read_observation=read_whisper,
        )


class MaskedCardsEnv(HiddenCardsEnv):
    """Hidden cards with the action mask beside the numbers."""

    def __init__(self):
        super().__init__()
        for agent, box in self.observation_spaces.items():
            self.observation_spaces[agent] = Dict(
                {"observation": box, "action_mask": MultiBinary(2)}
            )

    def observe(self, agent):
        return {"observation": super().observe(agent), "action_mask": np.ones(2, np.int8)}


class CardsAsShown(HiddenCards):
    """Hidden cards whose labels are all five numbers."""

    def observation(self, player, state):
        (((seen, _),)) = super().observation(player, state).items
        return point_mass((*seen, 0))


def test_mappings_with_masks_are_read_by_default():
    assert check_environment(MaskedCardsEnv, CardsAsShown(), episodes=50).episodes == 50


class TurnedCardsEnv(HiddenCardsEnv):
    """Hidden cards whose action 1 is the model's 0."""

    def step(self, action):
        super().step(None if action is None else 1 - action)


def test_actions_are_written_as_asked():
    options = {"read_observation": read_card, "episodes": 50}
    check_environment(
        TurnedCardsEnv, HiddenCards(), write_action=lambda _, action: 1 - action, **options
    )
    with pytest.raises(LawBroken, match=message_of(EnvironmentLaw.OBSERVATIONS)):
        check_environment(TurnedCardsEnv, HiddenCards(), **options)


class NamedActions(HiddenCards):
    """Hidden cards with words for actions."""

    def legal_actions(self, player, observation):
        return ("no", "yes")

    def move(self, player, state, action):
        return super().move(player, state, int(action == "yes"))

    def reward(self, state, mover, action, next_state):
        return super().reward(state, mover, int(action == "yes"), next_state)


def test_words_for_actions_are_numbered_in_their_order():
    check_environment(HiddenCardsEnv, NamedActions(), read_observation=read_card, episodes=50)


def test_wrong_number_of_players_is_refused():
    class Three(HiddenCards):
        players = ("first", "second", "third")

    with pytest.raises(LawBroken, match=message_of(EnvironmentLaw.AGENTS)):
        check_environment(HiddenCardsEnv, Three(), read_observation=read_card)


def test_observation_that_cannot_be_read_is_shown():
    with pytest.raises(LawBroken, match=r"read_observation.*array\(\[1.*raises KeyError"):
        check_environment(
            HiddenCardsEnv, HiddenCards(), read_observation=lambda _, seen: {}[int(seen[0])]
        )


@pytest.mark.parametrize(
    ("option", "value", "requirement"),
    [
        ("episodes", 0, "episodes to be a whole number of at least 1, but got 0"),
        ("episodes", 2.5, "episodes to be a whole number of at least 1, but got 2.5"),
        ("replays", -1, "replays to be a whole number of at least 0"),
        ("max_moves", True, "max_moves to be a whole number of at least 1, but got True"),
        ("level", 0, "a level between 0 and 1, but got 0"),
        ("level", float("nan"), "a level between 0 and 1, but got nan"),
        ("reward_tolerance", -1e-6, "a finite reward_tolerance of at least 0"),
    ],
)
def test_options_out_of_range_are_refused(option, value, requirement):
    with pytest.raises(InvalidArgument, match=requirement):
        check_cards(**{option: value})


def test_failure_inside_the_environment_tells_the_seed_and_the_actions():
    class Broken(HiddenCardsEnv):
        def step(self, action):
            if self.round == 2:
                raise ZeroDivisionError
            super().step(action)

    with pytest.raises(
        LawBroken,
        match=message_of(EnvironmentLaw.FORM)
        + r"\. Seed 0, after player_0: [01], player_1: [01], player_0: [01]: "
        r"it raises ZeroDivisionError\.",
    ) as refusal:
        check_environment(Broken, HiddenCards(), read_observation=read_card)
    assert isinstance(refusal.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("model", [None, HiddenCards()])
def test_failure_of_the_reset_tells_the_seed(model):
    class Broken(HiddenCardsEnv):
        def reset(self, seed=None, options=None):
            if seed == 3:
                raise RuntimeError("no deck")
            super().reset(seed=seed, options=options)

    with pytest.raises(
        LawBroken,
        match=message_of(EnvironmentLaw.FORM)
        + r"\. Seed 3, after reset: it raises RuntimeError: no deck\.",
    ) as refusal:
        check_environment(Broken, model, read_observation=read_card, replays=0)
    assert isinstance(refusal.value.__cause__, RuntimeError)


def test_failure_of_a_question_is_the_environments():
    class Broken(HiddenCardsEnv):
        def observe(self, agent):
            if agent != self.agent_selection:
                raise RuntimeError("not your turn")
            return super().observe(agent)

    with pytest.raises(LawBroken, match=r"Seed 0, after reset: it raises RuntimeError: not yo"):
        check_environment(Broken, None, episodes=5)


@pytest.mark.parametrize("space", ["observation_space", "action_space"])
def test_missing_space_is_named(space):
    class Broken(HiddenCardsEnv):
        pass

    setattr(Broken, space, lambda self, agent: {}[agent])
    with pytest.raises(
        LawBroken,
        match=message_of(EnvironmentLaw.ENTRIES)
        + rf".*needs {space} of player_0, but asked for it "
        r"the environment raises KeyError: 'player_0'",
    ):
        check_environment(Broken, HiddenCards(), read_observation=read_card)


PARTS = ("observation", "reward", "termination", "truncation", "info")


class FlaggedPenniesEnv(WhisperedPenniesEnv):
    """Whispered pennies that end with the flags given."""

    def __init__(self, flags):
        super().__init__()
        self.flags = flags

    def step(self, actions):
        results = super().step(actions)
        if not self.agents:
            for entries, flag in zip(results[2:4], self.flags, strict=True):
                entries.update(dict.fromkeys(self.possible_agents, flag))
        return results


class EndingPennies(WhisperedPennies):
    """Whispered pennies that are over in the state after the last step."""

    def is_terminal(self, state):
        return state == self.horizon


@pytest.mark.parametrize(
    ("model", "flags"),
    [
        (WhisperedPennies(), (False, True)),
        (EndingPennies(), (True, False)),
        (EndingPennies(), (True, True)),
        (None, (True, False)),
        (None, (False, True)),
        (None, (True, True)),
    ],
)
def test_either_reason_to_end_may_be_told_where_both_hold(model, flags):
    report = check_environment(
        lambda: FlaggedPenniesEnv(flags), model, read_observation=read_whisper, episodes=20
    )
    assert report.moves == 80


@pytest.mark.parametrize(
    ("model", "flags", "due", "found"),
    [
        (WhisperedPennies(), (True, False), "truncation", "termination"),
        (WhisperedPennies(), (True, True), "truncation", "termination and truncation"),
        (EndingPennies(), (False, True), "termination and truncation", "truncation"),
    ],
)
def test_other_reasons_to_end_are_refused(model, flags, due, found):
    message = message_of(EnvironmentLaw.END) + rf".* needs {due}, but found {found}\."
    with pytest.raises(LawBroken, match=message):
        check_environment(
            lambda: FlaggedPenniesEnv(flags), model, read_observation=read_whisper, episodes=20
        )


def check_changed_pennies(kind, change):
    """Check whispered pennies with a change to one of the dictionaries that ``step`` returns."""

    class Broken(WhisperedPenniesEnv):
        def step(self, actions):
            results = super().step(actions)
            change(results[PARTS.index(kind)])
            return results

    check_environment(Broken, WhisperedPennies(), read_observation=read_whisper)


@pytest.mark.parametrize("kind", PARTS)
def test_missing_entry_is_named(kind):
    needs = rf".*needs the {kind} of player_1, but there is none"
    with pytest.raises(LawBroken, match=message_of(EnvironmentLaw.ENTRIES) + needs):
        check_changed_pennies(kind, lambda entries: entries.pop("player_1"))


@pytest.mark.parametrize("kind", ["observation", "reward", "info"])
def test_entry_of_what_is_no_agent_is_named(kind):
    needs = rf".*needs the {kind} of agents alone, but there is one of 'dealer'"
    with pytest.raises(LawBroken, match=message_of(EnvironmentLaw.ENTRIES) + needs):
        check_changed_pennies(kind, lambda entries: entries.update(dealer=entries["player_0"]))


@pytest.mark.parametrize("error", [RuntimeError, AssertionError, AttributeError])
def test_whatever_read_observation_raises_is_told(error):
    def read(agent, observation):
        raise error("no label")

    message = rf"it raises {error.__name__}: no label"
    with pytest.raises(LawBroken, match=message) as refusal:
        check_environment(HiddenCardsEnv, HiddenCards(), read_observation=read)
    assert isinstance(refusal.value.__cause__, error)


def test_action_that_cannot_be_written_is_told():
    def write(agent, action):
        return {}[action]

    with pytest.raises(
        InvalidArgument, match=r"write_action to write each .* \(0, 1\) .*raises KeyError: 0"
    ) as refusal:
        check_environment(
            HiddenCardsEnv, HiddenCards(), read_observation=read_card, write_action=write
        )
    assert isinstance(refusal.value.__cause__, KeyError)


def test_long_episodes_are_left():
    report = check_cards(episodes=20, max_moves=3)
    assert report.moves == 60


def test_environment_instead_of_a_function_is_refused():
    with pytest.raises(InvalidArgument, match="a function that makes fresh environments"):
        check_environment(HiddenCardsEnv(), HiddenCards())


def test_function_that_makes_no_environment_is_refused():
    with pytest.raises(
        InvalidArgument, match="with possible_agents, or one of Gymnasium, but make_env gives dict"
    ):
        check_environment(dict, HiddenCards())


def test_function_that_hands_out_one_environment_is_refused():
    env = HiddenCardsEnv()
    with pytest.raises(InvalidArgument, match="two calls give one and the same HiddenCardsEnv"):
        check_environment(lambda: env, HiddenCards(), read_observation=read_card)


def test_one_environment_in_two_wrappers_is_refused():
    env = HiddenCardsEnv()
    with pytest.raises(InvalidArgument, match="one and the same OrderEnforcingWrapper"):
        check_environment(
            lambda: OrderEnforcingWrapper(env), HiddenCards(), read_observation=read_card
        )


@pytest.mark.parametrize(
    ("model", "found"),
    [
        ("cards", "str"),
        (HiddenCards, "the class HiddenCards"),
        (load_game("kuhn_poker"), r"ExtensiveFormGame\. Give extensive_to_aec\(game\)\.target"),
        (load_game("chicken"), r"NormalFormGame\. Give normal_to_posg\(game\)\.target"),
    ],
)
def test_model_that_is_no_rules_is_refused(model, found):
    with pytest.raises(InvalidArgument, match=f"a POSG or an AEC game as model, but got {found}"):
        check_environment(HiddenCardsEnv, model)


@pytest.mark.parametrize("rng", [0, None, np.random])
def test_rng_that_is_no_generator_is_refused(rng):
    with pytest.raises(InvalidArgument, match="needs a numpy Generator as rng, but got"):
        environments.check_environment(HiddenCardsEnv, HiddenCards(), rng=rng)


def test_aec_game_for_a_parallel_environment_is_refused():
    with pytest.raises(
        InvalidArgument, match="needs a POSG to compare a ParallelEnv or a Gymnasium environment"
    ):
        check_environment(WhisperedPenniesEnv, HiddenCards())


def test_actions_that_cannot_be_numbered_need_write_action():
    class OneAction(WhisperedPennies):
        def legal_actions(self, player, observation):
            return ("only",)

    with pytest.raises(InvalidArgument, match="needs write_action"):
        check_environment(WhisperedPenniesEnv, OneAction(), read_observation=read_whisper)


def passes_pettingzoo(make_env, test, seed_test_of_kind):
    """Whether the conformance test passes, and the seed test thirty times: its luck varies."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test(make_env(), num_cycles=100)
            for _ in range(30):
                seed_test_of_kind(make_env, num_cycles=100)
    except Exception:  # noqa: BLE001  - any failure is a bug found
        return False
    return True


def test_pettingzoo_lets_most_of_the_listed_bugs_through():
    """The figures that the page "Test your own environment" gives."""
    found_in_turns = [
        bug
        for bug in LISTED_CARD_BUGS
        if not passes_pettingzoo(lambda bug=bug: HiddenCardsEnv(bug), api_test, seed_test)
    ]
    found_in_steps = [
        bug
        for bug in LISTED_PENNY_BUGS
        if not passes_pettingzoo(
            lambda bug=bug: WhisperedPenniesEnv(bug), parallel_api_test, parallel_seed_test
        )
    ]
    assert (len(LISTED_CARD_BUGS), len(LISTED_PENNY_BUGS)) == (16, 5)
    assert found_in_turns == [CardBug.OUT_OF_SPACE, CardBug.UNSEEDED, CardBug.UNSEEDED_LATE]
    assert found_in_steps == [PennyBug.NAN]


def test_pettingzoo_lets_the_right_environments_pass():
    api_test(HiddenCardsEnv(), num_cycles=100)
    seed_test(HiddenCardsEnv, num_cycles=100)
    parallel_api_test(WhisperedPenniesEnv(), num_cycles=100)
    parallel_seed_test(WhisperedPenniesEnv, num_cycles=100)


def test_chance_wrong_by_a_sixth_is_found_at_the_number_of_episodes_promised():
    """From about 15 / d**2 episodes on: 540."""
    for batch in range(3):
        with pytest.raises(LawBroken, match=EnvironmentLaw.FREQUENCIES.value):
            check_cards(
                CardBug.WRONG_COIN,
                episodes=540,
                replays=1,
                first_seed=5000 + 540 * batch,
                seed=batch,
            )
