"""Parses for the tests of what leaves an insertion or an opening phrase in doubt, by a small model (heads count from 1)."""

UNIVERSITY = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|10|I-PERSON|Lane ,|,|punct|2 a|DT|det|5 student|NN|appos|2 at|IN|prep|5
Leeds|NNPS|compound|8|B-ORG|Leeds University|NNP|pobj|6|I-ORG|University ,|,|punct|2 left|VBD|ROOT|0||leave
the|DT|det|13 old|JJ|amod|13 university|NN|dobj|10 in|IN|prep|10 May|NNP|pobj|14|B-DATE|May .|.|punct|10
"""
KNOWN_UNIVERSITY = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|11|I-PERSON|Lane ,|,|punct|2 a|DT|det|5 friend|NN|appos|2 of|IN|prep|5
the|DT|det|9 old|JJ|amod|9 university|NN|pobj|6 ,|,|punct|2 left|VBD|ROOT|0||leave the|DT|det|13 university|NN|dobj|11
in|IN|prep|11 May|NNP|pobj|14|B-DATE|May .|.|punct|11
"""
THEIR = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|11|I-PERSON|Lane ,|,|punct|2 a|DT|det|5 reader|NN|appos|2 of|IN|prep|5
Kant|NNP|pobj|6|B-PERSON|Kant and|CC|cc|7 Hegel|NNP|conj|7|B-PERSON|Hegel ,|,|punct|2 praised|VBD|ROOT|0||praise
their|PRP$|poss|14 early|JJ|amod|14 letters|NNS|dobj|11||letter in|IN|prep|11 May|NNP|pobj|15|B-DATE|May .|.|punct|11
"""
IT = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|9|I-PERSON|Lane ,|,|punct|2 who|WP|nsubj|5 supports|VBZ|relcl|2||support
the|DT|det|7 report|NN|dobj|5 ,|,|punct|2 said|VBD|ROOT|0||say it|PRP|nsubj|11 proved|VBD|ccomp|9||prove the|DT|det|14
old|JJ|amod|14 rumour|NN|dobj|11 .|.|punct|9
"""
WITH = """
The|DT|det|2 club|NN|nsubj|3 joined|VBD|ROOT|0||join the|DT|det|5 League|NNP|dobj|3|B-ORG|League ,|,|punct|5 a|DT|det|8
group|NN|appos|5 of|IN|prep|8 old|JJ|amod|11 clubs|NNS|pobj|9||club ,|,|punct|5 with|IN|prep|3
members|NNS|pobj|13||member in|IN|prep|14 ten|CD|nummod|17|B-CARDINAL countries|NNS|pobj|15||country .|.|punct|3
"""
SOURCE = """
The|DT|det|2 rate|NN|nsubj|3 fell|VBD|ROOT|0||fall in|IN|prep|3 May|NNP|pobj|4|B-DATE|May ,|,|punct|3
according|VBG|prep|3||accord to|IN|prep|7 Pravda|NNP|pobj|8|B-ORG|Pravda ,|,|punct|9 a|DT|det|13 daily|JJ|amod|13|B-DATE
paper|NN|appos|9 of|IN|prep|13 the|DT|det|16 north|NN|pobj|14 .|.|punct|3
"""
FORMER = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|11|I-PERSON|Lane ,|,|punct|2 a|DT|det|6 former|JJ|amod|6 judge|NN|appos|2
of|IN|prep|6 the|DT|det|9 court|NN|pobj|7 ,|,|punct|2 said|VBD|ROOT|0||say the|DT|det|13 law|NN|nsubj|14
was|VBD|ccomp|11||be old|JJ|acomp|14 .|.|punct|11
"""
IRELAND = """
It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be known|VBN|ROOT|0||know how|WRB|advmod|5 Ireland|NNP|nsubj|14|B-GPE|Ireland
,|,|punct|5 a|DT|det|8 nation|NN|appos|5 of|IN|prep|8 five|CD|compound|11|B-CARDINAL million|CD|nummod|12|I-CARDINAL
people|NNS|pobj|9 ,|,|punct|5 paid|VBD|ccomp|3||pay the|DT|det|16 debt|NN|dobj|14 in|IN|prep|14 1990|CD|pobj|17|B-DATE
.|.|punct|3
"""
BRAIN = """
The|DT|det|2 drug|NN|nsubj|3 reached|VBD|ROOT|0||reach the|DT|det|5 cortex|NN|dobj|3 ,|,|punct|5 a|DT|det|8
part|NN|appos|5 of|IN|prep|8 the|DT|det|11 brain|NN|pobj|9 that|WDT|nsubj|13 lights|VBZ|relcl|11||light up|RP|prt|13
at|IN|prep|13 night|NN|pobj|15|B-TIME .|.|punct|3
"""
HIRED = """
The|DT|det|2 firm|NN|nsubj|4 is|VBZ|aux|4||be growing|VBG|ROOT|0||grow after|IN|prep|4 hiring|VBG|pcomp|5||hire
Ada|NNP|compound|8|B-PERSON|Ada Lane|NNP|dobj|6|I-PERSON|Lane ,|,|punct|8 the|DT|det|11 head|NN|appos|8 of|IN|prep|11
the|DT|det|15 old|JJ|amod|15 mill|NN|pobj|12 .|.|punct|4
"""
ORBIT = """
Orbit|NNP|nsubj|9|B-ORG|Orbit ,|,|punct|1 the|DT|det|4 carrier|NN|appos|1 of|IN|prep|4 the|DT|det|7 agency|NN|pobj|5
,|,|punct|1 sent|VBD|ROOT|0||send food|NN|dobj|9 in|IN|prep|9 May|NNP|pobj|11|B-DATE|May ,|,|punct|9 and|CC|cc|9
a|DT|det|16 ship|NN|nsubj|18 is|VBZ|aux|18||be leaving|VBG|conj|9||leave now|RB|advmod|18 .|.|punct|18
"""
SCIENCES = """
Physics|NNS|nsubj|4||physic and|CC|cc|1 chemistry|NN|conj|1 are|VBP|ROOT|0||be natural|JJ|amod|6
sciences|NNS|attr|4||science ,|,|punct|6 which|WDT|nsubjpass|10 are|VBP|auxpass|10||be taught|VBN|relcl|6||teach
at|IN|prep|10 the|DT|det|13 school|NN|pobj|11 .|.|punct|4
"""
SCENARIO = """
The|DT|det|3 likely|JJ|amod|3 answer|NN|nsubj|4 is|VBZ|ROOT|0||be a|DT|det|7 new|JJ|amod|7 mill|NN|attr|4 ,|,|punct|7
which|WDT|nsubj|10 is|VBZ|relcl|7||be due|JJ|acomp|10 for|IN|prep|11 a|DT|det|14 repair|NN|pobj|12 .|.|punct|4
"""
MAY_BUILD = """
The|DT|det|2 town|NN|nsubj|4 may|MD|aux|4 build|VB|ROOT|0 a|DT|det|7 new|JJ|amod|7 mill|NN|dobj|4 ,|,|punct|7
which|WDT|nsubj|10 stands|VBZ|relcl|7||stand near|IN|prep|10 the|DT|det|13 river|NN|pobj|11 .|.|punct|4
"""
LIMBS = """
The|DT|det|2 animals|NNS|nsubjpass|4||animal are|VBP|auxpass|4||be known|VBN|ROOT|0||know by|IN|agent|4 paired|JJ|amod|7
limbs|NNS|pobj|5||limb ,|,|punct|7 fins|NNS|conj|7||fin or|CC|cc|9 legs|NNS|conj|9||leg ,|,|punct|7
which|WDT|nsubjpass|16 may|MD|aux|16 be|VB|auxpass|16 lost|VBN|relcl|7||lose later|RB|advmod|16 .|.|punct|4
"""
SITE = """
They|PRP|nsubj|2 met|VBD|ROOT|0||meet at|IN|prep|2 site|NN|pobj|3 ,|,|punct|4 which|WDT|nsubjpass|10
has|VBZ|aux|10||have long|RB|advmod|10 been|VBN|auxpass|10||be used|VBN|relcl|4||use for|IN|prep|10
burials|NNS|pobj|11||burial .|.|punct|2
"""
CHALLENGE = """
I|PRP|nsubj|2 have|VBP|ROOT|0 to|TO|aux|4 think|VB|xcomp|2 about|IN|prep|4 my|PRP$|poss|7 career|NN|pobj|5 ,|,|punct|7
which|WDT|nsubj|10 is|VBZ|relcl|7||be a|DT|det|13 new|JJ|amod|13 challenge|NN|attr|10 .|.|punct|2
"""
THOUGH = """
Lee|NNP|nsubj|2|B-PERSON|Lee led|VBD|ROOT|0||lead the|DT|det|4 army|NN|dobj|2 into|IN|prep|2 the|DT|det|7 war|NN|pobj|5
,|,|punct|7 which|WDT|nsubj|10 was|VBD|relcl|7||be a|DT|det|12 victory|NN|attr|10 for|IN|prep|12 the|DT|det|15
Union|NNP|pobj|13||Union ,|,|punct|2 though|IN|mark|20 some|DT|det|19 men|NNS|nsubj|20||man fled|VBD|advcl|2||flee
.|.|punct|2
"""
ELECTRON = """
It|PRP|nsubj|2 is|VBZ|ROOT|0||be the|DT|det|4 distance|NN|attr|2 of|IN|prep|4 an|DT|det|7 electron|NN|pobj|5
from|IN|prep|7 the|DT|det|10 nucleus|NN|pobj|8 ,|,|punct|10 which|WDT|nsubj|13 is|VBZ|relcl|10||be always|RB|advmod|13
an|DT|det|17 outer|JJ|amod|17 electron|NN|attr|13 .|.|punct|2
"""
FIRST_ONE = """
He|PRP|nsubj|2 drew|VBD|ROOT|0||draw the|DT|det|5 new|JJ|amod|5 deck|NN|dobj|2 ,|,|punct|5 the|DT|det|9
first|JJ|amod|9|B-ORDINAL one|CD|appos|5 in|IN|prep|9 English|NNP|pobj|10|B-LANGUAGE|English ,|,|punct|11
which|WDT|dobj|18 he|PRP|nsubj|16 had|VBD|aux|16||have wanted|VBN|relcl|11||want to|TO|aux|18 print|VB|xcomp|16
.|.|punct|2
"""
DOMAIN = """
The|DT|det|2 firm|NN|nsubj|3 opened|VBD|ROOT|0||open a|DT|det|6 web|NN|compound|6 site|NN|dobj|3 using|VBG|advcl|3||use
the|DT|det|10 old|JJ|amod|10 name|NN|dobj|7 ,|,|punct|10 which|WDT|nsubj|13 copies|VBZ|relcl|10||copy most|JJS|amod|15
features|NNS|dobj|13||feature .|.|punct|3
"""
QUEEN = """
They|PRP|nsubj|2 saw|VBD|ROOT|0||see the|DT|det|5 old|JJ|amod|5 queen|NN|dobj|2 ,|,|punct|5 played|VBN|acl|5||play
by|IN|agent|7 Ada|NNP|compound|10|B-PERSON|Ada Lane|NNP|pobj|8|I-PERSON|Lane ,|,|punct|10 who|WP|nsubj|13
looked|VBD|relcl|10||look tired|JJ|acomp|13 that|DT|det|16|B-TIME night|NN|npadvmod|13|I-TIME .|.|punct|2
"""
TAR = """
Making|VBG|advcl|8||make and|CC|cc|1 using|VBG|conj|1||use tar|NN|dobj|3 ,|,|punct|8 the|DT|det|7
authors|NNS|nsubj|8||author note|VBP|ROOT|0 ,|,|punct|8 requires|VBZ|conj|8||require some|DT|det|12 degree|NN|dobj|10
of|IN|prep|12 skill|NN|pobj|13 .|.|punct|8
"""
LIGHTS = """
Running|VBG|advcl|9||run at|IN|prep|1 full|JJ|amod|4 speed|NN|pobj|2 ,|,|punct|9 with|IN|mark|9 the|DT|det|8
lights|NNS|nsubj|9||light turned|VBD|ccomp|15||turn off|RP|prt|9 ,|,|punct|15 the|DT|det|14 new|JJ|amod|14
machine|NN|nsubj|15 won|VBD|ROOT|0||win the|DT|det|18 old|JJ|amod|18 race|NN|dobj|15 .|.|punct|15
"""
SINCE_HE = """
Since|IN|mark|3 he|PRP|nsubj|3 entered|VBD|advcl|15||enter the|DT|det|5 race|NN|dobj|3 in|IN|prep|3
May|NNP|pobj|6|B-DATE|May ,|,|punct|15 Lincoln|NNP|poss|12|B-ORG|Lincoln 's|POS|case|9 quick|JJ|amod|12
climb|NN|nsubjpass|15 has|VBZ|aux|15||have been|VBN|auxpass|15||be noted|VBN|ROOT|0||note by|IN|agent|15 many|JJ|pobj|16
.|.|punct|15
"""
SINCE_WAR = """
Since|IN|prep|15 the|DT|det|3 war|NN|pobj|1 ,|,|punct|15 in|IN|prep|15 a|DT|det|7 town|NN|pobj|5 that|WDT|nsubj|9
was|VBD|relcl|7||be poor|JJ|acomp|9 ,|,|punct|15 the|DT|det|13 mill|NN|nsubjpass|15 is|VBZ|auxpass|15||be
closed|VBN|ROOT|0||close now|RB|advmod|15 .|.|punct|15
"""
VIOLENCE = """
In|IN|prep|13 addition|NN|pobj|1 to|IN|prep|2 growing|VBG|amod|5||grow violence|NN|pobj|3 in|IN|prep|5 the|DT|det|8
south|NN|pobj|6 ,|,|punct|13 several|JJ|amod|11 wars|NNS|nsubj|13||war are|VBP|aux|13||be raging|VBG|ROOT|0||rag
in|IN|prep|13 the|DT|det|16 north|NN|pobj|14 .|.|punct|13
"""
