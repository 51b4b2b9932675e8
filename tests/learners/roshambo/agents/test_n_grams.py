"""N-grams and language models: against a search through the match, texts, refusals."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from learners.roshambo import play_match
from learners.roshambo.agents import LanguageModelBot, NGram, NGramScorer
from learners.roshambo.agents.language_model import LETTERS, PROMPT
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

HISTORIES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=40)


class Listed:
    """A scorer that says what a list says, and keeps what it was shown."""

    def __init__(self, answers):
        self.answers, self.shown = list(answers), []

    def logprobs(self, prompt, tokens):
        self.shown.append((prompt, tuple(tokens)))
        return np.log(self.answers[len(self.shown) - 1])


def searched(order, own, other):
    """Look through the match: what followed the longest of the last joint throws that came."""
    for k in range(min(order, len(own)), -1, -1):
        ends = [
            t
            for t in range(k, len(own))
            if own[t - k : t] == own[len(own) - k :] and other[t - k : t] == other[len(own) - k :]
        ]
        if ends:
            counts = [sum(other[t] == throw for t in ends) for throw in range(3)]
            return (counts.index(max(counts)) + 1) % 3
    return 1


@given(st.integers(0, 6), HISTORIES)
def test_replies_are_those_of_a_search_through_the_match(order, joints):
    own, other = [a for a, _ in joints], [b for _, b in joints]
    bot = NGram(order)
    for t in range(len(joints) + 1):
        assert bot.throw(own[:t], other[:t]) == searched(order, own[:t], other[:t])


def test_an_order_sees_what_a_lower_one_does_not():
    """After two rocks comes a scissors, after one anything."""
    script = [0, 0, 2, 0, 1, 1, 2, 2, 1]
    found = [
        play_match(NGram(order), Scripted(script), seeds=(0, 0)).returns[0] for order in (0, 1, 6)
    ]
    assert found[0] < 400
    assert found[2] > 950 > found[1]


def test_nothing_is_drawn_so_that_a_copy_knows_the_next_throw():
    class Knowing(NGram):
        def throw(self, own, other):
            return (super().throw(other, own) + 1) % 3

    assert play_match(NGram(2), Knowing(2), throws=99, seeds=(1, 9)).returns == (-99, 99)


# Language models


def test_the_model_is_shown_the_match_and_its_likeliest_throw_is_beaten():
    scorer = Listed([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.4, 0.4, 0.2]])
    bot = LanguageModelBot(scorer, agent="player1")
    assert [bot.throw([], []), bot.throw([0], [1]), bot.throw([0, 1], [1, 2])] == [2, 0, 1]
    head = "".join(line + "\n" for line in PROMPT.splitlines())
    assert [text for text, _ in scorer.shown] == [head, head + "R,P\n", head + "R,P\nP,S\n"]
    assert {tokens for _, tokens in scorer.shown} == {("R", "P", "S")}
    assert bot.prompt_after([0, 1], [1, 2]) == scorer.shown[-1][0]


def test_prompt_is_the_paper_s():
    assert len(PROMPT.splitlines()) == 3
    assert PROMPT.splitlines()[-1] == "Game history (player1, player2):"
    assert PROMPT.endswith(":\n")


def test_the_right_player_of_a_line_is_the_agent_if_told_so_and_few_rounds_are_shown():
    scorer = Listed([[1.0, 0.0, 0.0]] * 4)
    with np.errstate(divide="ignore"):
        bot = LanguageModelBot(scorer, agent="player2", prompt="Go:\n", rounds=1)
        match = play_match(bot, Scripted([2, 0]), throws=4, seeds=(1, 1))
    assert match.histories[0].tolist() == [1] * 4
    assert [text for text, _ in scorer.shown] == ["Go:\n", "Go:\nS,P\n", "Go:\nR,P\n", "Go:\nS,P\n"]


@pytest.mark.parametrize("order", [0, 1, 3])
@pytest.mark.parametrize("opponent", [Drawn, Copying])
def test_a_model_of_n_grams_is_the_bot_of_n_grams(order, opponent):
    """As player2 it is asked for what the other throws next."""
    bots = LanguageModelBot(NGramScorer(order), agent="player2"), NGram(order)
    found = [play_match(bot, opponent(), throws=120, seeds=(1, 5)).histories for bot in bots]
    assert (found[0] == found[1]).all()


def test_twin_as_player1_the_model_is_asked_for_the_agent_s_own_throw():
    bot = LanguageModelBot(NGramScorer(3), agent="player1")
    match = play_match(bot, Scripted([0, 1, 2]), seeds=(1, 1))
    assert match.returns[0] < 100
    assert play_match(NGram(3), Scripted([0, 1, 2]), seeds=(1, 1)).returns[0] > 950


@given(st.integers(0, 3), HISTORIES, HISTORIES)
def test_a_scorer_answers_each_text_alike_whatever_it_read_before(order, joints, before):
    bot = LanguageModelBot(NGramScorer(order), agent="player2")
    text, other = (
        bot.prompt_after(*zip(*j, strict=True)) if j else PROMPT for j in (joints, before)
    )
    scorer = NGramScorer(order)
    fresh = scorer.logprobs(text, LETTERS)
    scorer.logprobs(other, LETTERS)
    assert (scorer.logprobs(text, LETTERS) == fresh).all()
    assert (scorer.logprobs(text, LETTERS[::-1]) == fresh[::-1]).all()
    assert np.exp(fresh).sum() == pytest.approx(1)
    assert (NGramScorer(order).logprobs(text + "R,", LETTERS) == fresh).all()
    scorer.logprobs(text + "R,", LETTERS)
    longer = NGramScorer(order).logprobs(text + "R,P\n", LETTERS)
    assert (scorer.logprobs(text + "R,P\n", LETTERS) == longer).all()


def test_bots_continue_after_they_were_pickled():
    own, other = [0, 1, 0, 1, 0], [2, 2, 2, 2, 1]
    for bot in (NGram(2), LanguageModelBot(NGramScorer(2), agent="player2")):
        for t in range(5):
            bot.throw(own[:t], other[:t])
        assert pickle.loads(pickle.dumps(bot)).throw(own, other) == bot.throw(own, other)


@pytest.mark.parametrize(
    "answer",
    [[0.5, 0.5], [[0.1, 0.2, 0.7]], [np.nan, 0.1, 0.2], [-np.inf] * 3, ["a", "b", "c"], None],
)
def test_answers_that_make_no_sense_are_refused(answer):
    class Wrong:
        def logprobs(self, prompt, tokens):
            return answer

    with pytest.raises(InvalidArgument, match="three logarithms"):
        LanguageModelBot(Wrong()).throw([], [])


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: NGram(-1), "order"),
        (lambda: NGram(101), "order"),
        (lambda: NGramScorer(1.5), "order"),
        (lambda: NGramScorer(1).logprobs("", ("R", "X")), "tokens of R, P and S"),
        (lambda: LanguageModelBot(max), "of type Scorer"),
        (lambda: LanguageModelBot(NGramScorer(1), agent="player3"), "player1 or player2"),
        (lambda: LanguageModelBot(NGramScorer(1), prompt=None), "of type str"),
        (lambda: LanguageModelBot(NGramScorer(1), rounds=-1), "rounds"),
        (lambda: NGram(1).throw([0], [0]), "two histories of 0 throws"),
        (lambda: LanguageModelBot(NGramScorer(1)).throw([0], [0]), "two histories of 0 throws"),
    ],
)
def test_what_makes_no_sense_is_refused(make, match):
    with pytest.raises(InvalidArgument, match=match):
        make()
