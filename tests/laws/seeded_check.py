"""``check_environment`` with actions drawn from a fixed seed."""

import numpy as np

from gametheory_core.testing import environments


def check_environment(make_env, model, *, seed=0, **options):
    return environments.check_environment(
        make_env, model, rng=np.random.default_rng(seed), **options
    )
