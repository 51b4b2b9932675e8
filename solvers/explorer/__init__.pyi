from solvers.explorer.game_page import explore as explore
from solvers.explorer.page import ExplorerPage as ExplorerPage
