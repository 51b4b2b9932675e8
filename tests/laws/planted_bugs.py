"""Two small games, each as a model and as a PettingZoo environment that can be given one bug."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv, ParallelEnv

from gametheory_core.distributions import distribution, point_mass, product, uniform
from gametheory_core.games import CHANCE

CARDS = 3
HEADS = Fraction(2, 3)
NO_COIN = 2
LAST_ROUND = 3
STEPS = 4
TRUST = Fraction(3, 4)


@dataclass(frozen=True)
class HiddenCards:
    """Each of two players is dealt one of three cards.

    Round 1: the first stakes 1 or 2, the second sees the stake and folds (loses 1) or calls (the
    higher card wins the stake). Rounds 2 and 3: both guess a coin that shows 1 with weight 2/3,
    neither seeing the other's guess; a right guess wins 1 from a wrong one. The coin is shown. What
    a player sees is (round, own card, stake, last coin).
    """

    title = "hidden cards"
    players = ("first", "second")
    discount = Fraction(1)
    horizon = None
    initial_state = ("deal",)

    def observation(self, player, state):
        number, cards, stake, coin, _ = state
        return point_mass((number, cards[player], stake, coin))

    def legal_actions(self, player, observation):
        return (0, 1)

    def is_terminal(self, state):
        return state != ("deal",) and state[0] > LAST_ROUND

    def move(self, player, state, action):
        number, cards, stake, coin, queue = state
        if number == 1:
            return (2, cards, stake, coin, ()) if player else (1, cards, action + 1, coin, ())
        return (number, cards, stake, coin, (*queue, action))

    def chance(self, state):
        if state == ("deal",):
            pairs = [(a, b) for a in range(CARDS) for b in range(CARDS) if a != b]
            return uniform((1, pair, 0, NO_COIN, ()) for pair in pairs)
        number, cards, stake, _, _ = state
        return distribution(
            {(number + 1, cards, stake, 1, ()): HEADS, (number + 1, cards, stake, 0, ()): 1 - HEADS}
        )

    def reward(self, state, mover, action, next_state):
        if mover == 1 and state[0] == 1:
            _, cards, stake, _, _ = state
            won = 1 if action == 0 else stake if cards[0] > cards[1] else -stake
            return point_mass((won, -won))
        if mover == CHANCE and state != ("deal",):
            won = sum(
                (g == next_state[3]) * sign for g, sign in zip(state[4], (1, -1), strict=True)
            )
            return point_mass((won, -won))
        return point_mass((0, 0))

    def next_player(self, state, mover, action, next_state):
        if mover == CHANCE:
            return point_mass(0)
        if mover == 0:
            return point_mass(1)
        return point_mass(0 if state[0] == 1 else CHANCE)


class CardBug(Enum):
    LEAKS_CARD = "the opponent's card is in the observation"
    SHOWS_GUESS = "the second guesser sees the first guess"
    PAYS_OTHER = "rewards are credited to the other agent"
    NOT_ZERO_SUM = "the loser of a showdown pays nothing"
    SWAPS_ACTIONS = "the two guesses are swapped"
    IGNORES_ACTION = "the second guess is taken for 0"
    LOSES_LAST = "the last step's reward is lost"
    NEVER_CLEARS = "rewards are never cleared"
    KEEPS_DECK = "the deck is shuffled on from where the last episode left it"
    WRONG_COIN = "the coin is fair"
    FORGETS_CARD = "after round 1 the own card is not shown"
    ONE_ARRAY = "one array is handed out each time"
    ENDS_EARLY = "round 3 is not played"
    OUT_OF_SPACE = "round 3 shows a coin outside the space"
    UNSEEDED = "the seed is ignored"
    UNSEEDED_LATE = "the seed is ignored from round 3 on"
    KEEPS_TOTALS = "accumulated rewards are never cleared"
    LENDS_STATE = "the hand itself is handed out, not a copy"
    CACHES = "observations are made once and handed out again"
    SECOND_FIRST = "the second player guesses first"
    SAME_DRAWS = "every seed gives the same draws"
    WRONG_MASK = "the action mask forbids to fold"


# What the specification of the check lists; the others are ours.
LISTED_CARD_BUGS = tuple(CardBug)[:16]


class HiddenCardsEnv(AECEnv):
    """``HiddenCards`` with PettingZoo's turns; a fifth number in observations is always 0."""

    metadata: ClassVar = {"name": "hidden_cards_v0", "render_modes": []}

    def __init__(self, bug=None):
        super().__init__()
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        self.observation_spaces = {a: Box(0, 3, (5,), np.int8) for a in self.possible_agents}
        self.action_spaces = {a: Discrete(2) for a in self.possible_agents}
        self.deck = np.arange(CARDS)
        self.array = np.zeros(5, np.int8)
        self.cache = {}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def render(self):
        return None

    def close(self):
        return None

    def reset(self, seed=None, options=None):
        if self.bug in {CardBug.UNSEEDED, CardBug.SAME_DRAWS}:
            seed = None if self.bug is CardBug.UNSEEDED else 0
        self.rng = np.random.default_rng(seed)
        if self.bug is not CardBug.KEEPS_DECK:
            self.deck = np.arange(CARDS)
        self.rng.shuffle(self.deck)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        mask = np.array([self.bug is not CardBug.WRONG_MASK, True], np.int8)
        self.infos = {agent: {"action_mask": mask.copy()} for agent in self.agents}
        self.hands = {
            agent: np.array([1, card, 0, NO_COIN, 0], np.int8)
            for agent, card in zip(self.agents, self.deck[:2], strict=True)
        }
        self.agent_selection = "player_0"
        self.round, self.stake, self.coin, self.guesses = 1, 0, NO_COIN, []
        self.moves = 0

    def observe(self, agent):
        me = self.possible_agents.index(agent)
        seen = [min(self.round, 3), self.deck[me], self.stake, self.coin, 0]
        if self.bug is CardBug.LEAKS_CARD:
            seen[4] = self.deck[1 - me]
        if self.bug is CardBug.SHOWS_GUESS and self.guesses:
            seen[4] = self.guesses[0]
        if self.bug is CardBug.FORGETS_CARD and self.round > 1:
            seen[1] = 0
        if self.bug is CardBug.OUT_OF_SPACE and self.round == LAST_ROUND:
            seen[3] = 5
        if self.bug is CardBug.ONE_ARRAY:
            self.array[:] = seen
            return self.array
        if self.bug is CardBug.LENDS_STATE and self.round == 1 and me == 0:
            return self.hands[agent]
        if self.bug is CardBug.CACHES:
            key = (*seen, me, self.moves)  # met again in later episodes only
            return self.cache.setdefault(key, np.array(seen, np.int8))
        return np.array(seen, np.int8)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if self.bug is not CardBug.KEEPS_TOTALS:
            self._cumulative_rewards[agent] = 0.0
        if self.bug is not CardBug.NEVER_CLEARS:
            self._clear_rewards()
        self.moves += 1
        if self.round == 1:
            self._bet(agent, int(action))
        else:
            self._guess(int(action))
        self._accumulate_rewards()
        self.agent_selection = "player_1" if agent == "player_0" else "player_0"
        if self.bug is CardBug.SECOND_FIRST and self.round == 2 and not self.guesses:
            self.agent_selection = "player_1"

    def _bet(self, agent, action):
        if agent == "player_0":
            self.stake = action + 1
            return
        first, second = (hand[1] for hand in self.hands.values())
        lead = self.stake if first > second else -self.stake
        self._pay(1 if action == 0 else lead)
        self.round = 2

    def _guess(self, action):
        self.guesses.append(action)
        if len(self.guesses) < 2:
            return
        first, second = self.guesses
        if self.bug is CardBug.SWAPS_ACTIONS:
            first, second = second, first
        if self.bug is CardBug.IGNORES_ACTION:
            second = 0
        late = self.bug is CardBug.UNSEEDED_LATE and self.round == LAST_ROUND
        rng = np.random.default_rng() if late else self.rng
        heads = 0.5 if self.bug is CardBug.WRONG_COIN else float(HEADS)
        self.coin, self.guesses = int(rng.random() < heads), []
        last = self.round == (2 if self.bug is CardBug.ENDS_EARLY else LAST_ROUND)
        if not (last and self.bug is CardBug.LOSES_LAST):
            self._pay((first == self.coin) - (second == self.coin))
        self.round += 1
        if last:
            self.terminations = dict.fromkeys(self.agents, True)

    def _pay(self, won):
        lost = -won
        if self.bug is CardBug.NOT_ZERO_SUM:
            won, lost = max(won, 0), max(lost, 0)
        if self.bug is CardBug.PAYS_OTHER:
            won, lost = lost, won
        self.rewards["player_0"] += won
        self.rewards["player_1"] += lost


@dataclass(frozen=True)
class WhisperedPennies:
    """Matching pennies, four times; each step whispers the other's action, right with weight 3/4.

    What a player sees is (step, whisper); before the first action the whisper is a fair coin of the
    player's own.
    """

    title = "whispered pennies"
    players = ("even", "odd")
    discount = Fraction(1)
    horizon = STEPS

    def initial(self):
        return point_mass(0)

    def initial_observation(self, state):
        return product([uniform([(0, 0), (0, 1)])] * 2)

    def legal_actions(self, player, observation):
        return (0, 1)

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return point_mass(state + 1)

    def observation(self, joint_action, state):
        return product(
            [
                distribution({(state, other): TRUST, (state, 1 - other): 1 - TRUST})
                for other in reversed(joint_action)
            ]
        )

    def reward(self, state, joint_action, next_state):
        won = 1 if joint_action[0] == joint_action[1] else -1
        return (won, -won)


class PennyBug(Enum):
    OUT_OF_SPACE = "observations lie outside their space"
    STRING = "an observation is a string"
    NAN = "an observation is not a number"
    UNSEEDED_RESET = "the first observation ignores the seed"
    UNSEEDED_LATE = "the seed is ignored from step 3 on"
    NAN_REWARD = "a reward is not a number"
    LEAKS_WHISPER = "the other's whisper is in the observation"
    WRONG_WHISPER = "whispers are right half of the time"
    TERMINATES = "the last step terminates instead of truncating"
    LEAVES_ONE = "the last step truncates one agent only"
    NO_REWARD = "one agent gets no reward"


LISTED_PENNY_BUGS = tuple(PennyBug)[:5]


class WhisperedPenniesEnv(ParallelEnv):
    """``WhisperedPennies`` at once; a third number in observations is always 0."""

    metadata: ClassVar = {"name": "whispered_pennies_v0", "render_modes": []}

    def __init__(self, bug=None):
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.observation_spaces = {a: Box(0, 4, (3,), np.float32) for a in self.possible_agents}
        self.action_spaces = {a: Discrete(2) for a in self.possible_agents}

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def render(self):
        return None

    def close(self):
        return None

    def reset(self, seed=None, options=None):
        self.rng = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self.steps = 0
        rng = np.random.default_rng() if self.bug is PennyBug.UNSEEDED_RESET else self.rng
        return self._shown(rng.integers(2, size=2)), {agent: {} for agent in self.agents}

    def step(self, actions):
        self.steps += 1
        chosen = [int(actions[agent]) for agent in self.agents]
        late = self.bug is PennyBug.UNSEEDED_LATE and self.steps >= 3
        rng = np.random.default_rng() if late else self.rng
        trust = 0.5 if self.bug is PennyBug.WRONG_WHISPER else float(TRUST)
        wrong = rng.random(2) >= trust
        observations = self._shown([x ^ int(w) for x, w in zip(chosen[::-1], wrong, strict=True)])
        won = 1.0 if chosen[0] == chosen[1] else -1.0
        if self.bug is PennyBug.NAN_REWARD and self.steps == STEPS:
            won = np.nan
        rewards = dict(zip(self.agents, (won, -won), strict=True))
        over = self.steps == STEPS
        ended = self.bug is PennyBug.TERMINATES and over
        terminations = dict.fromkeys(self.agents, ended)
        truncations = dict.fromkeys(self.agents, over and not ended)
        if self.bug is PennyBug.LEAVES_ONE:
            truncations["player_1"] = False
        if self.bug is PennyBug.NO_REWARD:
            del rewards["player_1"]
        infos = {agent: {} for agent in self.agents}
        if over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _shown(self, whispers):
        arrays = [np.array([self.steps, w, 0], np.float32) for w in whispers]
        if self.bug is PennyBug.LEAKS_WHISPER:
            for array, other in zip(arrays, reversed(whispers), strict=True):
                array[2] = other
        if self.bug is PennyBug.OUT_OF_SPACE:
            arrays[1][1] = 7
        if self.bug is PennyBug.NAN and self.steps:
            arrays[0][1] = np.nan
        if self.bug is PennyBug.STRING and self.steps:
            arrays[0] = "whisper"
        return dict(zip(self.possible_agents, arrays, strict=True))
