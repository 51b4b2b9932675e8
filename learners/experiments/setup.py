"""From an experiment's words to things: the game, the learner at play, and who judges it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gametheory_core.catalog.index import catalog
from gametheory_core.certificates.claim import Certificate
from gametheory_core.conversions.static_games import normal_to_posg
from gametheory_core.errors import (
    CertificateRejected,
    GameTheoryError,
    InvalidArgument,
    UnsupportedGame,
)
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import is_posg, stop_aec, stop_posg
from gametheory_core.loading import load_game
from learners.assessment import assess, assess_by_sampling, judged_game, require_judgeable
from learners.batches.game import BatchedGame, batched
from learners.batches.sight import Sees
from learners.experiments.config import ExperimentConfig, GameConfig, Judging
from learners.experiments.population_game import appraised, played
from learners.experiments.registry import learner_class, read_options
from learners.findings import Appraisal
from learners.protocol import LEARNERS, Learner, Plays, declaration_of
from learners.streams import named_stream


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


@lru_cache(maxsize=2)
def _numbered(
    name: str, parameters: tuple[tuple[str, int], ...], horizon: int | None, sees: Sees
) -> BatchedGame:
    """Return a game of the catalogue with all it shows numbered, once for all runs of a sweep."""
    given = game_of(GameConfig(name=name, parameters=dict(parameters), horizon=horizon))
    game = normal_to_posg(given).target if isinstance(given, NormalFormGame) else given
    return batched(game, episodes=1, seed=0, sees=sees)


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
    options["rng"] = named_stream(seed, "learner")
    declared = declaration_of(made)
    if config.game.population is not None:
        return _against_bots(made, config, seed, options)
    given = game_of(config.game)
    is_matrix = isinstance(given, NormalFormGame) and declared.plays is not Plays.GAME
    game: Any = normal_to_posg(given).target if is_matrix else given
    if not declared.is_batched:
        return _made(made, game, options)
    episodes = config.environment.episodes
    if declared.batch is not None:
        rng = named_stream(seed, "environment")
        return _made(made, declared.batch(game, episodes=episodes, rng=rng), options)
    try:
        sees = config.environment.sees
        if config.game.file:
            environment = batched(game, episodes=episodes, seed=seed, sees=sees)
        else:
            parameters = tuple(sorted(config.game.parameters.items()))
            numbered = _numbered(config.game.name, parameters, config.game.horizon, sees)
            environment = numbered.anew(episodes=episodes, seed=seed)
    except UnsupportedGame as error:
        raise UnsupportedGame(
            needs="a game whose states and pasts can be numbered",
            found=f'{error} In the file: environment.sees = "last" numbers the least, "timed" '
            'more, "history" the most; game.horizon stops play earlier',
            where="environment",
        ) from error
    return _made(made, environment, options)


def _against_bots(
    made: Any, config: ExperimentConfig, seed: int, options: Mapping[str, Any]
) -> Learner:
    """Make a learner that plays matches against a population."""
    population: Any = config.game.population
    try:
        play = played(population, episodes=config.environment.episodes, seed=seed)
        return _made(made, play, options)
    except UnsupportedGame as error:
        raise UnsupportedGame(
            needs="a learner that fits what it is shown",
            found=f'{error} In the file: game.population.shows = "number" is for tables, "bits" '
            "for networks",
            where="learner",
        ) from error


def _made(made: Any, played: Any, options: Mapping[str, Any]) -> Learner:
    """Make a learner; what its constructor refuses is said with the key of the file."""
    try:
        return made(played, **options)
    except InvalidArgument as error:
        is_option = error.argument in options and error.argument != "rng"
        key = f".{error.argument}" if is_option else ""
        within = error.where.replace(" at ", ".")
        if error.is_placed and within.partition(".")[0] in options:  # a key of a table among them
            key = f".{within}"
        raise InvalidArgument(
            needs=error.needs, found=error.found, remedy=error.remedy, where=f"learner{key}"
        ) from None


def refuse_unjudgeable(config: ExperimentConfig, learner: Learner) -> None:
    """Refuse an experiment whose game is too large to be judged, before anything is learned.

    Raises:
        UnsupportedGame: Names the keys that help.
    """
    judging, judge = config.assessment, declaration_of(type(learner)).judge
    if judging.method is not Judging.EXACT or judge.appraise is not None:
        return
    judged = judge.rules(game_of(config.game))
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
    judging, judge = config.assessment, declaration_of(type(learner)).judge
    if config.game.population is not None:
        return appraised(
            config.game.population,
            learner,
            episodes=judging.episodes,
            seed=_appraisal_seed(seed, iteration),
        )
    if judge.appraise is not None:
        return judge.appraise(learner, judging)
    game = judge.rules(game_of(config.game))
    if judging.method is Judging.SAMPLED:
        return assess_by_sampling(
            game,
            learner.policies(),
            episodes=judging.episodes,
            seed=_appraisal_seed(seed, iteration),
            sees=config.environment.sees,
        )
    found = assess(game, learner.policies(), acts_on=judging.acts_on, max_nodes=judging.max_nodes)
    return replace(found, findings=(*found.findings, *judge.adds(learner)))


def refuse_foreign(
    config: ExperimentConfig, certificates: Iterable[Certificate], learners: Mapping[str, str]
) -> None:
    """Refuse certificates about another game than that of an experiment.

    Those by which mediators and leaders are judged hold games of their own, and are not looked at,
    nor are those of learners that are not known here.

    Raises:
        CertificateRejected: If one is about another game.
    """
    given = tuple(certificates)
    name = config.learner.name
    if not given or name not in learners or config.game.population is not None:
        return
    judge = declaration_of(learner_class(name, path="learner.name", table=learners)).judge
    if judge.appraise is not None:
        return
    judging = config.assessment
    game = judged_game(
        judge.rules(game_of(config.game)), acts_on=judging.acts_on, max_nodes=judging.max_nodes
    )
    for certificate in given:
        if certificate.game != game:
            raise CertificateRejected(
                needs=f"certificates about {game!r}",
                found=f"one is about {certificate.game!r}",
                remedy="Delete the files of the run, and make it again.",
                where=f"{certificate.kind} certificate",
            )


def _appraisal_seed(seed: int, iteration: int | None) -> int:
    """Return a seed of its own, lest a learner be judged by the episodes that it was trained on."""
    names = ("appraisal",) if iteration is None else ("appraisal", iteration)
    return int(named_stream(seed, *names).integers(2**63))
