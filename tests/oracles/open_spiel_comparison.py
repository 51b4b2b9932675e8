"""One game of OpenSpiel, read by our adapters and compared with OpenSpiel's own states.

A tree that can be laid out is walked beside the states, node by node: movers, actions, chance,
payoffs, and who can tell which nodes apart. OpenSpiel's own algorithms then say what strategies are
worth. Of a larger game random plays are compared.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from math import isclose
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from open_spiel.python.algorithms import expected_game_score, minimax

import gametheory_core as gt
from gametheory_core.adapters import (
    open_spiel_posg,
    open_spiel_rules,
    open_spiel_tree,
    open_spiel_tree_rules,
)
from gametheory_core.conversions import canonical_tree, extensive_to_aec
from gametheory_core.errors import GameTheoryError
from gametheory_core.formats import format_efg, parse_efg
from gametheory_core.games import (
    CHANCE,
    NULL,
    TERMINAL,
    has_perfect_information,
    has_perfect_recall,
    is_zero_sum,
)
from gametheory_core.memory import resident_memory
from solvers import backward_induction

LAID_OUT, PLAYED = "laid out", "played"
MOST_NODES = 20_000
MOST_NODES_OF_OTHERS = 3_000  # of AEC games, POSGs and algorithms in Python
PLAYS, MOST_MOVES = 2, 100
MOST_SHOWN = 240  # characters of a reason

CLEAR, STATUS = Path("/proc/self/clear_refs"), Path("/proc/self/status")

Say: TypeAlias = Callable[[Sequence[int]], None]  # told each history before OpenSpiel is asked


@dataclass(frozen=True)
class Finding:
    """What came of one game.

    Attributes:
        game: Its name, with parameters.
        nodes, infosets, recall: Of the tree, where it was laid out.
        tree, aec, posg: ``LAID_OUT``, ``PLAYED``, or why the adapter refuses; ``posg`` is "" where
            players move in turn.
        compared: What else is equal.
        growth: MiB that the process grew by at most while the tree was laid out or refused; 0
            where the machine does not say.
        fault: What is not; "" if all is well.
    """

    game: str
    nodes: int = 0
    infosets: int = 0
    recall: str = ""
    tree: str = ""
    aec: str = ""
    posg: str = ""
    compared: tuple[str, ...] = ()
    growth: int = 0
    fault: str = ""


@dataclass(frozen=True)
class Spot:
    """Where OpenSpiel's play stands, those who act at once choosing in turn."""

    state: Any
    queued: tuple[int, ...] = ()
    first: Any = None  # a state that others are copied from, and may point into

    @cached_property
    def mover(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        if self.state.is_simultaneous_node():
            return len(self.queued)
        return CHANCE if self.state.is_chance_node() else self.state.current_player()

    @cached_property
    def actions(self) -> list[int]:
        if self.mover == CHANCE:
            return [action for action, weight in self.state.chance_outcomes() if weight > 0]
        return self.state.legal_actions(self.mover)

    @property
    def labels(self) -> list[str]:
        return [self.state.action_to_string(self.mover, action) for action in self.actions]

    @property
    def weights(self) -> list[float]:
        return [weight for _, weight in self.state.chance_outcomes() if weight > 0]

    @property
    def text(self) -> str:
        if is_stated(self.state.get_game()):
            return self.state.information_state_string(self.mover)
        return self.state.observation_string(self.mover)

    def after(self, action: int) -> "Spot":
        first = self.first or self.state
        if not self.state.is_simultaneous_node():
            return Spot(self.state.child(action), (), first)
        chosen = (*self.queued, action)
        if len(chosen) < self.state.num_players():
            return Spot(self.state, chosen, first)
        child = self.state.clone()
        child.apply_actions(list(chosen))
        return Spot(child, (), first)


def is_stated(game: Any) -> bool:
    """Tell whether OpenSpiel says what players know, and not only what they see."""
    return game.get_type().provides_information_state_string


def pays_early(game: Any) -> bool:
    """Tell whether OpenSpiel pays on the way."""
    return game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS


def examined(shown: str, name: str, say: Say) -> Finding:
    """Compare one game.

    Args:
        shown: What the game is called in the finding.
        name: By what OpenSpiel loads it.
        say: Told each history before OpenSpiel is asked about it.
    """
    found: dict[str, Any] = {"game": shown}
    try:
        tree = laid_out(name, found, say)
        if tree is not None:
            compare_with_files_and_walks(tree, found)
        found["aec"] = refusal_or(lambda: compare_aec(name, tree, say))
        if is_simultaneous(name):
            found["posg"] = refusal_or(lambda: compare_posg(name, tree, say))
    except AssertionError as error:
        found["fault"] = one_line(f"{error}" or "differs")
    return Finding(**found)


def refusal_or(compare: Callable[[], str]) -> str:
    """Return what a comparison does, or why an adapter refuses."""
    try:
        return compare()
    except GameTheoryError as error:
        return one_line(error.problem)


def one_line(text: str) -> str:
    whole = " ".join(text.split())
    return whole if len(whole) <= MOST_SHOWN else f"{whole[: MOST_SHOWN - 3]}..."


def is_simultaneous(name: str) -> bool:
    """Tell whether it is a game in which all act at once."""
    return pyspiel.load_game(name).get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS


def laid_out(name: str, found: dict[str, Any], say: Say) -> gt.ExtensiveFormGame | None:
    """Lay the tree out and compare all of it; if it is too large, compare plays and return None."""
    game = pyspiel.load_game(name)
    with growth_told(found):
        try:
            tree = open_spiel_tree(game, max_nodes=MOST_NODES)
        except GameTheoryError as error:
            tree, refusal = None, error
    if tree is not None:
        found |= {"nodes": tree.num_nodes, "infosets": tree.num_decision_infosets, "tree": LAID_OUT}
        found["compared"] = compare_nodes(game, tree, say)
        found["recall"] = "perfect" if has_perfect_recall(tree) else "imperfect"
        return tree
    found["tree"] = one_line(refusal.problem)
    if f"max_nodes = {MOST_NODES:,} nodes" in refusal.needs:
        assert str(game) in refusal.found, "refusal does not name the game"
        found["tree"] = refusal_or(lambda: played(play_tree, name, say))
    return None


@contextmanager
def growth_told(found: dict[str, Any]) -> Generator[None]:
    """Tell by how much the process grows inside, at most."""
    try:
        CLEAR.write_text("5", encoding="ascii")  # forget how large it once was
    except OSError:
        yield
        return
    before = resident_memory()
    yield
    most = STATUS.read_text(encoding="ascii").partition("VmHWM:")[2].split()[0]
    found["growth"] = max(0, int(most) * 2**10 - before) // 2**20


def compare_nodes(game: Any, tree: gt.ExtensiveFormGame, say: Say) -> tuple[str, ...]:
    """Walk a tree beside OpenSpiel's states, and return what OpenSpiel's algorithms agree with."""
    infoset_of: dict[tuple[int, Any], int] = {}
    known_at: dict[int, tuple[int, Any]] = {}
    pasts_at: dict[int, set[Any]] = defaultdict(set)
    laws: dict[int, list[float]] = {}
    policy: dict[str, list[tuple[int, float]]] = {}
    worth = np.zeros(game.num_players())
    nodes = 0
    waiting = [(0, Spot(game.new_initial_state()), 1.0, ((),) * game.num_players())]
    while waiting:
        node, spot, weight, pasts = waiting.pop()
        say(spot.state.history())
        nodes += 1
        mover, where = spot.mover, f"after {spot.state.history()} {spot.queued}"
        assert mover == tree.node_player[node], f"mover {where}"
        if mover == TERMINAL:
            paid = tree.exact_terminal_payoffs[tree.terminals.searchsorted(node)]
            assert close(paid, spot.state.returns()), f"payoffs {where}"
            worth += weight * np.array(spot.state.returns())
            continue
        infoset = int(tree.node_infoset[node])
        own = tree.infosets[infoset]
        check_labels(own.actions, spot, where)
        if mover == CHANCE:
            assert close(own.probabilities, spot.weights), f"chance {where}"
            law = spot.weights
        else:
            text = spot.text
            known = (mover, text if is_stated(game) else (text, pasts[mover]))
            assert infoset_of.setdefault(known, infoset) == infoset, f"told apart {where}"
            assert known_at.setdefault(infoset, known) == known, f"not told apart {where}"
            pasts_at[infoset].add(pasts[mover])
            law = laws[infoset] = drawn_law(mover, text, spot.labels)
            policy[text] = list(zip(spot.actions, law, strict=True))
        first = int(tree.first_child[node])
        for k, action in enumerate(spot.actions):
            after = pasts
            if mover != CHANCE:
                after = (*pasts[:mover], (*pasts[mover], (infoset, k)), *pasts[mover + 1 :])
            waiting.append((first + k, spot.after(action), weight * law[k], after))
    assert nodes == tree.num_nodes, f"{tree.num_nodes} nodes, and {nodes} of OpenSpiel"
    assert len(known_at) == tree.num_decision_infosets, "number of information sets"
    forgets = any(len(pasts) > 1 for pasts in pasts_at.values())
    assert has_perfect_recall(tree) != forgets, "perfect recall"
    profile = gt.BehavioralProfile(tuple(np.array(laws[k]) for k in sorted(laws)))
    assert close(gt.expected_payoffs(tree, profile), worth), "worth of a random profile"
    return compare_values(game, tree, profile, policy, forgets=forgets)


def drawn_law(player: int, text: str, labels: Sequence[str]) -> list[float]:
    """Return probabilities of a player's actions, the same wherever it is told the same."""
    draws = random.Random(repr((player, text, labels)))  # noqa: S311
    weights = [draws.randint(1, 4) for _ in labels]
    return [weight / sum(weights) for weight in weights]


class DrawnPolicy:
    """What is drawn at each text, as OpenSpiel's algorithms ask for it."""

    def action_probabilities(self, state: Any, player: int | None = None) -> dict[int, float]:
        mover = state.current_player() if player is None else player
        spot = Spot(state, (0,) * mover if state.is_simultaneous_node() else ())
        return dict(zip(spot.actions, drawn_law(mover, spot.text, spot.labels), strict=True))


def compare_values(
    game: Any,
    tree: gt.ExtensiveFormGame,
    profile: gt.BehavioralProfile,
    policy: dict[str, list[tuple[int, float]]],
    *,
    forgets: bool,
) -> tuple[str, ...]:
    """Compare with what OpenSpiel's algorithms say; return which of them can say it."""
    compared = ["expected_game_score"]
    at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    drawn = DrawnPolicy() if at_once else [DrawnPolicy()] * game.num_players()
    worth = expected_game_score.policy_value(game.new_initial_state(), drawn)
    assert close(gt.expected_payoffs(tree, profile), worth), "expected_game_score"
    if tree.num_nodes > MOST_NODES_OF_OTHERS:
        return tuple(compared)
    if is_stated(game) and not forgets and len(policy) == tree.num_decision_infosets:
        sequential = pyspiel.convert_to_turn_based(game) if at_once else game
        named = {
            text: law
            for plain, law in policy.items()
            for text in (plain, *(f"Current player: {k}\n{plain}" for k in range(9) if at_once))
        }
        try:
            theirs = pyspiel.nash_conv(sequential, named)
        except pyspiel.SpielError:
            pass
        else:
            assert close([gt.nash_conv(tree, profile)], [theirs]), "NashConv"
            compared.append("NashConv")
    kind = game.get_type()
    is_plain = (
        kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        and kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    )
    if (
        is_plain
        and not at_once
        and len(tree.players) == 2
        and has_perfect_information(tree)
        and is_zero_sum(tree)
    ):
        best = gt.expected_payoffs(tree, backward_induction(tree).profile)[0]
        value, _ = minimax.alpha_beta_search(game, maximum_depth=MOST_NODES, maximizing_player_id=0)
        assert close([best], [value]), "minimax"
        compared.append("minimax")
    return tuple(compared)


def compare_with_files_and_walks(tree: gt.ExtensiveFormGame, found: dict[str, Any]) -> None:
    """Write a tree to a file and to an AEC game, and read it again."""
    assert parse_efg(format_efg(tree)) == tree, "tree from a file"
    found["compared"] += (".efg",)
    if found["recall"] == "perfect" and tree.num_nodes <= MOST_NODES_OF_OTHERS:
        again = gt.aec_to_extensive(extensive_to_aec(tree).target).target
        assert canonical_tree(again).target == canonical_tree(tree).target, "tree of an AEC game"
        found["compared"] += ("AEC and back",)


def compare_aec(name: str, tree: gt.ExtensiveFormGame | None, say: Say) -> str:
    """Compare OpenSpiel's game as an AEC game: whole if the tree is small, else in plays."""
    played(play_aec, name, say)
    if tree is None or tree.num_nodes > MOST_NODES_OF_OTHERS:
        return PLAYED
    unrolled = gt.aec_to_extensive(open_spiel_rules(name)).target
    if has_perfect_recall(tree):
        assert canonical_tree(unrolled).target == canonical_tree(tree).target, "tree of the rules"
    compare_uniform(unrolled, tree)
    return LAID_OUT


def compare_posg(name: str, tree: gt.ExtensiveFormGame | None, say: Say) -> str:
    """Compare OpenSpiel's game as a POSG: whole if the tree is small, else in plays."""
    played(play_posg, name, say)
    if tree is None or tree.num_nodes > MOST_NODES_OF_OTHERS:
        return PLAYED
    compare_uniform(gt.posg_to_extensive(open_spiel_posg(name)).target, tree)
    return LAID_OUT


def compare_uniform(one: gt.ExtensiveFormGame, other: gt.ExtensiveFormGame) -> None:
    """Compare what uniform play is worth."""
    worth = [gt.expected_payoffs(tree, gt.uniform_behavior(tree)) for tree in (one, other)]
    assert close(*worth), "worth of uniform play"


Play: TypeAlias = Callable[[str, random.Random, Say], None]


def played(play: Play, name: str, say: Say) -> str:
    """Compare some random plays."""
    for seed in range(PLAYS):
        play(name, random.Random(seed), say)  # noqa: S311
    return PLAYED


def play_tree(name: str, rng: random.Random, say: Say) -> None:
    """Follow the rules of the tree and OpenSpiel's states side by side."""
    rules = open_spiel_tree_rules(name)
    position, spot = rules.root, Spot(rules.game.new_initial_state())
    paid = np.zeros(len(rules.players), dtype=object)
    for _ in range(MOST_MOVES):
        say(spot.state.history())
        where = f"in a play, after {spot.state.history()} {spot.queued}"
        node = rules.expand(position)
        paid += np.array(node.payoffs or [0] * len(paid), dtype=object)
        if isinstance(node, gt.Terminal):
            assert spot.mover == TERMINAL, f"mover {where}"
            break
        check_labels(tuple(node.children), spot, where)
        children = list(node.children.values())
        if isinstance(node, gt.Chance):
            assert spot.mover == CHANCE, f"mover {where}"
            assert close([weight for weight, _ in children], spot.weights), f"chance {where}"
            children = [child for _, child in children]
        else:
            assert spot.mover == node.player, f"mover {where}"
        k = rng.randrange(len(children))
        position, spot = children[k], spot.after(spot.actions[k])
    else:
        if not spot.queued:  # what is paid on reaching the position where the play is left
            paid += np.array(rules.expand(position).payoffs or [0] * len(paid), dtype=object)
    if spot.mover == TERMINAL or (pays_early(rules.game) and not spot.queued):
        assert close(paid, spot.state.returns()), "payments in a play"


def play_aec(name: str, rng: random.Random, say: Say) -> None:
    """Follow the AEC game and OpenSpiel's states side by side."""
    rules = open_spiel_rules(name)
    game = pyspiel.load_game(name)
    state, mover, spot = rules.initial_state, CHANCE, Spot(game.new_initial_state())
    paid = np.zeros(len(rules.players), dtype=object)
    for _ in range(MOST_MOVES):
        say(spot.state.history())
        where = f"of the AEC game, after {spot.state.history()} {spot.queued}"
        action, k = None, None
        if mover == CHANCE:
            law = rules.chance(state)
            following = law.items[0][0]
            if spot.mover == CHANCE:
                assert close([weight for _, weight in law], spot.weights), f"chance {where}"
                k = rng.randrange(len(law))
                following = law.items[k][0]
        else:
            ((seen, _),) = rules.observation(mover, state).items
            assert seen.text == spot.text, f"observation {where}"
            labels = rules.legal_actions(mover, seen)
            check_labels(labels, spot, where)
            k = rng.randrange(len(labels))
            action = labels[k]
            following = rules.move(mover, state, action)
        ends = rules.is_terminal(following)  # a refusal, if there is one, before OpenSpiel fails
        spot = spot if k is None else spot.after(spot.actions[k])
        ((rewards, _),) = rules.reward(state, mover, action, following).items
        paid += np.array(rewards, dtype=object)
        assert ends == (spot.mover == TERMINAL), f"end {where}"
        if ends:
            break
        ((turn, _),) = rules.next_player(state, mover, action, following).items
        assert turn == spot.mover, f"mover {where}"
        state, mover = following, turn
    if spot.mover == TERMINAL or (pays_early(game) and not spot.queued):
        assert close(paid, spot.state.returns()), "rewards in a play of the AEC game"


def play_posg(name: str, rng: random.Random, say: Say) -> None:
    """Follow the POSG and OpenSpiel's states side by side."""
    rules = open_spiel_posg(name)
    game = pyspiel.load_game(name)
    players = range(len(rules.players))
    start = Spot(game.new_initial_state())
    events, spot = after_chance(start, rules.initial(), rng)
    ((seen, _),) = rules.initial_observation(events).items
    paid = np.zeros(len(rules.players), dtype=object)
    for _ in range(MOST_MOVES):
        say(spot.state.history())
        where = f"of the POSG, after {spot.state.history()}"
        assert rules.is_terminal(events) == (spot.mover == TERMINAL), f"end {where}"
        if spot.mover == TERMINAL:
            assert seen == (NULL,) * len(rules.players), f"observation {where}"
            break
        joint: list[str] = []
        for player in players:
            assert seen[player].text == spot.text, f"observation {where}"
            labels = rules.legal_actions(player, seen[player])
            check_labels(labels, spot, where)
            k = rng.randrange(len(labels))
            joint.append(labels[k])
            spot = spot.after(spot.actions[k])
        before = events
        events, spot = after_chance(spot, rules.transition(events, tuple(joint)), rng)
        paid += np.array(rules.reward(before, tuple(joint), events), dtype=object)
        ((seen, _),) = rules.observation(tuple(joint), events).items
    if spot.mover == TERMINAL or pays_early(game):
        assert close(paid, spot.state.returns()), "rewards in a play of the POSG"


def after_chance(spot: Spot, law: Any, rng: random.Random) -> tuple[tuple[int, ...], Spot]:
    """Draw one of the next histories, follow it in OpenSpiel, and compare its probability."""
    events, weight = law.items[rng.randrange(len(law))]
    chances = 1.0
    for event in events[len(spot.state.history()) :]:
        assert spot.mover == CHANCE, f"chance after {spot.state.history()}"
        k = spot.actions.index(event)
        chances *= spot.weights[k]
        spot = spot.after(event)
    assert close([weight], [chances]), f"chance on the way to {events}"
    assert tuple(spot.state.history()) == events, f"history {events}"
    return events, spot


def check_labels(labels: Sequence[str], spot: Spot, where: str) -> None:
    """Check that our words for actions are OpenSpiel's, with numbers where these repeat."""
    theirs = spot.labels
    if len(set(theirs)) < len(theirs):
        theirs = [f"{k}: {text}" for k, text in zip(spot.actions, theirs, strict=True)]
    assert list(labels) == theirs, f"actions {where}"


def close(ours: Any, theirs: Any) -> bool:
    """Tell whether numbers are the same but for what floats do to them."""
    one, other = [list(map(float, numbers)) for numbers in (ours, theirs)]
    return len(one) == len(other) and all(
        isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(one, other, strict=True)
    )
