"""The words by which a statement may lean on the text around it, for ``open_references``."""

from __future__ import annotations

SPEAKERS = frozenset("i we you me us my our your mine ours yours myself ourselves yourself".split())
POINTING = frozenset("this that these those such".split())
OTHERS = frozenset(
    "another other others former latter both either neither each one ones some many most few several all none".split()
)
# Before a noun they say that the text has named the others.
ORDERING = frozenset("next previous preceding subsequent".split())
RELATIVE = ORDERING.union("former latter other another both each either neither".split())
PAIRED = frozenset(("both", "either", "neither"))
MODIFIERS = frozenset("det predet advmod cc preconj amod nummod quantmod".split())
# They mean what the clause names, or nobody.
FIXED = frozenset((("each", "other"), ("one", "another"), ("no", "one")))
PLACES = frozenset("there here nearby therein thereof thereby elsewhere below above".split())
MOMENTS = frozenset("then now today yesterday tomorrow ago meanwhile thereafter afterwards afterward".split())
# Before a noun of time they count from another time: "the following year".
COUNTING = frozenset("following next previous same preceding subsequent last past".split())
TIMES = frozenset(
    "year month week day decade century season night morning evening time period summer winter spring autumn".split()
)
# Of these no text says what they are compared with: "higher education".
FIXED_DEGREES = frozenset("more less fewer better later earlier higher lower upper older younger".split())
# Words of titles that name nothing.
SMALL = frozenset("the of in and a an de for to on at by".split())
SPANS = frozenset("later earlier".split())
BARE_SPANS = frozenset("before after".split())
CONNECTIVES = frozenset(
    """
    therefore thus hence however consequently accordingly likewise similarly instead otherwise nevertheless nonetheless
    moreover furthermore conversely
    """.split()
)
OPENINGS = tuple(
    [word, noun] for word, noun in (("in", "response"), ("in", "return"), ("in", "turn"), ("for", "example"))
)
# Of these a text says what they are of, or has said it.
RELATIONAL = frozenset(
    """
    example exception instance beneficiary member membership reason cause symptom result effect benefit advantage
    disadvantage inhabitant resident participant proceeds sale production attendance reception construction
    introduction addition version variant type kind part stage step aim goal purpose population location origin
    author owner founder winner successor predecessor opponent critic supporter release sequel
    """.split()
)
# There is one of these, or every text means the same.
UNIQUE = frozenset(
    """
    sun moon earth world universe sky sea ocean internet web equator atmosphere climate public past future present
    media environment time north south east west rest majority minority end beginning middle
    """.split()
)
COMPLEMENTS = frozenset(("-", "of", "that", "who", "which", "where", "when"))
RESTRICTING = frozenset(("poss", "npadvmod"))
# These add something to a noun and do not tell it apart.
ADDING = frozenset("including like such as after before during since until except".split())
NOMINAL_PLACES = frozenset(("nsubj", "nsubjpass", "attr"))
DATES = frozenset(("DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"))
