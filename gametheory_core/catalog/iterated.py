"""Iterated games of a leader and followers: a stage game over rounds, the last round in view.

The state is the last round, so with two actions each there are five: the start, then CC, CD, DC and
DD, the leader's action first. That is also the order of the observations, so that a leader's policy
reads as five digits: 10101 defects first and repeats what the follower did.
"""

from fractions import Fraction

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.catalog import ordinal
from gametheory_core.catalog.repeated import RepeatedGame, Shown
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame


def iterated_game(
    stage: NormalFormGame, *, rounds: int = 10, discount: Fraction = ONE, memory: Shown = Shown.ALL
) -> RepeatedGame:
    """Iterate a two-player normal form in which each player sees the last round.

    Args:
        stage: Two players; every action has a label.
        rounds: At least 1.
        discount: The factor on payoffs for each round, in [0, 1].
        memory: Whether a player sees both actions of the last round, or only the other's.

    Raises:
        UnsupportedGame: If there are not two players.
        InvalidArgument: If a parameter is out of range, or an action has no label.

    >>> game = iterated_game(ordinal.chicken(), rounds=10)
    >>> game.title, game.horizon
    ('Chicken, 10 rounds', 10)
    """
    require_normal_form(stage)
    if stage.num_players != 2:  # a leader and a follower
        raise UnsupportedGame(
            needs="two players",
            found=f"{stage!r} has {stage.num_players}",
            remedy="Use RepeatedGame(stage, rounds=...).",
        )
    return RepeatedGame(stage, rounds=rounds, recall=1, discount=discount, memory=memory)


def iterated_prisoners_dilemma(*, rounds: int = 10) -> RepeatedGame:
    """The prisoner's dilemma with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.prisoners_dilemma(), rounds=rounds)


def iterated_stag_hunt(*, rounds: int = 10) -> RepeatedGame:
    """The stag hunt with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.stag_hunt(), rounds=rounds)


def iterated_assurance(*, rounds: int = 10) -> RepeatedGame:
    """The assurance with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.assurance(), rounds=rounds)


def iterated_coordination(*, rounds: int = 10) -> RepeatedGame:
    """The coordination with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.coordination(), rounds=rounds)


def iterated_mixedharmony(*, rounds: int = 10) -> RepeatedGame:
    """The mixed harmony with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.mixedharmony(), rounds=rounds)


def iterated_harmony(*, rounds: int = 10) -> RepeatedGame:
    """The harmony with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.harmony(), rounds=rounds)


def iterated_noconflict(*, rounds: int = 10) -> RepeatedGame:
    """The no conflict with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.noconflict(), rounds=rounds)


def iterated_deadlock(*, rounds: int = 10) -> RepeatedGame:
    """The deadlock with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.deadlock(), rounds=rounds)


def iterated_prisoners_delight(*, rounds: int = 10) -> RepeatedGame:
    """The prisoner's delight with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.prisoners_delight(), rounds=rounds)


def iterated_hero(*, rounds: int = 10) -> RepeatedGame:
    """The hero with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.hero(), rounds=rounds)


def iterated_battle(*, rounds: int = 10) -> RepeatedGame:
    """The battle with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.battle(), rounds=rounds)


def iterated_chicken(*, rounds: int = 10) -> RepeatedGame:
    """The chicken with ordinal payoffs over rounds, the last of which is seen.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return iterated_game(ordinal.chicken(), rounds=rounds)


def iterated_modified_prisoners_dilemma(*, rounds: int = 10) -> RepeatedGame:
    """The modified prisoner's dilemma over rounds; each sees the other's last action only.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, theorem 2.
    """
    return iterated_game(ordinal.modified_prisoners_dilemma(), rounds=rounds, memory=Shown.OTHERS)


def iterated_battle_of_the_sexes(*, rounds: int = 10) -> RepeatedGame:
    """Battle of the sexes over rounds, the last of which is seen: 2 and 1 if they meet, else 0.

    Args:
        rounds: At least 1.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, appendix C.
    """
    return iterated_game(ordinal.small_battle_of_the_sexes(), rounds=rounds)


def iterated_public_goods(*, players: int = 3, rounds: int = 10) -> RepeatedGame:
    """Public goods over rounds, the last of which all see: who gives pays 3, and all share 6.

    Args:
        players: 2 to 5. What one gives is doubled and shared by all, so that nobody gains by
            giving, and all do if all give.
        rounds: At least 1.

    Source: J. O. Ledyard, "Public goods: a survey of experimental research", The Handbook of
        Experimental Economics, 1995, 111-194.
    """
    require_integer(players, name="players", low=2, high=5, where="iterated_public_goods")
    shape = (players,) + (2,) * players
    payoffs = np.zeros(shape, dtype=object)
    for joint in np.ndindex(*shape[1:]):  # 0 gives, 1 keeps
        for own, action in enumerate(joint):
            payoffs[(own, *joint)] = Fraction(6 * joint.count(0), players) - 3 * (1 - action)
    stage = NormalFormGame.from_payoffs(
        payoffs.tolist(), actions=[["give", "keep"]] * players, title="Public goods"
    )
    return RepeatedGame(stage, rounds=rounds, recall=1)
