"""The published table of pairs, where the machine has it, and the footer that the paper prints."""

from functools import cache
from pathlib import Path

import pytest

from learners.roshambo import PayoffTable

FILE = Path(__file__).parents[4] / "shared" / "data" / "rrps_bot_table.csv"
OTHER_NAMES = {"markovbaijs": "markovbails"}
# Lanctot et al. 2023, Table 6: bot, population return, exploitability, aggregate score.
RANKING = """
greenberg 288.153 3.648 284.505
iocainebot 255.003 5.006 249.997
biopic 196.365 36.665 159.700
boom 169.119 27.928 141.191
shofar 152.008 16.865 135.143
robertot 177.767 50.154 127.613
phasenbott 232.245 111.708 120.537
mod1bot 203.162 90.158 113.004
sweetrock 146.250 41.207 105.043
piedra 146.080 41.441 104.639
markovbaijs 111.192 17.601 93.591
sunnervebot 138.054 45.490 92.564
markov5 111.186 18.720 92.466
antirotnbot 121.387 58.616 62.771
halbot 212.429 176.229 36.200
mixed_strategy 114.131 83.488 30.643
randbot 0.234 1.197 -0.963
pibot 4.516 81.000 -76.484
actr_lag2_decay 146.319 236.865 -90.546
marble 148.661 240.988 -92.327
granite 149.252 241.840 -92.588
predbot 167.112 267.687 -100.575
zq_move 124.799 368.744 -243.945
multibot 56.057 307.065 -251.008
textbot -73.394 185.000 -258.394
debruijn81 10.250 301.679 -291.429
driftbot -49.499 263.493 -312.992
adddriftbot2 -41.855 283.910 -325.765
russrocker4 172.334 529.751 -357.417
switchalot -82.877 315.612 -398.489
addshiftbot3 -78.117 342.420 -420.537
foxtrotbot -51.019 407.418 -458.437
flatbot3 -71.952 416.524 -488.476
inocencio 17.616 579.868 -562.252
r226bot -212.619 399.845 -612.464
suncrazybot -83.609 578.089 -661.698
switchbot -173.178 497.182 -670.360
peterbot -174.238 927.986 -1102.224
freqbot2 -341.744 999.000 -1340.744
copybot -475.327 997.000 -1472.327
rotatebot -602.641 998.121 -1600.762
rockbot -610.116 1000.000 -1610.116
antiflatbot -648.420 999.002 -1647.422
"""


@cache
def published_table():
    if not FILE.exists():
        pytest.skip("the published table of pairs is not here")
    return PayoffTable.from_csv(FILE.read_text(encoding="utf-8"), matches=1000, name=FILE.name)


def printed_ranking():
    """Return name in small letters, and the three numbers of each row."""
    lines = (line.split() for line in RANKING.split("\n") if line)
    return [(OTHER_NAMES.get(name, name), *map(float, numbers)) for name, *numbers in lines]
