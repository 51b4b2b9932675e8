from solvers.results.presented import Presented as Presented
from solvers.results.rendering import FORMATS as FORMATS
from solvers.results.tables import AnswerTable as AnswerTable
