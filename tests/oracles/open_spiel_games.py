"""Parameters with which the sweep asks for OpenSpiel's games: small ones, most of them.

Names that need another game have variants alone. ``{folder}`` is where ``FILES`` lie.
"""

from gametheory_core import load_game
from gametheory_core.formats import format_efg

ENDGAME = "fen=k3/4/4/3K w - - 0 1"
HANABI = "colors=1,ranks=2,hand_size=1,max_information_tokens=1,max_life_tokens=1"
SHIPS = "ship_sizes=[1],ship_values=[1.0],num_shots=2"
TINY_HANABI = "payoff=10;0;0;10;4;8;4;8;10;0;0;10;4;8;4;8"
SMALL_POKER = (
    "numPlayers=2,numRounds=2,blind=1 1,firstPlayer=1 1,numSuits=1,numRanks=4,numHoleCards=1,"
    "numBoardCards=0 1"
)
REPEATED_POKER = "universal_poker_game_string=universal_poker(numPlayers=2)"

VARIANTS = {
    "2048": ["max_tile=4"],
    "add_noise": ["game=kuhn_poker(),epsilon=1.,seed=1"],
    "backgammon": ["max_player_turns=1"],
    "banqi": ["max_no_progress=1"],
    "bargaining": ["max_turns=1,max_num_instances=5", "max_turns=2,max_num_instances=1"],
    "battleship": [
        f"board_height=2,board_width=2,{SHIPS}",
        f"board_height=1,board_width=2,{SHIPS},allow_repeated_shots=False",
    ],
    "blotto": ["coins=5,fields=2", "coins=3,fields=2,players=3"],
    "breakthrough": ["rows=3,columns=2", "rows=4,columns=2"],
    "cached_tree": ["game=kuhn_poker()"],
    "capture_the_flag": ["horizon=1", "horizon=2"],
    "catch": ["rows=4,columns=3"],
    "chat_game": ["num_init_states=2"],
    "checkers": ["rows=4,columns=4"],
    "chinese_checkers": ["max_moves=2"],
    "cliff_walking": ["horizon=6", "height=2,width=3,horizon=7"],
    "clobber": ["rows=2,columns=3", "rows=3,columns=3"],
    "coin_game": [
        "rows=2,columns=2,episode_length=2,num_coins_per_color=1,num_extra_coin_colors=0"
    ],
    "connect_four": ["rows=2,columns=4,x_in_row=2", "rows=3,columns=3,x_in_row=3"],
    "coop_box_pushing": ["horizon=1", "horizon=1,fully_observable=True"],
    "coop_to_1p": ["game=tiny_hanabi()"],
    "crazy_eights": ["players=2,max_turns=1"],
    "cursor_go": ["board_size=2,max_cursor_moves=2"],
    "dark_chess": [f"board_size=4,{ENDGAME}"],
    "dark_hex": [
        "board_size=2",
        "board_size=2,gameversion=adh",
        "board_size=2,obstype=reveal-numturns",
    ],
    "dark_hex_ir": ["board_size=2"],
    "deep_sea": ["size=4,randomize_actions=False"],
    "dots_and_boxes": ["num_rows=1,num_cols=1", "num_rows=1,num_cols=2,utility_margin=True"],
    "efg_game": ["filename={folder}/kuhn_poker.efg"],
    "euchre": ["stick_the_dealer=False"],
    "first_sealed_auction": ["players=3,max_value=4"],
    "go": ["board_size=2", "board_size=2,max_game_length=4"],
    "go_fish": ["ranks=2,suits=2,initial_cards=1"],
    "gomoku": ["size=2,connect=2", "size=3,connect=2,anti=True"],
    "goofspiel": [
        "num_cards=3,imp_info=False,points_order=random",
        "num_cards=3,imp_info=True,points_order=random",
        "num_cards=3,imp_info=True,points_order=ascending",
        "num_cards=3,imp_info=True,points_order=descending,egocentric=True",
        "num_cards=4,imp_info=True,points_order=descending,returns_type=point_difference",
        "num_cards=4,num_turns=2,imp_info=True,points_order=descending,returns_type=total_points",
        "num_cards=3,players=3,imp_info=True,points_order=descending",
    ],
    "hanabi": [f"players=2,{HANABI}", f"players=3,{HANABI}"],
    "havannah": ["board_size=2", "board_size=2,swap=True"],
    "hearts": ["pass_cards=False"],
    "hex": ["board_size=2", "board_size=2,swap=True", "num_cols=3,num_rows=2"],
    "hive": ["board_size=1"],
    "kriegspiel": [f"board_size=4,{ENDGAME}"],
    "kuhn_poker": ["players=3", "players=4"],
    "laser_tag": ["horizon=1", "horizon=1,zero_sum=True", "horizon=1,fully_obs=False"],
    "leduc_poker": [
        "suit_isomorphism=True",
        "action_mapping=True",
        "starting_player=1",
        "players=3",
    ],
    "lewis_signaling": ["num_messages=2"],
    "liars_dice": [
        "numdice=1,dice_sides=3",
        "numdice=1,dice_sides=4,bidding_rule=reset-quantity",
        "numdice=2,dice_sides=2",
    ],
    "liars_dice_ir": ["numdice=1,dice_sides=3", "numdice=1,dice_sides=4,recall_length=2"],
    "lines_of_action": ["max_game_length=1", "max_game_length=2"],
    "markov_soccer": ["horizon=3", "horizon=2,grid=OA.B"],
    "misere": ["game=kuhn_poker()", "game=cliff_walking(horizon=4)"],
    "mnk": ["m=2,n=2,k=2", "m=3,n=2,k=2"],
    "nfg_game": ["filename={folder}/dilemma.nfg"],
    "nim": ["pile_sizes=1;2;2", "pile_sizes=2;3,is_misere=False"],
    "normal_form_extensive_game": ["game=matrix_pd()", "game=kuhn_poker()"],
    "oh_hell": ["players=3,num_suits=2,num_cards_per_suit=2,num_tricks_fixed=1"],
    "oshi_zumo": [
        "coins=3,size=1,horizon=4",
        "coins=4,size=1,horizon=4,min_bid=1",
        "coins=3,size=1,horizon=4,alesia=True",
    ],
    "oware": ["num_houses_per_player=2,num_seeds_per_house=1"],
    "pathfinding": ["horizon=4,grid=A.a", "horizon=2,players=2,grid=AB\nba"],
    "phantom_go": ["board_size=2,max_game_length=3"],
    "pig": [
        "winscore=4,horizon=4",
        "winscore=3,horizon=4,diceoutcomes=3,piglet=True",
        "winscore=2,horizon=6,diceoutcomes=2,players=3",
    ],
    "python_dynamic_routing": ["max_num_time_step=3"],
    "python_hangman": ["max_num_incorrect_guesses=1"],
    "python_liars_poker": ["players=2,hand_length=1,num_digits=2"],
    "quoridor": ["board_size=3,wall_count=0"],
    "rbc": [f"board_size=4,{ENDGAME}"],
    "repeated_game": [
        "stage_game=matrix_pd(),num_repetitions=3",
        "stage_game=matrix_rps(),num_repetitions=2,recall=2",
        "stage_game=matching_pennies_3p(),num_repetitions=2",
    ],
    "repeated_leduc_poker": ["num_hands=1"],
    "repeated_poker": [f"max_num_hands=1,reset_stacks=True,rotate_dealer=False,{REPEATED_POKER}"],
    "restricted_nash_response": [
        "game=kuhn_poker(),p=0.5,fixed_player=0",
        "game=leduc_poker(),p=0.25,fixed_player=1",
    ],
    "sheriff": ["max_items=1,max_bribe=1,num_rounds=1", "max_items=2,max_bribe=1,num_rounds=2"],
    "snake": ["rows=4,columns=4,horizon=2"],
    "social_deduction": ["players=3,max_rounds=1"],
    "solitaire": ["depth_limit=1", "depth_limit=2"],
    "spades": ["num_tricks=1"],
    "start_at": ["history=0;1,game=kuhn_poker()", "history=1;1,game=deep_sea(size=3)"],
    "tiny_bridge_2p": ["abstracted=True"],
    "tiny_hanabi": [f"num_chance=2,num_actions=2,{TINY_HANABI}"],
    "trade_comm": ["num_items=2", "num_items=3"],
    "turn_based_simultaneous_game": [
        "game=goofspiel(num_cards=3,imp_info=True,points_order=descending)",
        "game=coop_box_pushing(horizon=1)",
    ],
    "twixt": ["board_size=5"],
    "universal_poker": [
        f"betting=limit,raiseSize=1 1,maxRaises=1 1,{SMALL_POKER}",
        f"betting=nolimit,bettingAbstraction=fullgame,stack=3 3,{SMALL_POKER}",
    ],
    "y": ["board_size=2", "board_size=3"],
    "yacht": ["num_dice=1,dice_sides=2,rolls_per_turn=1"],
    "zerosum": ["game=kuhn_poker()", "game=coop_box_pushing(horizon=1)"],
}

FILES = {
    "kuhn_poker.efg": lambda: format_efg(load_game("kuhn_poker")),
    "dilemma.nfg": lambda: 'NFG 1 R "dilemma" { "R" "C" } { 2 2 }\n\n-1 -1 0 -3 -3 0 -2 -2\n',
}
