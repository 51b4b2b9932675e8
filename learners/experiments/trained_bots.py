"""What a run learned against a population, as a bot that plays matches."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gametheory_core.errors import InvalidArgument
from learners.experiments.population_game import played
from learners.experiments.run_files import RunFiles
from learners.experiments.runs import trained_run
from learners.frozen import FrozenPolicy, frozen
from learners.roshambo.learning.policy_bots import PolicyBot
from learners.roshambo.matches.recall import Recall


@dataclass(frozen=True)
class TrainedBot:
    """Makes bots that play what a run learned; can be sent to other processes.

    Attributes:
        path: Of the run's files, without an ending: ``runs/DQN/seed-0``.
        source: What tells it from other runs, and from itself when it has learned more.
    """

    path: str
    source: str

    def __call__(self) -> PolicyBot:
        """Make the bot."""
        learned = _learned(self.path, self.source)
        return PolicyBot(learned.policy, recall=learned.recall)


@dataclass(frozen=True, eq=False)
class _Learned:
    policy: FrozenPolicy
    recall: Recall


def trained_bot(path: str) -> TrainedBot:
    """Return what makes the bot of a run; the run is read once in each process.

    Args:
        path: Of the run's files: ``runs/DQN/seed-0``, or that of the JSON lines or the checkpoint;
            or of the folder, if it has one run.

    Raises:
        InvalidArgument: If there is no such run, or it is of another game.
        MalformedFile: If its files are damaged.

    See ``docs/roshambo-learning.md``.
    """
    files = _files_at(Path(path))
    if not files.checkpoint.is_file():
        raise InvalidArgument(
            needs="the checkpoint of a run that was trained",
            found="there is none",
            remedy="Train it first, and give run:FOLDER/seed-N.",
            where=files.checkpoint,
        )
    digest = hashlib.sha256(files.checkpoint.read_bytes()).hexdigest()
    own = TrainedBot(str((files.folder / files.name).absolute()), f"a run of SHA-256 {digest}")
    _ = own()
    return own


def _files_at(path: Path) -> RunFiles:
    name = path.name.removesuffix(".jsonl").removesuffix(".checkpoint.zip")
    if not path.is_dir():
        return RunFiles(path.parent, name)
    found = sorted(own.name.removesuffix(".jsonl") for own in path.glob("seed-*.jsonl"))
    if len(found) != 1:
        raise InvalidArgument(
            needs="the folder of one run",
            found=f"it has {', '.join(found) or 'none'}",
            remedy="Give run:FOLDER/seed-N.",
            where=path,
        )
    return RunFiles(path, found[0])


@cache
def _learned(path: str, source: str) -> _Learned:
    del source  # another checkpoint is another run
    files = RunFiles(Path(path).parent, Path(path).name)
    found = trained_run(files)
    config: Any = found.config.game.population
    if config is None:
        raise InvalidArgument(
            needs="a run against a population of bots ([game.population])",
            found=f"it is of {found.config.game.name or found.config.game.file!r}",
            where=files.lines,
        )
    return _Learned(frozen(found.learner, played(config, episodes=1, seed=0)), config.window)
