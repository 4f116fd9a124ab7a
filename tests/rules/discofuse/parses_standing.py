"""Parses for the tests of halves that do not stand alone, by a small model (heads count from 1)."""

NOR_IS_IT = """
The|DT|det|2 mill|NN|nsubj|3 is|VBZ|ROOT|0||be not|RB|neg|3 old|JJ|acomp|3 ,|,|punct|3 nor|CC|cc|3 is|VBZ|conj|3||be
it|PRP|nsubj|8 small|JJ|acomp|8 .|.|punct|3
"""
AND_NEARBY = """
The|DT|det|2 mill|NN|nsubj|3 is|VBZ|ROOT|0||be old|JJ|acomp|3 ,|,|punct|3 and|CC|cc|3 nearby|RB|advmod|8
is|VBZ|conj|3||be a|DT|det|11 small|JJ|amod|11 farm|NN|nsubj|8 .|.|punct|8
"""
OPEN_DASH_CHAIN = """
The|DT|det|2 clerks|NNS|nsubj|3||clerk changed|VBD|ROOT|0||change the|DT|det|5 way|NN|npadvmod|3 we|PRP|nsubj|7
work|VBP|relcl|5 --|:|punct|3 make|VBP|conj|3 a|DT|det|11 list|NN|dobj|9 and|CC|cc|11 call|VBP|conj|9 the|DT|det|15
office|NN|dobj|13 .|.|punct|3
"""
DASH_AND = """
She|PRP|nsubj|2 returned|VBD|ROOT|0||return home|RB|advmod|2 and|CC|cc|2 made|VBD|conj|2||make plans|NNS|dobj|5||plan
to|TO|aux|8 meet|VB|acl|6 a|DT|det|10 friend|NN|dobj|8 --|:|punct|2 but|CC|cc|2 failed|VBD|conj|2||fail to|TO|aux|15
come|VB|xcomp|13 and|CC|cc|13 could|MD|aux|20 not|RB|neg|20 be|VB|auxpass|20 found|VBN|conj|13||find .|.|punct|2
"""
TOLD_THAT = """
The|DT|det|2 office|NN|nsubj|3 told|VBD|ROOT|0||tell the|DT|det|5 people|NNS|dobj|3 on|IN|prep|5
Weibo|NNP|pobj|6|B-GPE ,|,|punct|7 a|DT|det|11 large|JJ|amod|11 place|NN|appos|7 ,|,|punct|7 that|IN|mark|16
the|DT|det|15 risks|NNS|nsubj|16||risk were|VBD|ccomp|3||be low|JJ|acomp|16 .|.|punct|3
"""
HAVING_AND = """
Having|VBG|aux|2 won|VBN|advcl|15||win the|DT|det|4 consent|NN|dobj|2 of|IN|prep|4 the|DT|det|7 king|NN|pobj|5
and|CC|cc|2 acting|VBG|conj|2||act as|IN|prep|9 his|PRP$|poss|12 clerk|NN|pobj|10 ,|,|punct|15
Ann|NNP|nsubj|15|B-PERSON sold|VBD|ROOT|0||sell the|DT|det|17 mill|NN|dobj|15 .|.|punct|15
"""
THAT_EASE = """
Some|DT|nsubj|2 are|VBP|ROOT|0||be firms|NNS|attr|2||firm that|DT|det|6 ease|NN|compound|6 payments|NNS|appos|3||payment
,|,|punct|6 which|WDT|nsubjpass|10 are|VBP|auxpass|10||be carried|VBN|relcl|6||carry out|RP|prt|10 by|IN|agent|10
banks|NNS|pobj|12||bank .|.|punct|2
"""
THAT_HELP = """
Some|DT|nsubj|2 are|VBP|ROOT|0||be firms|NNS|attr|2||firm that|WDT|nsubj|5 ease|VBP|relcl|3
payments|NNS|dobj|5||payment ,|,|punct|6 which|WDT|nsubjpass|10 are|VBP|auxpass|10||be carried|VBN|relcl|6||carry
out|RP|prt|10 by|IN|agent|10 banks|NNS|pobj|12||bank .|.|punct|2
"""
SONS_BY = """
The|DT|det|2 stay|NN|nsubj|3 changed|VBD|ROOT|0||change his|PRP$|poss|5 sons|NNS|dobj|3||son by|IN|prep|3
Emma|NNP|pobj|6|B-PERSON ,|,|punct|7 who|WP|nsubj|10 lived|VBD|relcl|7||live in|IN|prep|10 Leeds|NNPS|pobj|11|B-GPE
.|.|punct|3
"""
ROUNDING_OUT = """
Rounding|VBG|advcl|7||round out|RP|prt|1 the|DT|det|4 list|NN|dobj|1 ,|,|punct|7 Ada|NNP|nsubj|7|B-PERSON
chose|VBD|ROOT|0||choose two|CD|nummod|9|B-CARDINAL firms|NNS|dobj|7||firm from|IN|prep|7 Leeds|NNS|pobj|10|B-GPE|leed
.|.|punct|7
"""
A_MIX = """
The|DT|det|2 reaction|NN|nsubj|14 from|IN|prep|2 the|DT|det|5 crowd|NN|pobj|3 ,|,|punct|2 a|DT|det|8 mix|NN|appos|2
of|IN|prep|8 farmers|NNS|pobj|9||farmer and|CC|cc|10 clerks|NNS|conj|10||clerk ,|,|punct|2 was|VBD|ROOT|0||be
loud|JJ|acomp|14 .|.|punct|14
"""
SIZE = """
The|DT|det|2 size|NN|nsubj|6 of|IN|prep|2 the|DT|det|5 mill|NN|pobj|3 means|VBZ|ROOT|0||mean that|IN|mark|10
much|JJ|nsubj|10 can|MD|aux|10 be|VB|auxpass|11 ground|VBN|ccomp|6 .|.|punct|6
"""
SENT = """
Leaving|VBG|advcl|9||leave a|DT|det|3 force|NN|dobj|1 to|TO|aux|5 distract|VB|advcl|1 Walsh|NNP|dobj|5|B-PERSON
,|,|punct|9 he|PRP|nsubj|9 began|VBD|ROOT|0||begin the|DT|det|11 march|NN|dobj|9 .|.|punct|9
"""
WAS_ORDERED = """
He|PRP|nsubjpass|4 was|VBD|auxpass|4||be then|RB|advmod|4 ordered|VBN|ROOT|0||order to|TO|aux|6 attack|VB|xcomp|4
.|.|punct|4
"""
WHILE_MOST = """
Five|CD|nummod|2|B-CARDINAL towns|NNS|nsubj|3||town have|VBP|ROOT|0 mills|NNS|dobj|3||mill ,|,|punct|3 while|IN|mark|8
most|JJS|nsubj|8 have|VBP|advcl|3 a|DT|det|10 garden|NN|dobj|8 if|IN|mark|13 they|PRP|nsubj|13 are|VBP|advcl|8||be
rich|JJ|acomp|13 .|.|punct|3
"""
ASSUMING = """
Assuming|VBG|advcl|9||assume that|IN|mark|4 all|DT|nsubj|4 goes|VBZ|ccomp|1||go well|RB|advmod|4 ,|,|punct|9
Ann|NNP|nsubj|9|B-PERSON will|MD|aux|9 open|VB|ROOT|0 the|DT|det|11 mill|NN|dobj|9 in|IN|prep|9 May|NNP|pobj|12|B-DATE
.|.|punct|9
"""
ASSUMING_ROLE = """
Assuming|VBG|advcl|9||assume the|DT|det|3 role|NN|dobj|1 of|IN|prep|3 the|DT|det|6 king|NN|pobj|4 ,|,|punct|9
Ann|NNP|nsubj|9|B-PERSON opened|VBD|ROOT|0||open the|DT|det|11 mill|NN|dobj|9 in|IN|prep|9 May|NNP|pobj|12|B-DATE
.|.|punct|9
"""
PRAYING_AND = """
Praying|VBG|advcl|6||pray and|CC|cc|1 singing|NN|conj|1 ,|,|punct|6 Ann|NNP|nsubj|6|B-PERSON sold|VBD|ROOT|0||sell
the|DT|det|8 mill|NN|dobj|6 .|.|punct|6
"""
FRIEND_AT = """
A|DT|det|2 friend|NN|nsubj|9 at|IN|prep|2 Leeds|NNP|pobj|3|B-ORG ,|,|punct|4 a|DT|det|7 teacher|NN|appos|4 ,|,|punct|2
left|VBD|ROOT|0||leave .|.|punct|9
"""
CALLED = """
We|PRP|nsubj|2 call|VBP|ROOT|0||call the|DT|det|4 book|NN|dobj|2 ,|,|punct|4 a|DT|det|7 guide|NN|appos|4 .|.|punct|2
"""
NO_ROLE = """
He|PRP|nsubj|2 left|VBD|ROOT|0||leave with|IN|prep|2 them|PRP|pobj|3 ,|,|punct|6 club|NN|dep|2 ,|,|punct|6
the|DT|det|9 Red|NNP|appos|6|B-ORG .|.|punct|2
"""
WHEN_AND = """
When|WRB|advmod|4 I|PRP|nsubj|4 would|MD|aux|4 go|VB|ROOT|0||go and|CC|cc|4 they|PRP|nsubj|7 had|VBD|conj|4||have
rest|NN|dobj|7 ,|,|punct|7 and|CC|cc|7 farmers|NNS|nsubj|13 would|MD|aux|13 sell|VB|conj|7||sell milk|NN|dobj|13
.|.|punct|4
"""
