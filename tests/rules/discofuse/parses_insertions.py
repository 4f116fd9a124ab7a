"""Parses for the tests of relative clauses and appositions, by a small model (heads count from 1)."""

UPSET = """
The|DT|det|2 council|NN|nsubj|3 closed|VBD|ROOT|0||close the|DT|det|6 old|JJ|amod|6 factory|NN|dobj|3 ,|,|punct|6
which|WDT|nsubj|9 upset|VBD|relcl|6 the|DT|det|11 mayor|NN|dobj|9 .|.|punct|3
"""
HARBOUR = """
The|DT|det|2 council|NN|nsubj|3 closed|VBD|ROOT|0||close the|DT|det|6 old|JJ|amod|6 factory|NN|dobj|3 ,|,|punct|6
which|WDT|nsubj|9 stood|VBD|relcl|6||stand near|IN|prep|9 the|DT|det|12 harbour|NN|pobj|10 .|.|punct|3
"""
OCCUPIED = """
In|IN|prep|5 June|NNP|pobj|1|B-DATE|June the|DT|det|4 army|NN|nsubj|5 occupied|VBD|ROOT|0||occupy
Lisbon|NNP|dobj|5|B-GPE|Lisbon ,|,|punct|6 which|WDT|nsubj|9 led|VBD|relcl|6||lead to|IN|prep|9 a|DT|det|13
long|JJ|amod|13 war|NN|pobj|10 .|.|punct|5
"""
LISBON = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be born|VBN|ROOT|0||bear in|IN|prep|3 Lisbon|NNP|pobj|4|B-GPE|Lisbon ,|,|punct|5
which|WDT|nsubj|8 was|VBD|relcl|5||be the|DT|det|10 capital|NN|attr|8 of|IN|prep|10 the|DT|det|13 empire|NN|pobj|11
.|.|punct|3
"""
MISTAKE = """
The|DT|det|2 town|NN|nsubj|3 sold|VBD|ROOT|0||sell the|DT|det|5 painting|NN|dobj|3 ,|,|punct|5 which|WDT|nsubj|8
was|VBD|relcl|5||be a|DT|det|10 mistake|NN|attr|8 .|.|punct|3
"""
SHARE = """
About|RB|advmod|3|B-CARDINAL a|DT|quantmod|3|I-CARDINAL third|NN|nsubj|7|I-CARDINAL of|IN|prep|3 the|DT|det|6
students|NNS|pobj|4||student hold|VBP|ROOT|0 a|DT|det|9 certificate|NN|dobj|7 ,|,|punct|9 which|WDT|nsubj|12
is|VBZ|relcl|9||be the|DT|det|15 largest|JJS|amod|15||large share|NN|attr|12 in|IN|prep|15 the|DT|det|18
country|NN|pobj|16 .|.|punct|7
"""
WHY = """
The|DT|det|2 firm|NN|nsubj|3 rents|VBZ|ROOT|0||rent a|DT|det|5 house|NN|dobj|3 ,|,|punct|5 which|WDT|nsubj|9
may|MD|aux|9 be|VB|relcl|5 why|WRB|advmod|12 it|PRP|nsubj|12 survived|VBD|ccomp|9||survive .|.|punct|3
"""
ILLEGAL = """
They|PRP|nsubj|2 sell|VBP|ROOT|0 ivory|NN|dobj|2 ,|,|punct|3 which|WDT|nsubj|6 is|VBZ|relcl|3||be illegal|JJ|acomp|6
in|IN|prep|6 most|JJS|amod|10 countries|NNS|pobj|8||country .|.|punct|2
"""
VAULT = """
Visitors|NNS|nsubj|2||visitor admire|VBP|ROOT|0 the|DT|det|4 ivory|NN|dobj|2 ,|,|punct|4 which|WDT|nsubjpass|8
is|VBZ|auxpass|8||be kept|VBN|relcl|4||keep in|IN|prep|8 a|DT|det|11 vault|NN|pobj|9 .|.|punct|2
"""
REGRETTED = """
She|PRP|nsubj|2 wrote|VBD|ROOT|0||write a|DT|det|4 review|NN|dobj|2 ,|,|punct|4 which|WDT|dobj|10 the|DT|det|8
editor|NN|nsubj|10 later|RB|advmod|10 regretted|VBN|relcl|4||regret .|.|punct|2
"""
PRINTED = """
She|PRP|nsubj|2 wrote|VBD|ROOT|0||write a|DT|det|4 letter|NN|dobj|2 ,|,|punct|4 which|WDT|dobj|10 the|DT|det|8
editor|NN|nsubj|10 later|RB|advmod|10 printed|VBN|relcl|4||print .|.|punct|2
"""
KNEW_AS = """
The|DT|det|2 Greeks|NNPS|nsubj|3||Greeks knew|VBD|ROOT|0||know the|DT|det|5 lake|NN|dobj|3 ,|,|punct|5
which|WDT|dobj|10 the|DT|det|9 Romans|NNPS|nsubj|10|B-NORP|Romans knew|VBD|relcl|5||know as|IN|prep|10
Palus|NNP|pobj|11|B-PRODUCT|Palus .|.|punct|3
"""
CULMINATE = """
The|DT|det|2 piece|NN|nsubj|3 has|VBZ|ROOT|0||have five|CD|nummod|5|B-CARDINAL parts|NNS|dobj|3||part ,|,|punct|5
which|WDT|nsubj|8 culminate|VBP|relcl|5 in|IN|prep|8 a|DT|det|11 dance|NN|pobj|9 .|.|punct|3
"""
FOLLOWED = """
She|PRP|nsubj|2 enrolled|VBD|ROOT|0||enrol at|IN|prep|2 Carver|NNP|compound|5|B-ORG|Carver
School|NNP|pobj|3|I-ORG|School ,|,|punct|5 which|WDT|nsubjpass|9 was|VBD|auxpass|9||be followed|VBN|relcl|5||follow
by|IN|agent|9 a|DT|det|12|B-DATE year|NN|pobj|10|I-DATE in|IN|prep|12 Paris|NNP|pobj|13|B-GPE|Paris .|.|punct|2
"""
OXFORD = """
He|PRP|nsubj|2 joined|VBD|ROOT|0||join the|DT|det|4|B-ORG University|NNP|dobj|2|I-ORG|University of|IN|prep|4|I-ORG
Oxford|NNP|pobj|5|I-ORG|Oxford ,|,|punct|4 whose|WP$|poss|9 library|NN|nsubj|10 holds|VBZ|relcl|4||hold the|DT|det|12
letters|NNS|dobj|10||letter .|.|punct|2
"""
BILL = """
She|PRP|nsubj|2 praised|VBD|ROOT|0||praise the|DT|det|4 bill|NN|dobj|2 that|WDT|nsubj|6 became|VBD|relcl|4||become
law|NN|attr|6 in|IN|prep|6 1935|CD|pobj|8|B-DATE ,|,|punct|4 whose|WP$|poss|12 aim|NN|nsubj|13 was|VBD|relcl|4||be
to|TO|aux|15 help|VB|xcomp|13 farmers|NNS|dobj|15||farmer .|.|punct|2
"""
VERTIGO = """
They|PRP|nsubj|2 met|VBD|ROOT|0||meet Anna|NNP|compound|4|B-PERSON|Anna Berg|NNP|dobj|2|I-PERSON|Berg ,|,|punct|4
whose|WP$|poss|7 film|NN|nsubjpass|10 Winter|NNP|nsubjpass|10|B-DATE|Winter is|VBZ|auxpass|10||be
considered|VBN|relcl|4||consider a|DT|det|12 classic|NN|oprd|10 .|.|punct|2
"""
DEAD = """
He|PRP|nsubj|2 met|VBD|ROOT|0||meet Mary|NNP|compound|4|B-PERSON|Mary Lane|NNP|dobj|2|I-PERSON|Lane ,|,|punct|4
whose|WP$|poss|7 son|NN|dobj|10 she|PRP|nsubj|10 had|VBD|aux|10||have believed|VBN|relcl|4||believe dead|JJ|oprd|10
.|.|punct|2
"""
SKULL = """
The|DT|det|2 crew|NN|nsubj|3 found|VBD|ROOT|0||find a|DT|det|5 skull|NN|dobj|3 ,|,|punct|5 which|WDT|dobj|11
they|PRP|nsubj|9 believed|VBD|relcl|5||believe to|TO|aux|11 be|VB|xcomp|9 the|DT|det|13 head|NN|attr|11 of|IN|prep|13
a|DT|det|16 bear|NN|pobj|14 .|.|punct|3
"""
IN_TURN = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be followed|VBN|ROOT|0||follow by|IN|agent|3 Carla|NNP|compound|6|B-PERSON|Carla
Lind|NNP|pobj|4|I-PERSON|Lind ,|,|punct|6 who|WP|nsubjpass|12 was|VBD|auxpass|12||be in|IN|prep|9 turn|NN|pobj|10
replaced|VBN|relcl|6||replace by|IN|agent|12 Ruth|NNP|compound|15|B-PERSON|Ruth Berg|NNP|pobj|13|I-PERSON|Berg
.|.|punct|3
"""
UNION = """
The|DT|det|2 army|NN|nsubj|3 joined|VBD|ROOT|0||join the|DT|det|5 union|NN|dobj|3 ,|,|punct|5 which|WDT|nsubj|8
included|VBD|relcl|5||include Malta|NNP|dobj|8|B-GPE|Malta ,|,|punct|5 in|IN|prep|3 1950|CD|pobj|11|B-DATE .|.|punct|3
"""
STAGE = """
Peter|NNP|nsubj|2|B-PERSON|Peter is|VBZ|ROOT|0||be an|DT|det|4 actor|NN|attr|2 ,|,|punct|4 who|WP|nsubj|8
has|VBZ|aux|8||have had|VBN|relcl|4||have many|JJ|amod|10 parts|NNS|dobj|8||part on|IN|prep|10 the|DT|det|13
stage|NN|pobj|11 ,|,|punct|4 most|RBS|advmod|16 notably|RB|advmod|17 as|IN|prep|4 a|DT|det|19 thief|NN|pobj|17
.|.|punct|2
"""
SUCH_AS = """
The|DT|det|3 ancient|JJ|amod|3 writers|NNS|nsubj|14||writer ,|,|punct|3 such|JJ|amod|6 as|IN|prep|3
Pliny|NNP|pobj|6|B-ORG|Pliny ,|,|punct|7 who|WP|nsubj|10 were|VBD|relcl|7||be all|DT|det|12
Romans|NNPS|attr|10|B-NORP|Romans ,|,|punct|3 praised|VBD|ROOT|0||praise the|DT|det|16 wine|NN|dobj|14 .|.|punct|14
"""
SINGER = """
They|PRP|nsubj|2 met|VBD|ROOT|0||meet two|CD|nummod|5|B-CARDINAL old|JJ|amod|5 friends|NNS|dobj|2||friend ,|,|punct|5
a|DT|det|8 singer|NN|appos|5 and|CC|cc|8 a|DT|det|11 nurse|NN|conj|8 ,|,|punct|8 who|WP|nsubj|14 were|VBD|relcl|8||be
on|IN|prep|14 holiday|NN|pobj|15 .|.|punct|2
"""
BETWEEN = """
It|PRP|nsubj|2 lies|VBZ|ROOT|0||lie between|IN|prep|2 Bergen|NNP|pobj|3|B-ORG|Bergen ,|,|punct|4 which|WDT|nsubj|7
is|VBZ|relcl|4||be a|DT|det|9 port|NN|attr|7 ,|,|punct|4 and|CC|cc|4 Oslo|NNP|conj|4|B-GPE|Oslo .|.|punct|2
"""
OTHER = """
Other|JJ|amod|2 methods|NNS|nsubjpass|9||method ,|,|punct|2 which|WDT|nsubj|5 are|VBP|relcl|2||be
slower|JJR|acomp|5||slow ,|,|punct|2 are|VBP|auxpass|9||be used|VBN|ROOT|0||use in|IN|prep|9
Japan|NNP|pobj|10|B-GPE|Japan .|.|punct|9
"""
RYDER = """
He|PRP|nsubj|2 worked|VBD|ROOT|0||work with|IN|prep|2 William|NNP|compound|5|B-PERSON|William
Ryder|NNP|pobj|3|I-PERSON|Ryder ,|,|punct|5 who|WP|nsubj|8 was|VBD|relcl|5||be rich|JJ|acomp|8 ,|,|punct|5
paid|VBD|advcl|2||pay the|DT|det|13 costs|NNS|dobj|11||cost ,|,|punct|11 and|CC|cc|11 left|VBD|conj|11||leave
in|IN|prep|16 May|NNP|pobj|17|B-DATE|May .|.|punct|2
"""
STRIP = """
The|DT|det|2 mascot|NN|nsubjpass|4 was|VBD|auxpass|4||be taken|VBN|ROOT|0||take from|IN|prep|4 the|DT|det|7
animal|NN|pobj|5 in|IN|prep|4 the|DT|det|12 comic|JJ|amod|11 strip|NN|compound|12 B.C.|NNP|pobj|8|B-GPE|B.C.
,|,|punct|12 which|WDT|dobj|20 the|DT|det|16 plane|NN|nsubjpass|18 was|VBD|auxpass|18||be said|VBN|relcl|12||say
to|TO|aux|20 resemble|VB|xcomp|18 .|.|punct|4
"""
ATOM = """
The|DT|det|2 charge|NN|nsubj|3 depends|VBZ|ROOT|0||depend on|IN|prep|3 the|DT|det|6 number|NN|pobj|4 of|IN|prep|6
electrons|NNS|pobj|7||electron present|JJ|amod|8 in|IN|prep|9 the|DT|det|12 atom|NN|pobj|10 ,|,|punct|12
which|WDT|nsubjpass|16 is|VBZ|auxpass|16||be given|VBN|relcl|12||give in|IN|prep|16 the|DT|det|19 table|NN|pobj|17
.|.|punct|3
"""
PAUL = """
He|PRP|nsubj|2 accepted|VBD|ROOT|0||accept the|DT|det|4 offer|NN|dobj|2 of|IN|prep|4 Paul|NNP|pobj|5|B-ORG|Paul
,|,|punct|6 a|DT|det|9 Frenchman|NNP|appos|6|B-ORG|Frenchman ,|,|punct|6 in|IN|prep|2 1910|CD|pobj|11|B-DATE
.|.|punct|2
"""
CLOAK = """
He|PRP|nsubj|2 wore|VBD|ROOT|0||wear a|DT|det|5 red|JJ|amod|5 cloak|NN|dobj|2 ,|,|punct|5 a|DT|det|8 mark|NN|appos|5
of|IN|prep|8 his|PRP$|poss|11 rank|NN|pobj|9 .|.|punct|2
"""
ROLE = """
The|DT|det|2 party|NN|nsubj|3 became|VBD|ROOT|0||become the|DT|det|5 opposition|NN|attr|3 ,|,|punct|5 a|DT|det|8
role|NN|appos|5 it|PRP|nsubj|11 still|RB|advmod|11 plays|VBZ|relcl|8||play today|NN|npadvmod|11|B-DATE .|.|punct|3
"""
HERON = """
In|IN|prep|4 1990|CD|pobj|1|B-DATE he|PRP|nsubj|4 filmed|VBD|ROOT|0||film the|DT|det|6 heron|NN|dobj|4 ,|,|punct|6
a|DT|det|9 bird|NN|appos|6 that|WDT|nsubj|11 lives|VBZ|relcl|9||live near|IN|prep|11 lakes|NNS|pobj|12||lake
.|.|punct|4
"""
MINISTER = """
He|PRP|nsubj|2 became|VBD|ROOT|0||become Minister|NNP|attr|2||Minister for|IN|prep|3 Defence|NNP|pobj|4||Defence
,|,|punct|3 a|DT|det|8 post|NN|appos|3 he|PRP|nsubj|10 held|VBD|relcl|8||hold for|IN|prep|10 ten|CD|nummod|13|B-DATE
years|NNS|pobj|11|I-DATE|year .|.|punct|2
"""
FOREST = """
The|DT|det|2 region|NN|nsubj|3 is|VBZ|ROOT|0||be largely|RB|advmod|5 pine|JJ|amod|6 forest|NN|attr|3 ,|,|punct|6
a|DT|det|9 landscape|NN|appos|6 of|IN|prep|9 great|JJ|amod|12 beauty|NN|pobj|10 .|.|punct|3
"""
PRIME = """
She|PRP|nsubj|2 held|VBD|ROOT|0||hold the|DT|det|4 position|NN|dobj|2 of|IN|prep|4 prime|JJ|compound|7
minister|NN|pobj|5 ,|,|punct|7 the|DT|det|10 head|NN|appos|7 of|IN|prep|10 the|DT|det|13 government|NN|pobj|11
.|.|punct|2
"""
OIL = """
The|DT|det|2 county|NN|nsubj|3 had|VBD|ROOT|0||have three|CD|compound|5|B-QUANTITY million|CD|nummod|6|I-QUANTITY
barrels|NNS|dobj|3|I-QUANTITY|barrel of|IN|prep|6 oil|NN|pobj|7 ,|,|punct|6 the|DT|det|11 largest|JJS|appos|6||large
of|IN|prep|11 any|DT|det|14 county|NN|pobj|12 .|.|punct|3
"""
STORK = """
They|PRP|nsubjpass|3 were|VBD|auxpass|3||be married|VBN|ROOT|0||marry at|IN|prep|3
Storkyrkan|NNP|pobj|4|B-ORG|Storkyrkan ,|,|punct|5 the|DT|det|9|B-DATE same|JJ|amod|9|I-DATE day|NN|npadvmod|3|I-DATE
as|IN|prep|9 her|PRP$|poss|12 parents|NNS|pobj|10||parent .|.|punct|3
"""
COINS = """
They|PRP|nsubj|2 spend|VBP|ROOT|0 two|CD|nummod|4|B-CARDINAL coins|NNS|dobj|2||coin ,|,|punct|4 the|DT|det|7
penny|NN|appos|4 and|CC|cc|7 the|DT|det|10 crown|NN|conj|7 .|.|punct|2
"""
GOVERNOR = """
The|DT|det|2 party|NN|nsubjpass|4 is|VBZ|auxpass|4||be led|VBN|ROOT|0||lead by|IN|agent|4
Hedda|NNP|compound|7|B-PERSON|Hedda Lund|NNP|pobj|5|I-PERSON|Lund ,|,|punct|7 the|DT|det|10 state|NN|poss|12
's|POS|case|10 governor|NN|appos|7 and|CC|cc|12 the|DT|det|16 first|JJ|amod|16|B-ORDINAL woman|NN|conj|12
in|IN|prep|16 the|DT|det|19 office|NN|pobj|17 .|.|punct|4
"""
OSLO = """
Ruth|NNP|compound|2|B-PERSON|Ruth Berg|NNP|nsubj|14|I-PERSON|Berg ,|,|punct|2 a|DT|det|5 nurse|NN|appos|2
from|IN|prep|5 Oslo|NNP|pobj|6|B-GPE|Oslo ,|,|punct|2 first|RB|advmod|10 seen|VBN|acl|2||see in|IN|prep|10
1950|CD|pobj|11|B-DATE ,|,|punct|2 lives|VBZ|ROOT|0||live in|IN|prep|14 Rome|NNP|pobj|15|B-GPE|Rome .|.|punct|14
"""
RIDGE = """
The|DT|det|2 ridge|NN|nsubj|14 ,|,|punct|2 a|DT|det|6 long|JJ|amod|6 chain|NN|appos|2 of|IN|prep|6
hills|NNS|pobj|7||hill ,|,|punct|2 first|RB|advmod|11 seen|VBN|acl|2||see in|IN|prep|11 1850|CD|pobj|12|B-DATE
dominates|VBZ|ROOT|0||dominate the|DT|det|16 coast|NN|dobj|14 .|.|punct|14
"""
TOWER = """
She|PRP|nsubj|2 wrote|VBD|ROOT|0||write The|DT|det|4 Tower|NNP|dobj|2|B-ORG|Tower ,|,|punct|4 a|DT|det|7
novel|NN|appos|4 of|IN|prep|7 900|CD|nummod|10 pages|NNS|pobj|8||page ,|,|punct|4 in|IN|prep|16 which|WDT|pobj|12
a|DT|det|15 king|NN|nsubj|16 dies|VBZ|relcl|4||die .|.|punct|2
"""
MILETUS = """
They|PRP|nsubj|2 seem|VBP|ROOT|0 to|TO|aux|5 have|VB|aux|5 lived|VBN|xcomp|2||live in|IN|prep|5
Miletus|NNP|pobj|6|B-ORG|Miletus ,|,|punct|7 a|DT|det|11 Greek|JJ|amod|11|B-NORP colony|NN|appos|7 .|.|punct|2
"""
BRIDGES = """
The|DT|det|2 engineers|NNS|nsubj|3||engineer built|VBD|ROOT|0||build five|CD|nummod|5|B-CARDINAL
bridges|NNS|dobj|3||bridge ,|,|punct|5 which|WDT|nsubj|8 changed|VBD|relcl|5||change the|DT|det|10 city|NN|dobj|8
.|.|punct|3
"""
BERGEN = """
She|PRP|nsubj|2 visited|VBD|ROOT|0||visit Bergen|NNP|dobj|2|B-ORG|Bergen ,|,|punct|3 which|WDT|nsubj|6
became|VBD|relcl|3||become a|DT|det|9 famous|JJ|amod|9 port|NN|attr|6 in|IN|prep|6 the|DT|det|12 north|NN|pobj|10
.|.|punct|2
"""
EDITION = """
Tom|NNP|nsubj|2|B-PERSON|Tom left|VBD|ROOT|0||leave the|DT|det|4 Post|NNP|dobj|2|B-ORG|Post ,|,|punct|4
which|WDT|nsubj|7 won|VBD|relcl|4||win a|DT|det|9 prize|NN|dobj|7 for|IN|prep|7 a|DT|det|13 long|JJ|amod|13
report|NN|pobj|10 .|.|punct|2
"""
PELEUS = """
Achilles|NNP|nsubj|2|B-PERSON|Achilles was|VBD|ROOT|0||be the|DT|det|4 son|NN|attr|2 of|IN|prep|4
Thetis|NNP|pobj|5|B-ORG|Thetis and|CC|cc|6|I-ORG Peleus|NNP|conj|6|I-ORG|Peleus ,|,|punct|6 the|DT|det|11
king|NN|appos|6 of|IN|prep|11 the|DT|det|14 land|NN|pobj|12 .|.|punct|2
"""
GRASS = """
The|DT|det|2 parts|NNS|nsubjpass|4||part are|VBP|auxpass|4||be covered|VBN|ROOT|0||cover by|IN|agent|4 short|JJ|amod|7
grass|NN|pobj|5 ,|,|punct|7 which|WDT|nsubj|10 dries|VBZ|relcl|7||dry up|RP|prt|10 in|IN|prep|10
May|NNP|pobj|12|B-DATE|May ,|,|punct|7 to|TO|aux|17 be|VB|auxpass|17 replaced|VBN|relcl|7||replace by|IN|agent|17
moss|NN|pobj|18 .|.|punct|4
"""
SUMMER = """
He|PRP|nsubj|2 wrote|VBD|ROOT|0||write to|IN|prep|2 Dawn|NNP|compound|5|B-PERSON|Dawn Lane|NNP|pobj|3|I-PERSON|Lane
,|,|punct|5 who|WP|nsubj|14 after|IN|prep|14 the|DT|det|10 birth|NN|pobj|8 of|IN|prep|10 her|PRP$|poss|13
daughter|NN|pobj|11 left|VBD|relcl|5||leave for|IN|prep|14 Spain|NNP|pobj|15|B-GPE|Spain .|.|punct|2
"""
OWNER = """
Karl|NNP|nsubj|2|B-PERSON|Karl is|VBZ|ROOT|0||be one|CD|attr|2 of|IN|prep|3 the|DT|det|6 heroes|NNS|pobj|4||hero
in|IN|prep|6 Shadow|NNP|compound|9|B-ORG|Shadow Land|NNP|pobj|7|I-ORG|Land ,|,|punct|9 an|DT|det|12 owner|NN|appos|9
of|IN|prep|12 many|JJ|amod|15 mines|NNS|pobj|13||mine .|.|punct|2
"""
