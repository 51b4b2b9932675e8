"""Small trees of the textbooks, written as nested Decision, Chance and Terminal records."""

from fractions import Fraction

from gametheory_core.arguments import require_integer
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Sketch, Terminal, from_sketch

MAX_ROUNDS = 10_000
MAX_CARDS = 1_000


def one_card_poker() -> ExtensiveFormGame:
    """Player 1 alone sees a red or black card, and raises or folds; player 2 meets or passes.

    A dollar each in the pot, a dollar to raise; red wins for player 1. The value to player 1 is
    1/3: raise on black one time in three, meet two times in three.

    Source: R. B. Myerson, Game Theory: Analysis of Conflict, 1991, figure 2.2.
    """

    def after(color: str, sign: int) -> Sketch:
        answer = Decision(
            1, "raised", {"meet": Terminal([2 * sign, -2 * sign]), "pass": Terminal([1, -1])}
        )
        return Decision(0, color, {"raise": answer, "fold": Terminal([sign, -sign])})

    root = Chance({"red": ("1/2", after("red", 1)), "black": ("1/2", after("black", -1))})
    return from_sketch(root, players=("Player 1", "Player 2"), title="One-card poker")


def selten_horse() -> ExtensiveFormGame:
    """Selten's horse: three players, and an equilibrium (D, c, L) that trembling hands destroy.

    Source: R. Selten, "Reexamination of the perfectness concept for equilibrium points in extensive
        games", International Journal of Game Theory 4, 1975; labels and payoffs as in M. J. Osborne
        and A. Rubinstein, A Course in Game Theory, 1994, figure 225.1.
    """

    def third(left: tuple[int, ...], right: tuple[int, ...]) -> Sketch:
        return Decision(2, "asked", {"L": Terminal(left), "R": Terminal(right)})

    second = Decision(1, "passed on", {"d": third((4, 4, 0), (0, 0, 1)), "c": Terminal((1, 1, 1))})
    root = Decision(0, "start", {"D": third((3, 3, 2), (0, 0, 0)), "C": second})
    return from_sketch(root, players=("Player 1", "Player 2", "Player 3"), title="Selten's horse")


def beer_quiche() -> ExtensiveFormGame:
    """The beer-quiche signalling game: breakfast signals whether the sender is strong or weak.

    The sender is strong nine times in ten, and gets 1 for the favorite breakfast (strong: beer,
    weak: quiche) and 2 for not being challenged. The receiver gets 1 for challenging the weak and
    for sparing the strong.

    Source: I.-K. Cho and D. M. Kreps, "Signaling games and stable equilibria", Quarterly Journal of
        Economics 102, 1987, figure I.
    """

    def breakfast(kind: str, favorite: str) -> Sketch:
        def answer(meal: str) -> Sketch:
            taste = int(meal == favorite)
            return Decision(
                1,
                meal,
                {
                    "duel": Terminal([taste, int(kind == "weak")]),
                    "spare": Terminal([taste + 2, int(kind == "strong")]),
                },
            )

        return Decision(0, kind, {meal: answer(meal) for meal in ("beer", "quiche")})

    root = Chance(
        {
            "strong": ("9/10", breakfast("strong", "beer")),
            "weak": ("1/10", breakfast("weak", "quiche")),
        }
    )
    return from_sketch(root, players=("Sender", "Receiver"), title="Beer-quiche")


def guess_the_ace(*, cards: int = 52) -> ExtensiveFormGame:
    """Guess-the-Ace: player 1 may stop, or let player 2 name the top card for 1000 if right.

    Either guess of player 2 is an equilibrium strategy, because player 1 stops: guessing the ace of
    spades, one card of 52, loses nothing as long as nobody asks. In quasi-perfect equilibrium
    player 2 says that it is another card.

    Args:
        cards: Size of the shuffled deck, 3 to 1,000; one of them is the ace.

    Source: P. B. Miltersen, T. B. Sorensen, "Computing a quasi-perfect equilibrium of a two-player
        game", Economic Theory 42, 2010.
    """
    require_integer(cards, name="cards", low=3, high=MAX_CARDS, where="guess_the_ace")

    def guessed(card: str) -> Sketch:
        won, kept = Terminal([-1000, 1000]), Terminal([0, 0])
        return Decision(1, "asked", {g: won if g == card else kept for g in ("ace", "other")})

    deal = Chance(
        {
            "ace": (Fraction(1, cards), guessed("ace")),
            "other": (Fraction(cards - 1, cards), guessed("other")),
        }
    )
    root = Decision(0, "start", {"stop": Terminal([0, 0]), "ask": deal})
    return from_sketch(root, players=("Player 1", "Player 2"), title="Guess-the-Ace")


def school_signalling() -> ExtensiveFormGame:
    """A student of good or bad kind sends one of two free signals; a professor admits or rejects.

    Both kinds are equally likely. Admitting pays 4 and 10 with a good student, 6 and 0 with a bad
    one; rejecting pays 0 and 6. Signals are mere talk, so every Nash equilibrium rejects, and so
    does every correlated equilibrium of the normal form. An extensive-form correlated equilibrium
    tells the good student a secret password and the bad one a guess, and pays 7/2 and 13/2.

    Source: B. von Stengel and F. Forges, "Extensive-form correlated equilibrium: definition and
        computational complexity", Mathematics of Operations Research 33, 2008, figure 1.
    """

    def signal(admitted: tuple[int, int]) -> dict[str, Sketch]:
        ends = {"admit": Terminal(admitted), "reject": Terminal((0, 6))}
        return {word: Decision(1, word, ends) for word in ("X", "Y")}

    root = Chance(
        {
            "good": ("1/2", Decision(0, "good", signal((4, 10)))),
            "bad": ("1/2", Decision(0, "bad", signal((6, 0)))),
        }
    )
    return from_sketch(root, players=("Student", "Professor"), title="School signalling")


def absent_minded_driver() -> ExtensiveFormGame:
    """A driver who cannot tell the two exits apart: one path meets one information set twice.

    Source: M. Piccione and A. Rubinstein, "On the interpretation of decision problems with
        imperfect recall", Games and Economic Behavior 20, 1997, example 1.
    """
    second = Decision(0, "an exit", {"exit": Terminal([4]), "go on": Terminal([1])})
    root = Decision(0, "an exit", {"exit": Terminal([0]), "go on": second})
    return from_sketch(root, players=("Driver",), title="The absent-minded driver")


def forgetful_bit() -> ExtensiveFormGame:
    """A player sees a fair bit, forgets it, and wins 1 for naming it: the value is 1/2, not 1.

    A sequence form that ignores the missing recall would let the guess depend on the bit.
    """

    def seen(bit: str) -> Sketch:
        guess = Decision(
            0, "forgotten", {g: Terminal([1, -1] if g == bit else [0, 0]) for g in ("0", "1")}
        )
        return Decision(0, f"sees {bit}", {"look away": guess})

    root = Chance({bit: ("1/2", seen(bit)) for bit in ("0", "1")})
    return from_sketch(root, players=("Forgetful", "Payer"), title="The forgotten bit")


def centipede(*, rounds: int = 6) -> ExtensiveFormGame:
    """Centipede: players in turn take the larger share, or pass and let both shares grow by one.

    Taking at move t (from 0) pays the mover t + 2 and the other t; if nobody takes, the mover after
    the last would have taken. Backward induction takes at once, and each player is poorer for it.

    Args:
        rounds: Number of moves, 1 to 10,000.

    Source: R. W. Rosenthal, "Games of perfect information, predatory pricing and the chain-store
        paradox", Journal of Economic Theory 25, 1981, figure 3; payoffs linear here.
    """
    require_integer(rounds, name="rounds", low=1, high=MAX_ROUNDS, where="centipede")

    def taken(move: int) -> Terminal:
        return Terminal([move + 2, move] if move % 2 == 0 else [move, move + 2])

    root: Sketch = taken(rounds)
    for move in reversed(range(rounds)):
        root = Decision(move % 2, f"move {move + 1}", {"take": taken(move), "pass": root})
    return from_sketch(root, players=("Player 1", "Player 2"), title=f"Centipede, {rounds} moves")
