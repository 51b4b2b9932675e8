"""Agents that a row of a table may name, as kinds of two families.

A kind of ``Agent`` makes its bot by being called. A kind of ``Trained`` learns from a seed first,
and makes a file; what is in the file is judged. One more of either is one class, and a row of
``settings.toml`` that names it.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from learners.options import Count, CountFromZero, kind_of
from learners.regret.minimizer import LocalMinimizer
from learners.regret.reductions import BlumMansour, StronglyAdaptive
from learners.roshambo.agents.context_mixing import ContextMixing
from learners.roshambo.agents.language_model import LanguageModelBot, NGramScorer
from learners.roshambo.agents.n_gram import NGram
from learners.roshambo.agents.q_table import QBot, QTable
from learners.roshambo.agents.q_training import train_q_table, train_q_table_by_copy
from learners.roshambo.agents.regret_bot import RegretBot
from learners.roshambo.bots.compiled_bot import CompiledBot, Recipe
from learners.roshambo.bots.sequences import MIXTURE
from learners.roshambo.matches.matches import Bot
from learners.roshambo.tournaments.evaluation import Maker, evaluate_bot
from learners.roshambo.tournaments.scores import PopulationScores
from solvers.local_rules import RegretMatching, RegretMatchingPlus

TABLE = ".npz"  # the ending of files with tables
MINIMIZERS: Mapping[str, Callable[[], Any]] = MappingProxyType(
    {
        "RM": lambda: LocalMinimizer(RegretMatching()),
        "RM+": lambda: LocalMinimizer(RegretMatchingPlus()),
        "swap RM+": BlumMansour,
        "SAOL": lambda: StronglyAdaptive(low=-1, high=1),
    }
)


class Agent(Protocol):
    """What makes a bot without training; what it prints as tells it from others."""

    def __call__(self) -> Bot:
        """Make the bot."""
        ...


class Trained(Protocol):
    """What is trained before it plays.

    Attributes:
        episodes: Of training, by default.
        suffix: Of its files, with the dot.
    """

    suffix: ClassVar[str]

    @property
    def episodes(self) -> int:
        """Of training, by default."""
        ...

    def train(self, file: Path, *, bots: Mapping[str, Maker], episodes: int, seed: int) -> None:
        """Train from a seed, and write what was learned into a file.

        Args:
            bots: The population, for who trains against it.
        """
        ...

    def scores(
        self,
        file: Path,
        bots: Mapping[str, Maker],
        *,
        matches: int,
        seed: int,
        record: Path,
        jobs: int = 1,
    ) -> PopulationScores:
        """Return what the agent of a file is paid; matches in the record are not played again.

        Args:
            record: A file, which may be there.
        """
        ...


@kind_of(Agent)
class Mixed:
    """Throws rock, paper and scissors with fixed chances.

    >>> Mixed((1, 0, 0))().throw([], [])
    0
    """

    chances: tuple[Fraction, ...]

    def __call__(self) -> Bot:
        """Make the bot."""
        return CompiledBot(Recipe("mixed", MIXTURE, {"chances": self.chances}))


@kind_of(Agent)
class Regret:
    """A regret minimizer, one of ``MINIMIZERS``, in contexts or over experts."""

    rule: str
    recall: CountFromZero = 0
    experts: bool = False

    def __post_init__(self) -> None:
        if self.rule not in MINIMIZERS:
            raise InvalidArgument(
                needs=f"a rule of {', '.join(MINIMIZERS)}", found=f"got {shown(self.rule)}"
            )

    def __call__(self) -> Bot:
        """Make the bot."""
        return RegretBot(MINIMIZERS[self.rule](), recall=self.recall, experts=self.experts)


@kind_of(Agent)
class NGrams:
    """What followed the last joint throws most often is expected: an n-gram model as player 2."""

    order: CountFromZero

    def __call__(self) -> Bot:
        """Make the bot."""
        return NGram(self.order)


@kind_of(Agent)
class NGramText:
    """An n-gram model that reads the paper's text, the agent as one of its players."""

    order: CountFromZero
    agent: str

    def __call__(self) -> Bot:
        """Make the bot."""
        return LanguageModelBot(NGramScorer(self.order), agent=self.agent)


@kind_of(Agent)
class LocalModel:
    """A causal language model of transformers, from a folder on this machine.

    Attributes:
        rounds: How many of the last are shown.
    """

    folder: str
    agent: str
    rounds: Count

    def __call__(self) -> Bot:
        """Make the bot."""
        return LanguageModelBot(_scorer(self.folder), agent=self.agent, rounds=self.rounds)


@cache
def _scorer(folder: str) -> Any:
    from learners.adapters.transformers_scorer import TransformersScorer  # noqa: PLC0415 an extra

    return TransformersScorer(folder)


@kind_of(Agent)
class Mixing:
    """The strongest agent of the library, which mixes forecasts."""

    def __call__(self) -> Bot:
        """Make the bot."""
        return ContextMixing()


def table_scores(
    _agent: object,
    file: Path,
    bots: Mapping[str, Maker],
    *,
    matches: int,
    seed: int,
    record: Path,
    jobs: int = 1,
) -> PopulationScores:
    """Return what the table of a file is paid; see ``Trained.scores``."""
    agent = partial(QBot, QTable.load(file))
    return evaluate_bot(agent, bots, matches=matches, seed=seed, jobs=jobs, file=record)


@kind_of(Trained)
class QLearning:
    """Tabular Q-learning against a copy that learns, too."""

    recall: CountFromZero
    episodes: Count
    suffix: ClassVar[str] = TABLE

    def train(self, file: Path, *, bots: Mapping[str, Maker], episodes: int, seed: int) -> None:
        """Train a table, and write it."""
        del bots
        train_q_table_by_copy(recall=self.recall, episodes=episodes, seed=seed).save(file)

    scores = table_scores


@kind_of(Trained)
class QLearningByPopulation:
    """Tabular Q-learning against bots of the population, one drawn for each match."""

    recall: CountFromZero
    episodes: Count
    suffix: ClassVar[str] = TABLE

    def train(self, file: Path, *, bots: Mapping[str, Maker], episodes: int, seed: int) -> None:
        """Train a table, and write it."""
        train_q_table(bots, recall=self.recall, episodes=episodes, seed=seed).save(file)

    scores = table_scores
