"""Deterministic leader policies as short text: one digit for each observation, such as 10101."""

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidStrategy, UnsupportedGame
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.strategies.leader_policies import DeterministicLeader, check_leader_policy

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
IDLE = "-"


def leader_to_text(view: LeaderView, policy: DeterministicLeader) -> str:
    """Write a policy as the numbers of its actions, in the order of the leader's observations.

    A digit is the number of the action among ``game.actions[leader]``, after 9 follow letters; a
    dash stands where the leader never acts.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_to_text(view, DeterministicLeader((1, 0, 1, 0, 1)))
    '10101'
    """
    _require_few_actions(view, "leader_to_text")
    check_leader_policy(view, policy)
    return "".join(IDLE if action < 0 else DIGITS[action] for action in policy.actions)


def leader_from_text(view: LeaderView, text: str) -> DeterministicLeader:
    """Read a policy that ``leader_to_text`` wrote.

    Args:
        text: A digit or letter for each observation, a dash where the leader never acts.

    Raises:
        InvalidArgument: If it is no text.
        InvalidStrategy: If the text has another length, or an action that is not legal; names the
            observation.
        UnsupportedGame: If the leader has more than 36 actions.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=10))
    >>> leader_from_text(view, "10101").actions
    (1, 0, 1, 0, 1)
    """
    require_instance(
        text, str, function="leader_from_text", name="text", remedy='Put digits in quotes: "10".'
    )
    _require_few_actions(view, "leader_from_text")
    seen = view.game.observations[view.leader]
    if len(text) != len(seen):
        raise InvalidStrategy(
            f"leader_from_text: needs one digit for each of {len(seen)} observations, "
            f"{', '.join(map(repr, seen))}, but got {text!r}."
        )
    actions: list[int] = []
    for o, digit in enumerate(text):
        legal = view.leader_actions(o)
        allowed = "".join(DIGITS[a] for a in legal) or IDLE
        if digit not in allowed:
            raise InvalidStrategy(
                f"leader_from_text: needs one of {', '.join(allowed)} for observation {seen[o]!r}, "
                f"but got {digit!r} in {text!r}."
            )
        actions.append(DIGITS.index(digit) if legal else -1)
    return DeterministicLeader(tuple(actions))


def _require_few_actions(view: LeaderView, owner: str) -> None:
    count = len(view.game.actions[view.leader])
    if count > len(DIGITS):
        raise UnsupportedGame(
            f"{owner}: needs at most {len(DIGITS)} actions, but the leader has {count}. Write the "
            "policy by labels with leader_policy(view, ...)."
        )
