"""What branch and bound over equilibria keeps: a tree of cases, and the best equilibrium so far."""

from dataclasses import dataclass, field
from fractions import Fraction

from gametheory_core.arrays import FloatArray, ScaledIntegers
from gametheory_core.certificates.equilibrium_bounds import Case, Label, Leaf
from gametheory_core.certificates.optimal_equilibrium import EquilibriumObjective, scaled_scores
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.best_equilibrium.face import Supports
from solvers.best_equilibrium.tables import float_tables
from solvers.solution import Meter

NO_SCORE = Fraction(-1)  # less than any number of actions


@dataclass(frozen=True)
class Proof:
    """A tree of cases.

    Attributes:
        questions: In preorder, None for a leaf.
    """

    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]


@dataclass
class Node:
    """A case with what is known about it; open until its bound is no better than the best."""

    case: Case
    leaf: Leaf
    bound: Fraction | None  # none: no equilibrium
    question: Label | None = None
    children: tuple["Node", "Node"] | None = None


@dataclass
class Search:
    """Everything that one call keeps; lives inside it.

    Attributes:
        game, objective, player, meter: What is asked for.
        start: What is answered before the first question.
        scores: The score of each pair of actions.
        payoffs: Each player's, in [0, 1].
        best: The best equilibrium found.
        best_score: Its score, or less than any.
        stops_at_first: Whether any equilibrium will do.
        tried: Supports proposed before.
        root: Of the tree of cases.
    """

    game: NormalFormGame
    objective: EquilibriumObjective
    player: int
    meter: Meter
    start: Case
    scores: ScaledIntegers
    payoffs: tuple[FloatArray, FloatArray]
    best: MixedProfile | None = None
    best_score: Fraction = NO_SCORE
    stops_at_first: bool = False
    tried: set[Supports] = field(default_factory=set[Supports])
    root: Node = field(default_factory=lambda: Node(Case(), Leaf(), None))

    @property
    def is_done(self) -> bool:
        """Whether nothing more is wanted, or may be spent."""
        return self.meter.is_exhausted or (self.stops_at_first and self.best is not None)


def new_search(
    game: NormalFormGame,
    *,
    objective: EquilibriumObjective,
    player: int,
    start: Case,
    meter: Meter,
    stops_at_first: bool = False,
) -> Search:
    """Prepare a search that knows no equilibrium yet.

    Where payoffs are compared, it must be offered one before it starts.
    """
    scores = scaled_scores(game, objective=objective, player=player)
    return Search(
        game=game,
        objective=objective,
        player=player,
        meter=meter,
        start=start,
        scores=scores,
        payoffs=float_tables(game, scores, Fraction(0)).payoffs,
        stops_at_first=stops_at_first,
    )


def proof_of(search: Search) -> Proof:
    """Write the tree of cases in preorder."""
    questions: list[Label | None] = []
    leaves: list[Leaf] = []
    pending = [search.root]
    while pending:
        node = pending.pop()
        if node.children is None:
            questions.append(None)
            leaves.append(node.leaf)
        else:
            questions.append(node.question)
            pending += [node.children[1], node.children[0]]
    return Proof(tuple(questions), tuple(leaves))
