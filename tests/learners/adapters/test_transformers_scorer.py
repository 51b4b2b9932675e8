"""Language models of transformers, from a folder: a tiny one made here; nothing is downloaded."""

import sys

import pytest

from gametheory_core.errors import InvalidArgument, MissingDependency
from learners.adapters.transformers_scorer import TransformersScorer, loaded_transformers
from learners.roshambo import play_match
from learners.roshambo.agents import LanguageModelBot
from tests.learners.roshambo.simple_bots import Scripted

WORDS = {"R": 0, "P": 1, "S": 2, ",": 3, "Go": 4, ":": 5, "?": 6}
LONGEST = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model with random weights, and words for tokens."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    torch = pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("model")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel(WORDS, unk_token="?"))  # noqa: S106
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        unk_token="?",  # noqa: S106
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS), n_positions=LONGEST, n_embd=8, n_layer=1, n_head=2
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


def test_logprobs_are_those_of_the_model(folder):
    scorer = TransformersScorer(folder)
    known = tuple(WORDS)[:-1]
    found = scorer.logprobs("Go:\nR,P\n", known)
    assert len(set(found.tolist())) == len(known)
    assert (scorer.logprobs("Go:\nR,P\n", ("S", "R")) == found[[2, 0]]).all()
    assert (scorer.logprobs("Go:\nR,S\n", ("S", "R")) != found[[2, 0]]).all()
    torch = pytest.importorskip("torch")
    numbers = torch.tensor([[WORDS[word] for word in ("Go", ":", "R", ",", "P")]])
    model = loaded_transformers().AutoModelForCausalLM.from_pretrained(str(folder)).eval()
    expected = torch.log_softmax(model(numbers).logits[0, -1], 0).detach().numpy()
    assert found == pytest.approx(expected[: len(known)], abs=1e-5)


def test_it_plays(folder):
    bots = [LanguageModelBot(TransformersScorer(folder), prompt="Go:", rounds=9) for _ in range(2)]
    found = [play_match(b, Scripted([0, 1, 1]), throws=30, seeds=(1, 1)).histories for b in bots]
    assert (found[0] == found[1]).all()


def test_what_it_cannot_read_is_refused(folder, tmp_path):
    scorer = TransformersScorer(folder)
    for token in ("R,P", "X"):
        with pytest.raises(InvalidArgument, match="one token of the model's"):
            scorer.logprobs("Go:", (token,))
    with pytest.raises(InvalidArgument, match="at most 40 tokens, but it has 41"):
        scorer.logprobs("R " * 41, ("R",))
    with pytest.raises(InvalidArgument, match="a folder with a model"):
        TransformersScorer(tmp_path / "none")
    with pytest.raises(InvalidArgument, match="a causal language model"):
        TransformersScorer(tmp_path)


def test_the_library_is_asked_for_once_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingDependency, match=r"needs transformers.*core\[language\]"):
        loaded_transformers.__wrapped__()
