"""The best equilibrium of a bimatrix game, by branch and bound."""
