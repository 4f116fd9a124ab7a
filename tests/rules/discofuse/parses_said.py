"""Parses for the tests of insertions and clauses that say less, or of another time, than they seem to (heads count
from 1)."""

SAID = """
The|DT|det|2 mill|NN|nsubj|3 is|VBZ|ccomp|6||be old|JJ|acomp|3 ,|,|punct|6 said|VBD|ROOT|0||say Lee|NNP|nsubj|6|B-PERSON
,|,|punct|7 a|DT|det|10 judge|NN|appos|7 of|IN|prep|10 the|DT|det|13 court|NN|pobj|11 .|.|punct|6
"""
LAST_WEEK = """
Last|JJ|amod|2|B-DATE week|NN|npadvmod|4|I-DATE they|PRP|nsubj|4 met|VBD|ROOT|0||meet Lee|NNP|dobj|4|B-PERSON ,|,|punct|5
a|DT|det|8 judge|NN|appos|5 of|IN|prep|8 the|DT|det|11 court|NN|pobj|9 .|.|punct|4
"""
GOBI = """
They|PRP|nsubj|2 crossed|VBD|ROOT|0||cross the|DT|det|4 Gobi|NNP|dobj|2|B-LOC ,|,|punct|4 a|DT|det|7 desert|NN|appos|4
in|IN|prep|7 Asia|NNP|pobj|8|B-LOC .|.|punct|2
"""
EX_MAYOR = """
They|PRP|nsubj|2 met|VBD|ROOT|0||meet ex|NN|compound|2 -|HYPH|punct|6 Mayor|NNP|compound|6 Lee|NNP|dobj|2|B-PERSON
,|,|punct|6 a|DT|det|9 judge|NN|appos|6 of|IN|prep|9 the|DT|det|12 court|NN|pobj|10 .|.|punct|2
"""
POET = """
Then|RB|advmod|3 Lee|NNP|nsubj|3|B-PERSON was|VBD|ROOT|0||be a|DT|det|5 poet|NN|attr|3 ,|,|punct|5 a|DT|det|8 man|NN|appos|5
of|IN|prep|8 great|JJ|amod|11 mind|NN|pobj|9 .|.|punct|3
"""
STATES = """
It|PRP|nsubj|2 has|VBZ|ROOT|0||have old|JJ|amod|4 mills|NNS|dobj|2||mill ,|,|punct|4 the|DT|det|8 paper|{paper}|compound|8
{states}|NNS|appos|4||{lemma} .|.|punct|2
"""
LIKE = """
The|DT|det|2 roof|NN|nsubj|3 looks|VBZ|ROOT|0||look like|IN|prep|3 {the}|DT|det|6 tower|NN|pobj|4 ,|,|punct|6 a|DT|det|9
building|NN|appos|6 of|IN|prep|9 the|DT|det|12 town|NN|pobj|10 .|.|punct|3
"""
GUESTS = """
They|PRP|nsubj|2 met|VBD|ROOT|0||meet the|DT|det|4 guests|NNS|dobj|2||guest ,|,|punct|4 {own}|PRP$|poss|7
children|NNS|appos|4||child and|CC|cc|7 the|DT|det|10 friends|NNS|conj|7||friend .|.|punct|2
"""
SAYING = """
He|PRP|nsubj|2 met|VBD|ROOT|0||meet Lee|NNP|dobj|2|B-PERSON ,|,|punct|3 a|DT|det|6 judge|NN|appos|3 who|WP|nsubj|8
left|VBD|relcl|6||leave the|DT|det|10 court|NN|dobj|8 ,|,|punct|2 saying|VBG|advcl|2||say that|IN|mark|15 he|PRP|nsubj|15
was|VBD|ccomp|12||be ill|JJ|acomp|15 .|.|punct|2
"""
LOCK = """
{you}lock|{tag}|ROOT|0||lock the|DT|det|{door} door|NN|dobj|{lock} ,|,|punct|{lock} so|IN|mark|{comes} that|IN|mark|{comes}
nobody|NN|nsubj|{comes} comes|VBZ|advcl|{lock}||come here|RB|advmod|{comes} .|.|punct|{lock}
"""
LEVER = """
Using|VBG|advcl|7||use a|DT|det|3 lever|NN|dobj|1 ,|,|punct|7 Ann|NNP|nsubj|7|B-PERSON can|MD|aux|7 lift|VB|ROOT|0
the|DT|det|9 stone|NN|dobj|7 .|.|punct|7
"""
COMING_HOME = """
Before|IN|prep|6 coming|VBG|pcomp|1||come home|RB|advmod|2 ,|,|punct|6 Ann|NNP|nsubj|6|B-PERSON taught|VBD|ROOT|0||teach
children|NNS|dobj|6||child ,|,|punct|6 whereas|IN|mark|11 Bea|NNP|nsubj|11|B-PERSON wrote|VBD|advcl|6||write
books|NNS|dobj|11||book .|.|punct|6
"""
NOT_BECAUSE = """
The|DT|det|2 mill|NN|nsubj|3 is|VBZ|ccomp|12||be not|RB|neg|3 cold|JJ|acomp|3 because|IN|mark|8 it|PRP|nsubj|8
is|VBZ|advcl|3||be old|JJ|acomp|8 ,|,|punct|12 it|PRP|nsubj|12 is|VBZ|ROOT|0||be so|RB|advmod|12 because|IN|mark|16
it|PRP|nsubj|16 is|VBZ|advcl|12||be wet|JJ|acomp|16 .|.|punct|12
"""
THE_ONE = """
He|PRP|nsubj|2 chose|VBD|ROOT|0||choose the|DT|det|4 one|CD|dobj|2 from|IN|prep|4 Leeds|NNP|pobj|5|B-GPE ,|,|punct|6
which|WDT|nsubj|9 was|VBD|relcl|6||be old|JJ|acomp|9 .|.|punct|2
"""
BURNED = """
They|PRP|nsubj|2 built|VBD|ccomp|10||build a|DT|det|4 mill|NN|dobj|2 ,|,|punct|4 which|WDT|nsubj|7
burned|VBD|relcl|4||burn ,|,|punct|10 he|PRP|nsubj|10 said|VBD|ROOT|0||say .|.|punct|10
"""
CAME_HOME = """
Lee|NNP|nsubj|7|B-PERSON ,|,|punct|1 who|WP|nsubj|4 was|VBD|relcl|1||be ill|JJ|acomp|4 ,|,|punct|1 came|VBD|ccomp|11||come
home|RB|advmod|7 ,|,|punct|11 he|PRP|nsubj|11 said|VBD|ROOT|0||say .|.|punct|11
"""
