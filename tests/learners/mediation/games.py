"""Mediated games to learn: those of the catalogue, and small ones that draw states."""

from gametheory_core import mediation

DILEMMA, CHICKEN = mediation.mediated_prisoners_dilemma(), mediation.mediated_chicken()
ONE_COLOR, TWO_COLORS = (
    mediation.resource_collection_one_color(),
    mediation.resource_collection_two_colors(),
)


def drawn_game(discount="3/4", *, over="over"):
    """States are drawn, play can end early, actions depend on state and leader."""
    pays = {"low": (1, 0), "high": (3, -1), "even": (1, 1)}

    def actions(state, leader):
        if state == over:
            return []
        return ["low", "high", "even"] if (state, leader) == ("hill", 1) else ["high", "even"]

    def play(state, leader, action):
        rewards = tuple(pays[action][player != leader] for player in range(2))
        if action == "even":
            return rewards, {"hill": "1/3", "dale": "2/3"}
        return rewards, {"hill": "1/4", "dale": "1/4", over: "1/2"}

    return mediation.mediated_game(
        players=["Ann", "Bob"],
        horizon=4,
        initial={"hill": "2/5", "dale": "3/5"},
        actions=actions,
        play=play,
        discount=discount,
    )
