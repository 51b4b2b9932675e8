"""Compact games of the catalogue: rings, roads, and crowds."""

from fractions import Fraction

from gametheory_core.arguments import counted, require_integer
from gametheory_core.compact.anonymous import AnonymousGame
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.polymatrix import Pair, PolymatrixGame
from gametheory_core.errors import InvalidArgument

PENNIES = ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
MOST_PAYOFFS = 1_000_000  # of a game by name, which is made within seconds


def _require_size(payoffs: int) -> None:
    """Refuse parameters of a game that would hold more numbers, before it is made."""
    if payoffs > MOST_PAYOFFS:
        raise InvalidArgument(
            needs=f"parameters of a game that holds at most {MOST_PAYOFFS:,} numbers",
            found=f"these ask for {counted(payoffs)}",
            remedy="Choose smaller ones, or build the game itself, as the source of this one does.",
        )


def ring_of_pennies(*, players: int = 5) -> PolymatrixGame:
    """Ring of matching pennies: each wants to match the next, who wants to differ; zero-sum.

    Args:
        players: At least 3.

    Source: Y. Cai, O. Candogan, C. Daskalakis, and C. Papadimitriou, "Zero-sum polymatrix games: a
        generalization of minmax", Mathematics of Operations Research 41, 2016, on a cycle.
    """
    require_integer(players, name="players", low=3)
    _require_size(8 * players)
    edges: dict[Pair, tuple[object, object]] = {
        (i, (i + 1) % players): PENNIES for i in range(players)
    }
    sides = (("heads", "tails"),) * players
    return PolymatrixGame.from_edges(edges, actions=sides, title="Ring of matching pennies")


def security_ring(*, evaders: int = 4, inspectors: int = 3, exits: int = 3) -> PolymatrixGame:
    """Evaders and inspectors: each evader leaves by one exit, each inspector watches one; zero-sum.

    An inspector who watches exit ``k`` gets ``k`` from each evader who leaves there, and pays 1 to
    each who leaves by another: zero-sum on each edge.

    Args:
        evaders, inspectors, exits: At least 1, 1 and 2.

    Source: Y. Cai, O. Candogan, C. Daskalakis, and C. Papadimitriou, "Zero-sum polymatrix games: a
        generalization of minmax", Mathematics of Operations Research 41, 2016, section 1.
    """
    for name, value, low in (
        ("evaders", evaders, 1),
        ("inspectors", inspectors, 1),
        ("exits", exits, 2),
    ):
        require_integer(value, name=name, low=low)
    _require_size(2 * evaders * inspectors * exits**2)
    caught = [[-(k + 1) if k == w else 1 for w in range(exits)] for k in range(exits)]
    paid = [[-value for value in row] for row in caught]
    edges: dict[Pair, tuple[object, object]] = {
        (e, evaders + i): (caught, paid) for e in range(evaders) for i in range(inspectors)
    }
    names = [
        *(f"Evader {e + 1}" for e in range(evaders)),
        *(f"Inspector {i + 1}" for i in range(inspectors)),
    ]
    doors = (tuple(f"exit {k + 1}" for k in range(exits)),) * len(names)
    return PolymatrixGame.from_edges(edges, players=names, actions=doors, title="Security ring")


def public_good_on_ring(*, players: int = 6) -> GraphicalGame:
    """Best-shot public good on a ring: a good is enough for neighbors, and costs who buys it.

    It is worth 1 to have one, or a neighbor with one; to buy one costs 1/2.

    Args:
        players: At least 3.

    Source: Y. Bramoulle and R. Kranton, "Public goods in networks", Journal of Economic Theory 135,
        2007, 478-494.
    """
    require_integer(players, name="players", low=3)
    _require_size(8 * players)
    near = [tuple(sorted(((i - 1) % players, (i + 1) % players))) for i in range(players)]
    buy, wait = [[Fraction(1, 2)] * 2] * 2, [[1, 1], [1, 0]]
    return GraphicalGame.from_tables(
        near,
        [[buy, wait]] * players,
        actions=(("buy", "wait"),) * players,
        title="Public good on a ring",
    )


def pigou(*, players: int = 4) -> CongestionGame:
    """Pigou's two roads: one costs as many as use it, the other as many as there are players.

    Args:
        players: At least 1.

    Source: A. C. Pigou, "The economics of welfare", 1920; T. Roughgarden and E. Tardos, "How bad is
        selfish routing?", Journal of the ACM 49, 2002.
    """
    require_integer(players, name="players", low=1)
    _require_size(2 * players)
    return CongestionGame.from_delays(
        {"narrow": lambda users: users, "wide": [players] * players},
        {"narrow": ["narrow"], "wide": ["wide"]},
        num_players=players,
        title="Pigou's two roads",
    )


def braess(*, players: int = 4) -> CongestionGame:
    """Braess's paradox: with the shortcut all players are worse off than without it.

    From the start a road that costs its users leads to A and one that costs ``players`` to B; from
    A to the end it is the other way round, and a shortcut leads from A to B for nothing.

    Args:
        players: At least 1.

    Source: D. Braess, "Ueber ein Paradoxon aus der Verkehrsplanung", Unternehmensforschung 12,
        1968, 258-268.
    """
    require_integer(players, name="players", low=1)
    _require_size(5 * players)
    flat = [players] * players
    return CongestionGame.from_delays(
        {
            "start-A": lambda users: users,
            "start-B": flat,
            "A-end": flat,
            "B-end": lambda users: users,
            "A-B": [0] * players,
        },
        {
            "by A": ["start-A", "A-end"],
            "by B": ["start-B", "B-end"],
            "shortcut": ["start-A", "A-B", "B-end"],
        },
        num_players=players,
        title="Braess's paradox",
    )


def affine_triangle() -> CongestionGame:
    """Three players, each of whom can reach its end in a short or in a long way: anarchy 5/2.

    Player ``i`` uses ``h_i`` and ``g_i``, or the ``h`` of both others and the ``g`` of the next
    one; every resource costs as many as use it. All long ways are an equilibrium that costs 15, all
    short ones cost 6.

    Source: G. Christodoulou and E. Koutsoupias, "The price of anarchy of finite congestion games",
        STOC 2005, 67-73, theorem 2.
    """
    names = [f"{kind}{i + 1}" for kind in "hg" for i in range(3)]

    def ways(i: int) -> dict[str, list[str]]:
        after, last = (i + 1) % 3 + 1, (i + 2) % 3 + 1
        return {"short": [f"h{i + 1}", f"g{i + 1}"], "long": [f"h{after}", f"g{after}", f"h{last}"]}

    return CongestionGame.from_delays(
        {name: [1, 2, 3] for name in names}, [ways(i) for i in range(3)], title="Affine triangle"
    )


def el_farol(*, players: int = 9, seats: int = 5) -> AnonymousGame:
    """El Farol: going is good as long as there are seats, and staying at home is neither.

    Who goes gets 1 if at most ``seats`` go, and -1 if more do; who stays gets 0.

    Args:
        players, seats: At least 2, and from 1 to one less than the players.

    Source: W. B. Arthur, "Inductive reasoning and bounded rationality", American Economic Review
        84, 1994, 406-411.
    """
    require_integer(players, name="players", low=2)
    _require_size(2 * players)
    require_integer(seats, name="seats", low=1, high=players - 1)

    def pays(own: str, others: dict[str, int]) -> int:
        return 0 if own == "stay" else 1 if others["go"] < seats else -1

    return AnonymousGame.from_function(
        pays, actions=("go", "stay"), num_players=players, title="El Farol"
    )


def volunteers_dilemma(*, players: int = 5, benefit: int = 2) -> AnonymousGame:
    """Volunteer's dilemma: one who pays helps everybody, and nobody wants to be the one.

    Who volunteers pays 1; if somebody does, all get ``benefit``. In the symmetric equilibrium each
    abstains with probability ``benefit ** (-1 / (players - 1))``, and more players help less.

    Args:
        players, benefit: At least 2 each.

    Source: A. Diekmann, "Volunteer's dilemma", Journal of Conflict Resolution 29, 1985, 605-610.
    """
    require_integer(players, name="players", low=2)
    require_integer(benefit, name="benefit", low=2)

    def pays(own: str, others: dict[str, int]) -> int:
        helps = own == "volunteer"
        return (benefit if helps or others["volunteer"] else 0) - helps

    return AnonymousGame.from_function(
        pays, actions=("volunteer", "abstain"), num_players=players, title="Volunteer's dilemma"
    )
