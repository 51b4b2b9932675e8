"""Tables whose labels a file cannot hold, with texts instead: the same game under other names.

*Plain* labels are those that a file can hold without loss; every other one gets a text.
"""

from collections.abc import Hashable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, cast

from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.games.rules import AecPlay, Blank, InformationState, PosgPlay
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.labels import text_of
from gametheory_core.strategies.policies import Policy, PolicyFromFunction, PolicyProfile

DEEPEST = 100  # tuples in tuples; readers refuse deeper ones, which would exhaust the stack
_PLAIN = (str, int, bool, type(None), Fraction, Blank)


def strange_part(label: Hashable, *, depth: int = 0) -> Any:
    """Return the first part of a label that is not plain, in a tuple of one; ``()`` if none.

    Plain are text, integers, truth values, None, rationals, ``NULL``, ``IDLE`` and tuples of these,
    but no subclasses: a named tuple would read back as a tuple.

    >>> strange_part(("H", 1)), strange_part(("H", (0.5, 1)))
    ((), (0.5,))
    """
    if type(label) is tuple and depth < DEEPEST:
        parts = cast("tuple[Hashable, ...]", label)
        found = (strange_part(part, depth=depth + 1) for part in parts)
        return next((strange for strange in found if strange), ())
    return () if type(label) in _PLAIN else (label,)


def plain_texts(labels: tuple[Hashable, ...]) -> tuple[str, ...]:
    """Return a text for each label, all different; equal texts are numbered.

    Records read as tuples and sets in sorted order, so the texts do not change from run to run.

    >>> plain_texts((("H", 1), frozenset({"b", "a"}), "(H, 1)"))
    ('(H, 1)', '{a, b}', '(H, 1) #2')
    """
    taken: set[str] = set()
    counts: dict[str, int] = {}
    texts: list[str] = []
    for label in labels:
        text = unique = _text(label)
        while unique in taken:
            counts[text] = counts.get(text, 1) + 1
            unique = f"{text} #{counts[text]}"
        taken.add(unique)
        texts.append(unique)
    return tuple(texts)


def _text(label: Any) -> str:
    """Return a label as people read it, whatever its parts."""
    if isinstance(label, tuple):
        return "(" + ", ".join(map(_text, cast("tuple[Any, ...]", label))) + ")"
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(_text, cast("frozenset[Any]", label)))) + "}"
    if is_dataclass(label) and not isinstance(label, type):
        return "(" + ", ".join(_text(getattr(label, field.name)) for field in fields(label)) + ")"
    return text_of(label) if isinstance(label, Enum) else str(label)


Table: TypeAlias = TabularPOSG | TabularAEC
ToText: TypeAlias = Conversion[Table, Table, PolicyProfile, PolicyProfile]
Labels: TypeAlias = tuple[Hashable, ...]
Names: TypeAlias = dict[Any, Any]


def label_by_text(game: Table) -> ToText:
    """Name by texts what has labels that a file cannot hold: states, or a player's actions, ...

    Args:
        game: If one state has such a label, all states get texts; likewise the actions, and the
            observations, of each player. The others keep their labels.

    Returns:
        Preserves everything; policies are renamed, by the information states too.

    >>> from gametheory_core.catalog.turn_orders import ReversingOrder
    >>> from gametheory_core.conversions.tabular import aec_to_tabular
    >>> table = aec_to_tabular(ReversingOrder()).target
    >>> label_by_text(table).target.states[1]
    '(((plain, skip), (plain, skip), (plain, skip)), 1)'
    """
    states = _texts(game.states)
    actions = tuple(map(_texts, game.actions))
    observations = tuple(map(_texts, game.observations))
    target = replace(game, states=states, actions=actions, observations=observations)
    return Conversion(game, target, Renaming(game, target), frozenset(Preserved))


def _texts(labels: Labels) -> Labels:
    return plain_texts(labels) if any(map(strange_part, labels)) else labels


@dataclass(frozen=True, eq=False)
class Renaming:
    """Two tables that differ in labels only."""

    source: Table
    target: Table

    def to_target(self, profile: PolicyProfile) -> PolicyProfile:
        """Rename what policies see and do."""
        return _renamed(profile, self.target, self.source)

    def to_source(self, profile: PolicyProfile) -> PolicyProfile:
        """Rename what policies see and do, back."""
        return _renamed(profile, self.source, self.target)

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Rename what happened in a play of the target."""
        states = _names(self.target.states, self.source.states)
        acts = _each(self.target.actions, self.source.actions)
        sights = _each(self.target.observations, self.source.observations)
        final = states[outcome.final_state]
        if isinstance(outcome, AecPlay):
            # chance sees and does NULL, which is no label of a player
            moves = tuple(
                move._replace(
                    state=states[move.state],
                    observation=move.observation
                    if move.mover < 0
                    else sights[move.mover][move.observation],
                    action=move.action if move.mover < 0 else acts[move.mover][move.action],
                )
                for move in outcome.moves
            )
            return point_mass(AecPlay(moves, final))
        steps = tuple(
            step._replace(
                state=states[step.state],
                observations=_tuple(sights, step.observations),
                actions=_tuple(acts, step.actions),
            )
            for step in outcome.steps
        )
        return point_mass(PosgPlay(steps, final))


def _names(given: Labels, wanted: Labels) -> Names:
    return dict(zip(given, wanted, strict=True))


def _each(given: tuple[Labels, ...], wanted: tuple[Labels, ...]) -> list[Names]:
    return [_names(*pair) for pair in zip(given, wanted, strict=True)]


def _tuple(names: list[Names], labels: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(own[label] for own, label in zip(names, labels, strict=True))


def _renamed(profile: PolicyProfile, new: Table, old: Table) -> PolicyProfile:
    sights, acts = _each(new.observations, old.observations), _each(new.actions, old.actions)
    after = _each(old.actions, new.actions)
    ways = zip(profile, sights, acts, after, strict=True)
    return tuple(_renamed_policy(*way) for way in ways)


def _renamed_policy(policy: Policy, sights: Names, acts: Names, after: Names) -> Policy:
    def act(seen: InformationState) -> Distribution[Any]:
        names = (acts, sights)  # entries are observation, action, ..., observation
        known = tuple(names[k % 2 == 0][entry] for k, entry in enumerate(seen))
        return push_forward(policy[known], after.__getitem__)

    return PolicyFromFunction(act)
