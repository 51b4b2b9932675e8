from learners.gradients.exact import PolicyGradient as PolicyGradient
from learners.gradients.exact import exact_gradient as exact_gradient
from learners.gradients.tabular import TabularPPO as TabularPPO
from learners.gradients.tabular import TabularReinforce as TabularReinforce
