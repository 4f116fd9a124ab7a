"""Parses for the tests of single sentences cut in two, by a small model (heads count from 1)."""

BANKS_BEGUN = """
The|DT|det|2 banks|NNS|nsubj|4||bank have|VBP|aux|4 changed|VBN|ROOT|0||change course|RB|npadvmod|4 and|CC|cc|4
begun|VBN|conj|4||begin raising|VBG|xcomp|7||raise rates|NNS|dobj|8||rate .|.|punct|4
"""
MILL_GONE = """
The|DT|det|2 mill|NN|nsubjpass|4 was|VBD|auxpass|4||be closed|VBN|ROOT|0||close and|CC|cc|4 the|DT|det|7
men|NNS|nsubj|8||man gone|VBD|conj|4||go .|.|punct|8
"""
WITH_HIS_SON = """
The|DT|det|2 mill|NN|nsubjpass|4 was|VBD|auxpass|4||be built|VBN|ROOT|0||build by|IN|agent|4
John|NNP|compound|7|B-PERSON|John Gray|NNP|pobj|5|I-PERSON|Gray ,|,|punct|7 who|WP|nsubj|13 with|IN|prep|13
his|PRP$|poss|12 son|NN|pobj|10 was|VBD|relcl|7||be also|RB|advmod|13 the|DT|det|16 owner|NN|attr|13 of|IN|prep|16
the|DT|det|19 inn|NNP|pobj|17|B-ORG .|.|punct|4
"""
IN_1950 = """
The|DT|det|2 mill|NN|nsubjpass|4 was|VBD|auxpass|4||be built|VBN|ROOT|0||build by|IN|agent|4
John|NNP|compound|7|B-PERSON|John Gray|NNP|pobj|5|I-PERSON|Gray ,|,|punct|7 who|WP|nsubj|12 in|IN|prep|12
1950|CD|pobj|10|B-DATE was|VBD|relcl|7||be the|DT|det|14 owner|NN|attr|12 of|IN|prep|14 the|DT|det|17
inn|NNP|pobj|15|B-ORG .|.|punct|4
"""
ANN_WITH = """
Ann|NNP|compound|2|B-PERSON|Ann Gray|NNP|nsubj|3|I-PERSON|Gray bought|VBD|ROOT|0||buy the|DT|det|5 mill|NN|dobj|3
and|CC|cc|3 with|IN|prep|11 her|PRP$|poss|10 own|JJ|amod|10 hands|NNS|pobj|7||hand closed|VBD|conj|3||close
the|DT|det|14 old|JJ|amod|14 door|NN|dobj|11 .|.|punct|3
"""
UPBEAT = """
Looking|VBG|advcl|8||look upbeat|JJ|amod|5 and|CC|cc|2 greeting|VBG|conj|2||greet guests|NNS|dobj|1||guest ,|,|punct|8
she|PRP|nsubj|8 urged|VBD|ROOT|0||urge the|DT|det|10 members|NNS|dobj|8||member to|TO|aux|12 stay|VB|xcomp|8
.|.|punct|8
"""
WALKING = """
Walking|VBG|advcl|9||walk home|RB|advmod|1 and|CC|cc|1 seeing|VBG|conj|1||see the|DT|det|6 fire|NN|dobj|4 ,|,|punct|9
Ann|NNP|nsubj|9|B-PERSON|Ann called|VBD|ROOT|0||call the|DT|det|11 guards|NNS|dobj|9||guard .|.|punct|9
"""
BIRDS = """
Looking|VBG|advcl|9||look at|IN|prep|1 birds|NNS|pobj|2||bird and|CC|cc|3 greeting|VBG|compound|6||greet
guests|NNS|conj|3||guest ,|,|punct|9 Ann|NNP|nsubj|9|B-PERSON|Ann walked|VBD|ROOT|0||walk to|IN|prep|9 the|DT|det|12
mill|NN|pobj|10 .|.|punct|9
"""
THREE = """
Walking|VBG|advcl|10||walk home|NN|advmod|1 ,|,|punct|1 singing|VBG|conj|1||sing and|CC|cc|4
greeting|VBG|conj|4||greet guests|NNS|dobj|1||guest ,|,|punct|10 Ann|NNP|nsubj|10|B-PERSON|Ann met|VBD|ROOT|0||meet
the|DT|det|12 owner|NN|dobj|10 .|.|punct|10
"""
HAVING_TWO = """
Having|VBG|aux|2 bought|VBN|advcl|11||buy the|DT|det|4 mill|NN|dobj|2 and|CC|cc|2 sold|VBD|conj|2||sell the|DT|det|8
inn|NNP|dobj|6|B-PERSON ,|,|punct|11 Ann|NNP|nsubj|11|B-PERSON|Ann left|VBD|ROOT|0||leave the|DT|det|13
town|NN|dobj|11 .|.|punct|11
"""
US_IS = """
Having|VBG|aux|2 overtaken|VBN|advcl|7||overtake Britain|NNP|dobj|2|B-GPE|Britain ,|,|punct|7 the|DT|det|6
US|NNP|nsubj|7|B-GPE|US is|VBZ|ROOT|0||be now|RB|advmod|7 the|DT|det|10 first|JJ|attr|7|B-ORDINAL in|IN|prep|10
the|DT|det|13 world|NN|pobj|11 .|.|punct|7
"""
SINCE_1990 = """
Having|VBG|aux|2 been|VBN|advcl|10||be a|DT|det|4 member|NN|attr|2 since|IN|prep|2 1990|CD|pobj|5|B-DATE ,|,|punct|10
Ann|NNP|compound|9|B-PERSON|Ann Gray|NNP|nsubj|10|I-PERSON|Gray is|VBZ|ROOT|0||be the|DT|det|12
oldest|JJS|attr|10||old of|IN|prep|12 all|DT|pobj|13 .|.|punct|10
"""
BLAMING = """
Blaming|VBG|csubj|11||blame the|DT|det|3 firms|NNS|dobj|1||firm for|IN|prep|1 the|DT|det|6 fire|NN|pobj|4 ,|,|punct|1
however|RB|advmod|9 old|JJ|acomp|1 ,|,|punct|1 is|VBZ|ccomp|14||be wrong|JJ|acomp|11 ,|,|punct|14 says|VBZ|ROOT|0||say
Ann|NNP|compound|16|B-PERSON|Ann Gray|NNP|nsubj|14|I-PERSON|Gray ,|,|punct|16 a|DT|det|19 member|NN|appos|16
of|IN|prep|19 the|DT|det|22 council|NN|pobj|20 .|.|punct|14
"""
THREE_DAYS = """
Making|VBG|advcl|17||make things|NNS|nsubj|3||thing worse|JJR|ccomp|1||bad for|IN|prep|3 Lee|NNP|pobj|4|B-PERSON|Lee
,|,|punct|5 three|CD|nummod|8|B-DATE days|NNS|npadvmod|13|I-DATE|day after|IN|mark|13 the|DT|det|11
fire|NN|nsubjpass|13 was|VBD|auxpass|13||be put|VBN|advcl|1 out|RP|prt|13 ,|,|punct|17 Ann|NNP|nsubj|17|B-PERSON|Ann
published|VBD|ROOT|0||publish the|DT|det|19 letters|NNS|dobj|17||letter .|.|punct|17
"""
TO_LEEDS = """
Moving|VBG|advcl|12||move to|IN|prep|1 Leeds|NNS|pobj|2|B-GPE|leed ,|,|punct|3 a|DT|det|6 town|NN|appos|3 in|IN|prep|6
the|DT|det|9 north|NN|pobj|7 ,|,|punct|12 Ann|NNP|nsubj|12|B-PERSON|Ann published|VBD|ROOT|0||publish the|DT|det|14
letters|NNS|dobj|12||letter .|.|punct|12
"""
DASHES = """
The|DT|det|2 mill|NN|nsubj|3 sold|VBD|ROOT|0||sell cloth|NN|dobj|3 --|:|punct|3 in|IN|prep|3 those|DT|det|8
years|NNS|pobj|6||year Ann|NNP|dep|3|B-PERSON|Ann ,|,|punct|9 Lee|NNP|conj|9|B-PERSON|Lee ,|,|punct|9 and|CC|cc|9
Kim|NNP|nsubj|15|B-PERSON|Kim were|VBD|conj|3||be there|RB|advmod|15 --|:|punct|15 but|CC|cc|15 has|VBZ|aux|22||have
lately|RB|advmod|22 been|VBN|auxpass|22||be closed|VBN|conj|15||close .|.|punct|15
"""
ONE_DASH = """
Ann|NNP|nsubj|2|B-PERSON|Ann left|VBD|ccomp|7||leave the|DT|det|4 mill|NN|dobj|2 --|:|punct|7 it|PRP|nsubj|7
was|VBD|ROOT|0||be late|JJ|acomp|7 --|:|punct|7 and|CC|cc|7 Lee|NNP|nsubj|12|B-PERSON|Lee stayed|VBD|conj|7||stay
.|.|punct|12
"""
VIDEO = """
The|DT|det|2 mill|NN|nsubj|3 seems|VBZ|ROOT|0||seem good|JJ|oprd|3 for|IN|prep|4 the|DT|det|7 town|NN|pobj|5
(|-LRB-|punct|7 free|JJ|amod|10 bread|NN|appos|7 !|.|punct|3 )|-RRB-|punct|3 ,|,|punct|3 but|CC|cc|3
often|RB|advmod|16 has|VBZ|conj|3||have little|JJ|amod|18 work|NN|dobj|16 .|.|punct|3
"""
ANCESTRY = """
He|PRP|nsubj|2 was|VBD|ROOT|0||be of|IN|prep|2 French|JJ|amod|5|B-NORP ancestry|NN|pobj|3 ,|,|punct|2 [|XX|dep|2
10|CD|dep|2|B-CARDINAL ]|-RRB-|punct|2 although|IN|mark|12 he|PRP|nsubj|12 spoke|VBD|advcl|2||speak no|DT|det|14
French|NNP|dobj|12|B-NORP|French .|.|punct|2
"""
EVENT = """
Gray|NNP|nsubj|2||Gray says|VBZ|ROOT|0||say the|DT|det|4 mill|NN|nsubj|12 ,|,|punct|4 which|WDT|nsubjpass|8
was|VBD|auxpass|8||be built|VBN|relcl|4||build by|IN|agent|8 Ann|NNP|pobj|9|B-PERSON|Ann ,|,|punct|4
is|VBZ|ccomp|2||be already|RB|advmod|12 closed|JJ|acomp|12 ,|,|punct|12 implying|VBG|advcl|12||imply ...|:|punct|2
"""
IN_DASHES = """
Ann|NNP|nsubj|2|B-PERSON|Ann sold|VBD|ccomp|7||sell the|DT|det|4 mill|NN|dobj|2 --|:|punct|7 it|PRP|nsubj|7
was|VBD|ROOT|0||be old|JJ|acomp|7 ,|,|punct|7 and|CC|cc|7 Kim|NNP|nsubj|12|B-PERSON|Kim liked|VBD|conj|7||like
the|DT|det|14 town|NN|dobj|12 --|:|punct|12 in|IN|prep|12 the|DT|det|18|B-DATE spring|NN|pobj|16|I-DATE .|.|punct|12
"""
AND_DASH = """
The|DT|det|2 mill|NN|nsubj|3 was|VBD|ROOT|0||be closed|JJ|acomp|3 ,|,|punct|3 and|CC|cc|3 --|:|punct|14
though|IN|mark|10 it|PRP|nsubj|10 was|VBD|advcl|14||be old|JJ|acomp|10 --|:|punct|14 it|PRP|nsubj|14
was|VBD|conj|3||be still|RB|advmod|14 clean|JJ|acomp|14 .|.|punct|14
"""
AROUND_AND = """
Kim|NNP|nsubj|2|B-PERSON|Kim came|VBD|ROOT|0||come home|RB|advmod|2 --|:|punct|2 and|CC|cc|2 she|PRP|nsubj|7
was|VBD|conj|2||be late|JJ|acomp|7 --|:|punct|7 in|IN|prep|7 May|NNP|pobj|10|B-DATE|May .|.|punct|7
"""
OTHER_MILLS = """
Other|JJ|amod|2 mills|NNS|nsubj|3||mill closed|VBD|ROOT|0||close in|IN|prep|3 the|DT|det|6|B-DATE
spring|NN|pobj|4|I-DATE and|CC|cc|3 stayed|VBD|conj|3||stay empty|JJ|acomp|8 .|.|punct|3
"""
DOING = """
Doing|VBG|csubj|10||do something|NN|dobj|1 that|WDT|nsubj|4 is|VBZ|relcl|2||be part|NN|attr|4 of|IN|prep|5 a|DT|det|9
clear|JJ|amod|9 plan|NN|compound|10 calms|VBZ|ROOT|0||calm the|DT|det|12 room|NN|dobj|10 and|CC|cc|10
brings|VBZ|conj|10||bring purpose|NN|dobj|14 .|.|punct|10
"""
