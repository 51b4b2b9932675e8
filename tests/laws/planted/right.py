"""Right environments, against which nothing may be said; those with a model obey it.

They are the games of the planted bugs without one, unusual ones, games of PettingZoo and
Gymnasium, and exports of the catalogue.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker, TimeLimit
from pettingzoo.utils.conversions import aec_to_parallel, parallel_to_aec
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from gametheory_core.adapters import aec_env, parallel_env, to_gymnasium
from gametheory_core.adapters.pettingzoo_spaces import Masks, one_hot
from gametheory_core.arrays import ONE
from gametheory_core.catalog import TakeAway, load
from gametheory_core.conversions import aec_to_tabular, posg_to_aec, posg_to_tabular
from gametheory_core.distributions import Distribution, distribution, point_mass
from gametheory_core.games.rules import NULL, is_posg, stop_aec, stop_posg
from gametheory_core.strategies.policies import uniform_policies
from tests.laws.planted import (
    burglar,
    convoys,
    potato,
    prospecting,
    prospecting_turns,
    skirmish,
    slope,
    unusual,
    watches,
)
from tests.laws.planted.bugs import GAMES
from tests.laws.planted.records import BugClass, Kind

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # before pygame is imported
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


@dataclass(frozen=True)
class RightEnv:
    """A right environment.

    Attributes:
        make_env: Makes a new one.
        model: What it obeys; None if there is no model at hand.
        read_observation, write_action: As of a planted bug; None without a model.
        unusual: What a checker might take for a bug.
        faults: Classes in which a finding is true nevertheless: what is known to be wrong with
            another library's environment.
    """

    name: str
    kind: Kind
    make_env: Callable[[], Any]
    model: Any = None
    read_observation: Callable[[Any, Any], Any] | None = None
    write_action: Callable[[Any, Any], Any] | None = None
    unusual: str = ""
    faults: tuple[BugClass, ...] = ()


def _own(name: str) -> dict[str, Any]:
    """Return the model of a game with planted bugs, and how it is read."""
    game = next(game for game in GAMES if game.name == name)
    return {
        "model": game.model,
        "read_observation": game.read_observation,
        "write_action": game.write_action,
    }


OWN = tuple(RightEnv(game.name, game.kind, game.environment, **_own(game.name)) for game in GAMES)


class _Float32Rewards(prospecting.ProspectingEnv):
    def step(self, actions):
        observations, rewards, *rest = super().step(actions)
        return observations, {a: np.float32(r) for a, r in rewards.items()}, *rest


class _OwnAffairsInInfos(prospecting.ProspectingEnv):
    """Infos tell agents what they know."""

    def _views(self):
        observations, _ = super()._views()
        return observations, {a: {"round": int(o[0])} for a, o in observations.items()}


class _CommonInfo(skirmish.SkirmishEnv):
    """Infos tell a count that all see."""

    def _views(self, agents, *, over):
        observations, infos = super()._views(agents, over=over)
        for info in infos.values():
            info["alive"] = sum(health > 0 for health in self._health.values())
        return observations, infos


class _KeepsHistory(convoys.ConvoysEnv):
    """A copy of the observation stays with the environment, which never looks at it again."""

    def _views(self):
        observations, infos = super()._views()
        self.history = [
            *getattr(self, "history", []),
            {a: dict(o) for a, o in observations.items()},
        ]
        return observations, infos


OWN_VARIED = (
    RightEnv("prospecting, float32", Kind.PARALLEL, _Float32Rewards, **_own("prospecting"),
             unusual="rewards are np.float32"),
    RightEnv("prospecting, infos", Kind.PARALLEL, _OwnAffairsInInfos, **_own("prospecting"),
             unusual="infos repeat what an agent sees"),
    RightEnv("skirmish, infos", Kind.PARALLEL, _CommonInfo, **_own("skirmish"),
             unusual="infos tell what all see"),
    RightEnv("convoys, history", Kind.PARALLEL, _KeepsHistory, **_own("convoys"),
             unusual="the environment keeps what it showed, and grows"),
    RightEnv("prospecting, parallel_to_aec", Kind.AEC,
             lambda: parallel_to_aec(prospecting.ProspectingEnv()), **_own("prospecting"),
             unusual="a wrapper; rewards come with the last agent of a cycle"),
    RightEnv("convoys, parallel_to_aec", Kind.AEC,
             lambda: parallel_to_aec(convoys.ConvoysEnv()), **_own("convoys"),
             unusual="a wrapper around actions that are arrays"),
    RightEnv("prospecting in turns, aec_to_parallel", Kind.PARALLEL,
             lambda: aec_to_parallel(prospecting_turns.ProspectingTurnsEnv()),
             **_own("prospecting"), unusual="a wrapper; rewards are a defaultdict"),
    RightEnv("potato, wrapped", Kind.AEC,
             lambda: OrderEnforcingWrapper(AssertOutOfBoundsWrapper(potato.PotatoEnv())),
             **_own("potato"), unusual="wrappers refuse calls out of order"),
    *(
        RightEnv(f"watches, {shown.name.lower()}", Kind.AEC,
                 partial(watches.WatchesEnv, shown=shown), **_own("watches"),
                 unusual=f"off turn, observe shows {shown.value}")
        for shown in watches.Shown if shown is not watches.Shown.NOW
    ),
    RightEnv("slope, checked", Kind.GYMNASIUM,
             lambda: PassiveEnvChecker(OrderEnforcing(slope.SlopeEnv())), **_own("slope"),
             unusual="wrappers refuse calls out of order"),
    RightEnv("burglar, time limit", Kind.GYMNASIUM,
             lambda: TimeLimit(burglar.BurglarEnv(), burglar.STEPS), **_own("burglar"),
             unusual="the wrapper also truncates who leaves in the last step"),
)  # fmt: skip


def _entries(agent: Any, observation: Any) -> Any:
    seen = observation["observation"] if isinstance(observation, dict) else observation
    return tuple(int(entry) for entry in seen)


UNUSUAL = (
    RightEnv(
        "leaving", Kind.PARALLEL, unusual.LeavingEnv, unusual.Leaving(), _entries,
        lambda agent, action: int(action == unusual.LEAVE), "agents leave while others go on",
    ),
    *(
        RightEnv(
            f"signs, {together.name.lower()}", Kind.PARALLEL, partial(unusual.SignsEnv, together),
            unusual.Signs(together), _entries, lambda agent, action: action,
            "signs hang together as the model says; the other's last action is shown",
        )
        for together in unusual.Together
    ),
    RightEnv(
        "auction", Kind.AEC, unusual.AuctionEnv, unusual.Auction(), _entries,
        lambda agent, action: int(action == unusual.DROP),
        "who begins is drawn, values are correlated, agents leave in their own turn",
    ),
    RightEnv(
        "guide", Kind.PARALLEL, unusual.GuideEnv, unusual.Guide(),
        lambda agent, seen: seen, lambda agent, action: action,
        "agents have different spaces; one's action is all the other sees",
    ),
    RightEnv(
        "lamp", Kind.GYMNASIUM, unusual.LampEnv, unusual.Lamp(),
        lambda agent, seen: (seen["lamp"], int(seen["time"][0])),
        lambda agent, action: np.array(action), "an option of reset changes the start",
    ),
)  # fmt: skip


# Games of PettingZoo and Gymnasium


@dataclass(frozen=True)
class RockPaperScissors:
    """PettingZoo's rps: each sees what the other did last, 3 before the first round."""

    title: str = "Rock, paper, scissors"
    players: tuple[str, ...] = ("player_0", "player_1")
    discount: Fraction = ONE
    horizon: int = 15

    def initial(self) -> Distribution[Any]:
        return point_mass("open")

    def initial_observation(self, state: str) -> Distribution[Any]:
        return point_mass((3, 3))

    def legal_actions(self, player: int, observation: int) -> tuple[int, ...]:
        return (0, 1, 2)

    def is_terminal(self, state: str) -> bool:
        return False

    def transition(self, state: str, joint_action: Any) -> Distribution[Any]:
        return point_mass(state)

    def observation(self, joint_action: Any, state: str) -> Distribution[Any]:
        return point_mass(joint_action[::-1])

    def reward(self, state: str, joint_action: Any, next_state: str) -> tuple[int, ...]:
        won = (0, 1, -1)[(joint_action[0] - joint_action[1]) % 3]
        return won, -won


LINES = (
    *((3 * k, 3 * k + 1, 3 * k + 2) for k in range(3)),
    *((k, k + 3, k + 6) for k in range(3)),
    (0, 4, 8),
    (2, 4, 6),
)


@dataclass(frozen=True)
class TicTacToe:
    """PettingZoo's tictactoe: cells are counted down columns; a board lists 0, 1 or 2 in each."""

    title: str = "Tic-tac-toe"
    players: tuple[str, ...] = ("player_1", "player_2")
    discount: Fraction = ONE
    horizon: int | None = None
    initial_state: Any = (0,) * 9

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        own = tuple((int(cell == player + 1), int(cell == 2 - player)) for cell in state)
        return point_mass(own)

    def legal_actions(self, player: int, observation: Any) -> tuple[int, ...]:
        return tuple(k for k, cell in enumerate(observation) if cell == (0, 0))

    def is_terminal(self, state: Any) -> bool:
        return 0 not in state or bool(_winner(state))

    def move(self, player: int, state: Any, action: int) -> Any:
        return (*state[:action], player + 1, *state[action + 1 :])

    def chance(self, state: Any) -> Distribution[Any]:
        return point_mass(state)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        return point_mass({0: (0, 0), 1: (1, -1), 2: (-1, 1)}[_winner(next_state)])

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        return point_mass(1 if mover == 0 else 0)


def _winner(board: Any) -> int:
    return next((board[a] for a, b, c in LINES if board[a] and board[a] == board[b] == board[c]), 0)


def _read_board(agent: Any, observation: Any) -> Any:
    planes = observation["observation"].reshape(9, 2)
    return tuple((int(own), int(other)) for own, other in planes)


@dataclass(frozen=True, eq=False)
class ToyText:
    """One of Gymnasium's toy games, from its own table; states are (cell, is over, last reward)."""

    title: str
    table: Any = field(repr=False)
    start: Any = field(repr=False)
    horizon: int | None
    masks: Callable[[int], Any] | None = None
    players: tuple[str, ...] = ("agent",)
    discount: Fraction = ONE

    def initial(self) -> Distribution[Any]:
        odds = {(int(s), False, 0.0): Fraction(float(p)).limit_denominator(10**4)
                for s, p in enumerate(self.start) if p}  # fmt: skip
        return distribution(odds)

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return point_mass((state[0],))

    def legal_actions(self, player: int, observation: int) -> tuple[int, ...]:
        mask = None if self.masks is None else self.masks(observation)
        return tuple(a for a in self.table[observation] if mask is None or mask[a])

    def is_terminal(self, state: Any) -> bool:
        return state[1]

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        odds: dict[Any, Fraction] = {}
        for p, after, reward, done in self.table[state[0]][joint_action[0]]:
            key = (int(after), bool(done), float(reward))
            odds[key] = odds.get(key, Fraction(0)) + Fraction(p).limit_denominator(100)
        return distribution(odds)

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        return point_mass((state[0],))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[Any, ...]:
        return (Fraction(next_state[2]),)


def _toy(name: str, **options: Any) -> RightEnv:
    make = partial(gymnasium.make, name, **options)
    plain: Any = make().unwrapped
    spec = gymnasium.spec(name)
    model = ToyText(
        name, plain.P, plain.initial_state_distrib, spec.max_episode_steps,
        getattr(plain, "action_mask", None),
    )  # fmt: skip
    return RightEnv(
        name,
        Kind.GYMNASIUM,
        make,
        model,
        lambda agent, seen: int(seen),
        lambda agent, action: action,
    )


def _classic(module: str, maker: str, **options: Any) -> Callable[[], Any]:
    def make() -> Any:
        file = __import__(f"pettingzoo.{module}", fromlist=["env"])
        return getattr(file, maker)(**options)

    return make


def _pettingzoo() -> tuple[RightEnv, ...]:
    rps = partial(_classic, "classic.rps_v2")
    same = (lambda agent, seen: int(seen), lambda agent, action: action)
    found = [
        RightEnv("rps_v2", Kind.AEC, rps("env"), RockPaperScissors(), *same,
                 "observations are arrays without a dimension"),
        RightEnv("rps_v2, parallel", Kind.PARALLEL, rps("parallel_env"),
                 RockPaperScissors(), *same, "a wrapper around turns"),
        RightEnv("tictactoe_v3", Kind.AEC, _classic("classic.tictactoe_v3", "raw_env"),
                 TicTacToe(), _read_board, lambda agent, action: action),
        # The wrapper looks up legality in the mask that the caller was given, and may write into.
        RightEnv("tictactoe_v3, wrapped", Kind.AEC, _classic("classic.tictactoe_v3", "env"),
                 TicTacToe(), _read_board, lambda agent, action: action,
                 faults=(BugClass.ALIASING,)),
    ]  # fmt: skip
    for module, maker, options in (
        ("classic.rps_v2", "env", {"num_actions": 5, "max_cycles": 3}),
        ("classic.connect_four_v3", "raw_env", {}),
        ("classic.go_v5", "raw_env", {"board_size": 5}),
        ("butterfly.cooperative_pong_v6", "env", {"max_cycles": 30, "render_mode": "rgb_array"}),
        (
            "butterfly.cooperative_pong_v6",
            "parallel_env",
            {"max_cycles": 30, "render_mode": "rgb_array"},
        ),
        ("butterfly.knights_archers_zombies_v11", "env", {"max_cycles": 30}),
        ("butterfly.knights_archers_zombies_v11", "parallel_env", {"max_cycles": 30}),
        ("sisl.pursuit_v5", "env", {"max_cycles": 10, "n_pursuers": 3, "n_evaders": 4}),
        ("sisl.pursuit_v5", "parallel_env", {"max_cycles": 10, "n_pursuers": 3, "n_evaders": 4}),
    ):
        kind = Kind.PARALLEL if maker == "parallel_env" else Kind.AEC
        # A seeded reset of a used environment is another play than that of a new one.
        faults = (BugClass.SEEDING, BugClass.LIFE_CYCLE) if "zombies" in module else ()
        make = _classic(module, maker, **options)
        found.append(RightEnv(f"{module}, {maker}", kind, make, faults=faults))
    return tuple(found)


def _gymnasium() -> tuple[RightEnv, ...]:
    tables = (
        _toy("FrozenLake-v1"),
        _toy("FrozenLake8x8-v1"),
        _toy("CliffWalking-v1"),
        _toy("CliffWalkingSlippery-v1"),
        _toy("Taxi-v4"),
    )
    names = ("Blackjack-v1", "CartPole-v1", "MountainCar-v0", "Acrobot-v1", "Pendulum-v1")
    # Step returns the state itself, so that the caller can write into it.
    car = "MountainCarContinuous-v0"
    aliased = RightEnv(
        car, Kind.GYMNASIUM, partial(gymnasium.make, car), faults=(BugClass.ALIASING,)
    )
    rest = (RightEnv(name, Kind.GYMNASIUM, partial(gymnasium.make, name)) for name in names)
    return (*tables, *rest, aliased)


# Exports of the catalogue


def _exported(name: str, game: Any, **options: Any) -> RightEnv:
    """Return the environment of a game, whose observations are unit vectors."""
    export, tabulate = (
        (parallel_env, posg_to_tabular) if is_posg(game) else (aec_env, aec_to_tabular)
    )
    table = tabulate(game).target
    labels = tuple(dict.fromkeys((NULL, *(seen for own in table.observations for seen in own))))
    encoding = one_hot(labels)
    in_observations = options.get("masks") is Masks.IN_OBSERVATIONS
    actions = {f"player_{i}": own for i, own in enumerate(table.actions)}

    def read(agent: Any, observation: Any) -> Any:
        seen = observation["observation"] if in_observations else observation
        return labels[int(np.argmax(seen))]

    return RightEnv(
        name=f"{name}, exported",
        kind=Kind.PARALLEL if is_posg(game) else Kind.AEC,
        make_env=partial(export, game, encoding=encoding, actions=table.actions, **options),
        model=game,
        read_observation=read,
        write_action=lambda agent, action: actions[agent].index(action),
    )


def _exports() -> tuple[RightEnv, ...]:
    names = (
        "repeated_matching_pennies", "repeated_rock_paper_scissors", "iterated_prisoners_dilemma",
        "iterated_chicken", "cleanup_fixed_order", "cleanup_random_order", "cleanup_simultaneous",
        "pursuit_paid_before", "pursuit_paid_after", "random_order_team", "reversing_order",
        "listen_wait_guess", "seen_choice", "public_coin", "private_coins", "fair_payment",
        "sure_payment", "steady_pay", "fish_war", "tiger",
    )  # fmt: skip
    found = [_exported(name, load(name)) for name in names]
    for name, steps in (("big_match", 6), ("stopping_pennies", 6)):
        found.append(_exported(name, stop_posg(load(name), steps=steps)))
    found.append(_exported("take_away", TakeAway(piles=2, tokens=3)))
    found.append(_exported("take_away, stopped", stop_aec(TakeAway(piles=2, tokens=3), moves=3)))
    for name in ("tiger", "reversing_order"):
        found.append(_exported(f"{name} with masks", load(name), masks=Masks.IN_OBSERVATIONS))
    turned = posg_to_aec(load("cleanup_random_order")).target
    found.append(_exported("cleanup_random_order, in turns", turned))
    return tuple(found)


def _gymnasium_exports() -> tuple[RightEnv, ...]:
    found = []
    for name in ("iterated_prisoners_dilemma", "tiger", "fish_war", "cleanup_random_order"):
        game = load(name)
        others = uniform_policies(game)[1:]
        make = partial(to_gymnasium, game, others=others)
        found.append(RightEnv(f"{name}, to_gymnasium", Kind.GYMNASIUM, make))
    return tuple(found)


LIBRARIES = (*_pettingzoo(), *_gymnasium())
RIGHT_ENVS = (*OWN, *OWN_VARIED, *UNUSUAL, *LIBRARIES, *_exports(), *_gymnasium_exports())
