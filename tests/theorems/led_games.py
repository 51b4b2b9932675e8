"""Games with a mediator for theorems: one state, or a few, with rewards written out."""

from itertools import product

from gametheory_core.mediation import mediated_game


def role_game(pays, *, players, rounds, **options):
    """Pay the leader ``pays[action][0]`` and every follower ``pays[action][1]``, round by round."""
    return led_game(
        [[[pay[i != leader] for i in range(players)] for pay in pays] for leader in range(players)],
        rounds=rounds,
        **options,
    )


def led_game(rewards, *, rounds, **options):
    """Pay ``rewards[leader][action]``, the same in each round."""
    return mediated_game(
        players=[f"player {i + 1}" for i in range(len(rewards))],
        horizon=rounds,
        initial={"round": 1},
        actions=[range(len(own)) for own in rewards],
        play=lambda _, leader, action: (tuple(rewards[leader][action]), {"round": 1}),
        **options,
    )


def play_out(game, leaders, action_of):
    """Return everybody's discounted returns under a sequence of leaders, where nothing is drawn.

    ``action_of(step, state, returns, leader)`` says what a leader does.
    """
    (state,) = game.initial_kernel.outcome.tolist()
    returns = (0,) * game.num_players
    for step, leader in enumerate(leaders):
        if game.is_terminal(state):
            break
        row = game.row(state, leader, action_of(step, state, returns, leader))
        rewards = game.rewards[row].tolist()
        weight = game.discount**step
        returns = tuple(h + weight * r for h, r in zip(returns, rewards, strict=True))
        state = int(game.transition_kernel.outcome[game.transition_kernel.start[row]])
    return returns


def leader_sequences(game):
    """Yield every sequence of leaders."""
    return product(range(game.num_players), repeat=game.horizon)
