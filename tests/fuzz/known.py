"""What is known, and why it is left: ((check, subject, kind), reason), with wildcards."""

KNOWN = (
    (
        ("*", "*by max_entropy_correlated_equilibrium", "gives up"),
        "a method in floats: payoffs of very different sizes are refused with the best so far",
    ),
    (
        ("*", "nash by logit_homotopy", "gives up"),
        "a path in floats: says how near it came, and where floats failed",
    ),
    (
        ("*", "max-entropy by max_entropy", "gives up"),
        "a method in floats: payoffs of very different sizes are refused with the best so far",
    ),
    (
        ("*", "best-nash by best_of_all_equilibria", "gives up"),
        "an equilibrium that is not isolated may be better than those listed",
    ),
    (
        ("*", "mediated by jam_value_iteration", "gives up"),
        "agents that know the step alone may go round in a cycle; others always end",
    ),
    (
        ("*", "nash by regret_equilibrium", "gives up"),
        "play without regret need not come near an equilibrium, and payoffs may be close",
    ),
)
