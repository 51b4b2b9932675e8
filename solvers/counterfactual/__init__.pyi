from solvers.counterfactual.best_response import float_best_response as float_best_response
from solvers.counterfactual.best_response import float_deviation_gains as float_deviation_gains
from solvers.counterfactual.best_response import float_exploitability as float_exploitability
from solvers.counterfactual.best_response import float_nash_conv as float_nash_conv
from solvers.counterfactual.full_width import counterfactual_regret as counterfactual_regret
from solvers.counterfactual.monte_carlo import (
    monte_carlo_counterfactual_regret as monte_carlo_counterfactual_regret,
)
from solvers.counterfactual.polished_average import regret_equilibrium as regret_equilibrium
from solvers.counterfactual.public_ranges import PublicRun as PublicRun
from solvers.counterfactual.public_ranges import (
    range_counterfactual_regret as range_counterfactual_regret,
)
from solvers.counterfactual.regret_rules import Averaging as Averaging
from solvers.counterfactual.regret_rules import DiscountedRegretMatching as DiscountedRegretMatching
from solvers.counterfactual.regret_rules import Iterate as Iterate
from solvers.counterfactual.regret_rules import (
    PredictiveRegretMatchingPlus as PredictiveRegretMatchingPlus,
)
from solvers.counterfactual.regret_rules import UpdateOrder as UpdateOrder
from solvers.counterfactual.regret_run import RegretProgress as RegretProgress
from solvers.counterfactual.regret_run import RegretRun as RegretRun
from solvers.counterfactual.regret_run import RegretState as RegretState
from solvers.counterfactual.regret_run import average_profile as average_profile
from solvers.counterfactual.regret_run import current_profile as current_profile
from solvers.counterfactual.reply_tables import EvaluationTables as EvaluationTables
from solvers.counterfactual.reply_tables import evaluation_tables as evaluation_tables
from solvers.counterfactual.sampled_averages import LaidOutAverage as LaidOutAverage
from solvers.counterfactual.sampled_averages import certified_average as certified_average
from solvers.counterfactual.sampled_averages import laid_out_average as laid_out_average
from solvers.counterfactual.sampled_play import SampledPlay as SampledPlay
from solvers.counterfactual.sampled_play import SampledStreams as SampledStreams
from solvers.counterfactual.sampled_play import Sampling as Sampling
from solvers.counterfactual.sampled_play import SamplingState as SamplingState
from solvers.counterfactual.sampled_streams import monte_carlo_streams as monte_carlo_streams
