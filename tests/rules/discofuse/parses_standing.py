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
Weibo|NNP|pobj|6|B-GPE ,|,|punct|7 a|DT|det|11 large|JJ|amod|11 site|NN|appos|7 ,|,|punct|7 that|IN|mark|16
the|DT|det|15 risks|NNS|nsubj|16||risk were|VBD|ccomp|3||be low|JJ|acomp|16 .|.|punct|3
"""
HAVING_AND = """
Having|VBG|aux|2 won|VBN|advcl|15||win the|DT|det|4 consent|NN|dobj|2 of|IN|prep|4 the|DT|det|7 king|NN|pobj|5
and|CC|cc|2 acting|VBG|conj|2||act as|IN|prep|9 his|PRP$|poss|12 clerk|NN|pobj|10 ,|,|punct|15
Ann|NNP|nsubj|15|B-PERSON sold|VBD|ROOT|0||sell the|DT|det|17 mill|NN|dobj|15 .|.|punct|15
"""
TWO_CLAUSES = """
The|DT|det|2 towns|NNS|nsubj|3||town have|VBP|ROOT|0 the|DT|det|5 Reds|NNPS|dobj|3|B-ORG ,|,|punct|5 who|WP|nsubj|8
won|VBD|relcl|5||win in|IN|prep|8 May|NNP|pobj|9|B-DATE ,|,|punct|5 and|CC|cc|5 the|DT|det|14 Blues|NNPS|conj|5|B-ORG
,|,|punct|14 who|WP|nsubj|17 lost|VBD|relcl|14||lose in|IN|prep|17 June|NNP|pobj|18|B-DATE .|.|punct|3
"""
ONE_CLAUSE = """
The|DT|det|2 towns|NNS|nsubj|3||town have|VBP|ROOT|0 the|DT|det|5 Reds|NNPS|dobj|3|B-ORG ,|,|punct|5 who|WP|nsubj|8
won|VBD|relcl|5||win in|IN|prep|8 May|NNP|pobj|9|B-DATE ,|,|punct|5 and|CC|cc|5 the|DT|det|14 Blues|NNPS|conj|5|B-ORG
.|.|punct|3
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
