"""Parses for the tests of second predicates that may not be the main verb's, and of frames (heads count from 1)."""

PROBABLY = """
The|DT|det|2 mill|NN|nsubj|5 will|MD|aux|5 probably|RB|advmod|5 close|VB|ROOT|0 in|IN|prep|5 May|NNP|pobj|6|B-DATE|May
and|CC|cc|5 move|VB|conj|5 to|IN|prep|9 the|DT|det|12 north|NN|pobj|10 .|.|punct|5
"""
REPORT = """
He|PRP|nsubj|2 said|VBD|ROOT|0||say the|DT|det|4 mill|NN|nsubj|5 was|VBD|ccomp|2||be old|JJ|acomp|5 in|IN|prep|5
May|NNP|pobj|7|B-DATE|May ,|,|punct|2 but|CC|cc|2 "|``|punct|14 did|VBD|aux|14||do not|RB|neg|14 deny|VB|conj|2
the|DT|det|16 leak|NN|dobj|14 "|''|punct|14 .|.|punct|2
"""
ONCE = """
They|PRP|nsubj|2 left|VBD|ROOT|0||leave the|DT|det|4 mill|NN|dobj|2 once|IN|mark|8 the|DT|det|7 men|NNS|nsubj|8||man
came|VBD|advcl|2||come to|IN|prep|8 the|DT|det|11 town|NN|pobj|9 and|CC|cc|2 closed|VBD|conj|2||close the|DT|det|15
bridge|NN|dobj|13 .|.|punct|2
"""
AGENT = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE|1990 the|DT|det|4 mill|NN|nsubjpass|6 was|VBD|auxpass|6||be sold|VBN|ROOT|0||sell
by|IN|agent|6 Lee|NNP|pobj|7|B-PERSON|Lee and|CC|cc|6 was|VBD|auxpass|11||be closed|VBN|conj|6||close by|IN|agent|11
the|DT|det|14 town|NN|pobj|12 .|.|punct|6
"""
WITHOUT = """
Without|IN|prep|7 a|DT|det|3 word|NN|pobj|1 ,|,|punct|7 the|DT|det|6 man|NN|nsubj|7 crossed|VBD|ROOT|0||cross the|DT|det|9
bridge|NN|dobj|7 and|CC|cc|7 closed|VBD|conj|7||close the|DT|det|13 mill|NN|dobj|11 .|.|punct|7
"""
PURPOSE = """
To|TO|aux|2 save|VB|advcl|8 the|DT|det|4 town|NN|dobj|2 ,|,|punct|8 they|PRP|nsubj|8 must|MD|aux|8 build|VB|ROOT|0
a|DT|det|10 bridge|NN|dobj|8 and|CC|cc|8 close|VB|conj|8 the|DT|det|14 mill|NN|dobj|12 .|.|punct|8
"""
SOURCE = """
From|IN|prep|5 that|DT|pobj|1 the|DT|det|4 man|NN|nsubj|5 drew|VBD|ROOT|0||draw a|DT|det|7 map|NN|dobj|5 and|CC|cc|5
sent|VBD|conj|5||send a|DT|det|11 letter|NN|dobj|9 .|.|punct|5
"""
PART = """
In|IN|prep|7 some|DT|det|3 towns|NNS|pobj|1||town the|DT|det|6 old|JJ|amod|6 mills|NNS|nsubj|7||mill closed|VBD|ROOT|0||close
,|,|punct|7 and|CC|cc|7 there|EX|expl|11 is|VBZ|conj|7||be little|JJ|amod|13 work|NN|attr|11 .|.|punct|11
"""
PLACE = """
They|PRP|nsubj|2 left|VBD|ROOT|0||leave a|DT|det|4 town|NN|dobj|2 in|IN|prep|9 which|WDT|pobj|5 the|DT|det|8 men|NNS|nsubj|9||man
built|VBD|relcl|4||build mills|NNS|dobj|9||mill and|CC|cc|2 children|NNS|nsubj|13||child learned|VBD|conj|2||learn to|TO|aux|15
weave|VB|xcomp|13 .|.|punct|2
"""
LIST = """
The|DT|det|2 town|NN|nsubj|3 has|VBZ|ROOT|0||have a|DT|det|5 bridge|NN|dobj|3 and|CC|cc|3 loved|VBD|conj|3||love old|JJ|amod|9
mills|NNS|dobj|7||mill of|IN|prep|9 stone|NN|pobj|10 .|.|punct|3
"""
YEAR = """
Year|NN|npadvmod|7|B-DATE|Year to|IN|prep|1|I-DATE|to date|NN|pobj|2|I-DATE|date ,|,|punct|7 the|DT|det|6 town|NN|nsubj|7
sold|VBD|ROOT|0||sell a|DT|det|9 mill|NN|dobj|7 and|CC|cc|7 built|VBD|conj|7||build a|DT|det|13 bridge|NN|dobj|11 .|.|punct|7
"""
USING = """
Using|VBG|csubj|7||use the|DT|det|3 map|NN|dobj|1 ,|,|punct|1 Lee|NNP|npadvmod|1|B-PERSON|Lee quickly|RB|advmod|7
found|VBD|ROOT|0||find the|DT|det|9 mill|NN|dobj|7 and|CC|cc|7 closed|VBD|conj|7||close it|PRP|dobj|11 .|.|punct|7
"""
HYPHEN = """
In|IN|prep|5 May|NNP|pobj|1|B-DATE|May it|PRP|nsubj|5 slowly|RB|advmod|5 left|VBD|ROOT|0||leave the|DT|det|7 town|NN|dobj|5
and|CC|cc|5 crash|NN|npadvmod|11 -|HYPH|punct|11 landed|VBD|conj|5||land on|IN|prep|11 the|DT|det|14 mill|NN|pobj|12 .|.|punct|5
"""
BOTH = """
The|DT|det|2 mills|NNS|nsubj|4||mill both|DT|appos|2 lost|VBD|ROOT|0||lose their|PRP$|poss|6 men|NNS|dobj|4||man and|CC|cc|4
sold|VBD|conj|4||sell their|PRP$|poss|10 cloth|NN|dobj|8 .|.|punct|4
"""
CALLED = """
The|DT|det|2 mills|NNS|nsubj|3||mill are|VBP|ROOT|0||be very|RB|advmod|5 old|JJ|acomp|3 and|CC|cc|3
considered|VBD|conj|3||consider the|DT|det|10 best|JJS|amod|10||good ones|NNS|oprd|7||one in|IN|prep|10 town|NN|pobj|11 .|.|punct|3
"""
OFTEN = """
The|DT|det|2 miller|NN|nsubj|4 often|RB|advmod|4 came|VBD|ROOT|0||come to|IN|prep|4 the|DT|det|7 town|NN|pobj|5
and|CC|cc|4 stayed|VBD|conj|4||stay with|IN|prep|9 his|PRP$|poss|12 son|NN|pobj|10 .|.|punct|4
"""
NOR = """
The|DT|det|2 fire|NN|nsubj|5 has|VBZ|aux|5||have not|RB|neg|5 reached|VBN|ROOT|0||reach the|DT|det|7 mill|NN|dobj|5
nor|CC|cc|5 burnt|VBD|conj|5||burn any|DT|det|11 bridge|NN|dobj|9 .|.|punct|5
"""
QUOTED = """
She|PRP|nsubj|2 left|VBD|ROOT|0||leave the|DT|det|4 mill|NN|dobj|2 as|IN|mark|8 the|DT|det|7 man|NN|nsubj|8 was|VBD|advcl|2||be
"|``|punct|10 unwell|JJ|acomp|8 "|''|punct|2 and|CC|cc|2 wanted|VBD|conj|2||want a|DT|det|15 nurse|NN|dobj|13 .|.|punct|2
"""
