"""What a planted bug is: a game, an environment that breaks one of its laws, and which law.

Each game has an enumeration ``Bug`` of faults. An environment takes one of them, or None, and asks
``self.bug is Bug.X`` where it goes wrong; with None it is right.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, NamedTuple


class BugClass(Enum):
    """What a bug is about; the value says it in words."""

    DYNAMICS = "moves, payments or ends of play other than the model's"
    CHANCE = "chance of another law, or that depends on what it must not"
    LEAK = "an agent is shown what the model hides"
    SEEDING = "seeds and randomness"
    SHARED_STATE = "one environment changes another"
    ALIASING = "data that belongs to both the environment and its caller"
    LIFE_CYCLE = "agents, turns, ends, spaces and masks, against the published interface"


class Kind(Enum):
    """Which published interface an environment has."""

    PARALLEL = "PettingZoo ParallelEnv"
    AEC = "PettingZoo AECEnv"
    GYMNASIUM = "gymnasium.Env"


class Fault(NamedTuple):
    """The value of a member of a ``Bug``.

    Attributes:
        says: What the environment does.
        why: Which published definition, or law of the model, that breaks.
        disputable: Whether only some reading of the definitions makes it wrong.
        raises: The error that plain play is meant to end in; None if it goes through.
    """

    class_: BugClass
    says: str
    why: str
    disputable: bool = False
    raises: type[Exception] | None = None


Label = Hashable


@dataclass(frozen=True)
class Game:
    """A game as a model and as an environment.

    Attributes:
        model: Rules of a POSG or an AEC game.
        environment: Called with a bug or None.
        bugs: The enumeration of its faults.
        read_observation: (agent, observation) -> the model's label.
        write_action: (agent, the model's action) -> what the environment's ``step`` takes.
    """

    name: str
    kind: Kind
    model: Any
    environment: Callable[[Any], Any]
    bugs: type[Enum]
    read_observation: Callable[[Any, Any], Label]
    write_action: Callable[[Any, Any], Any]


@dataclass(frozen=True)
class PlantedBug:
    """A bug in the environment of a game.

    Attributes:
        name: ``game: bug``, unique.
        bug: The member of the game's ``Bug``.
        make_env: Makes a new environment with the bug.

    The rest is the fault's and the game's.
    """

    name: str
    game: str
    kind: Kind
    class_: BugClass
    says: str
    why: str
    disputable: bool
    raises: type[Exception] | None
    bug: Enum
    make_env: Callable[[], Any]
    model: Any
    read_observation: Callable[[Any, Any], Label]
    write_action: Callable[[Any, Any], Any]


def make_env(game: Game, bug: Enum | None = None) -> Callable[[], Any]:
    """Return what makes a new environment of a game, with a bug or right."""
    return partial(game.environment, bug)


def planted_in(game: Game) -> tuple[PlantedBug, ...]:
    """Return the bugs of a game."""
    return tuple(
        PlantedBug(
            name=f"{game.name}: {bug.name.lower().replace('_', ' ')}",
            game=game.name,
            kind=game.kind,
            class_=bug.value.class_,
            says=bug.value.says,
            why=bug.value.why,
            disputable=bug.value.disputable,
            raises=bug.value.raises,
            bug=bug,
            make_env=make_env(game, bug),
            model=game.model,
            read_observation=game.read_observation,
            write_action=game.write_action,
        )
        for bug in game.bugs
    )


# Laws that bugs of many games break, in one wording.
ONE_LAW = "the model's law of chance"
INDEPENDENT = "the model draws these independently"
ITS_OWN = "in the model this draw depends on nothing but the state"
PAYS = "the model's rewards"
RULES = "the model's transitions"
HIDDEN = "the model does not show this to the agent"
REPRODUCIBLE = "reset(seed): the same seed gives the same play"
SEED_MATTERS = "reset(seed): the seed determines the random numbers"
GOES_ON = "reset(seed=None) continues with the generator there is, it does not start it again"
ENTROPY = "an environment that was never seeded takes a seed from a source of entropy"
OWN_GENERATOR = "an environment draws from its own generator, which only its reset seeds"
APART = "environments are independent objects"
NEW_DATA = "what was returned is the caller's and does not change later"
CALLERS = "actions belong to the caller"
LEAVES = "agents that terminated or were truncated leave, and only they do"
ENDS = "terminal states terminate, time limits truncate"
EACH_AGENT = "each dictionary has an entry for each agent"
SAME_SPACE = "the space of an agent is the same object each time"
IN_SPACE = "observations are elements of the observation space"
MASKS = "masks have an entry for each action, 1 where the model says that it is legal"
BEGINS = "reset restores the initial state"
LAST = "last() has the rewards since the agent last acted"
OBSERVE = "observe() returns what the agent sees now, and changes nothing"
