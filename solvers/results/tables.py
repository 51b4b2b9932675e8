"""Answers of every kind as plain tables, for people and for data frames."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from itertools import islice
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import shown_players
from gametheory_core.certificates.completeness import NashComponent
from gametheory_core.certificates.dominance import DominanceCertificate
from gametheory_core.certificates.refinements import SequentialCertificate
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame, path_to
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.public_histories import PublicLayout, history_labels, public_layout
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.games.rules import Blank
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.memory import require_memory
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.correlated import BehavioralMixture, CorrelatedDistribution
from gametheory_core.strategies.labels import actions_of_seats, named, seats
from gametheory_core.strategies.markov import MarkovCorrelation, MarkovProfile
from gametheory_core.strategies.mixed import CoverageLottery, MixedProfile
from gametheory_core.strategies.public_plans import PublicProfile, blocks_of_moves, public_behavior
from gametheory_core.strategies.trembles import infoset_nodes

BYTES_PER_ROW = 700  # of a table: texts, a fraction, and the same once more as it is printed

Row: TypeAlias = tuple[str | Fraction, ...]


def label_text(label: Hashable) -> str:
    """Write a label for people: tuples in parentheses, of one entry without.

    >>> label_text((("cooperate", "defect"),))
    '(cooperate, defect)'
    """
    if isinstance(label, tuple):
        parts = [label_text(part) for part in cast("tuple[Hashable, ...]", label)]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return label.name.lower() if isinstance(label, Blank) else str(label)


def choice_text(game: TabularPOSG, player: int, seen: int, action: int) -> tuple[str, str]:
    """Write what a player sees and does."""
    observation = game.observations[player][seen]
    return label_text(observation), label_text(game.actions[player][action])


def markov_rows(game: TabularPOSG, answer: MarkovProfile) -> Iterator[Row]:
    """Yield time, state, player, action and probability."""
    names = shown_players(game.players)
    for time, row in enumerate(answer.lotteries):
        when = "always" if answer.is_stationary else str(time)
        for state, lotteries in enumerate(row):
            for player, lottery in enumerate(lotteries):
                for action, weight in enumerate(lottery):
                    if weight:
                        taken = label_text(game.actions[player][action])
                        where = label_text(game.states[state])
                        yield (when, where, names[player], taken, weight)


def correlation_rows(game: TabularPOSG, answer: MarkovCorrelation) -> Iterator[Row]:
    """Yield time, state, joint action and probability."""
    for time, row in enumerate(answer.distributions):
        for state, drawn in enumerate(row):
            if drawn is None:
                continue
            for joint, weight in zip(drawn.joint_actions, drawn.probabilities, strict=True):
                taken = zip(game.actions, joint, strict=True)
                actions = ", ".join(label_text(own[a]) for own, a in taken)
                yield (str(time), label_text(game.states[state]), actions, weight)


Cell: TypeAlias = str | Fraction

PROBABILITY, BELIEF = "probability", "belief"


@dataclass(frozen=True)
class AnswerTable:
    """An answer as a table.

    Attributes:
        columns: Headings. ``"probability"`` or ``"belief"`` comes last, where there is one.
        rows: Texts, and probabilities as rationals.
        left_out: How many rows are not there, since their probability is 0.
        cut: How many more are not there, since only the first were asked for.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    left_out: int = 0
    cut: int = 0

    @property
    def is_lottery(self) -> bool:
        """Whether rows end with how likely they are."""
        return self.columns[-1] in {PROBABILITY, BELIEF}

    @property
    def unit(self) -> str:
        """What a row is about, in the singular."""
        return self.columns[-2] if self.is_lottery and len(self.columns) > 1 else "row"

    def support(self) -> "AnswerTable":
        """Return the rows of positive probability.

        >>> rows = (("up", Fraction(1)), ("down", Fraction(0)))
        >>> found = AnswerTable(("action", PROBABILITY), rows).support()
        >>> len(found.rows), found.left_out
        (1, 1)
        """
        if not self.is_lottery:
            return self
        rows = tuple(row for row in self.rows if row[-1])
        return replace(self, rows=rows, left_out=self.left_out + len(self.rows) - len(rows))

    def top(self, count: int | None) -> "AnswerTable":
        """Return the first rows, at most so many; all if it is None."""
        if count is None:
            return self
        return replace(self, rows=self.rows[:count], cut=self.cut + max(0, len(self.rows) - count))


def answer_table(
    game: Any, answer: Any, *, leader: int = 0, full: bool = True, top: int | None = None
) -> AnswerTable:
    """Write an answer about a game as a table.

    Args:
        game (NormalFormGame, ExtensiveFormGame, BayesianGame, SecurityGame, TabularPOSG, ...)
        answer (MixedProfile, BehavioralProfile, CorrelatedDistribution, CoverageLottery, ...): As
            certificates call their ``answer``.
        leader: Who commits, if the answer is a commitment in a Markov game.
        full: With the rows of probability 0, too.
        top: Only the first rows, at most so many.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> answer_table(pennies, uniform_profile(pennies)).columns
    ('player', 'action', 'probability')
    """
    if isinstance(answer, PublicProfile):
        return _ranges(game, answer, full=full, top=top)
    found = _whole_table(game, answer, leader)
    return (found if full else found.support()).top(top)


def _whole_table(game: Any, answer: Any, leader: int) -> AnswerTable:
    if isinstance(answer, MixedProfile):
        return _mixed(game, answer)
    if isinstance(answer, BehavioralProfile):
        return _behavioral(game, answer)
    if isinstance(answer, CorrelatedDistribution):
        return _correlated(game, answer)
    if isinstance(answer, BehavioralMixture):
        return _mixture_of_profiles(game, answer)
    if isinstance(answer, CoverageLottery):
        return _coverages(game, answer)
    if not isinstance(answer, tuple):
        columns, rows = _declared(type(answer))
        return AnswerTable(columns, tuple(rows(game, answer, leader)))
    if answer and isinstance(answer[0], NashComponent):
        return _components(game, answer)
    if answer and isinstance(answer[0][0], Fraction):
        return _corners(game, answer)
    return _survivors(game, answer)


Rows: TypeAlias = Callable[[Any, Any, int], Iterable[tuple[Cell, ...]]]
_TABLES: dict[type[Any], tuple[tuple[str, ...], Rows]] = {}


def table_of(answer: type[Any], *, columns: tuple[str, ...]) -> Callable[[Rows], Rows]:
    """Declare how answers of a type are written as rows, of the game, the answer and the leader."""

    def declare(rows: Rows) -> Rows:
        _TABLES[answer] = (columns, rows)
        return rows

    return declare


@table_of(MarkovProfile, columns=("time", "state", "player", "action", PROBABILITY))
def _markov(game: Any, answer: MarkovProfile, _leader: int) -> Iterable[tuple[Cell, ...]]:
    return markov_rows(game, answer)


@table_of(MarkovCorrelation, columns=("time", "state", "joint action", PROBABILITY))
def _markov_correlation(
    game: Any, answer: MarkovCorrelation, _leader: int
) -> Iterable[tuple[Cell, ...]]:
    return correlation_rows(game, answer)


def _declared(answer: type[Any]) -> tuple[tuple[str, ...], Rows]:
    if answer not in _TABLES:
        import_module("solvers.solver").declarations()  # loads the rooms that declare tables, too
    return _TABLES[answer]


def proof_table(certificate: Any) -> AnswerTable | None:
    """Write what makes an answer one as a table, where people want to see that.

    Returns:
        The eliminations in order, each with the strategy that dominates; the beliefs at information
        sets of several nodes.

    >>> from gametheory_core import load_game
    >>> from solvers import iterated_dominance
    >>> found = iterated_dominance(load_game("prisoners_dilemma"))
    >>> proof_table(found.certificate).columns
    ('round', 'player', 'action that goes', 'dominated by')
    """
    if isinstance(certificate, SequentialCertificate):
        return _beliefs(certificate)
    if not isinstance(certificate, DominanceCertificate) or not certificate.eliminations:
        return None
    game = certificate.game
    players, actions = seats(game), actions_of_seats(game)
    return AnswerTable(
        ("round", "player", "action that goes", "dominated by"),
        tuple(
            (
                str(gone.round_number),
                players[gone.player],
                actions[gone.player][gone.action],
                _mixture(actions[gone.player], gone.dominators, gone.weights),
            )
            for gone in certificate.eliminations
        ),
    )


def _beliefs(certificate: SequentialCertificate) -> AnswerTable | None:
    game = certificate.game
    players = shown_players(game.players)
    rows: list[tuple[Cell, ...]] = []
    for infoset, nodes, beliefs in zip(
        game.infosets, infoset_nodes(game), certificate.beliefs, strict=False
    ):
        name = infoset.label or f"#{infoset.number}"
        if len(nodes) > 1:
            rows += [
                (players[infoset.player], name, ", ".join(path_to(game, node)), belief)
                for node, belief in zip(nodes, beliefs, strict=True)
            ]
    if not rows:
        return None
    return AnswerTable(("player", "information set", "after", BELIEF), tuple(rows))


def _mixed(game: NormalFormGame | BayesianGame, profile: MixedProfile) -> AnswerTable:
    return AnswerTable(
        ("player", "action", PROBABILITY),
        tuple(
            (seat, action, cast("Fraction", probability))
            for seat, actions, strategy in zip(
                seats(game), actions_of_seats(game), profile.to_exact().strategies, strict=True
            )
            for action, probability in zip(actions, strategy.tolist(), strict=True)
        ),
    )


def _behavioral(game: ExtensiveFormGame, profile: BehavioralProfile) -> AnswerTable:
    players = shown_players(game.players)
    decisions = [infoset for infoset in game.infosets if infoset.player != CHANCE]
    return AnswerTable(
        ("player", "information set", "action", PROBABILITY),
        tuple(
            (players[infoset.player], infoset.label or f"#{infoset.number}", action, probability)
            for infoset, own in zip(decisions, profile.to_exact().probabilities, strict=True)
            for action, probability in zip(named(infoset.actions), own.tolist(), strict=True)
        ),
    )


def _ranges(
    game: PublicStateGame, profile: PublicProfile, *, full: bool, top: int | None
) -> AnswerTable:
    """List histories in order, and the hands that come there; of large games only what is asked."""
    layout = public_layout(game)
    listed = played = 0
    for plan, moves, hands in zip(profile.plans, layout.moves, game.num_hands, strict=True):
        for block in blocks_of_moves(moves, hands):
            listed += int(np.count_nonzero(plan[block.parents])) * block.sequences.shape[-1]
            played += int(np.count_nonzero(plan[block.sequences]))
    count = listed if full else played
    shown = count if top is None else min(top, count)
    require_memory(
        BYTES_PER_ROW * shown,
        what=f"a table of {shown:,} rows",
        remedy="Ask for the first rows (top=..., on the command line --top N).",
    )
    rows = tuple(islice(_range_rows(game, layout, profile, full=full), shown))
    columns = ("player", "hand", "after", "action", PROBABILITY)
    return AnswerTable(columns, rows, listed - count, count - shown)


def _range_rows(
    game: PublicStateGame, layout: PublicLayout, profile: PublicProfile, *, full: bool
) -> Iterator[tuple[Cell, ...]]:
    names = shown_players(game.players)
    for history, situation in enumerate(layout.situation.tolist()):
        mover = game.situations[situation].mover
        if mover in (CHANCE, TERMINAL):
            continue
        after = ", ".join(history_labels(game, layout, history)) or "the deal"
        for hand, actions in public_behavior(game, layout, profile, history).items():
            for action, probability in actions.items():
                if full or probability:
                    yield names[mover], hand, after, action, probability


def _correlated(game: NormalFormGame, distribution: CorrelatedDistribution) -> AnswerTable:
    actions = actions_of_seats(game)
    return AnswerTable(
        (*shown_players(game.players), PROBABILITY),
        tuple(
            (*(own[a] for own, a in zip(actions, joint_action, strict=True)), probability)
            for joint_action, probability in zip(
                distribution.joint_actions, distribution.probabilities, strict=True
            )
        ),
    )


def _mixture_of_profiles(game: ExtensiveFormGame, mixture: BehavioralMixture) -> AnswerTable:
    """List what is drawn at each information set of each profile, impossible actions left out."""
    rows: list[tuple[Cell, ...]] = []
    for number, (weight, profile) in enumerate(
        zip(mixture.weights, mixture.profiles, strict=True), start=1
    ):
        within = _behavioral(game, profile).rows
        rows += [(str(number), weight, *row) for row in within if row[-1]]
    columns = ("draw", "weight", "player", "information set", "action", PROBABILITY)
    return AnswerTable(columns, tuple(rows))


def _coverages(game: SecurityGame, lottery: CoverageLottery) -> AnswerTable:
    targets = named(game.targets)
    return AnswerTable(
        ("targets covered together", PROBABILITY),
        tuple(
            (", ".join(targets[t] for t in coverage) or "none", probability)
            for coverage, probability in zip(lottery.coverages, lottery.probabilities, strict=True)
        ),
    )


def _survivors(game: NormalFormGame, survivors: Sequence[Sequence[int]]) -> AnswerTable:
    return AnswerTable(
        ("player", "action that is left"),
        tuple(
            (seat, actions[action])
            for seat, actions, own in zip(
                seats(game), actions_of_seats(game), survivors, strict=True
            )
            for action in own
        ),
    )


def _corners(game: NormalFormGame, points: Sequence[Sequence[Fraction]]) -> AnswerTable:
    """List payoffs of the first two players."""
    names = tuple(f"payoff of {seat}" for seat in seats(game)[:2])
    return AnswerTable(names, tuple(tuple(point) for point in points))


def _components(game: NormalFormGame, components: Sequence[NashComponent]) -> AnswerTable:
    """List extreme strategies; all mixtures of both sides of a subset are equilibria."""
    actions = actions_of_seats(game)
    rows: list[tuple[Cell, ...]] = []
    for c, component in enumerate(components, start=1):
        for s, subset in enumerate(component.subsets, start=1):
            for seat, own, strategies in zip(
                seats(game), actions, (subset.first, subset.second), strict=True
            ):
                rows += [(str(c), str(s), seat, _lottery(own, strategy)) for strategy in strategies]
    return AnswerTable(("component", "subset", "player", "extreme strategy"), tuple(rows))


def _lottery(actions: Sequence[str], strategy: Sequence[Fraction]) -> str:
    played = [k for k, probability in enumerate(strategy) if probability]
    return _mixture(actions, played, [strategy[k] for k in played])


def _mixture(
    actions: Sequence[str], played: Sequence[int], probabilities: Sequence[Fraction]
) -> str:
    if len(played) == 1:
        return actions[played[0]]
    pairs = zip(played, probabilities, strict=True)
    return ", ".join(f"{actions[k]} ({probability})" for k, probability in pairs)
