"""What players know, as texts and as arrays of zeros and ones."""

from typing import Any

import numpy as np

from gametheory_core.adapters.open_spiel_facts import Facts
from gametheory_core.adapters.open_spiel_walks import Known, Walk

MAX_TENSOR = 1_000_000  # floats; information states of more have texts only


class Encoder:
    """What players know as texts and as arrays of zeros and ones.

    An array says whose it is, and then of each own turn what was seen and done.
    """

    def __init__(self, walk: Walk, facts: Facts) -> None:
        self.walk, self.facts = walk, facts
        self.texts = tuple(
            dict(zip(own, walk.sight_texts(player, tuple(own)), strict=True))
            for player, own in enumerate(facts.sights)
        )
        self.num_sights = max(map(len, facts.sights))
        self.turns = 1 if walk.has_only_infosets else facts.turns

    def shape(self, *, recall: bool) -> list[tuple[str, tuple[int, ...]]]:
        """Return the parts of an array, with their shapes."""
        player = ("player", (len(self.walk.players),))
        if not recall:
            return [player, ("seen", (self.num_sights,))]
        return [
            player,
            ("seen", (self.turns, self.num_sights)),
            ("done", (self.turns, self.facts.num_actions)),
        ]

    def text(self, player: int, known: Known, *, recall: bool) -> str:
        """Write what a player knows: sights, and actions quoted."""
        words = [f"p{player}:"]
        entries = enumerate(known if recall else last_sight(known))
        for k, entry in entries:
            if k % 2:
                words.append(repr(self.walk.actions(player, known[k - 1])[entry]))
            else:
                words.append(self.texts[player][entry])
        return " ".join(words)

    def write(self, parts: dict[str, Any], player: int, known: Known, *, recall: bool) -> None:
        """Put ones where they belong; the arrays are modified in place."""
        parts["player"][player] = 1
        numbers = self.facts.sights[player]
        if not recall:
            for seen in last_sight(known):
                parts["seen"][numbers[seen]] = 1
            return
        for k, entry in enumerate(known):
            parts["done" if k % 2 else "seen"][k // 2, entry if k % 2 else numbers[entry]] = 1


def last_sight(known: Known) -> Known:
    """Return the last thing seen, alone; nothing if there is none."""
    return known[(len(known) - 1) // 2 * 2 :][:1]


class Observer:
    """What writes down what a player knows, in the form that OpenSpiel asks for.

    Attributes:
        tensor (size,): float32, the parts one after the other; None if it would be too large.
        dict: Views of the parts by name.
    """

    def __init__(self, encoder: Encoder, *, recall: bool) -> None:
        self._encoder, self._recall = encoder, recall
        shape = self._encoder.shape(recall=recall)
        sizes = [int(np.prod(part)) for _, part in shape]
        self.tensor = None
        self.dict: dict[str, Any] = {}
        if sum(sizes) <= MAX_TENSOR:
            self.tensor = np.zeros(sum(sizes), np.float32)
            views = np.split(self.tensor, np.cumsum(sizes)[:-1])
            named = zip(shape, views, strict=True)
            self.dict = {name: view.reshape(part) for (name, part), view in named}

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player knows into the tensor."""
        if self.tensor is not None:
            self.tensor.fill(0)
            known = self._encoder.walk.known(state.at().here, player)
            self._encoder.write(self.dict, player, known, recall=self._recall)

    def string_from(self, state: Any, player: int) -> str:
        """Write what a player knows as a text."""
        place = state.at()
        if self._recall and player in place.texts:
            return place.texts[player]
        known = self._encoder.walk.known(place.here, player)
        text = self._encoder.text(player, known, recall=self._recall)
        if self._recall:
            place.texts[player] = text
        return text
