"""Stackelberg certificates of two-player trees: what a commitment earns, and that none earns more.

The leader commits to a behavioral strategy, which by perfect recall is as good as a mixed one (Kuhn
1953). The follower sees it and answers with a best response to the whole tree, ties broken for the
leader. A tree of cases, with deviations and transfers at its leaves, bounds what any commitment
earns, as ``extensive_stackelberg_bounds`` explains. Without cases the follower's strategy is the
proof, if the tree is strictly competitive (see ``competition``).
"""

from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.competition import most_against_reply
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.extensive_stackelberg_bounds import (
    ReplyCase,
    leaves_of,
    reply_bound,
    sequence_payoffs_of,
)
from gametheory_core.certificates.wording import exactly, rationals, require_exact_profile, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.deviations import sequence_payoffs
from gametheory_core.evaluation.payoffs import counterfactual_reach, expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.sequences import player_sequences

KIND = "extensive-stackelberg"


def certify_extensive_stackelberg(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    leader: int,
    cases: tuple[ReplyCase, ...],
) -> "ExtensiveStackelbergCertificate":
    """Measure a commitment and the bound that a tree of cases proves, and state both.

    Args:
        game: Two players, perfect recall.
        profile: Rational: commitment and response.
        leader: 0 or 1.
        cases: The tree of cases in preorder; none in a strictly competitive tree, where the
            response holds all commitments down to what a best response to it gets.

    Raises:
        CertificateRejected: If the response is not the leader's favorite among the best ones, there
            are no cases where some are needed, or something does not fit the game.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.certificates.extensive_stackelberg_bounds import LEAF, ReplyCase
    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> tree = Decision(0, "", {"l": Terminal([1, 0]), "r": Terminal([3, 0])})
    >>> game = from_sketch(tree, players=("Ann", "Bob"))
    >>> certificate = certify_extensive_stackelberg(
    ...     game, uniform_behavior(game), leader=0, cases=(ReplyCase(LEAF),)
    ... )
    >>> certificate.leader_payoff, certificate.upper_bound
    (Fraction(2, 1), Fraction(3, 1))
    """
    require_declared_arguments(ExtensiveStackelbergCertificate, leader=leader, cases=cases)
    require_two_player_recall(game, leader)
    require_exact_profile(game, profile, kind=KIND)
    payoffs = rationals(expected_payoffs(game, profile))
    require_favorite_reply(game, profile, leader, payoffs)
    if cases:
        tables = sequence_payoffs_of(game, leader=leader)
        bound = max(reply_bound(tables, fixed, leaf) for fixed, leaf in leaves_of(tables, cases))
    else:
        bound = most_against_reply(game, profile, leader=leader)
    return ExtensiveStackelbergCertificate(game, leader, profile, payoffs[leader], bound, cases)


@claim(KIND, measure=certify_extensive_stackelberg, proves=("stackelberg",))
class ExtensiveStackelbergCertificate(Checkable):
    """The claim that a commitment earns ``leader_payoff``, and none more than ``upper_bound``.

    Ties of the follower break for the leader. In a strictly competitive tree they do not matter.

    Attributes:
        game: Two players, perfect recall; chance is allowed.
        leader: Who commits: 0 or 1.
        profile: Rational: the commitment, and the follower's best response to it. Behavior of the
            follower where play never comes is of no consequence, and not claimed to be best.
        leader_payoff: What the leader gets; payoff units.
        upper_bound: No commitment gets more; equals ``leader_payoff`` in an optimal solution.
        cases: The tree that proves the bound: each branch before its children, these in the order
            of actions. None if the follower's strategy proves it, in a strictly competitive tree.
    """

    game: ExtensiveFormGame
    leader: int
    profile: BehavioralProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    cases: tuple[ReplyCase, ...]
    payoffs = answer_payoffs
    epsilon = commitment_gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        earned = f"player {name!r} commits and gets {exactly(self.leader_payoff)}"
        ties = " (ties break for the leader)" if self.cases else ", however ties break"
        return f"{earned}; {rivals_bound(self, ties=ties)}"


def require_two_player_recall(game: ExtensiveFormGame, leader: int) -> None:
    """Reject trees without two players who remember, and leaders who are neither."""
    require_tree(game)
    if game.num_players != 2 or leader not in (0, 1):
        raise CertificateRejected(
            needs="two players and a leader 0 or 1",
            found=f"{game!r} has {game.num_players} players and the leader is {written(leader)}",
        )
    recall = has_perfect_recall(game)
    if not recall:
        raise CertificateRejected(needs="perfect recall", found=recall.reason)


def require_favorite_reply(
    game: ExtensiveFormGame, profile: BehavioralProfile, leader: int, payoffs: tuple[Fraction, ...]
) -> None:
    """Reject a follower who does worse than by the best reply whose ties break for the leader.

    The best reply is found from the end of play; ``payoffs`` are those of the profile.
    """
    follower = 1 - leader
    own = player_sequences(game, follower)
    collected = list(
        zip(
            sequence_payoffs(game, profile, player=follower),
            _leader_payoffs(game, profile, leader),
            strict=True,
        )
    )
    for k in reversed(range(len(own.infosets))):
        best = max(collected[own.first_sequence[k] : own.first_sequence[k + 1]])
        parent = int(own.parent_sequence[k])
        collected[parent] = (collected[parent][0] + best[0], collected[parent][1] + best[1])
    best_value, favorite = collected[0]
    if payoffs[follower] != best_value:
        raise CertificateRejected(
            needs="a best response to the commitment, which pays the follower "
            f"{written(best_value)}",
            found=f"this one pays {written(payoffs[follower])}",
        )
    if payoffs[leader] != favorite:
        raise CertificateRejected(
            needs="the leader's favorite among best responses, which pays the leader "
            f"{written(favorite)}",
            found=f"this one pays {written(payoffs[leader])}",
        )


def _leader_payoffs(
    game: ExtensiveFormGame, profile: BehavioralProfile, leader: int
) -> list[Fraction]:
    """Return what the leader collects under each of the follower's sequences."""
    follower = 1 - leader
    own = player_sequences(game, follower)
    reach = counterfactual_reach(game, profile, player=follower)[game.terminals].tolist()
    collected = [ZERO] * own.num_sequences
    ends = own.node_sequence[game.terminals].tolist()
    paid = game.exact_terminal_payoffs[:, leader].tolist()
    for sequence, weight, payoff in zip(ends, reach, paid, strict=True):
        collected[sequence] += weight * payoff
    return collected
