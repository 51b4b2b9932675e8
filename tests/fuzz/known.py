"""What is known, and why it is left: ((check, subject, kind), reason), with wildcards."""

KNOWN = (
    (
        ("*", "*by max_entropy_correlated_equilibrium", "gives up"),
        "a method in floats: payoffs of very different sizes are refused with the best so far",
    ),
)
