"""The learners that a file can ask for, by name; each is imported when it is first made.

A learner is a class. What may be chosen is read off its constructor: first the environment or the
game, then keyword-only options with type hints. A new learner is one line here.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, get_type_hints

from gametheory_core.errors import InvalidArgument
from gametheory_core.games.normal_form import NormalFormGame
from learners.experiments.typed_values import (
    joined,
    member_name,
    nearest,
    read_value,
    refuse_unknown,
    shown_hint,
)

LEARNERS: Mapping[str, str] = MappingProxyType(
    {
        "QLearning": "learners.tabular.q_learning:QLearning",
        "DoubleQLearning": "learners.tabular.double_q_learning:DoubleQLearning",
        "Sarsa": "learners.tabular.sarsa:Sarsa",
        "MonteCarloControl": "learners.tabular.monte_carlo:MonteCarloControl",
        "WolfPHC": "learners.tabular.wolf:WolfPHC",
        "TabularReinforce": "learners.gradients.tabular_reinforce:TabularReinforce",
        "TabularPPO": "learners.gradients.tabular_ppo:TabularPPO",
        "RegretLearner": "learners.regret.regret_learner:RegretLearner",
        "BanditLearner": "learners.regret.bandit_learner:BanditLearner",
        "Reinforce": "learners.deep.reinforce:Reinforce",
        "PPO": "learners.deep.ppo:PPO",
        "DQN": "learners.deep.dqn:DQN",
        "ActorCritic": "learners.deep.actor_critic:ActorCritic",
        "MetaStackelberg": "learners.stackelberg.meta_stackelberg:MetaStackelberg",
        "JamQLearning": "learners.mediation.jam_q_learning:JamQLearning",
        "DeepJamQLearning": "learners.mediation.jam_networks:DeepJamQLearning",
        "SelfishLeaders": "learners.mediation.selfish_leaders:SelfishLeaders",
    }
)
CHANCE_OPTIONS = ("rng", "seed")  # given by the run, not by the file
ON_ENVIRONMENT = "environment"  # how a learner calls its first argument that plays in batches
ON_LED_BATCH = "batch"  # likewise, of a game in which a mediator picks leaders


@dataclass(frozen=True)
class Option:
    """Something that may be chosen about a learner.

    Attributes:
        accepts: What a file may say, in words.
        default: As Python writes it; empty if there is none.
    """

    name: str
    accepts: str
    default: str


def learner_class(name: str, *, path: str = "learner", table: Mapping[str, str] = LEARNERS) -> Any:
    """Return the class of a learner.

    Args:
        path: For messages: the file and the key.
        table: Name -> ``module:class``; by default all learners of this package.

    Raises:
        InvalidArgument: If there is no such learner; names the nearest.

    >>> learner_class("QLearning").__name__
    'QLearning'
    """
    if name not in table:
        raise InvalidArgument(
            f"{path}: unknown learner {name!r}{nearest(name, table)} Learners are "
            f"{', '.join(sorted(table))}."
        )
    module, _, own = table[name].partition(":")
    return getattr(importlib.import_module(module), own)


def options_of(learner: Callable[..., Any]) -> tuple[Option, ...]:
    """Return what may be chosen about a learner.

    >>> [option.name for option in options_of(learner_class("QLearning"))][:2]
    ['step_size', 'exploration']
    """
    hints = _hints(learner)
    return tuple(
        Option(
            name,
            shown_hint(hints[name]),
            _shown_default(parameter.default),
        )
        for name, parameter in _parameters(learner).items()
    )


def read_options(
    learner: Callable[..., Any], table: Mapping[str, Any], *, path: str
) -> dict[str, Any]:
    """Return the options in a table as the types that the constructor asks for.

    Args:
        learner (class)
        table: As ``tomllib`` gives it.
        path: For messages.

    Raises:
        InvalidArgument: If a key is unknown or missing, or a value does not fit.
    """
    known = _parameters(learner)
    hints = _hints(learner)
    refuse_unknown(table, known, path=path)
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in table:
            raise InvalidArgument(
                needs="a value", found="has none", remedy="Add it.", where=joined(path, name)
            )
    return {
        name: read_value(value, hints[name], path=joined(path, name))
        for name, value in table.items()
    }


def learns_in_batches(learner: Callable[..., Any]) -> bool:
    """Tell whether a learner is made on episodes in batches, rather than on a game."""
    return _first(learner) in {ON_ENVIRONMENT, ON_LED_BATCH}


def learns_in_led_batches(learner: Callable[..., Any]) -> bool:
    """Tell whether a learner is made on batches of a game in which a mediator picks leaders."""
    return _first(learner) == ON_LED_BATCH


def learns_on_matrices(learner: Callable[..., Any]) -> bool:
    """Tell whether a learner is made on a normal form itself, rather than on its rules."""
    return _hints(learner).get(_first(learner)) is NormalFormGame


def chance_option(learner: Callable[..., Any]) -> str:
    """Return how a learner is given its chance: by ``"rng"`` or by ``"seed"``."""
    given = inspect.signature(learner).parameters
    return next(name for name in CHANCE_OPTIONS if name in given)


def _parameters(learner: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    return {
        name: parameter
        for name, parameter in inspect.signature(learner).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY and name not in CHANCE_OPTIONS
    }


def _shown_default(default: object) -> str:
    if default is inspect.Parameter.empty:
        return ""
    return repr(member_name(default)) if isinstance(default, Enum) else repr(default)


def _first(learner: Callable[..., Any]) -> str:
    return next(iter(inspect.signature(learner).parameters))


def _hints(learner: Any) -> dict[str, Any]:
    """Return the types of arguments; where one is named for type checkers only, its name."""
    try:
        return get_type_hints(learner.__init__ if inspect.isclass(learner) else learner)
    except NameError:
        given = inspect.signature(learner).parameters
        return {name: parameter.annotation for name, parameter in given.items()}
