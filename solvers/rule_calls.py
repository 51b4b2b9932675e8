"""How the algorithms of Markov games and mediated games are called."""

from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Any, TypeVar

from gametheory_core.arguments import require_integer
from gametheory_core.certificates.linear_objective import LinearObjective
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.evaluation.end_transfers import EndRule, MediatorStage
from gametheory_core.evaluation.fairness import Fairness, FairnessKind
from gametheory_core.evaluation.follower_responses import FollowerClass, FollowerTies
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.tabular_posg import TabularPOSG
from solvers.calls import chosen_objective, limits_of
from solvers.concepts import AnySolution, Options
from solvers.markov.stage_games import stage_correlated_induction
from solvers.mediated.jam_value_iteration import jam_value_iteration

Choice = TypeVar("Choice", bound=Enum)


def word_of(choice: Enum) -> str:
    """Return the word for a member of an enumeration.

    >>> word_of(EndRule.HISTORY_IDEAL)
    'history-ideal'
    """
    return choice.name.lower().replace("_", "-")


def chosen(kind: type[Choice], word: str | None, *, default: Choice, option: str) -> Choice:
    """Return the member that a word names.

    Raises:
        InvalidArgument: If it names none.

    >>> chosen(FollowerTies, "weak", default=FollowerTies.STRONG, option="ties").name
    'WEAK'
    """
    if word is None:
        return default
    known = {word_of(member): member for member in kind}
    if word not in known:
        raise InvalidArgument(
            f"solve: needs known {option}, but {word!r} is none. Choose from: {', '.join(known)}."
        )
    return known[word]


def leading(solver: Callable[..., AnySolution], game: TabularPOSG, options: Options) -> AnySolution:
    """Find a commitment of a leader in a Markov game."""
    promise = {} if options.tolerance is None else {"tolerance": options.tolerance}
    return solver(
        game,
        leader=options.leader or 0,
        follower_class=chosen(
            FollowerClass,
            options.followers,
            default=FollowerClass.TIME_AWARE,
            option="followers",
        ),
        ties=chosen(FollowerTies, options.ties, default=FollowerTies.STRONG, option="ties"),
        **promise,
        **limits_of(options),
    )


def correlated_stages(game: TabularPOSG, options: Options) -> AnySolution:
    """Recommend what is best by an objective in words, in each stage given what comes after."""
    player, count = options.player or 0, game.num_players
    require_integer(player, function="solve", name="player", low=0, high=count - 1)
    chosen = [Fraction(i == player) for i in range(count)]
    objectives = {
        "largest-welfare": lambda: LinearObjective((Fraction(1),) * count),
        "largest-payoff": lambda: LinearObjective(tuple(chosen)),
        "least-payoff": lambda: LinearObjective(tuple(-weight for weight in chosen)),
    }
    objective = chosen_objective(objectives, options)
    return stage_correlated_induction(game, objective=objective(), **limits_of(options))


def mediated(game: MediatedGame, options: Options) -> AnySolution:
    """Let agents and a mediator who maximizes a measure of fairness answer each other."""
    rule = chosen(EndRule, options.end_rule, default=EndRule.HISTORY_IDEAL, option="end_rule")
    stage = chosen(MediatorStage, options.stage, default=MediatorStage.FULL, option="stage")
    fairness = _fairness(game, options.objective)
    found = jam_value_iteration(
        game, fairness=fairness, stage=stage, end_rule=rule, **limits_of(options)
    )
    if found.solution is None:
        raise NotConverged(
            f"solve: needs rounds until one changes nothing, but the budget ended after "
            f"{found.run.iterations}. Give a larger budget.",
            best=None,
        )
    return found.solution


def _fairness(game: MediatedGame, word: str | None) -> Fairness:
    """Return a measure by its word; Gini weights fall evenly from who has least."""
    kind = chosen(FairnessKind, word, default=FairnessKind.MINIMUM, option="objective")
    weights: tuple[Fraction, ...] = ()
    if kind is FairnessKind.GINI:
        ranks = range(game.num_players, 0, -1)
        weights = tuple(Fraction(rank, sum(ranks)) for rank in ranks)
    return Fairness(kind, weights)


def word(choice: Any) -> str | None:
    """Return the word of a choice that may be given as a word or as a member."""
    return word_of(choice) if isinstance(choice, Enum) else choice
