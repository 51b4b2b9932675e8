"""Games with labels that try a format's quoting, built on the generated ones."""

from dataclasses import replace

from hypothesis import strategies as st

from gametheory_core.games import CHANCE
from gametheory_core.testing import extensive_form_games, forgetful_games, normal_form_games

STRANGE = st.text(
    st.sampled_from('ab"\\ {},/\n\r\t01é世') | st.characters(exclude_categories=("Cs",)), max_size=5
)


@st.composite
def different_labels(draw, count):
    """Strange labels, different unless empty."""
    labels, seen = [], set()
    for position in range(count):
        label = draw(STRANGE)
        while label and label in seen:
            label += str(position)
        seen.add(label)
        labels.append(label)
    return tuple(labels)


@st.composite
def strange_normal_forms(draw):
    game = draw(normal_form_games())
    return replace(
        game,
        title=draw(STRANGE),
        players=draw(different_labels(game.num_players)),
        actions=tuple(draw(different_labels(count)) for count in game.num_actions),
    )


@st.composite
def strange_trees(draw):
    """Trees with strange labels, any numbers of information sets, and node labels."""
    game = draw(extensive_form_games() | forgetful_games())
    labels = draw(different_labels(len(game.infosets)))
    infosets = tuple(
        replace(
            infoset,
            label=label,
            number=infoset.number + draw(st.sampled_from([0, 100 * (infoset.player + 2)])),
            actions=draw(different_labels(len(infoset.actions))),
        )
        for infoset, label in zip(game.infosets, labels, strict=True)
    )
    if any(infoset.player == CHANCE for infoset in infosets):
        infosets = tuple(
            replace(infoset, number=index + 1) if infoset.player == CHANCE else infoset
            for index, infoset in enumerate(infosets)
        )
    return replace(
        game,
        title=draw(STRANGE),
        players=draw(different_labels(game.num_players)),
        infosets=infosets,
        outcomes=tuple(replace(outcome, label=draw(STRANGE)) for outcome in game.outcomes),
        node_labels=tuple(draw(STRANGE) for _ in range(game.num_nodes)),
    )
