"""Iterated elimination of dominated actions, every step proved, and what is left proved too."""

from collections.abc import Sequence
from dataclasses import dataclass

from gametheory_core.certificates.dominance import (
    ActionSets,
    Dominance,
    DominanceCertificate,
    DominatedBy,
    Elimination,
    certify_dominance,
)
from gametheory_core.conversions.simpler_forms import Restriction, restrict_actions
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.memory import require_memory
from solvers.concepts import Concept
from solvers.dominance.search import Kind, Pace, Search, eliminate, judge_actions
from solvers.requirements import (
    a_normal_form,
    as_tuple,
    require_integer,
    require_member,
    require_player,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver


@dataclass(frozen=True)
class DominanceReduction:
    """A game without its dominated actions.

    Attributes:
        restriction: From the game to what is left of it;
            ``restriction.correspondence.to_source(profile)`` carries a profile of what is left
            back.
        certificate: Every elimination in order with its dominating strategy, and every action's
            reason to stay.
        run: How it was got.
    """

    restriction: Restriction
    certificate: DominanceCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[ActionSets, DominanceCertificate]:
        """What is left, as one answer."""
        return Solution(self.survivors, (), self.certificate, self.run)

    @property
    def reduced(self) -> NormalFormGame:
        """What is left of the game, with its labels."""
        return self.restriction.target

    @property
    def survivors(self) -> ActionSets:
        """For each player the actions that are left, numbered as in the game, from 0."""
        return self.certificate.survivors

    @property
    def eliminations(self) -> tuple[Elimination, ...]:
        """What went, in order."""
        return self.certificate.eliminations

    @property
    def is_solved(self) -> bool:
        """Whether one joint action is left: the game is dominance solvable."""
        return all(len(own) == 1 for own in self.survivors)


@dataclass(frozen=True)
class DominanceVerdict:
    """Whether an action is dominated, with the proof.

    Attributes:
        is_dominated: The decision; also the truth value of the record.
        certificate: Holds the one elimination, or the one reason to stay.
    """

    is_dominated: bool
    certificate: DominanceCertificate

    def __bool__(self) -> bool:
        return self.is_dominated


BYTES_PER_PAYOFF = 120  # in the tables of all players, while they are made


@solver(
    Answers(
        Concept.DOMINANCE,
        rank=10,
        given={"dominance": Dominance.STRICT},
        because="strictly dominated actions go, round by round, mixed strategies may dominate",
    ),
    Answers(
        Concept.WEAK_DOMINANCE,
        rank=10,
        given={"dominance": Dominance.WEAK},
        because="weakly dominated actions go, all of a round at once, mixed strategies may "
        "dominate",
    ),
    takes=(a_normal_form,),
    unit="actions",
    page="dominance",
)
def iterated_dominance(
    game: NormalFormGame,
    *,
    dominance: Dominance = Dominance.STRICT,
    dominated_by: DominatedBy = DominatedBy.MIXED,
    pace: Pace = Pace.ALL_AT_ONCE,
    order: Sequence[int] | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> DominanceReduction:
    """Eliminate dominated actions until none is left, with an exact proof of every step.

    Args:
        game: Any number of players.
        dominance: Strict (earns less against everything) or weak (never more, somewhere less).
        dominated_by: Whether mixed strategies dominate, or pure ones only.
        pace: What goes in one round. What is left depends on it for weak dominance, not for strict.
        order: All players, in the order in which they are looked at when not all go at once.
            Default 0, 1, ...
        budget: Iterations are actions judged.
        on_iteration: Called after each action judged.

    Returns:
        The reduced game with its certificate.

    Raises:
        InvalidArgument: If an option is no member of its enumeration, or the order does not list
            all players once, or is given where all go at once.
        NotConverged: If the budget ends first; ``best`` is the reduction so far, its certificate
            not complete.

    An action that is no best response to any joint action of the others, nor dominated by a single
    action, takes a float program of the size of what is left, and where there are ties an exact
    one. A belief found for an action is kept as long as all it is about is left.

    Sources:
        R. D. Luce and H. Raiffa, Games and Decisions, 1957, chapter 5.
        I. Gilboa, E. Kalai and E. Zemel, "On the order of eliminating dominated strategies",
            Operations Research Letters 9 (1990), 85-89.

    >>> dilemma = NormalFormGame.symmetric([[3, 0], [5, 1]], actions=("cooperate", "defect"))
    >>> reduction = iterated_dominance(dilemma)
    >>> reduction.reduced.actions
    (('defect',), ('defect',))
    >>> [(e.player, e.action, e.round_number) for e in reduction.eliminations]
    [(0, 0, 1), (1, 0, 1)]
    """
    players = _players(game, pace, order)
    require_memory(
        BYTES_PER_PAYOFF * game.given_payoffs.size,
        what=f"the {game.given_payoffs.size:,} payoffs of {game!r} as integers",
    )
    meter = open_meter(budget, on_iteration)
    everything = tuple(tuple(range(count)) for count in game.num_actions)
    search = Search(game, Kind(dominance, dominated_by), meter, everything)
    if eliminate(search, pace, players):
        return _reduction(search)
    raise NotConverged(
        needs="to judge every action that is left",
        found=f"the budget ended after {meter.iterations} judgements, with "
        f"{len(search.eliminations)} actions eliminated",
        remedy="Give a larger budget, or use the reduction in the exception's best.",
        best=_reduction(search),
    )


def is_strictly_dominated(
    game: NormalFormGame, *, player: int, action: int, dominated_by: DominatedBy = DominatedBy.MIXED
) -> DominanceVerdict:
    """Decide whether some strategy earns more than an action against everything, with proof.

    Args:
        game: Any number of players.
        player, action: Whose action, both from 0.
        dominated_by: Whether mixed strategies dominate, or pure ones only.

    Raises:
        InvalidArgument: If there is no such action.
        UnsupportedGame: If the game is a tree.

    If not dominated by mixed strategies, the certificate holds a belief to which the action is a
    best response. With two players such actions are those that can be best responses at all; with
    more, the belief may correlate what the others do (Pearce 1984).

    >>> game = NormalFormGame.bimatrix([[4, 0], [0, 4], [1, 1]], [[0, 0], [0, 0], [0, 0]])
    >>> verdict = is_strictly_dominated(game, player=0, action=2)
    >>> bool(verdict), [str(weight) for weight in verdict.certificate.eliminations[0].weights]
    (True, ['1/2', '1/2'])
    """
    kind = Kind(Dominance.STRICT, dominated_by)
    return _verdict(game, kind, player, action)


def is_weakly_dominated(
    game: NormalFormGame, *, player: int, action: int, dominated_by: DominatedBy = DominatedBy.MIXED
) -> DominanceVerdict:
    """Decide whether some strategy never earns less than an action, and somewhere more, with proof.

    Args:
        game: Any number of players.
        player, action: Whose action, both from 0.
        dominated_by: Whether mixed strategies dominate, or pure ones only.

    Raises:
        InvalidArgument: If there is no such action.
        UnsupportedGame: If the game is a tree.

    >>> game = NormalFormGame.bimatrix([[1, 0], [0, 0]], [[1, 0], [0, 0]])
    >>> bool(is_weakly_dominated(game, player=0, action=1))
    True
    >>> bool(is_strictly_dominated(game, player=0, action=1))
    False
    """
    kind = Kind(Dominance.WEAK, dominated_by)
    return _verdict(game, kind, player, action)


def _players(game: NormalFormGame, pace: Pace, order: Sequence[int] | None) -> tuple[int, ...]:
    everybody = tuple(range(game.num_players))
    if order is None:
        return everybody
    if pace is Pace.ALL_AT_ONCE:
        raise InvalidArgument(
            needs="a pace at which an order matters",
            found="all players go at once",
            remedy="Give pace=Pace.PLAYER_BY_PLAYER or Pace.ONE_BY_ONE, or leave the order out.",
        )
    listed = as_tuple(order, name="order", remedy="Give all players, from 0.")
    for player in listed:
        require_player(player, game, name="each player of the order")
    if sorted(listed) != list(everybody):
        raise InvalidArgument(
            needs=f"an order that lists each of {game.num_players} players once, from 0",
            found=f"got {listed}",
        )
    return listed


def _verdict(game: NormalFormGame, kind: Kind, player: int, action: int) -> DominanceVerdict:
    require_normal_form(game)
    require_member(kind.dominated_by, DominatedBy, name="dominated_by")
    require_player(player, game)
    require_integer(action, name="action", low=0, high=game.num_actions[player] - 1)
    everything = tuple(tuple(range(count)) for count in game.num_actions)
    search = Search(game, kind, Meter(UNLIMITED, "actions"), everything)
    judge_actions(search, player, (action,))
    return DominanceVerdict(bool(search.eliminations), _certificate(search))


def _reduction(search: Search) -> DominanceReduction:
    certificate = _certificate(search)
    restriction = restrict_actions(search.game, certificate.survivors)
    return DominanceReduction(restriction, certificate, search.meter.record())


def _certificate(search: Search) -> DominanceCertificate:
    return certify_dominance(
        search.game,
        dominance=search.kind.dominance,
        dominated_by=search.kind.dominated_by,
        eliminations=search.eliminations,
        survivals=[search.survivals[key] for key in sorted(search.survivals)],
    )
