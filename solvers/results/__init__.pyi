from solvers.results.presented import Presented as Presented
from solvers.results.rendering import FORMATS as FORMATS
from solvers.results.tables import AnswerTable as AnswerTable
from solvers.results.tables import answer_table as answer_table
from solvers.results.tables import proof_table as proof_table
