from solvers.compact.anarchy import price_of_anarchy as price_of_anarchy
from solvers.compact.improvement import BestResponsePath as BestResponsePath
from solvers.compact.improvement import best_response_path as best_response_path
from solvers.compact.polymatrix_path import polymatrix_lcp as polymatrix_lcp
from solvers.compact.polymatrix_program import zero_sum_polymatrix as zero_sum_polymatrix
from solvers.compact.pure_search import compact_pure as compact_pure
from solvers.compact.sign_changes import symmetric_equilibrium as symmetric_equilibrium
