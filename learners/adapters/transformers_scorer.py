"""Causal language models of the transformers library, from a folder on this machine.

A scorer says how likely each of some tokens is to follow a text, as bots for rock-paper-scissors
ask (``learners.roshambo.agents.Scorer``). Nothing is ever downloaded.
"""

import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, not_installed


@cache
def loaded_transformers() -> Any:
    """Import the library, once it is needed.

    Raises:
        MissingDependency: If it is not installed.
    """
    try:
        return importlib.import_module("transformers")
    except ImportError as error:
        raise not_installed("TransformersScorer", "transformers", extra="language") from error


class TransformersScorer:
    """A causal language model that says how likely tokens are to come next.

    Args:
        folder: With the model and its tokenizer, as ``save_pretrained`` writes them.
        device: Where the model runs, as torch names it.

    Raises:
        InvalidArgument: If there is no such model; by ``logprobs``, if a token is none of the
            model's, or the text is longer than the model reads.
        MissingDependency: If transformers is not installed.

    Each text is read from its beginning: time grows with its length.
    """

    def __init__(self, folder: str | Path, *, device: str = "cpu") -> None:
        transformers = loaded_transformers()
        if not Path(folder).is_dir():
            raise InvalidArgument(needs="a folder with a model", found=f"{folder} is none")
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(folder), local_files_only=True
            )
            model = transformers.AutoModelForCausalLM.from_pretrained(
                str(folder), local_files_only=True
            )
        except (OSError, ValueError) as error:
            raise InvalidArgument(needs="a causal language model", where=folder) from error
        self._model = model.to(device).eval().requires_grad_(False)
        self._longest = getattr(model.config, "max_position_embeddings", None)
        self._numbers: dict[str, int] = {}

    def logprobs(self, prompt: str, tokens: Sequence[str]) -> NDArray[np.float64]:
        """Return the logarithms of how likely each token is to follow the prompt, (tokens,)."""
        chosen = [self._number(token) for token in tokens]
        text = self._tokenizer(prompt, return_tensors="pt").to(self._model.device)
        length = int(text["input_ids"].shape[1])
        if self._longest is not None and length > self._longest:
            raise InvalidArgument(
                needs=f"a text of at most {self._longest} tokens",
                found=f"it has {length}",
                remedy="Show fewer rounds.",
            )
        scores = self._model(**text).logits[0, -1].double().cpu().numpy()
        shifted = scores - scores.max()
        return (shifted - np.log(np.exp(shifted).sum()))[chosen]

    def _number(self, token: str) -> int:
        """Return the number of a text that is one token."""
        if token not in self._numbers:
            numbers = self._tokenizer.encode(token, add_special_tokens=False)
            unknown = getattr(self._tokenizer, "unk_token_id", None)
            if len(numbers) != 1 or numbers[0] == unknown:
                raise InvalidArgument(
                    needs="texts that are one token of the model's",
                    found=f"{shown(token)} is {len(numbers)} or unknown",
                )
            self._numbers[token] = int(numbers[0])
        return self._numbers[token]
