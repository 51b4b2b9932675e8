"""A profile of a mediated game along its play, whatever its policies remember."""

from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import (
    MediatedHistories,
    mediated_histories,
    node_map,
)
from gametheory_core.strategies.mediated_policies import MediatedProfile, check_mediated_profile


class MediatedWalk:
    """A profile asked at the nodes that remember returns.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> brakes = MediatedProfile(actions=(((2, 2),),), leaders=((1,),))
    >>> MediatedWalk(mediated_chicken(rounds=1), brakes).choice(0, 0)
    (1, 2)
    """

    def __init__(self, game: MediatedGame, profile: MediatedProfile) -> None:
        check_mediated_profile(game, profile)
        self.histories: MediatedHistories = mediated_histories(game)
        self._profile = profile
        self._agents = node_map(self.histories, profile.agents)
        self._mediator = node_map(self.histories, profile.mediator)

    def choice(self, step: int, node: int) -> tuple[int, int]:
        """Return who leads at a node, and what that player does."""
        leader = self._profile.leaders[step][int(self._mediator[step][node])]
        own = self._profile.actions[step][int(self._agents[step][node])]
        return leader, own[leader]

    def next_node(self, step: int, node: int, position: int) -> int:
        """Return the node after an outcome of the step, by position; -1 where play ends."""
        leader, action = self.choice(step, node)
        return int(self.histories.layers[step].child[node, leader, action, position])
