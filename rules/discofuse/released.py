"""What is known of the released Wikipedia part after down-sampling, which a ``balanced`` configuration resembles.

Source: Geva et al., 2019, Table 16, in per cent of all rows. Figure 4, of the types, has no numbers; so types are
counted in released rows.
"""

from __future__ import annotations

from typing import Final

CONNECTIVES: Final = {
    "and": 12.5,
    "but": 10.7,
    "although": 8.4,
    "however": 8.2,
    "because": 7.7,
    "so that": 2.1,
    "while": 2.0,
    "or": 1.8,
    "so": 1.2,
    "for example": 1.0,
}
# Rows of each type among 514 released ones, which served to write the rules.
TYPES: Final = {
    "PAIR_ANAPHORA": 37,
    "PAIR_CONN": 36,
    "PAIR_CONN_ANAPHORA": 41,
    "PAIR_NONE": 32,
    "SINGLE_APPOSITION": 42,
    "SINGLE_CATAPHORA": 36,
    "SINGLE_CONN_INNER": 38,
    "SINGLE_CONN_INNER_ANAPHORA": 51,
    "SINGLE_CONN_START": 38,
    "SINGLE_RELATIVE": 41,
    "SINGLE_S_COORD": 41,
    "SINGLE_S_COORD_ANAPHORA": 33,
    "SINGLE_VP_COORD": 48,
}
