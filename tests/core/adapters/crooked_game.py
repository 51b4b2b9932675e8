"""A game for OpenSpiel that does one odd thing, named by its parameter ``oddity``.

Chance draws left or right; then both players act at once, and the first is paid 1 by the second if
they chose alike. Rewards say the last payment again at draws of chance, as those of many games do.
"""

import os
import signal

import pyspiel

ENDS = {"crash": signal.SIGSEGV, "abort": signal.SIGABRT}  # of the process
CHANCE_LAWS = {"thirds": (1 / 3, 2 / 3), "sloppy": (0.3, 0.7000001), "certain": (1.0, 0.0)}


class CrookedState(pyspiel.State):
    def __init__(self, game, oddity):
        super().__init__(game)
        self.oddity = oddity
        self.drawn = None
        self.chosen = None
        self.draws_left = 2 if oddity == "two draws" else 1
        self.alone = oddity == "alone"  # player 2 first moves by itself, to no effect

    def current_player(self):
        if self.draws_left and (self.chosen or self.oddity != "late draw"):
            return pyspiel.PlayerId.CHANCE
        if self.chosen is not None:
            return pyspiel.PlayerId.TERMINAL
        return 1 if self.alone else pyspiel.PlayerId.SIMULTANEOUS

    def chance_outcomes(self):
        self.break_at("chance")
        return list(enumerate(CHANCE_LAWS.get(self.oddity, (0.5, 0.5))))

    def _legal_actions(self, player):
        self.break_at("actions")
        if self.oddity == "idle player" and player == 1 and self.drawn == 1:
            return []
        return [0, 1]

    def _apply_action(self, action):
        if self.draws_left:
            self.drawn = action
            self.draws_left -= 1
        else:
            self.alone = False

    def _apply_actions(self, actions):
        if self.oddity in ENDS:
            os.kill(os.getpid(), ENDS[self.oddity])
        self.break_at("move")
        self.chosen = tuple(actions)

    def _action_to_string(self, player, action):
        return "same" if self.oddity == "repeated words" else "LR"[action]

    def is_terminal(self):
        is_late = self.oddity == "late draw" and self.draws_left
        return self.chosen is not None and not is_late

    def rewards(self):
        if self.oddity == "early payment" and self.drawn is not None and self.chosen is None:
            return [5.0, -5.0]
        if self.chosen is None:
            return [0.0, 0.0]
        alike = 1.0 if self.chosen[0] == self.chosen[1] else -1.0
        return [alike, -alike]

    def returns(self):
        self.break_at("payment")
        early = 5.0 if self.oddity == "early payment" and self.drawn is not None else 0.0
        last = [0.0, 0.0] if self.chosen is None else CrookedState.rewards(self)
        return [last[0] + early, last[1] - early]

    def information_state_string(self, player):
        self.break_at("text")
        return f"I am {player + 1}"

    def break_at(self, what):
        if self.oddity == f"broken {what}":
            raise ZeroDivisionError(what)

    def __str__(self):
        return f"{self.drawn} {self.chosen}"


class CrookedGame(pyspiel.Game):
    def __init__(self, params=None):
        self.oddity = (params or {}).get("oddity", "none")
        super().__init__(KIND, INFORMATION, params or {})

    def new_initial_state(self):
        return CrookedState(self, self.oddity)


KIND = pyspiel.GameType(
    short_name="crooked",
    long_name="crooked",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"oddity": "none"},
)
INFORMATION = pyspiel.GameInfo(
    num_distinct_actions=2,
    max_chance_outcomes=2,
    num_players=2,
    min_utility=-6.0,
    max_utility=6.0,
    utility_sum=0.0,
    max_game_length=2,
)
pyspiel.register_game(KIND, CrookedGame)
