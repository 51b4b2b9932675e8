"""Two small trees; trees read play by play from their defining fields, as an oracle."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.games import CHANCE

GUESS = from_sketch(
    Decision(
        0,
        "",
        {
            a: Decision(1, "", {b: Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
            for a in "HT"
        },
    ),
    players=("Ann", "Bob"),
)
WEATHER = from_sketch(
    Chance(
        {
            "rain": ("1/3", Decision(0, "wet", {"stay": Terminal([0, 1])}, [5, 0])),
            "sun": ("2/3", Decision(1, "", {"go": Terminal(["1/7", -2])})),
        }
    ),
    players=("Ann", "Bob"),
    title="Weather",
)


def rules_of(expand, *, root=0, players=("Ann",)):
    """Rules of a tree, by the function that says what happens at a position."""
    return SimpleNamespace(title="Rules", players=players, root=root, expand=expand)


def nested(root, players=("Ann", "Bob")):
    """A tree of nested records as rules; its positions are the records."""
    return rules_of(lambda position: position, root=root, players=players)


def written(game, node=0):
    """A laid-out tree as nested records again."""
    outcome, index = int(game.node_outcome[node]), int(game.node_infoset[node])
    paid = game.outcomes[outcome].payoffs if outcome >= 0 else ()
    if index < 0:
        return Terminal(paid)
    infoset, first = game.infosets[index], int(game.first_child[node])
    below = [written(game, first + k) for k in range(len(infoset.actions))]
    if infoset.player == CHANCE:
        weighted = zip(infoset.probabilities, below, strict=True)
        return Chance(dict(zip(infoset.actions, weighted, strict=True)), paid)
    labeled = dict(zip(infoset.actions, below, strict=True))
    return Decision(infoset.player, infoset.label or index, labeled, paid)


@dataclass(frozen=True)
class History:
    """A node, the nodes and choices (information set, action) before it, and what was paid."""

    node: int
    above: tuple[int, ...]
    steps: tuple[tuple[int, int], ...]
    paid: tuple[Fraction, ...]
    infoset: int


def histories(game):
    """List the histories of all nodes; children take the next free numbers, node by node."""
    found = [_history(game, 0, (), (), (Fraction(0),) * len(game.players))]
    for node in range(len(game.node_infoset)):
        here = found[node]
        if here.infoset >= 0:
            for action in range(len(game.infosets[here.infoset].actions)):
                steps = (*here.steps, (here.infoset, action))
                found.append(_history(game, len(found), (*here.above, node), steps, here.paid))
    return found


def _history(game, node, above, steps, paid):
    outcome = int(game.node_outcome[node])
    here = game.outcomes[outcome].payoffs if outcome >= 0 else (Fraction(0),) * len(paid)
    total = tuple(a + b for a, b in zip(paid, here, strict=True))
    return History(node, above, steps, total, int(game.node_infoset[node]))


def plays(game):
    """List the histories that end."""
    return [history for history in histories(game) if history.infoset < 0]


def own_steps(game, history, player):
    """Return a player's own choices on the way."""
    return tuple(step for step in history.steps if game.infosets[step[0]].player == player)


def weight(game, profile, steps, *, without=None):
    """Multiply the probabilities of choices, those of one player left out."""
    out = Fraction(1)
    for infoset, action in steps:
        record = game.infosets[infoset]
        if record.player == CHANCE:
            out *= record.probabilities[action]
        elif record.player != without:
            out *= profile.probabilities[infoset][action]
    return out


def payoffs(game, profile):
    """Average what plays pay."""
    total = [Fraction(0)] * len(game.players)
    for play in plays(game):
        share = weight(game, profile, play.steps)
        total = [t + share * p for t, p in zip(total, play.paid, strict=True)]
    return total


def pure_payoffs(game, profile, player):
    """Return what each full pure plan of a player earns, others playing the profile."""
    own = [i for i, s in enumerate(game.infosets) if s.player == player]
    ends = [
        (
            set(own_steps(game, play, player)),
            weight(game, profile, play.steps, without=player),
            play,
        )
        for play in plays(game)
    ]
    earned = {}
    for plan in product(*(range(len(game.infosets[s].actions)) for s in own)):
        chosen = set(zip(own, plan, strict=True))
        earned[plan] = sum(
            (share * play.paid[player] for steps, share, play in ends if steps <= chosen),
            Fraction(0),
        )
    return earned
