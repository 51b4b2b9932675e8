"""Tables whose labels a file cannot hold, with texts instead: the same game under other names."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution, push_forward, surely
from gametheory_core.games.information_states import InformationState
from gametheory_core.games.plain_labels import plain_texts, strange_part
from gametheory_core.games.plays import AecPlay, PosgPlay
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.strategies.policies import Policy, PolicyFromFunction, PolicyProfile

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
    >>> from gametheory_core.conversions.tabular_aec import aec_to_tabular
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
            return surely(AecPlay(moves, final))
        steps = tuple(
            step._replace(
                state=states[step.state],
                observations=_tuple(sights, step.observations),
                actions=_tuple(acts, step.actions),
            )
            for step in outcome.steps
        )
        return surely(PosgPlay(steps, final))


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
