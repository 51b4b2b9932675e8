"""Agents that any learner of batches learns, against bots, a copy, or both."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
from learners.experiments.registry import learner_class, read_options
from learners.frozen import FrozenPolicy, frozen
from learners.options import Count, Share, kind_of
from learners.protocol import Learner
from learners.roshambo.learning.policy_scores import evaluate_policy
from learners.roshambo.learning.population_play import PopulationPlay
from learners.roshambo.matches.recall import Recall, Shows
from learners.roshambo.tournaments.makers import Maker
from learners.roshambo.tournaments.scores import PopulationScores
from learners.snapshots import load_snapshot, save_snapshot
from learners.streams import named_stream
from learners.studies.files import written_once
from learners.studies.rrps.agents import Mixed, Trained
from learners.training import train

KEEP_EVERY = 200  # iterations from one checkpoint to the next


@kind_of(Trained)
class Learned:
    """A learner of batches, as a file of an experiment has it.

    Attributes:
        learner: The table ``learner`` of such a file; it says how many ``steps`` an iteration has.
        recall, shows: What it sees.
        episodes: Matches of training, of all seats that learn together.
        self_play: Chance that a match is one with itself, or with a copy that learns, too.
        at_once: Matches at once, of all seats.
        throws: In a match.
    """

    learner: Mapping[str, Any]
    recall: Count
    episodes: Count
    shows: Shows = Shows.BITS
    self_play: Share = 0.0
    at_once: Count = 64
    throws: Count = 1000
    suffix: ClassVar[str] = ".policy.zip"

    def __post_init__(self) -> None:
        for name in ("name", "steps"):
            if name not in self.learner:
                raise InvalidArgument(
                    needs=f"the {name} of the learner", found=f"got {shown(list(self.learner))}"
                )

    def train(self, file: Path, *, bots: Mapping[str, Maker], episodes: int, seed: int) -> None:
        """Train from a seed, and write the policy; go on where an earlier call was stopped."""
        checkpoint = file.with_name(f"{file.name}.checkpoint")
        self.train_on(checkpoint, file, bots, episodes, seed)
        checkpoint.unlink()

    def train_on(
        self, checkpoint: Path, file: Path, bots: Mapping[str, Maker], episodes: int, seed: int
    ) -> None:
        """Train from where a checkpoint stands to so many matches in all, and write the policy."""
        play, learner = self._learner(bots, seed, at_once=self.at_once)
        iterations = self._iterations(episodes)
        made = 0
        if checkpoint.exists():
            kept = self._own(checkpoint)
            learner.restore(kept["learner"])
            made = int(kept["made"])
        while made < iterations:
            more = min(KEEP_EVERY, iterations - made)
            train(learner, iterations=more, keep_every=more)
            made += more
            kept = {"agent": repr(self), "made": made, "learner": learner.snapshot()}
            save_snapshot(checkpoint, kept)
        policy = frozen(learner, play)
        learned = policy if isinstance(policy, np.ndarray) else dict(policy.snapshot())
        save_snapshot(file, {"agent": repr(self), "policy": learned, "bots": len(bots)})

    def _own(self, file: Path) -> dict[str, Any]:
        """Return what a file keeps, after making sure that it is of this agent."""
        kept = load_snapshot(file)
        if kept["agent"] != repr(self):
            raise InvalidArgument(
                needs=f"what was learned by {self!r}",
                found=f"it is of {kept['agent']}",
                remedy="Give another folder.",
                where=file,
            )
        return kept

    def policy(self, file: Path) -> FrozenPolicy:
        """Return the policy of a file.

        Raises:
            InvalidArgument: If it is of another agent.
        """
        kept = self._own(file)
        if isinstance(kept["policy"], np.ndarray):
            return kept["policy"]
        as_many = {
            str(k): Mixed((Fraction(1), Fraction(0), Fraction(0))) for k in range(kept["bots"])
        }
        play, learner = self._learner(as_many, seed=0, at_once=2)
        network: Any = frozen(learner, play)
        return network.revived(kept["policy"])

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
        """Return what the policy of a file is paid, by many matches at once, kept in a record."""
        del jobs
        policy = self.policy(file)

        def play(part: Path) -> None:
            found = evaluate_policy(
                policy, bots, recall=self._window, matches=matches, seed=seed, throws=self.throws
            )
            save_snapshot(part, {"returns": found.returns})

        name = f"{record.stem}_of_{len(bots)}_matches_{matches}_judging_{seed}.zip"
        kept = load_snapshot(written_once(record.with_name(name), play))
        return PopulationScores(tuple(bots), kept["returns"])

    @property
    def _window(self) -> Recall:
        return Recall(self.recall, self.shows)

    @property
    def _seats(self) -> int:
        """Seats of one network: both, where it is shared."""
        return 2 if self.self_play and self.learner.get("sharing") == "shared" else 1

    def _iterations(self, episodes: int) -> int:
        throws = self.learner["steps"] * (self.at_once // self._seats) * self._seats
        return max(1, round(episodes * self.throws / throws))

    def _learner(
        self, bots: Mapping[str, Maker], seed: int, *, at_once: int
    ) -> tuple[PopulationPlay, Learner]:
        options = dict(self.learner)
        made = learner_class(options.pop("name"), path="learner.name")
        play = PopulationPlay(
            bots,
            episodes=max(1, at_once // self._seats),
            seed=int(named_stream(seed, "environment").integers(2**63)),
            recall=self._window,
            throws=self.throws,
            self_play=self.self_play,
        )
        given = read_options(made, options, path="learner")
        return play, made(play, rng=named_stream(seed, "learner"), **given)
