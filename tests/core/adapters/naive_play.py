"""Uniform play of rules, added up branch by branch; slow, plain, and no code of the library's."""

from fractions import Fraction


def play_aec(game):
    """Return the value of uniform play, and every (player, information state, state) met."""
    met = set()

    def value(state, mover, seen):
        if mover == -1:
            branches = [(w, None, s, seen) for s, w in game.chance(state)]
        else:
            branches = []
            for observation, weight in game.observation(mover, state):
                key = (*seen[mover], observation)
                met.add((mover, key, state))
                actions = game.legal_actions(mover, observation)
                for action in actions:
                    after = (*seen[:mover], (*key, action), *seen[mover + 1 :])
                    share = weight / len(actions)
                    branches.append((share, action, game.move(mover, state, action), after))
        total = [Fraction(0)] * len(game.players)
        for weight, action, after, known in branches:
            values = [0] * len(game.players)
            for rewards, chance in game.reward(state, mover, action, after):
                values = [v + chance * r for v, r in zip(values, rewards, strict=True)]
            if not game.is_terminal(after):
                for following, chance in game.next_player(state, mover, action, after):
                    below = value(after, following, known)
                    values = [v + chance * b for v, b in zip(values, below, strict=True)]
            total = [t + weight * v for t, v in zip(total, values, strict=True)]
        return total

    return value(game.initial_state, -1, ((),) * len(game.players)), met


def play_posg(game):
    """Return the value of uniform play, and every joint observation met."""
    met = set()

    def value(state, observations):
        met.add(observations)
        if game.is_terminal(state):
            return [Fraction(0)] * len(game.players)
        profiles = [()]
        for player, observation in enumerate(observations):
            actions = game.legal_actions(player, observation)
            profiles = [(*profile, action) for profile in profiles for action in actions]
        total = [Fraction(0)] * len(game.players)
        for profile in profiles:
            for after, weight in game.transition(state, profile):
                rewards = game.reward(state, profile, after)
                for joint, chance in game.observation(profile, after):
                    share = weight * chance / len(profiles)
                    below = value(after, joint)
                    total = [
                        t + share * (r + b) for t, r, b in zip(total, rewards, below, strict=True)
                    ]
        return total

    totals = [
        [weight * chance * v for v in value(state, joint)]
        for state, weight in game.initial()
        for joint, chance in game.initial_observation(state)
    ]
    return [sum(column) for column in zip(*totals, strict=True)], met
