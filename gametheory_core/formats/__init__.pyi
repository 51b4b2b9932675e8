from gametheory_core.formats.certificate_records import certificate_from as certificate_from
from gametheory_core.formats.certificate_records import certificate_record as certificate_record
from gametheory_core.formats.certificate_records import claim_from as claim_from
from gametheory_core.formats.certificate_records import claim_record as claim_record
from gametheory_core.formats.certificate_records import (
    verified_certificates as verified_certificates,
)
from gametheory_core.formats.checked_json import MOST_DIGITS as MOST_DIGITS
from gametheory_core.formats.checked_json import Checked as Checked
from gametheory_core.formats.checked_json import parse_json as parse_json
from gametheory_core.formats.files import read_game as read_game
from gametheory_core.formats.files import read_text as read_text
from gametheory_core.formats.files import write_game as write_game
from gametheory_core.formats.gambit import format_efg as format_efg
from gametheory_core.formats.gambit import format_nfg as format_nfg
from gametheory_core.formats.gambit import parse_efg as parse_efg
from gametheory_core.formats.gambit import parse_nfg as parse_nfg
from gametheory_core.formats.gambit_games import from_gambit as from_gambit
from gametheory_core.formats.gambit_games import to_gambit as to_gambit
from gametheory_core.formats.gambit_text import DuplicateLabels as DuplicateLabels
from gametheory_core.formats.game_records import game_from as game_from
from gametheory_core.formats.game_records import game_record as game_record
from gametheory_core.formats.game_records import profile_from as profile_from
from gametheory_core.formats.game_records import profile_record as profile_record
from gametheory_core.formats.latex import latex_text as latex_text
from gametheory_core.formats.latex import tree_tikz as tree_tikz
from gametheory_core.formats.rule_records import label_from as label_from
from gametheory_core.formats.rule_records import label_record as label_record
from gametheory_core.formats.rule_records import rules_from as rules_from
from gametheory_core.formats.rule_records import rules_record as rules_record
from gametheory_core.formats.spreadsheets import format_csv as format_csv
from gametheory_core.formats.spreadsheets import parse_csv as parse_csv
