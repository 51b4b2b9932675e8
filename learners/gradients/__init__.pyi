from learners.gradients.exact import PolicyGradient as PolicyGradient
from learners.gradients.exact import exact_gradient as exact_gradient
from learners.gradients.exact import place_table as place_table
from learners.gradients.softmax import softmax_policy as softmax_policy
from learners.gradients.tabular import Baseline as Baseline
from learners.gradients.tabular import TabularPPO as TabularPPO
from learners.gradients.tabular import TabularReinforce as TabularReinforce
from learners.gradients.updates import reinforce_gradient as reinforce_gradient
