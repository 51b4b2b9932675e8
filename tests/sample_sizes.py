"""How many games a property is tried on, beside the profile's usual number, and searches."""

from hypothesis import HealthCheck, Phase, settings

USUAL = settings.get_profile("dev").max_examples


def examples(count: int) -> settings:
    """Ask for so many under ``dev``; under other profiles as many more or fewer, five at least."""
    return settings(max_examples=max(5, count * settings().max_examples // USUAL))


many = examples(4 * USUAL)  # where a game takes no time

# What ``hypothesis.find`` is told: the same search each time, and whether to make it small
to_shrink = settings(
    max_examples=1_000,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
to_reach = settings(to_shrink, phases=[Phase.generate])
