"""How many games a property is tried on, beside the profile's usual number."""

from hypothesis import settings

many = settings(max_examples=4 * settings().max_examples)  # where a game takes no time
