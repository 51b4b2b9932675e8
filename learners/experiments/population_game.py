"""Repeated rock-paper-scissors against a population, as a file asks for it: play, and judging."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gametheory_core.errors import InvalidArgument
from learners.findings import Appraisal, Finding, Standing
from learners.frozen import frozen
from learners.protocol import Learner
from learners.roshambo.learning.policy_scores import evaluate_policy
from learners.roshambo.learning.population_play import PopulationPlay
from learners.roshambo.tournaments.entrants import population_named
from learners.roshambo.tournaments.makers import Maker
from learners.streams import named_stream

if TYPE_CHECKING:
    from learners.experiments.config import PopulationConfig

WHERE = "game.population"


def played(config: "PopulationConfig", *, episodes: int, seed: int) -> PopulationPlay:
    """Return matches against the population, with all their chance from one seed.

    Raises:
        InvalidArgument: If there is no such population or bot.
        MissingDependency: If its bots are another package's, which is not installed.
    """
    try:
        return PopulationPlay(
            bots_of(config),
            episodes=episodes,
            seed=int(named_stream(seed, "environment").integers(2**63)),
            recall=config.window,
            throws=config.throws,
            weights=config.weights,
            self_play=config.self_play,
        )
    except InvalidArgument as error:
        raise error.changed(InvalidArgument, where=WHERE) from None


def bots_of(config: "PopulationConfig") -> Mapping[str, Maker]:
    """Return what makes the bots that are asked for.

    Raises:
        InvalidArgument: If there is no such population or bot.
    """
    population = population_named(config.name, throws=config.throws)
    for name in config.bots:
        if name not in population:
            raise InvalidArgument(
                needs=f"names of bots of the population {config.name!r}",
                found=f"got {name!r}",
                where=f"{WHERE}.bots",
            )
    return {name: population[name] for name in config.bots} if config.bots else population


def appraised(
    config: "PopulationConfig", learner: Learner, *, episodes: int, seed: int
) -> Appraisal:
    """Judge what was learned by fresh matches, as many against each bot, and two at least."""
    bots = bots_of(config)
    matches = max(2, episodes // len(bots))
    policy = frozen(learner, played(config, episodes=1, seed=0))
    scores = evaluate_policy(
        policy, bots, recall=config.window, matches=matches, seed=seed, throws=config.throws
    )
    return Appraisal(
        f"repeated rock-paper-scissors against {config.name}",
        f"SAMPLED, an estimate from {matches:,} matches against each of {len(bots)} bots; nothing "
        "is proved",
        (
            Finding(
                f"return/{PopulationPlay.SEATS[0]}",
                scores.population_return,
                Standing.SAMPLED,
                scores.population_return_error,
            ),
        ),
    )
