from solvers.stackelberg.bayesian import BayesianMethod as BayesianMethod
from solvers.stackelberg.bayesian import bayesian_stackelberg as bayesian_stackelberg
from solvers.stackelberg.commitment import correlated_commitment as correlated_commitment
from solvers.stackelberg.commitment import strong_stackelberg as strong_stackelberg
from solvers.stackelberg.commitment import weak_stackelberg as weak_stackelberg
from solvers.stackelberg.extensive_commitment import (
    extensive_correlated_commitment as extensive_correlated_commitment,
)
from solvers.stackelberg.extensive_commitment import extensive_stackelberg as extensive_stackelberg
from solvers.stackelberg.extensive_perfect_information import (
    perfect_information_commitment as perfect_information_commitment,
)
from solvers.stackelberg.pure_followers import (
    pure_followers_stackelberg as pure_followers_stackelberg,
)
from solvers.stackelberg.security import security_stackelberg as security_stackelberg
