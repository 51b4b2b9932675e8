"""Hints: two hands of a poker of four cards, between the turns a dim hint of the leader's card."""

import random
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform
from gametheory_core.games.tree_table import CHANCE
from tests.laws.planted.records import (
    APART,
    BEGINS,
    EACH_AGENT,
    ENDS,
    GOES_ON,
    HIDDEN,
    INDEPENDENT,
    ITS_OWN,
    LAST,
    LEAVES,
    MASKS,
    NEW_DATA,
    OBSERVE,
    ONE_LAW,
    OWN_GENERATOR,
    PAYS,
    RULES,
    SEED_MATTERS,
    BugClass,
    Fault,
    Game,
    Kind,
)

CARDS = (1, 2, 3, 4)
HANDS = 2
MISLEADING = Fraction(1, 3)
CHECK, BET, FOLD, CALL = "check", "bet", "fold", "call"
NO_HINT, LOW, HIGH = 0, 1, 2


class Phase(Enum):
    """What happens next."""

    DEAL = "cards are dealt"
    LEAD = "the leader's turn"
    HINT = "the follower gets a hint"
    FOLLOW = "the follower's turn"
    OVER = "all hands are played"


class Hand(NamedTuple):
    """A state.

    Attributes:
        hand: Its number, from 0.
        leader: Who leads this hand.
        cards: Of both players; 0 before they are dealt.
        bet: 0 not yet, 1 checked, 2 bet.
        won: What player_0 won in the last hand.
    """

    phase: Phase
    hand: int
    leader: int
    cards: tuple[int, int]
    bet: int
    hint: int
    won: int


@dataclass(frozen=True)
class Hints:
    """The model.

    Each hand both players get different cards of four, evenly. One leads, in the first hand either
    evenly, in the second the other. The leader checks or bets. Then the follower is told whether
    the leader's card is high (3 or 4) or low, which is wrong with probability 1/3, and calls or
    folds if there was a bet, else checks. The higher card wins 1, or 2 with a bet called; the
    leader wins 1 if the follower folds. Players know the number of the hand, who leads, their own
    card, the bet and the hint when they follow, and what they won in the hand before.
    """

    title: str = field(default="Hints", init=False, repr=False)
    players: tuple[str, ...] = field(default=("player_0", "player_1"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = None
    initial_state: Hand = field(
        default=Hand(Phase.DEAL, 0, 0, (0, 0), 0, NO_HINT, 0), init=False, repr=False
    )

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        follows = player != state.leader
        won = state.won if player == 0 else -state.won
        heard = (state.bet, state.hint) if follows else (0, NO_HINT)
        return point_mass((state.hand, int(follows), state.cards[player], *heard, won))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        if not observation[1]:
            return (CHECK, BET)
        return (FOLD, CALL) if observation[3] == 2 else (CHECK,)

    def is_terminal(self, state: Any) -> bool:
        return state.phase is Phase.OVER

    def move(self, player: int, state: Any, action: str) -> Hand:
        if state.phase is Phase.LEAD:
            return state._replace(phase=Phase.HINT, bet=2 if action == BET else 1)
        over = state.hand + 1 == HANDS
        return Hand(
            phase=Phase.OVER if over else Phase.DEAL,
            hand=state.hand + (not over),
            leader=1 - state.leader,
            cards=(0, 0),
            bet=0,
            hint=NO_HINT,
            won=winnings(state.cards, state.leader, action),
        )

    def chance(self, state: Any) -> Distribution[Hand]:
        if state.phase is Phase.HINT:
            right, wrong = (HIGH, LOW) if state.cards[state.leader] > 2 else (LOW, HIGH)
            hinted = state._replace(phase=Phase.FOLLOW)
            return distribution(
                {
                    hinted._replace(hint=right): 1 - MISLEADING,
                    hinted._replace(hint=wrong): MISLEADING,
                }
            )
        leaders = (state.leader,) if state.hand else (0, 1)
        return uniform(
            state._replace(phase=Phase.LEAD, leader=leader, cards=cards)
            for leader in leaders
            for cards in permutations(CARDS, 2)
        )

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        if state.phase is not Phase.FOLLOW:
            return point_mass((0, 0))
        return point_mass((next_state.won, -next_state.won))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        if next_state.phase is Phase.LEAD:
            return point_mass(next_state.leader)
        return point_mass(1 - next_state.leader if next_state.phase is Phase.FOLLOW else CHANCE)


def winnings(cards: tuple[int, int], leader: int, last: str) -> int:
    """Return what player_0 wins after the follower's last action."""
    if last == FOLD:
        return 1 if leader == 0 else -1
    stake = 2 if last == CALL else 1
    return stake if cards[0] > cards[1] else -stake


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    WITH_REPLACEMENT = Fault(C.CHANCE, "both may get the same card", ONE_LAW)
    LEADER_DEALT_HIGH = Fault(C.CHANCE, "the leader has the higher card with 3/4", ONE_LAW)
    HIGH_CARD_LEADS = Fault(C.CHANCE, "the higher card leads the first hand", INDEPENDENT)
    NEVER_THE_SAME = Fault(C.CHANCE, "player_0 never gets one card twice", ITS_OWN)
    REDEALT = Fault(C.CHANCE, "with 1/2 the second hand has the cards of the first", ITS_OWN)
    SURE_AFTER_BET = Fault(C.CHANCE, "hints after a bet are nearly never wrong", ITS_OWN)
    HINT_BY_FOLLOWER = Fault(C.CHANCE, "hints to a high card are wrong with 2/3", ITS_OWN)
    HINTS_ALIKE = Fault(C.CHANCE, "both hints are right, or wrong", INDEPENDENT)
    WORSE_HINT = Fault(C.CHANCE, "the second hint is noise", ONE_LAW)
    LEADER_ALTERNATES = Fault(C.CHANCE, "unless seeded, first leaders alternate", ONE_LAW)
    THREE_BEATS_FOUR = Fault(C.DYNAMICS, "a three wins against a four", RULES)
    FOLD_COSTS_TWO = Fault(C.DYNAMICS, "in the second hand a fold costs 2", PAYS)
    SAME_LEADER = Fault(C.DYNAMICS, "the leader leads again", RULES)
    CALL_PAYS_ONE = Fault(C.DYNAMICS, "a call that player_1 wins pays 1", PAYS)
    LOSER_UNCHARGED = Fault(C.DYNAMICS, "in the second hand the loser pays nothing", PAYS)
    PAID_LATE = Fault(C.DYNAMICS, "the first hand is paid when the second one begins", PAYS)
    PAID_AT_CHECK = Fault(C.LEAK, "a hand is paid when the leader checks", HIDDEN)
    MASK_OF_WINNER = Fault(C.LEAK, "after a check only the higher card may bet", MASKS)
    CARD_IN_INFOS = Fault(C.LEAK, "infos tell the other's card", HIDDEN)
    KEY_ORDER = Fault(C.LEAK, "observations list the mask first if the other's is high", HIDDEN)
    MASK_TYPE = Fault(C.LEAK, "in the second hand the type of the mask tells a high card", HIDDEN)
    SURE_HINT = Fault(C.LEAK, "player_1's hint in the second hand is right", HIDDEN)
    OFF_TURN = Fault(C.LEAK, "off turn, observe shows the other's card", HIDDEN)
    HINT_OFF_TURN = Fault(C.LEAK, "off turn, the leader sees the follower's hint", HIDDEN)
    INFO_LATE = Fault(C.LEAK, "the follower's info has a key if the leader's card is 4", HIDDEN)
    SEEDS_IN_PAIRS = Fault(C.SEEDING, "seeds 2k and 2k + 1 give the same play", SEED_MATTERS)
    RESEEDS_ITSELF = Fault(C.SEEDING, "reset() begins the last seed again", GOES_ON)
    RANDOM_MODULE = Fault(C.SEEDING, "cards are dealt with Python's random", OWN_GENERATOR)
    RANDOM_MODULE_SEEDED = Fault(
        C.SEEDING, "cards are dealt with Python's random, which reset seeds", OWN_GENERATOR
    )
    SECOND_GENERATOR = Fault(C.SEEDING, "hints have a generator that no seed reaches", SEED_MATTERS)
    CLASS_DECK = Fault(
        C.SHARED_STATE, "hands come from one deck of the class, shuffled when it is empty", APART
    )
    DEFAULT_ARGUMENT = Fault(C.SHARED_STATE, "cards are kept in a default argument", APART)
    MASK_CONSTANT = Fault(C.ALIASING, "masks are constants: writing into one lasts", NEW_DATA)
    KEPT_ARRAY = Fault(C.ALIASING, "an agent gets one array over and over", NEW_DATA)
    REWARDS_AT_RESET = Fault(C.LIFE_CYCLE, "reset does not clear what last() adds up", BEGINS)
    CUT_OFF = Fault(C.LIFE_CYCLE, "the end of the game truncates", ENDS)
    BOTH_FLAGS = Fault(C.LIFE_CYCLE, "the end of the game also truncates", ENDS)
    ONE_ENDS = Fault(C.LIFE_CYCLE, "at the end player_1 does not terminate, and has a turn", ENDS)
    GONE_AT_ONCE = Fault(C.LIFE_CYCLE, "at the end agents go without dead steps", LEAVES)
    INFOS_EMPTY = Fault(C.LIFE_CYCLE, "infos is an empty dictionary", EACH_AGENT, raises=KeyError)
    CLEARED_AFTER = Fault(C.LIFE_CYCLE, "last() leaves out what the agent's own turn paid", LAST)
    ALL_CLEARED = Fault(C.LIFE_CYCLE, "last() forgets rewards from others' turns", LAST)
    MASK_INVERTED = Fault(C.LIFE_CYCLE, "masks are 1 where actions are not legal", MASKS)
    MASK_ALL = Fault(C.LIFE_CYCLE, "after a check the follower may bet", MASKS)
    OBSERVE_TURNS = Fault(C.LIFE_CYCLE, "observe deletes the hint once it was seen", OBSERVE)
    HAND_STAYS = Fault(C.LIFE_CYCLE, "every other play starts with the second hand", BEGINS)


class HintsEnv(AECEnv):
    """The environment: observations are dictionaries with masks."""

    metadata = {"name": "hints_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    class_deck: list[int] = []  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        super().__init__()
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents = []
        low = np.array([0, 0, 0, 0, 0, -2], np.int8)
        top = np.array([1, 1, 4, 2, 2, 2], np.int8)
        self._seen = {
            agent: Dict(
                {
                    "observation": Box(low, top, dtype=np.int8),
                    "action_mask": Box(0, 1, (2,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._acts = {agent: Discrete(2) for agent in self.possible_agents}
        self._arrays = {agent: np.zeros(6, np.int8) for agent in self.possible_agents}
        self._rng: Any = None
        self._check_only = np.array([1, 0], np.int8)  # of MASK_CONSTANT
        self._other_rng = np_random()[0]  # of SECOND_GENERATOR
        self._plays = 0

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def _seeded(self, seed):
        if self.bug is Bug.SEEDS_IN_PAIRS and seed is not None:
            seed |= 1
        if self.bug is Bug.RESEEDS_ITSELF and seed is None and self._rng is not None:
            seed = self._seed
        if self.bug is Bug.RANDOM_MODULE_SEEDED and seed is not None:
            random.seed(seed)
        if seed is not None or self._rng is None:
            self._rng, self._seed = np_random(seed)

    def reset(self, seed=None, options=None):
        self._seeded(seed)
        self._plays += 1
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        if self.bug is not Bug.REWARDS_AT_RESET or self._plays == 1:
            self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        elif not self._cumulative_rewards:
            self._cumulative_rewards = self._last_cumulative
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._hand = int(self.bug is Bug.HAND_STAYS and self._plays % 2 == 0)
        self._won = 0
        leader = int(self._rng.integers(2))
        if self.bug is Bug.LEADER_ALTERNATES and self._plays > 1 and seed is None:
            leader = 1 - self._first_leader
        self._first_leader = self._leader = leader
        self._cards: dict[str, int] = {}
        self._was_wrong: bool | None = None
        self._owed = 0
        self._is_alone = False  # of ONE_ENDS
        self._deal()
        self._inform()

    def _deal(self):
        """Deal a hand and give the leader the turn."""
        last = dict(self._cards)
        first, second = self._draw_cards()
        if self.bug is Bug.NEVER_THE_SAME and last:
            while first == last["player_0"]:
                first, second = self._draw_cards()
        self._cards = self._cards_of(first, second)
        if self.bug is Bug.REDEALT and last and self._rng.random() < 0.5:
            self._cards = last
        if self.bug is Bug.HIGH_CARD_LEADS and not last:
            self._leader = int(second > first)
        if self.bug is Bug.LEADER_DEALT_HIGH and self._rng.random() < 0.5:
            low, high = sorted((first, second))
            self._cards = self._cards_of(*((high, low) if self._leader == 0 else (low, high)))
        self._bet = 0
        self._hint = NO_HINT
        self.agent_selection = self.possible_agents[self._leader]

    def _cards_of(self, first, second, kept: dict[str, int] = {}):  # noqa: B006  (the bug)
        cards = kept if self.bug is Bug.DEFAULT_ARGUMENT else {}
        cards.update(player_0=first, player_1=second)
        return cards

    def _draw_cards(self):
        if self.bug is Bug.WITH_REPLACEMENT:
            return self._rng.integers(1, 5, size=2).tolist()
        if self.bug in {Bug.RANDOM_MODULE, Bug.RANDOM_MODULE_SEEDED}:
            return random.sample(CARDS, 2)
        if self.bug is Bug.CLASS_DECK:
            if len(self.class_deck) < 2:
                self.class_deck[:] = self._rng.permutation(CARDS).tolist()
            return self.class_deck.pop(), self.class_deck.pop()
        return self._rng.permutation(CARDS)[:2].tolist()

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if self.bug is Bug.ALL_CLEARED:
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._clear_rewards()
        if self._is_alone:
            self.terminations[agent] = True
            return
        if self._owed:
            self._pay(self._owed)
            self._owed = 0
        if not self._bet:
            self._bet = 2 if action == 1 else 1
            self._hint = self._draw_hint()
            self.agent_selection = self.possible_agents[1 - self._leader]
            if self.bug is Bug.PAID_AT_CHECK and self._bet == 1:
                self._pay(self._winnings(CHECK))
        else:
            self._finish(CHECK if self._bet == 1 else CALL if action == 1 else FOLD)
        self._accumulate_rewards()
        if self.bug is Bug.CLEARED_AFTER:
            self._cumulative_rewards[agent] = 0.0
        if self.bug is Bug.REWARDS_AT_RESET:
            self._last_cumulative = dict(self._cumulative_rewards)
        if self.bug is Bug.GONE_AT_ONCE and all(self.terminations.values()):
            self.agents = []
        elif any(self.terminations.values()) or any(self.truncations.values()):
            self._deads_step_first()
        self._inform()

    def _finish(self, last):
        """Pay the hand, then deal the next one or end."""
        self._won = self._winnings(last)
        over = self._hand + 1 == HANDS
        if self.bug is Bug.PAID_LATE and not over:
            self._owed = self._won
        elif not (self.bug is Bug.PAID_AT_CHECK and last == CHECK):
            self._pay(self._won)
        if self.bug is not Bug.SAME_LEADER:
            self._leader = 1 - self._leader
        if not over:
            self._hand += 1
            self._deal()
            return
        self._bet, self._hint = 0, NO_HINT
        self._cards = dict.fromkeys(self.agents, 0)
        cut = self.bug is Bug.CUT_OFF
        self.terminations = dict.fromkeys(self.agents, not cut)
        self.truncations = dict.fromkeys(self.agents, cut or self.bug is Bug.BOTH_FLAGS)
        if self.bug is Bug.ONE_ENDS:
            self.terminations["player_1"], self._is_alone = False, True
            self.agent_selection = "player_1"

    def _pay(self, won):
        self.rewards.update(player_0=float(won), player_1=float(-won))
        if self.bug is Bug.LOSER_UNCHARGED and self._hand == 1:
            self.rewards = {agent: max(0.0, paid) for agent, paid in self.rewards.items()}
        self.rewards = {agent: self.rewards[agent] for agent in self.agents}

    def _winnings(self, last):
        """Return what player_0 wins."""
        first, second = self._cards["player_0"], self._cards["player_1"]
        if last == FOLD:
            stake = 2 if self.bug is Bug.FOLD_COSTS_TWO and self._hand == 1 else 1
            return stake if self._leader == 0 else -stake
        stake = 2 if last == CALL else 1
        wins = first > second
        if self.bug is Bug.THREE_BEATS_FOUR and {first, second} == {3, 4}:
            wins = not wins
        if self.bug is Bug.CALL_PAYS_ONE and not wins:
            stake = 1
        return stake if wins else -stake

    def _draw_hint(self):
        """Draw what the follower is told of the leader's card."""
        leader, follower = (self.possible_agents[i] for i in (self._leader, 1 - self._leader))
        odds = 1 / 3
        if self.bug is Bug.SURE_AFTER_BET and self._bet == 2:
            odds = 0.02
        if self.bug is Bug.HINT_BY_FOLLOWER and self._cards[follower] > 2:
            odds = 2 / 3
        if self.bug is Bug.WORSE_HINT and self._hand == 1:
            odds = 0.5
        if self.bug is Bug.SURE_HINT and self._hand == 1 and follower == "player_1":
            odds = 0.0
        rng = self._other_rng if self.bug is Bug.SECOND_GENERATOR else self._rng
        wrong = bool(rng.random() < odds)
        if self.bug is Bug.HINTS_ALIKE and self._was_wrong is not None:
            wrong = self._was_wrong
        self._was_wrong = wrong
        return HIGH if (self._cards[leader] > 2) != wrong else LOW

    def _inform(self):
        self.infos = {agent: {} for agent in self.agents}
        if self.bug is Bug.INFOS_EMPTY:
            self.infos = {}
        if self.bug is Bug.CARD_IN_INFOS:
            for agent, other in (("player_0", "player_1"), ("player_1", "player_0")):
                if agent in self.agents:
                    self.infos[agent]["other"] = self._cards[other]
        if self.bug is Bug.INFO_LATE and self._bet:
            leader, follower = (self.possible_agents[i] for i in (self._leader, 1 - self._leader))
            if self._cards[leader] == 4:
                self.infos[follower]["debug"] = None

    def observe(self, agent):
        i = self.possible_agents.index(agent)
        other = self.possible_agents[1 - i]
        follows = i != self._leader
        is_turn = agent == self.agent_selection and self.agents and not self.terminations[agent]
        card = self._cards[agent]
        if self.bug is Bug.OFF_TURN and not is_turn:
            card = self._cards[other]
        bet, hint = (self._bet, self._hint) if follows else (0, NO_HINT)
        if self.bug is Bug.HINT_OFF_TURN and not is_turn:
            hint = self._hint
        if self.bug is Bug.OBSERVE_TURNS and follows:
            self._hint = NO_HINT
        won = self._won if i == 0 else -self._won
        seen = np.array([self._hand, follows, card, bet, hint, won], np.int8)
        if self.bug is Bug.KEPT_ARRAY:
            self._arrays[agent][:] = seen
            seen = self._arrays[agent]
        mask = self._mask(agent, is_turn)
        if self.bug is Bug.MASK_TYPE and self._hand == 1 and self._cards[other] > 2:
            mask = mask.astype(bool)
        if self.bug is Bug.KEY_ORDER and self._cards[other] > 2:
            return {"action_mask": mask, "observation": seen}
        return {"observation": seen, "action_mask": mask}

    def _mask(self, agent, is_turn):
        if not is_turn:
            return np.zeros(2, np.int8)
        checked = self._bet == 1
        if self.bug is Bug.MASK_CONSTANT and checked:
            return self._check_only
        mask = np.array([1, not checked], np.int8)
        if self.bug is Bug.MASK_OF_WINNER and checked:
            mask[1] = self._cards[agent] == max(self._cards.values())
        if self.bug is Bug.MASK_ALL:
            mask[:] = 1
        if self.bug is Bug.MASK_INVERTED:
            mask = 1 - mask
        return mask


NUMBERS = {CHECK: 0, FOLD: 0, BET: 1, CALL: 1}


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation["observation"])


def write_action(agent, action):
    return NUMBERS[action]


GAME = Game(
    name="hints",
    kind=Kind.AEC,
    model=Hints(),
    environment=HintsEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
