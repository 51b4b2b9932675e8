r"""An agent of your own for repeated rock-paper-scissors, and a small population to try it on.

python -m learners tournament docs/examples/rock_paper_scissors_bots.py:BeatsTheLast \
    --population docs/examples/rock_paper_scissors_bots.py:BOTS --episodes 5
"""

import random


class BeatsTheLast:
    """Throws what beats the other's last throw."""

    def reset(self, seed):
        """Begin a match."""

    def throw(self, own, other):
        """Return 0 for rock, 1 for paper or 2 for scissors, given all throws so far."""
        return (int(other[-1]) + 1) % 3 if len(other) else 0


class Cycling(BeatsTheLast):
    """Throws rock, paper and scissors in turn."""

    def throw(self, own, other):
        return len(own) % 3


class MostlyPaper(BeatsTheLast):
    """Throws paper half of the time."""

    def reset(self, seed):
        self.random = random.Random(seed)  # all that is random comes from the seed

    def throw(self, own, other):
        return self.random.choice([0, 1, 1, 2])


BOTS = {"cycling": Cycling, "mostly paper": MostlyPaper, "beats the last": BeatsTheLast}

if __name__ == "__main__":
    from learners.roshambo import tournament

    found = tournament({"mine": BeatsTheLast}, BOTS, episodes=5, seed=1)
    print(found.table.standing("mine"))
