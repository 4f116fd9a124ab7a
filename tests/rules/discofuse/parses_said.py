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
POET = """
Then|RB|advmod|3 Lee|NNP|nsubj|3|B-PERSON was|VBD|ROOT|0||be a|DT|det|5 poet|NN|attr|3 ,|,|punct|5 a|DT|det|8 man|NN|appos|5
of|IN|prep|8 great|JJ|amod|11 mind|NN|pobj|9 .|.|punct|3
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
