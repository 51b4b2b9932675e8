"""What OpenSpiel says of its own games."""

import pyspiel


def turn_based(name):
    """Return the game, those who act at once put in order by OpenSpiel's own conversion."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        return pyspiel.convert_to_turn_based(game)
    return game


def uniform_value(name):
    """Return the expected returns of uniform play, summed over OpenSpiel's own states."""

    def value(state):
        if state.is_terminal():
            return state.returns()
        outcomes = (
            state.chance_outcomes()
            if state.is_chance_node()
            else [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]
        )
        rows = [[w * v for v in value(state.child(action))] for action, w in outcomes]
        return [sum(column) for column in zip(*rows, strict=True)]

    game = turn_based(name)
    if game.get_type().provides_information_state_string:
        policy = pyspiel.UniformRandomPolicy(game)
        return pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    return value(game.new_initial_state())


def turn_based_counts(name):
    """Return the number of histories, and the (player, information state string) pairs."""
    game = turn_based(name)
    count, known, stack = 0, set(), [game.new_initial_state()]
    while stack:
        state = stack.pop()
        count += 1
        if not state.is_terminal():
            if not state.is_chance_node():
                player = state.current_player()
                text = state.information_state_string()  # the conversion puts a line in front
                known.add((player, text.removeprefix(f"Current player: {player}\n")))
            stack += [state.child(action) for action in state.legal_actions()]
    return count, known
