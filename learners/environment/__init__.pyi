from learners.environment.play import Environment as Environment
from learners.environment.play import GameEnvironment as GameEnvironment
from learners.environment.play import Turn as Turn
from learners.environment.play import environment_of as environment_of
