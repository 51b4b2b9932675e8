"""Matrix games of the textbooks."""

from gametheory_core.catalog.arguments import require_between
from gametheory_core.games.normal_form import NormalFormGame

MAX_SIZE = 1000


def matching_pennies() -> NormalFormGame:
    """Matching pennies: the row player wants equal sides up, the column player different ones.

    Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, 1944, 14.7.2.
    """
    sides = ("heads", "tails")
    return NormalFormGame.zero_sum(
        [[1, -1], [-1, 1]],
        players=("Even", "Odd"),
        actions=(sides, sides),
        title="Matching pennies",
    )


def rock_paper_scissors() -> NormalFormGame:
    """Rock-paper-scissors: each beats one and loses to one; a win pays one.

    Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, 1944, 14.7.3.
    """
    throws = ("rock", "paper", "scissors")
    return NormalFormGame.zero_sum(
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        actions=(throws, throws),
        title="Rock-paper-scissors",
    )


def prisoners_dilemma() -> NormalFormGame:
    """Prisoner's dilemma: defection dominates, yet both would rather both cooperate.

    Source: A. W. Tucker, "A two-person dilemma", 1950; payoffs as in R. Axelrod, The Evolution of
        Cooperation, 1984, ch. 1.
    """
    return NormalFormGame.symmetric(
        [[3, 0], [5, 1]], actions=("cooperate", "defect"), title="Prisoner's dilemma"
    )


def battle_of_the_sexes() -> NormalFormGame:
    """Battle of the sexes: both want to meet, each prefers another place.

    Source: R. D. Luce and H. Raiffa, Games and Decisions, 1957, 5.3.
    """
    return NormalFormGame.bimatrix(
        [[3, 0], [0, 2]],
        [[2, 0], [0, 3]],
        players=("She", "He"),
        actions=(("ballet", "fight"), ("ballet", "fight")),
        title="Battle of the sexes",
    )


def chicken() -> NormalFormGame:
    """Chicken: whoever yields to a driver who goes straight loses face; both straight is a crash.

    Source: A. Rapoport and A. M. Chammah, "The game of chicken", American Behavioral Scientist 10,
        1966.
    """
    return NormalFormGame.symmetric(
        [[0, -1], [1, -10]], actions=("swerve", "straight"), title="Chicken"
    )


def stag_hunt() -> NormalFormGame:
    """Stag hunt: the stag needs both hunters, a hare only one.

    Source: B. Skyrms, The Stag Hunt and the Evolution of Social Structure, 2004.
    """
    return NormalFormGame.symmetric([[4, 0], [3, 3]], actions=("stag", "hare"), title="Stag hunt")


def coordination(*, size: int = 3) -> NormalFormGame:
    """Pure coordination: both get one for the same action, else nothing; 2^size - 1 equilibria.

    Args:
        size: Actions of each player, 1 to 1000.

    Source: T. Quint and M. Shubik, "A theorem on the number of Nash equilibria in a bimatrix game",
        International Journal of Game Theory 26, 1997.
    """
    require_between(size, 1, MAX_SIZE, game="coordination", name="size")
    rows = [[int(i == j) for j in range(size)] for i in range(size)]
    return NormalFormGame.bimatrix(rows, rows, title=f"Coordination of {size} actions")


def indifference(*, size: int = 2) -> NormalFormGame:
    """Nothing matters: all payoffs are zero; every profile is an equilibrium, size^2 extreme ones.

    Args:
        size: Actions of each player, 1 to 1000.
    """
    require_between(size, 1, MAX_SIZE, game="indifference", name="size")
    return NormalFormGame.zero_sum([[0] * size] * size, title=f"Indifference, {size} actions")


def shapley_cycle() -> NormalFormGame:
    """Shapley's 3x3 game, on which fictitious play cycles; the uniform profile is the equilibrium.

    Source: L. S. Shapley, "Some topics in two-person games", Annals of Mathematics Studies 52,
        1964.
    """
    return NormalFormGame.bimatrix(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        title="Shapley's cycle",
    )


def shapley_lemke_howson() -> NormalFormGame:
    """A symmetric 3x3 game with three equilibria, of which Lemke-Howson paths find one.

    All six paths from the artificial equilibrium end at the same equilibrium, so that restarting
    from the labels misses the other two.

    Source: L. S. Shapley, "A note on the Lemke-Howson algorithm", Mathematical Programming Study 1,
        1974, pp. 175-189.
    """
    return NormalFormGame.symmetric(
        [[0, 3, 0], [2, 2, 0], [3, 0, 1]], title="Shapley's Lemke-Howson example"
    )


def degenerate() -> NormalFormGame:
    """A degenerate 3x3 game: pure strategies with two best replies; seven extreme equilibria.

    Infinitely many equilibria are convex combinations of these seven.
    """
    return NormalFormGame.bimatrix(
        [[2, 1, 0], [2, 0, 1], [0, 1, 1]],
        [[2, 2, 0], [1, 0, 1], [0, 1, 1]],
        title="Degenerate 3x3",
    )


def commitment_example() -> NormalFormGame:
    """A leader who commits gains: the unique equilibrium pays the row player 2, commitment 7/2.

    The row player's first action is dominated, yet committing to mix it half and half makes the
    column player choose the second reply.

    Source: V. Conitzer and T. Sandholm, "Computing the optimal strategy to commit to", EC 2006,
        section 1.
    """
    return NormalFormGame.bimatrix(
        [[1, 3], [2, 4]],
        [[0, 1], [1, 0]],
        players=("Leader", "Follower"),
        actions=(("up", "down"), ("left", "right")),
        title="Commitment example",
    )
