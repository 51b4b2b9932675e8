from learners.studies.registry import Kind as Kind
from learners.studies.registry import Piece as Piece
from learners.studies.registry import Request as Request
from learners.studies.registry import Study as Study
from learners.studies.registry import declare_studies as declare_studies
from learners.studies.registry import reproduce as reproduce
from learners.studies.registry import study_named as study_named
