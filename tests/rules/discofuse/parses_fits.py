"""Parses for the tests of what an apposition or a relative clause is about, by a small model (heads count from 1)."""

ONE_OF = """
We|PRP|nsubj|2 met|VBD|ROOT|0||meet Ann|NNP|compound|4|B-PERSON|Ann Gray|NNP|dobj|2|I-PERSON|Gray ,|,|punct|4
who|WP|nsubj|7 knew|VBD|relcl|4||know that|IN|mark|12 the|DT|det|10 mill|NN|nsubjpass|12 was|VBD|auxpass|12||be
sold|VBN|ccomp|7||sell to|IN|dative|12 Lee|NNP|pobj|13|B-PERSON|Lee ,|,|punct|4 "|``|punct|4 one|CD|appos|4|B-CARDINAL
of|IN|prep|17 the|DT|det|21 first|JJ|amod|21|B-ORDINAL owners|NNS|pobj|18||owner .|.|punct|2 "|''|punct|2
"""
BUT_QUOTE = """
"|``|punct|7 It|PRP|nsubj|3 is|VBZ|ccomp|7||be old|JJ|acomp|3 ,|,|punct|7 "|''|punct|7 said|VBD|ROOT|0||say
Ann|NNP|compound|9|B-PERSON|Ann Gray|NNP|nsubj|7|I-PERSON|Gray ,|,|punct|9 who|WP|nsubj|12 likes|VBZ|relcl|9||like
the|DT|det|14 mill|NN|dobj|12 ,|,|punct|7 "|``|punct|7 but|CC|cc|7 it|PRP|nsubj|19 is|VBZ|conj|7||be good|JJ|acomp|19
.|.|punct|19 "|''|punct|19
"""
TEXAS_2008 = """
The|DT|det|2 winner|NN|nsubj|4 will|MD|aux|4 be|VB|ROOT|0 Texas|NNP|attr|4|B-GPE|Texas ,|,|punct|5 a|DT|det|9
strong|JJ|amod|9 state|NN|appos|5 in|IN|prep|9 2008|CD|pobj|10|B-DATE .|.|punct|4
"""
TEXAS_AND = """
Texas|NNP|nsubj|12|B-GPE|Texas ,|,|punct|1 a|DT|det|5 large|JJ|amod|5 state|NN|appos|1 and|CC|cc|5 a|DT|det|8
stronghold|NN|conj|5 in|IN|prep|8 2008|CD|pobj|9|B-DATE ,|,|punct|1 is|VBZ|ROOT|0||be likely|JJ|acomp|12 to|TO|aux|15
lose|VB|xcomp|13 .|.|punct|12
"""
TEXAS_BUILT = """
The|DT|det|2 winner|NN|nsubj|4 will|MD|aux|4 be|VB|ROOT|0 Texas|NNP|attr|4|B-GPE|Texas ,|,|punct|5 a|DT|det|8
state|NN|appos|5 founded|VBN|acl|8||found in|IN|prep|9 1845|CD|pobj|10|B-DATE .|.|punct|4
"""
OPENING = """
He|PRP|nsubj|2 praised|VBD|ROOT|0||praise the|DT|det|4 opening|NN|dobj|2 ,|,|punct|4 a|DT|det|7 scene|NN|appos|4
at|IN|prep|7 the|DT|det|10 mill|NN|pobj|8 and|CC|cc|10 the|DT|det|13 fire|NN|conj|10 that|WDT|nsubj|15
ended|VBD|relcl|13||end the|DT|det|17 show|NN|dobj|15 .|.|punct|2
"""
TOWN_AND = """
He|PRP|nsubj|2 liked|VBD|ROOT|0||like the|DT|det|5 old|JJ|amod|5 town|NN|dobj|2 ,|,|punct|5 a|DT|det|8
place|NN|appos|5 of|IN|prep|8 rest|NN|pobj|9 and|CC|cc|10 home|NN|conj|10 to|IN|prep|8 many|JJ|pobj|13 .|.|punct|2
"""
LEEDS_AND = """
He|PRP|nsubj|2 likes|VBZ|ROOT|0||like Leeds|NNPS|dobj|2|B-PERSON|Leeds ,|,|punct|3 a|DT|det|6 town|NN|appos|3
at|IN|prep|6 the|DT|det|9 river|NN|pobj|7 and|CC|cc|6 the|DT|det|12 seat|NN|conj|6 of|IN|prep|12 the|DT|det|15
bishop|NNP|pobj|13 .|.|punct|2
"""
ITS_RIVAL = """
Firefox|NNP|nsubj|8||Firefox ,|,|punct|1 its|PRP$|poss|5 main|JJ|amod|5 rival|NN|appos|1 ,|,|punct|1
has|VBZ|aux|8||have gained|VBN|ROOT|0||gain users|NNS|dobj|8||user while|IN|mark|14 the|DT|det|13 new|JJ|amod|13
Chrome|NNP|nsubj|14|B-PRODUCT|Chrome grows|VBZ|advcl|8||grow .|.|punct|8
"""
HIS_PLAY = """
In|IN|prep|4 1976|CD|pobj|1|B-DATE he|PRP|nsubj|4 wrote|VBD|ROOT|0||write Hamlet|NNP|dobj|4|B-WORK_OF_ART|Hamlet
,|,|punct|5 his|PRP$|poss|9 only|JJ|amod|9 play|NN|appos|5 .|.|punct|4
"""
HIS_AIDE = """
Gray|NNP|nsubj|2||Gray met|VBD|ROOT|0||meet Kate|NNP|compound|4|B-PERSON|Kate Lane|NNP|dobj|2|I-PERSON|Lane
,|,|punct|4 his|PRP$|poss|8 main|JJ|amod|8 rival|NN|appos|4 ,|,|punct|4 in|IN|prep|2 the|DT|det|12|B-DATE
spring|NN|pobj|10|I-DATE .|.|punct|2
"""
MILL_HOME = """
The|DT|det|2 mill|NN|nsubjpass|17 ,|,|punct|2 a|DT|det|5 ruin|NN|appos|2 at|IN|prep|5 the|DT|det|8 river|NN|pobj|6
and|CC|cc|5 a|DT|det|11 home|NN|conj|5 of|IN|prep|11 the|DT|det|14 owls|NNS|pobj|12||owl ,|,|punct|2
was|VBD|auxpass|17||be closed|VBN|ROOT|0||close in|IN|prep|17 May|NNP|pobj|18|B-DATE|May .|.|punct|17
"""
TO_EXPORT = """
India|NNP|nsubj|2|B-GPE|India agreed|VBD|ROOT|0||agree to|TO|prep|2 export|NN|compound|5 silk|NN|pobj|3 ,|,|punct|5
a|DT|det|8 cloth|NN|appos|5 of|IN|prep|8 the|DT|det|11 east|NN|pobj|9 .|.|punct|2
"""
WHOM_ADMIRED = """
The|DT|det|3 old|JJ|amod|3 captain|NN|nsubj|11 ,|,|punct|3 whom|WP|dobj|9 all|PDT|predet|8 the|DT|det|8
sailors|NNS|nsubj|9||sailor admired|VBD|relcl|3||admire ,|,|punct|3 died|VBD|ROOT|0||die in|IN|prep|11
1902|CD|pobj|12|B-DATE .|.|punct|11
"""
SO_CALLED = """
Pepper|NN|compound|2 cakes|NNS|nsubjpass|5||cake are|VBP|auxpass|5||be so|RB|advmod|5 called|VBN|ROOT|0||call
because|IN|mark|9 the|DT|det|8 cook|NN|nsubj|9 adds|VBZ|advcl|5||add pepper|NN|dobj|9 .|.|punct|5
"""
TOWN_WHICH = """
It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 town|NN|attr|2 in|IN|prep|10 which|WDT|pobj|5 the|DT|det|8
dead|NNS|nsubjpass|10 are|VBP|auxpass|10||be honored|VBN|relcl|4||honor ,|,|punct|2 and|CC|cc|2
quarrels|NNS|nsubjpass|15||quarrel are|VBP|auxpass|15||be settled|VBN|conj|2||settle by|IN|agent|15 dance|NN|pobj|16
.|.|punct|15
"""
COPYING = """
Copying|VBG|advcl|12||copy old|JJ|amod|3 papers|NNS|nsubj|4||paper being|VBG|advcl|1||be a|DT|det|7 dry|JJ|amod|7
business|NN|attr|4 ,|,|punct|12 my|PRP$|poss|11 two|CD|nummod|11|B-CARDINAL clerks|NNS|nsubj|12||clerk
went|VBD|ROOT|0||go home|RB|advmod|12 early|RB|advmod|12 .|.|punct|12
"""
HOPED = """
This|DT|nsubj|8 ,|,|punct|5 it|PRP|nsubjpass|5 was|VBD|auxpass|5||be hoped|VBN|parataxis|8||hope ,|,|punct|5
would|MD|aux|8 keep|VB|ROOT|0 their|PRP$|poss|10 numbers|NNS|dobj|8||number high|JJ|oprd|8 .|.|punct|8
"""
BUILT_BY = """
The|DT|det|2 mill|NN|nsubj|15 ,|,|punct|2 built|VBN|acl|2||build by|IN|agent|4 Ada|NNP|compound|7|B-PERSON|Ada
Lane|NNP|pobj|5|I-PERSON|Lane ,|,|punct|7 a|DT|det|10 clerk|NN|appos|7 of|IN|prep|10 the|DT|det|13 town|NN|pobj|11
,|,|punct|2 is|VBZ|auxpass|16||be closed|VBN|ROOT|0||close .|.|punct|16
"""
