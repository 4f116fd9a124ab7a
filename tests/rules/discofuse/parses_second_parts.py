"""Parses for the tests of second parts that need something from the first (heads count from 1)."""

DO = """
They|PRP|nsubj|3 should|MD|aux|3 leave|VB|ROOT|0 the|DT|det|5 mill|NN|dobj|3 and|CC|cc|3 we|PRP|nsubj|10 probably|RB|advmod|10
will|MD|aux|10 do|VB|conj|3 in|IN|prep|10 May|NNP|pobj|11|B-DATE|May .|.|punct|3
"""
CHURCH = """
A|DT|det|2 mill|NN|nsubj|5 in|IN|prep|2 Bath|NNP|pobj|3|B-GPE|Bath stands|VBZ|ROOT|0||stand near|IN|prep|5 the|DT|det|8
bridge|NN|pobj|6 and|CC|cc|5 was|VBD|auxpass|11||be built|VBN|conj|5||build by|IN|agent|11 Lee|NNP|pobj|12|B-PERSON|Lee
.|.|punct|5
"""
FILMING = """
The|DT|det|2 tale|NN|nsubj|3 changed|VBD|ROOT|0||change ,|,|punct|3 but|CC|cc|3 during|IN|prep|9 filming|VBG|amod|8
Lee|NNP|pobj|6|B-PERSON|Lee made|VBD|conj|3||make a|DT|det|11 choice|NN|dobj|9 .|.|punct|3
"""
COMPLAINED = """
He|PRP|nsubj|2 complained|VBD|ROOT|0||complain that|IN|mark|6 the|DT|det|5 men|NNS|nsubj|6||man were|VBD|ccomp|2||be lazy|JJ|acomp|6
,|,|punct|2 and|CC|cc|2 the|DT|det|11 mill|NN|nsubj|12 was|VBD|conj|2||be cold|JJ|acomp|12 ,|,|punct|12 but|CC|cc|12 the|DT|det|17
cloth|NN|nsubj|18 was|VBD|conj|12||be good|JJ|acomp|18 .|.|punct|2
"""
SPINNING = """
It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 mill|NN|attr|2 for|IN|prep|4 spinning|VBG|pcomp|5||spin yarn|NN|dobj|6 and|CC|cc|2
weaving|VBG|conj|2||weave it|PRP|dobj|9 .|.|punct|2
"""
