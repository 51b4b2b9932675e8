"""Rules of a tree as sampling meets them: expanded when first visited, checked, numbers ready.

Nothing is known of a tree before it is visited. Each position is expanded once and remembered, up
to a limit; each information set gets a number when it is first met.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from gametheory_core import InvalidGame
from gametheory_core.arguments import shown
from gametheory_core.arrays import to_fraction
from gametheory_core.games import CHANCE, TERMINAL, ExtensiveFormGame, InformationSet
from gametheory_core.games.rules import from_inner
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal, TreeRules
from gametheory_core.probabilities import exact_weights

MOST_REMEMBERED = 50_000  # positions, of about a thousand bytes each

InfosetKey = tuple[int, Hashable]  # player, and what the player knows


class Visit(NamedTuple):
    """A position, expanded.

    ``player`` is the mover, ``CHANCE`` or ``TERMINAL``; ``infoset`` the number of its information
    set, -1 if it is no player's; ``weights`` and ``cumulative`` are chance's probabilities and
    their running sums, infinite from the last possible one on; ``payoffs`` are empty for nothing.
    """

    player: int
    infoset: int
    children: tuple[Any, ...]
    weights: tuple[Any, ...]
    cumulative: tuple[float, ...]
    payoffs: tuple[Any, ...]


@dataclass
class Positions:
    """What has been visited of some rules; grows. Lives inside one call.

    Attributes:
        number: What payoffs and probabilities are made of ``Fraction`` into: ``float``, or
            themselves.
        keys: In the order of their numbers.
        actions: Labels of the actions at each.
    """

    rules: TreeRules[Any]
    number: Callable[[Fraction], Any] = float
    keys: list[InfosetKey] = field(default_factory=list[InfosetKey])
    actions: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])

    def __post_init__(self) -> None:
        self.num_players = len(self.rules.players)
        self._index = {key: index for index, key in enumerate(self.keys)}
        self._visits: dict[Hashable, Visit] = {}
        self.root: Hashable = self.rules.root

    def visit(self, position: Any) -> Visit:
        """Return what happens at a position.

        Raises:
            InvalidGame: If the rules contradict themselves; names the information set or position.
        """
        try:
            known = self._visits.get(position)
        except TypeError:
            raise InvalidGame(
                needs="hashable positions",
                found=f"the rules have {shown(position)} (type {type(position).__name__})",
                remedy="Make it a tuple or a frozen dataclass.",
            ) from None
        if known is not None:
            return known
        found = self._expanded(self.rules.expand(position), position)
        if len(self._visits) < MOST_REMEMBERED:
            self._visits[position] = found
        return found

    def forget(self, known: int) -> None:
        """Forget all information sets but the first ``known``, as if they had not been met."""
        for key in self.keys[known:]:
            self._index.pop(key, None)
        self._visits = {
            position: visit for position, visit in self._visits.items() if visit.infoset < known
        }
        del self.keys[known:], self.actions[known:]

    def _expanded(self, node: Node[Any], position: object) -> Visit:
        if isinstance(node, Decision):
            return self._decision(node)
        if isinstance(node, Chance):
            return self._chance(node)
        if isinstance(node, Terminal):  # pyright: ignore[reportUnnecessaryIsInstance]
            paid = self._payoffs(node.payoffs)
            return Visit(
                TERMINAL, -1, (), (), (), paid or (self.number(Fraction(0)),) * self.num_players
            )
        raise InvalidGame(
            needs="rules that expand each position into a Decision, Chance or Terminal",
            found=f"{shown(position)} became {shown(node)}",
        )

    def _decision(self, node: Decision[Any]) -> Visit:
        key, actions = (node.player, node.infoset), tuple(node.children)
        index = self._index.get(key)
        if index is None:
            self._check_new(node, actions)
            index = len(self.keys)
            self.keys.append(key)
            self.actions.append(actions)
            self._index[key] = index
        elif self.actions[index] != actions:
            raise InvalidGame(
                needs="the same actions at all nodes of an information set",
                found=f"{node.infoset!r} of player {node.player + 1} has {self.actions[index]} at "
                f"one and {actions} at another",
                remedy="Give nodes with different actions different information sets.",
            )
        children = tuple(node.children.values())
        return Visit(node.player, index, children, (), (), self._payoffs(node.payoffs))

    def _check_new(self, node: Decision[Any], actions: tuple[str, ...]) -> None:
        if not 0 <= node.player < self.num_players:
            raise InvalidGame(
                needs=f"players in 0..{self.num_players - 1}",
                found=f"information set {node.infoset!r} has {node.player!r}",
            )
        if not actions:
            raise InvalidGame(
                needs="an action at each decision",
                found=f"information set {node.infoset!r} of player {node.player + 1} has none",
                remedy="Make it a Terminal.",
            )

    def _chance(self, node: Chance[Any]) -> Visit:
        labels = tuple(node.children)
        where = f"probabilities of {shown(labels)}"
        given = [probability for probability, _ in node.children.values()]
        exact = exact_weights(labels, given, owner=where)
        weights = tuple(map(self.number, exact))
        sums = running_sums(exact, number=self.number)
        children = tuple(child for _, child in node.children.values())
        return Visit(CHANCE, -1, children, weights, sums, self._payoffs(node.payoffs))

    def _payoffs(self, payoffs: Sequence[object]) -> tuple[Any, ...]:
        if not payoffs:
            return ()
        if len(payoffs) != self.num_players:
            raise InvalidGame(
                needs=f"a payoff for each of {self.num_players} players",
                found=f"found {tuple(payoffs)}",
            )
        exact = [to_fraction(p, where=f"payoffs {tuple(payoffs)}") for p in payoffs]
        try:
            return tuple(map(self.number, exact))
        except OverflowError:
            raise InvalidGame(
                needs="payoffs that floats can hold",
                found="found one of more than 1.8e308",
                remedy="Rescale the payoffs.",
            ) from None


@dataclass(frozen=True)
class TreeAsRules:
    """A tree as rules; positions are its nodes, information sets their indices."""

    game: ExtensiveFormGame
    title = from_inner("title")
    players = from_inner("players")

    @property
    def root(self) -> int:
        """Node 0."""
        return 0

    def expand(self, position: int) -> Node[int]:
        """Say what happens at a node."""
        game = self.game
        outcome = int(game.node_outcome[position])
        payoffs = game.outcomes[outcome].payoffs if outcome >= 0 else ()
        index = int(game.node_infoset[position])
        if index < 0:
            return Terminal(payoffs)
        infoset, first = game.infosets[index], int(game.first_child[position])
        children = {label: first + k for k, label in enumerate(action_labels(infoset))}
        if infoset.probabilities is None:
            return Decision(infoset.player, index, children, payoffs)
        chances = zip(children.items(), infoset.probabilities, strict=True)
        return Chance({label: (p, child) for (label, child), p in chances}, payoffs)


def running_sums(
    probabilities: Sequence[Fraction], *, number: Callable[[Fraction], Any]
) -> tuple[float, ...]:
    """Return sums up to each probability, infinite from the last possible one on."""
    last = max(k for k, probability in enumerate(probabilities) if probability)
    sums = accumulate(map(number, probabilities))
    return tuple(inf if k >= last else float(total) for k, total in enumerate(sums))


def action_labels(infoset: InformationSet) -> tuple[str, ...]:
    """Return the labels of a tree's actions; unnamed ones are numbered from 1."""
    return tuple(label or f"#{k + 1}" for k, label in enumerate(infoset.actions))
