"""Random rules and policies, drawn from a seed by hashing, so that questions need no memory."""

import hashlib
import itertools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gametheory_core import distributions, policy_from
from gametheory_core.games import CHANCE

SEEN = ("x", "y")
ACTIONS = ("a", "b")
ENDED = "ended"


def hashed(*question: Hashable) -> int:
    """Return a large number that depends on the question alone."""
    return int.from_bytes(hashlib.sha256(repr(question).encode()).digest()[:8], "big")


def drawn_law(outcomes: Iterable[Hashable], *question: Hashable) -> distributions.Distribution:
    """Return a law with weights 0, 1 or 2, drawn by the question; one outcome gets 1 more."""
    return _law(tuple(outcomes), question)


@lru_cache(maxsize=50_000)
def _law(
    outcomes: tuple[Hashable, ...], question: tuple[Hashable, ...]
) -> distributions.Distribution:
    weights = [hashed(*question, outcome) % 3 for outcome in outcomes]
    weights[hashed(*question, "sure") % len(outcomes)] += 1
    total = sum(weights)
    return distributions.distribution(
        {x: Fraction(w, total) for x, w in zip(outcomes, weights, strict=True)}
    )


def drawn_reward(*question: Hashable) -> Fraction:
    """Return one of -3, ..., 3 and their halves."""
    return Fraction(hashed(*question) % 13 - 6, 2)


def seeded_policies(game, *, seed: int):
    """Return policies that look at the whole information state."""

    def policy(player):
        return policy_from(
            lambda seen: drawn_law(
                game.legal_actions(player, seen[-1]), "policy", seed, player, seen
            )
        )

    return tuple(policy(player) for player in range(len(game.players)))


@dataclass(frozen=True)
class RandomPOSG:
    """Two states and an end, two actions, two observations, all laws drawn by hashing.

    ``correlated`` observations are drawn jointly; otherwise each player's depends on the own action
    and the state alone. ``zero_sum`` is for two players.
    """

    seed: int
    num_players: int = 2
    correlated: bool = True
    zero_sum: bool = False
    discount: Fraction = Fraction(9, 10)
    horizon: int | None = None
    title: str = "random POSG"

    @property
    def players(self):
        return tuple(f"player {i + 1}" for i in range(self.num_players))

    def initial(self):
        return drawn_law((0, 1), "initial", self.seed)

    def initial_observation(self, state):
        return self._seen("first", (None,) * self.num_players, state)

    def legal_actions(self, player, observation):
        only_one = hashed("legal", self.seed, player, observation) % 4 == 0
        return ACTIONS[:1] if only_one else ACTIONS

    def is_terminal(self, state):
        return state == ENDED

    def transition(self, state, joint_action):
        return drawn_law((0, 1, ENDED), "next", self.seed, state, joint_action)

    def observation(self, joint_action, state):
        return self._seen("later", joint_action, state)

    def _seen(self, when, joint_action, state):
        if self.correlated:
            joint = itertools.product(SEEN, repeat=self.num_players)
            return drawn_law(joint, "see", when, self.seed, joint_action, state)
        return distributions.product(
            [
                drawn_law(SEEN, "see", when, self.seed, i, own, state)
                for i, own in enumerate(joint_action)
            ]
        )

    def reward(self, state, joint_action, next_state):
        question = ("reward", self.seed, state, joint_action, next_state)
        paid = [drawn_reward(*question, i) for i in range(self.num_players)]
        if self.zero_sum:
            paid[1] = -paid[0]
        return tuple(paid)


@dataclass(frozen=True)
class ClockInSight:
    """An AEC game whose movers also see how many moves were made."""

    game: object
    horizon: int | None = None
    initial_state: tuple = ("start", 0)

    @property
    def title(self):
        return self.game.title

    @property
    def players(self):
        return self.game.players

    @property
    def discount(self):
        return self.game.discount

    def observation(self, player, state):
        seen = self.game.observation(player, state[0])
        return distributions.push_forward(seen, lambda o: (o, state[1]))

    def legal_actions(self, player, observation):
        return self.game.legal_actions(player, observation[0])

    def is_terminal(self, state):
        return self.game.is_terminal(state[0])

    def move(self, player, state, action):
        return (self.game.move(player, state[0], action), state[1] + 1)

    def chance(self, state):
        before = self.game.initial_state if state[0] == "start" else state[0]
        return distributions.push_forward(
            self.game.chance(before), lambda after: (after, state[1] + 1)
        )

    def reward(self, state, mover, action, next_state):
        return self.game.reward(state[0], mover, action, next_state[0])

    def next_player(self, state, mover, action, next_state):
        return self.game.next_player(state[0], mover, action, next_state[0])


@dataclass(frozen=True)
class RandomAEC:
    """Three states and an end; the next mover and the rewards are random and see the new state.

    With ``sure_turns`` the next mover is certain, but still another after other moves.
    """

    seed: int
    num_players: int = 2
    discount: Fraction = Fraction(1)
    sure_turns: bool = False
    horizon: int | None = None
    title: str = "random AEC game"
    initial_state: int = 0

    @property
    def players(self):
        return tuple(f"player {i + 1}" for i in range(self.num_players))

    def observation(self, player, state):
        return drawn_law(SEEN, "see", self.seed, player, state)

    def legal_actions(self, player, observation):
        return ACTIONS

    def is_terminal(self, state):
        return state == ENDED

    def move(self, player, state, action):
        return (0, 1, 2, ENDED)[hashed("move", self.seed, player, state, action) % 4]

    def chance(self, state):
        return drawn_law((0, 1, 2), "chance", self.seed, state)

    def reward(self, state, mover, action, next_state):
        question = (self.seed, state, mover, action, next_state)
        vectors = [
            tuple(drawn_reward("reward", *question, k, i) for i in range(self.num_players))
            for k in range(2)
        ]
        law = drawn_law((0, 1), "paid", *question)
        return distributions.push_forward(law, lambda k: vectors[k])

    def next_player(self, state, mover, action, next_state):
        movers = (CHANCE, *range(self.num_players))
        if self.sure_turns:
            number = hashed("turn", self.seed, state, mover, action, next_state)
            return distributions.point_mass(movers[number % len(movers)])
        return drawn_law(movers, "turn", self.seed, state, mover, action, next_state)
