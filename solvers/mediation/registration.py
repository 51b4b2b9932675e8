"""What this room adds to ``solve`` and the command line: its solver, and tables of its answers."""

from collections.abc import Iterator
from typing import Any

from gametheory_core.arguments import shown_players
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory, mediated_histories
from gametheory_core.mediation.policies import MediatedProfile
from solvers.mediation import value_iteration
from solvers.results.tables import Row, label_text, table_of

SOLVERS = (value_iteration,)


@table_of(MediatedProfile, columns=("step", "state", "returns so far", "leader", "action"))
def mediated_rows(game: MediatedGame, answer: MediatedProfile, _leader: int) -> Iterator[Row]:
    """Yield step, state, returns so far, leader and action, wherever play comes.

    Where agents know the step alone and the mediator more, both tables are followed side by side.
    """
    fine = mediated_histories(game, memory=answer.mediator)
    coarse = mediated_histories(game, memory=answer.agents)
    names = shown_players(game.players)
    reached: Any = dict.fromkeys(
        (node, other) for node, other in zip(fine.start, coarse.start, strict=True) if node >= 0
    )
    for step, (layer, other_layer) in enumerate(zip(fine.layers, coarse.layers, strict=True)):
        following: Any = {}
        for node, other in reached:
            leader = answer.leaders[step][node]
            action = answer.actions[step][other][leader]
            state = game.states[layer.states[node]]
            known = fine.memory is Memory.HISTORY
            so_far = ", ".join(map(str, fine.returns(step, node))) if known else "-"
            taken = label_text(game.actions[leader][action])
            yield (str(step), label_text(state), so_far, names[leader], taken)
            nodes = layer.child[node, leader, action].tolist()
            others = other_layer.child[other, leader, action].tolist()
            following |= dict.fromkeys(
                pair for pair in zip(nodes, others, strict=True) if pair[0] >= 0
            )
        reached = following
