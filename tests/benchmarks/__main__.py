"""``python -m tests.benchmarks``: every comparison with a peer, as one Markdown table each."""

import importlib
import sys

from tests.benchmarks.measure import table

SUITES = (
    "commands",
    "explorer",
    "zero_sum",
    "max_entropy",
    "bimatrix",
    "enumeration",
    "dominance",
    "many_games",
    "many_players",
    "compact",
    "correlated",
    "stackelberg",
    "bayesian",
    "security",
    "populations",
    "matches",
    "self_play",
    "double_oracle",
    "models",
    "tree_layout",
    "tree_evaluation",
    "counterfactual_regret",
    "ranges",
    "monte_carlo",
    "parallel_work",
    "sequence_form",
    "sequence_form_lcp",
    "refinements",
    "extensive_correlated",
    "extensive_stackelberg",
    "markov_stackelberg",
    "stochastic_commitment",
    "stochastic_stackelberg",
    "markov_games",
    "mediated",
    "environments",
    "tabular_learners",
    "regret_minimizers",
    "roshambo_bots",
    "policy_gradients",
    "policy_optimization",
    "deep_learners",
    "graphics_card",
    "meta_learning",
    "jam_q_learning",
)


def main() -> int:
    """Run the suites named on the command line, or all."""
    for name in sys.argv[1:] or SUITES:
        print(f"\n## {name}\n")
        suite = importlib.import_module(f"tests.benchmarks.{name}")
        print(table(suite.rows()))
        print(getattr(suite, "remarks", str)())
    return 0


if __name__ == "__main__":
    sys.exit(main())
