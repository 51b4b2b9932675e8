"""A language model as a bot: it is shown the match as text, and what it expects next is beaten.

The text is that of the paper: what is played, what to do, then a line for each round. The model
says how likely R, P and S are to come next; the likeliest is taken for the other's next throw,
and the throw that beats it is made. Nothing is drawn and nothing is trained.

The paper's lines say "player1, player2", and not which of the two the agent is. What comes next in
such a text is the next throw of player1. So where the agent is player2, the model is asked for the
other's throw; where it is player1, for what the agent itself would throw by the text, and that is
then taken for the other's.

Source: :cite:`lanctot2023population`, section 4.2 and appendix A.3.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.errors import InvalidArgument
from learners.roshambo.agents.n_gram import MOST_RECALLED, JointCounts
from learners.roshambo.matches.histories import MatchClock
from learners.roshambo.matches.matches import NUM_THROWS, Throws

LETTERS = ("R", "P", "S")
PLAYERS = ("player1", "player2")
PROMPT = """\
A repeated game of rock, paper, scissors is being played.
Guess the next move based on the game history.
Game history (player1, player2):
"""  # data of the experiment: the paper's, word by word
SEPARATOR = ","


@runtime_checkable
class Scorer(Protocol):
    """A language model, as far as a bot needs it."""

    def logprobs(self, prompt: str, tokens: Sequence[str]) -> NDArray[Any]:
        """Return the logarithms of how likely each token is to follow the prompt, (tokens,)."""
        ...


class LanguageModelBot:
    """A bot that shows a language model the match, and beats the throw that it holds likeliest.

    Args:
        scorer: The model; the likeliest of R, P and S counts, of several the first.
        agent: Which player of the text the agent is: ``"player1"``, the left one of each line, or
            ``"player2"``.
        prompt: What stands before the rounds.
        rounds: How many of the last rounds are shown; None for all.

    Raises:
        InvalidArgument: If an option makes no sense; by ``throw``, if histories are not those of a
            match that goes on, or the scorer does not return three numbers of which one is above
            minus infinity.

    >>> class Rocks:
    ...     def logprobs(self, prompt, tokens): return np.log([0.8, 0.1, 0.1])
    >>> bot = LanguageModelBot(Rocks())
    >>> bot.throw([], []), bot.throw([1], [2])
    (1, 1)
    >>> bot.prompt_after([1], [2]).splitlines()[-1]
    'P,S'
    """

    def __init__(
        self,
        scorer: Scorer,
        *,
        agent: str = "player1",
        prompt: str = PROMPT,
        rounds: int | None = None,
    ) -> None:
        require_instance(scorer, Scorer, name="scorer", remedy="Give one with logprobs(...).")
        require_instance(prompt, str, name="prompt")
        if agent not in PLAYERS:
            raise InvalidArgument(needs="player1 or player2 as agent", found=f"got {shown(agent)}")
        if rounds is not None:
            require_integer(rounds, name="rounds", low=0)
        self.scorer, self.agent, self.prompt, self.rounds = scorer, agent, prompt, rounds
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a match; the seed changes nothing."""
        del seed
        self._clock = MatchClock()
        self._lines: list[str] = []

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        if len(own):
            self._lines.append(self._line(last_own, last_other))
        found = np.asarray(self.scorer.logprobs(self._text(self._lines), LETTERS))
        is_numbers = found.shape == (NUM_THROWS,) and found.dtype.kind in "fiu"
        if not is_numbers or np.isnan(found).any() or not found.max() > -np.inf:
            raise InvalidArgument(
                needs="three logarithms of probabilities, not all minus infinity",
                found=f"the scorer returned {shown(found.tolist())}",
            )
        return (int(found.argmax()) + 1) % NUM_THROWS

    def prompt_after(self, own: Throws, other: Throws) -> str:
        """Return what the model is shown after throws."""
        return self._text([self._line(a, b) for a, b in zip(own, other, strict=True)])

    def _line(self, own: Any, other: Any) -> str:
        pair = (own, other) if self.agent == PLAYERS[0] else (other, own)
        return SEPARATOR.join(LETTERS[int(thrown)] for thrown in pair) + "\n"

    def _text(self, lines: list[str]) -> str:
        first = 0 if self.rounds is None else max(0, len(lines) - self.rounds)
        return self.prompt + "".join(lines[first:])


class NGramScorer:
    r"""A small language model of the text that ``LanguageModelBot`` makes: n-grams of whole lines.

    A letter's share is what it had as the first of the line after the same ``order`` lines, or as
    many of them as occurred before; a letter is added to each count.

    Args:
        order: How many lines it looks back at most, from 0 to 100.

    Raises:
        InvalidArgument: If the order makes no sense; by ``logprobs``, for tokens but letters.

    >>> scorer = NGramScorer(1)
    >>> np.exp(scorer.logprobs("R,P\nS,P\nR,P\n", ("R", "P", "S"))).tolist()
    [0.25, 0.25, 0.5]
    """

    def __init__(self, order: int) -> None:
        require_integer(order, name="order", low=0, high=MOST_RECALLED)
        self.order = order
        self._read, self._counts = "", JointCounts(order)

    def __repr__(self) -> str:
        return f"NGramScorer({self.order})"

    def logprobs(self, prompt: str, tokens: Sequence[str]) -> NDArray[np.float64]:
        """Return the logarithms of how likely each letter is to begin the next line."""
        if not prompt.startswith(self._read):
            self._read, self._counts = "", JointCounts(self.order)
        whole = prompt[: prompt.rfind("\n") + 1]
        for line in whole[len(self._read) :].splitlines():
            first, _, second = line.partition(SEPARATOR)
            if first in LETTERS and second in LETTERS:
                self._counts.see(LETTERS.index(second), LETTERS.index(first))
        self._read = whole
        shares = np.array(self._counts.followers()) + 1.0
        for token in tokens:
            if token not in LETTERS:
                raise InvalidArgument(needs="tokens of R, P and S", found=f"got {shown(token)}")
        return np.log(shares / shares.sum())[[LETTERS.index(token) for token in tokens]]
