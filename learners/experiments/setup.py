"""From an experiment's words to things: the game, the learner at play, and who judges it."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from gametheory_core.catalog.index import catalog
from gametheory_core.conversions.normal_posg import normal_to_posg
from gametheory_core.errors import GameTheoryError, InvalidArgument, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import is_posg, stop_aec, stop_posg
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from gametheory_core.leaders.view import LeaderView
from gametheory_core.loading import load_game
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.recursion import MediatorIncentives
from learners.assessment.findings import Appraisal, Finding, Standing
from learners.assessment.leaders import assess_leader
from learners.assessment.mediators import assess_mediated
from learners.assessment.play import assess, require_judgeable
from learners.assessment.sampling import assess_by_sampling
from learners.batched.game import batched
from learners.experiments.config import ExperimentConfig, GameConfig, Judging
from learners.experiments.registry import (
    CHANCE_OPTIONS,
    LEARNERS,
    chance_option,
    learner_class,
    learns_in_batches,
    learns_in_led_batches,
    learns_on_matrices,
    read_options,
)
from learners.learner import Learner
from learners.mediation.mediated_batch import MediatedBatch
from learners.mediation.turns import MediatedTurns
from learners.streams import named_stream


class _Commitment(Protocol):
    @property
    def leader(self) -> DeterministicLeader: ...
    @property
    def follower(self) -> SimpleFollower: ...


@runtime_checkable
class CommittingLearner(Protocol):
    """A learner of commitments: judged as a leader with the follower it meets."""

    view: LeaderView

    def commitment(self) -> _Commitment:
        """Return what was learned."""
        ...


@runtime_checkable
class MediatingLearner(Protocol):
    """A learner of mediation: judged by fairness and by what agents would gain."""

    game: MediatedGame
    incentives: MediatorIncentives

    def profile(self) -> MediatedProfile:
        """Return what was learned."""
        ...


class _Drawn(Protocol):
    @property
    def expected_fairness(self) -> Fraction: ...


@runtime_checkable
class DrawingLearner(Protocol):
    """A learner under leaders who are drawn: it can say how fair that is."""

    def play(self) -> _Drawn:
        """Return what comes of it, exactly."""
        ...


def game_of(config: GameConfig) -> Any:
    """Make the game of an experiment.

    Raises:
        InvalidArgument: If there is no such file, or a parameter is out of range.
        UnsupportedGame: If a horizon is given for a game that has no steps.
    """
    if config.file:
        game: Any = load_game(config.file)
    else:
        game = catalog()[config.name].build(**config.parameters)
    if config.horizon is None:
        return game
    if not hasattr(game, "legal_actions"):
        raise InvalidArgument(
            needs="a game of rules",
            found=f"{game.title!r} is a {type(game).__name__}",
            remedy="Leave it out.",
            where="game.horizon",
        )
    if is_posg(game):
        return stop_posg(game, steps=config.horizon)
    return stop_aec(game, moves=config.horizon)


def learner_of(
    config: ExperimentConfig, seed: int, *, learners: Mapping[str, str] = LEARNERS
) -> Learner:
    """Make the learner of an experiment, at play, with all its chance from one seed.

    Args:
        learners: Name -> ``module:class``.

    Raises:
        GameTheoryError: If the learner cannot play the game.
    """
    made = learner_class(config.learner.name, path="learner.name", table=learners)
    options = read_options(made, config.learner.options, path="learner")
    chance = chance_option(made)
    options[chance] = seed if chance == "seed" else named_stream(seed, "learner")
    game = game_of(config.game)
    played: Any = game
    if isinstance(game, NormalFormGame) and not learns_on_matrices(made):
        played = normal_to_posg(game).target
    if not learns_in_batches(made):
        return _made(made, played, options)
    if learns_in_led_batches(made):
        rng = named_stream(seed, "environment")
        batch = MediatedBatch(played, episodes=config.environment.episodes, rng=rng)
        return _made(made, batch, options)
    try:
        environment = batched(
            played,
            episodes=config.environment.episodes,
            seed=seed,
            sees=config.environment.sees,
        )
    except UnsupportedGame as error:
        raise UnsupportedGame(
            needs="a game whose states and pasts can be numbered",
            found=f'{error} In the file: environment.sees = "last" numbers the least, "timed" '
            'more, "history" the most; game.horizon stops play earlier',
            where="environment",
        ) from error
    return _made(made, environment, options)


def _made(made: Any, played: Any, options: Mapping[str, Any]) -> Learner:
    """Make a learner; what its constructor refuses is said with the key of the file."""
    try:
        return made(played, **options)
    except InvalidArgument as error:
        given = options.keys() - set(CHANCE_OPTIONS)
        key = f".{error.argument}" if error.argument in given else ""
        raise InvalidArgument(
            needs=error.needs, found=error.found, remedy=error.remedy, where=f"learner{key}"
        ) from None


def refuse_unjudgeable(config: ExperimentConfig, learner: Learner) -> None:
    """Refuse an experiment whose game is too large to be judged, before anything is learned.

    Raises:
        UnsupportedGame: Names the keys that help.
    """
    judging = config.assessment
    by_own_means = isinstance(learner, CommittingLearner | MediatingLearner)
    if judging.method is not Judging.EXACT or by_own_means:
        return
    game = game_of(config.game)
    judged = MediatedTurns(game) if isinstance(game, MediatedGame) else game
    try:
        require_judgeable(judged, acts_on=judging.acts_on, max_nodes=judging.max_nodes)
    except GameTheoryError as error:
        raise UnsupportedGame(
            needs="a game that can be judged exactly",
            found=f'{error} In the file: assessment.acts_on = "last-observation" judges by state, '
            'where all see it; assessment.method = "sampled" estimates, and "not" does '
            "not judge; game.horizon stops play earlier; assessment.max_nodes allows larger "
            "trees",
            where="assessment",
        ) from error


def appraisal_of(
    config: ExperimentConfig, learner: Learner, *, seed: int, iteration: int | None = None
) -> Appraisal:
    """Judge what a learner of an experiment has learned.

    Args:
        seed: Of the run. If episodes are sampled, their chance comes from it, but is independent of
            the chance that the learner met.
        iteration: If it is judged on the way: each time by other episodes.

    Raises:
        UnsupportedGame: If the game is too large for that.
    """
    if isinstance(learner, CommittingLearner):
        learned = learner.commitment()
        return assess_leader(
            learner.view,
            learned.leader,
            follower_policy=learned.follower,
            follower_class=config.assessment.follower_class,
        )
    if isinstance(learner, MediatingLearner):
        return assess_mediated(learner.game, learner.profile(), incentives=learner.incentives)
    game = game_of(config.game)
    judging = config.assessment
    if judging.method is Judging.SAMPLED:
        return assess_by_sampling(
            game,
            learner.policies(),
            episodes=judging.episodes,
            seed=_appraisal_seed(seed, iteration),
            sees=config.environment.sees,
        )
    if isinstance(game, MediatedGame):
        return _assess_leaders_drawn(game, learner, judging.max_nodes)
    return assess(game, learner.policies(), acts_on=judging.acts_on, max_nodes=judging.max_nodes)


def _appraisal_seed(seed: int, iteration: int | None) -> int:
    """Return a seed of its own, lest a learner be judged by the episodes that it was trained on."""
    names = ("appraisal",) if iteration is None else ("appraisal", iteration)
    return int(named_stream(seed, *names).integers(2**63))


def _assess_leaders_drawn(game: MediatedGame, learner: Learner, max_nodes: int) -> Appraisal:
    """Judge agents under leaders whom nobody picks for fairness, and how fair plays come out."""
    found = assess(MediatedTurns(game), learner.policies(), max_nodes=max_nodes)
    if not isinstance(learner, DrawingLearner):
        return found
    fair = Finding("fairness", learner.play().expected_fairness, Standing.EXACT)
    return replace(found, findings=(*found.findings, fair))
