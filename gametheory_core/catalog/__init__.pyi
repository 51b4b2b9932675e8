from gametheory_core.catalog.absences import OverlappingGenerations as OverlappingGenerations
from gametheory_core.catalog.absences import Truel as Truel
from gametheory_core.catalog.absences import overlapping_generations as overlapping_generations
from gametheory_core.catalog.absences import truel as truel
from gametheory_core.catalog.bidding import Bids as Bids
from gametheory_core.catalog.bidding import GoofspielRules as GoofspielRules
from gametheory_core.catalog.bidding import OshiZumoRules as OshiZumoRules
from gametheory_core.catalog.bidding import Payment as Payment
from gametheory_core.catalog.bidding import Prizes as Prizes
from gametheory_core.catalog.bidding import goofspiel as goofspiel
from gametheory_core.catalog.bidding import goofspiel_points as goofspiel_points
from gametheory_core.catalog.cleanup import Cleanup as Cleanup
from gametheory_core.catalog.cleanup import Corridor as Corridor
from gametheory_core.catalog.cleanup import Resolution as Resolution
from gametheory_core.catalog.cleanup import clean_at_once as clean_at_once
from gametheory_core.catalog.cleanup import clean_in_order as clean_in_order
from gametheory_core.catalog.cleanup import cleanup_fixed_order as cleanup_fixed_order
from gametheory_core.catalog.cleanup import cleanup_random_order as cleanup_random_order
from gametheory_core.catalog.cleanup import relabel as relabel
from gametheory_core.catalog.counterexamples import FAIR as FAIR
from gametheory_core.catalog.counterexamples import SIDES as SIDES
from gametheory_core.catalog.counterexamples import SURE as SURE
from gametheory_core.catalog.counterexamples import CoinSight as CoinSight
from gametheory_core.catalog.counterexamples import FairCoins as FairCoins
from gametheory_core.catalog.counterexamples import ListenWaitGuess as ListenWaitGuess
from gametheory_core.catalog.counterexamples import SeenChoice as SeenChoice
from gametheory_core.catalog.counterexamples import SteadyPay as SteadyPay
from gametheory_core.catalog.counterexamples import private_coins as private_coins
from gametheory_core.catalog.counterexamples import public_coin as public_coin
from gametheory_core.catalog.counterexamples import seen_choice as seen_choice
from gametheory_core.catalog.grids import Field as Field
from gametheory_core.catalog.grids import Grid as Grid
from gametheory_core.catalog.grids import Pursuit as Pursuit
from gametheory_core.catalog.grids import RewardTime as RewardTime
from gametheory_core.catalog.grids import Soccer as Soccer
from gametheory_core.catalog.grids import soccer as soccer
from gametheory_core.catalog.hidden_information import LiarsDiceRules as LiarsDiceRules
from gametheory_core.catalog.hidden_information import (
    PhantomTicTacToeRules as PhantomTicTacToeRules,
)
from gametheory_core.catalog.hidden_information import liars_dice as liars_dice
from gametheory_core.catalog.index import catalog as catalog
from gametheory_core.catalog.index import load as load
from gametheory_core.catalog.iterated import iterated_battle as iterated_battle
from gametheory_core.catalog.iterated import iterated_chicken as iterated_chicken
from gametheory_core.catalog.iterated import iterated_deadlock as iterated_deadlock
from gametheory_core.catalog.iterated import iterated_game as iterated_game
from gametheory_core.catalog.iterated import iterated_hero as iterated_hero
from gametheory_core.catalog.iterated import (
    iterated_modified_prisoners_dilemma as iterated_modified_prisoners_dilemma,
)
from gametheory_core.catalog.iterated import (
    iterated_prisoners_delight as iterated_prisoners_delight,
)
from gametheory_core.catalog.iterated import (
    iterated_prisoners_dilemma as iterated_prisoners_dilemma,
)
from gametheory_core.catalog.iterated import iterated_public_goods as iterated_public_goods
from gametheory_core.catalog.iterated import iterated_stag_hunt as iterated_stag_hunt
from gametheory_core.catalog.markov import BigMatch as BigMatch
from gametheory_core.catalog.markov import FishWar as FishWar
from gametheory_core.catalog.markov import StoppingPennies as StoppingPennies
from gametheory_core.catalog.markov import Tiger as Tiger
from gametheory_core.catalog.markov import big_match as big_match
from gametheory_core.catalog.markov import fish_war as fish_war
from gametheory_core.catalog.markov import tiger as tiger
from gametheory_core.catalog.matrix import battle_of_the_sexes as battle_of_the_sexes
from gametheory_core.catalog.matrix import chicken as chicken
from gametheory_core.catalog.matrix import coordination as coordination
from gametheory_core.catalog.matrix import degenerate as degenerate
from gametheory_core.catalog.matrix import indifference as indifference
from gametheory_core.catalog.matrix import matching_pennies as matching_pennies
from gametheory_core.catalog.matrix import prisoners_dilemma as prisoners_dilemma
from gametheory_core.catalog.matrix import rock_paper_scissors as rock_paper_scissors
from gametheory_core.catalog.ordinal import ORDINAL_GAMES as ORDINAL_GAMES
from gametheory_core.catalog.ordinal import modified_prisoners_dilemma as modified_prisoners_dilemma
from gametheory_core.catalog.ordinal import small_battle_of_the_sexes as small_battle_of_the_sexes
from gametheory_core.catalog.poker import KuhnRules as KuhnRules
from gametheory_core.catalog.poker import LeducRules as LeducRules
from gametheory_core.catalog.poker import Suits as Suits
from gametheory_core.catalog.poker import kuhn_poker as kuhn_poker
from gametheory_core.catalog.poker import leduc_poker as leduc_poker
from gametheory_core.catalog.public_states import kuhn_poker_ranges as kuhn_poker_ranges
from gametheory_core.catalog.public_states import (
    leduc_poker_by_ranks_ranges as leduc_poker_by_ranks_ranges,
)
from gametheory_core.catalog.public_states import leduc_poker_ranges as leduc_poker_ranges
from gametheory_core.catalog.public_states import liars_dice_ranges as liars_dice_ranges
from gametheory_core.catalog.random import random_degenerate_game as random_degenerate_game
from gametheory_core.catalog.random import random_game as random_game
from gametheory_core.catalog.random import random_symmetric_game as random_symmetric_game
from gametheory_core.catalog.random import random_tree as random_tree
from gametheory_core.catalog.random import random_zero_sum_game as random_zero_sum_game
from gametheory_core.catalog.repeated import POINTS as POINTS
from gametheory_core.catalog.repeated import STAGES as STAGES
from gametheory_core.catalog.repeated import THROWS as THROWS
from gametheory_core.catalog.repeated import Decided as Decided
from gametheory_core.catalog.repeated import Match as Match
from gametheory_core.catalog.repeated import RepeatedGame as RepeatedGame
from gametheory_core.catalog.repeated import RirRPS as RirRPS
from gametheory_core.catalog.repeated import Shown as Shown
from gametheory_core.catalog.repeated import remember as remember
from gametheory_core.catalog.textbook_trees import forgetful_bit as forgetful_bit
from gametheory_core.catalog.textbook_trees import guess_the_ace as guess_the_ace
from gametheory_core.catalog.textbook_trees import one_card_poker as one_card_poker
from gametheory_core.catalog.textbook_trees import selten_horse as selten_horse
from gametheory_core.catalog.trade import BilateralTrade as BilateralTrade
from gametheory_core.catalog.trade import Buying as Buying
from gametheory_core.catalog.trade import bilateral_trade as bilateral_trade
from gametheory_core.catalog.trade import bilateral_trade_unseen as bilateral_trade_unseen
from gametheory_core.catalog.turn_orders import HANDS as HANDS
from gametheory_core.catalog.turn_orders import RandomOrderTeam as RandomOrderTeam
from gametheory_core.catalog.turn_orders import ReversingOrder as ReversingOrder
from gametheory_core.catalog.turn_orders import Table as Table
from gametheory_core.catalog.turn_orders import TakeAway as TakeAway
from gametheory_core.catalog.turn_orders import take_away as take_away
from gametheory_core.catalog.turn_orders import winning_takings as winning_takings
