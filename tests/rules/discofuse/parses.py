"""Parses for the tests of the DiscoFuse rules, as ``tests.testing.parsed`` reads them (heads count from 1).

The first ones are the worked examples of the paper and of the released dataset's README; they keep the faults of a
small parser where the rules have to live with them ("Ruiz" as a common noun, "healed" as a participle).
"""

CONN_1 = """
Hebden|NNP|compound|2|B-ORG Bridge|NNP|nsubj|3|I-ORG is|VBZ|ROOT|0 a|DT|det|6 popular|JJ|amod|6 place|NN|attr|3
to|TO|aux|8 live|VB|relcl|6 .|.|punct|3
"""
CONN_2 = """
However|RB|advmod|5 ,|,|punct|5 space|NN|nsubjpass|5 is|VBZ|auxpass|5 limited|VBN|ROOT|0 due|IN|prep|5 to|IN|pcomp|6
the|DT|det|10 steep|JJ|amod|10 valleys|NNS|pobj|6 and|CC|cc|10 lack|NN|conj|10 of|IN|prep|12 flat|JJ|amod|15
land|NN|pobj|13 .|.|punct|5
"""
RIDER_1 = """
Rider|NNP|nsubj|2 entered|VBD|ROOT|0 the|DT|det|4|B-DATE weekend|NN|dobj|2|I-DATE averaging|VBG|advcl|2
23.0|CD|nummod|7|B-CARDINAL points|NNS|dobj|5 ,|,|punct|5 good|JJ|advcl|2 for|IN|prep|9 10th|JJ|pobj|10|B-ORDINAL
in|IN|prep|9 the|DT|det|14 league|NN|pobj|12 .|.|punct|2
"""
RIDER_2 = """
He|PRP|nsubj|2 said|VBD|ROOT|0 those|DT|det|4 numbers|NNS|nsubj|5 mean|VBP|ccomp|2 little|JJ|dobj|5 because|IN|prep|5
of|IN|pcomp|7 the|DT|det|10 Hawks|NNPS|poss|15|B-ORG '|POS|case|10 11|CD|compound|14|B-CARDINAL -|SYM|punct|14
18|CD|nummod|15 record|NN|pobj|7 .|.|punct|2
"""
INGRAM_1 = """
Rather|RB|advmod|8 than|IN|prep|8 returning|VBG|pcomp|2 to|IN|prep|3 England|NNP|pobj|4|B-GPE ,|,|punct|8
Ingram|NNP|nsubj|8|B-PERSON stayed|VBD|ROOT|0 in|IN|prep|8 the|DT|det|11 Gambia|NNP|pobj|9|B-GPE and|CC|cc|8
turned|VBD|conj|8 to|IN|prep|13 trade|NN|pobj|14 .|.|punct|8
"""
INGRAM_2 = """
However|RB|advmod|13 ,|,|punct|13 on|IN|prep|13 a|DT|det|5 visit|NN|pobj|3 to|IN|prep|5 England|NNP|pobj|6|B-GPE
in|IN|prep|5 1860|CD|pobj|8|B-DATE ,|,|punct|13 he|PRP|nsubjpass|13 was|VBD|auxpass|13 declared|VBN|ROOT|0
bankrupt|JJ|oprd|13 .|.|punct|13
"""
FRIENDSHIP = """
Although|IN|mark|5 the|DT|det|3 friendship|NN|nsubj|5 somewhat|RB|advmod|5 healed|VBN|advcl|10
years|NNS|npadvmod|7|B-DATE later|RB|advmod|5|I-DATE ,|,|punct|10 it|PRP|nsubj|10 was|VBD|ROOT|0 a|DT|det|13
devastating|JJ|amod|13 loss|NN|attr|10 to|IN|prep|13 Croly|NNP|pobj|14|B-PERSON .|.|punct|10
"""
WORKOUTS = """
Open|JJ|amod|2 workouts|NNS|nsubjpass|4 are|VBP|auxpass|4 held|VBN|ROOT|0 every|DT|det|6 Sunday|NNP|npadvmod|4
unless|IN|mark|11 the|DT|det|9 gym|NN|nsubjpass|11 is|VBZ|auxpass|11 closed|VBN|advcl|4 for|IN|prep|11 a|DT|det|14
holiday|NN|pobj|12 or|CC|cc|14 other|JJ|amod|18 special|JJ|amod|18 events|NNS|conj|14 .|.|punct|4
"""
RUIZ = """
Ruiz|NN|nsubj|2 ordered|VBD|ROOT|0 his|PRP$|poss|5 first|JJ|amod|5|B-ORDINAL shot|NN|dobj|2 to|TO|aux|8
be|VB|auxpass|8 retaken|VBN|relcl|5 because|IN|mark|12 Brazilian|JJ|amod|11|B-NORP players|NNS|nsubj|12
entered|VBD|advcl|2 the|DT|det|15 penalty|NN|compound|15 area|NN|dobj|12 before|IN|prep|12 his|PRP$|poss|18
kick|NN|pobj|16 .|.|punct|2
"""
WALKER = """
Stating|VBG|advcl|14 that|IN|mark|5 the|DT|det|4 proponents|NNS|nsubj|5 were|VBD|ccomp|1 unlikely|JJ|acomp|5
to|TO|aux|8 succeed|VB|xcomp|6 in|IN|prep|8 this|DT|det|11 appeal|NN|pobj|9 ,|,|punct|14 Walker|NNP|nsubj|14|B-PERSON
rejected|VBD|ROOT|0 the|DT|det|17 stay|JJ|amod|17 request|NN|dobj|14 on|IN|prep|14 October|NNP|pobj|18|B-DATE
23|CD|nummod|19|I-DATE .|.|punct|14
"""
FLOODS = """
The|DT|det|2 time|NN|nsubj|7 of|IN|prep|2 the|DT|det|6 autumn|NN|compound|6 floods|NNS|pobj|3 came|VBD|ROOT|0
,|,|punct|7 and|CC|cc|7 the|DT|det|12 hundred|CD|nummod|12|B-CARDINAL streams|NNS|nsubj|13 poured|VBD|conj|7
into|IN|prep|13 the|DT|det|17|B-LOC Yellow|NNP|compound|17|I-LOC River|NNP|pobj|14|I-LOC .|.|punct|13
"""
DOUGLAS = """
Melvyn|NNP|compound|2|B-PERSON Douglas|NNP|nsubjpass|5|I-PERSON originally|RB|advmod|5 was|VBD|auxpass|5
signed|VBN|ROOT|0 to|TO|aux|7 play|VB|xcomp|5 Sam|NNP|compound|9|B-PERSON Bailey|NNP|dobj|7|I-PERSON ,|,|punct|5
but|CC|cc|5 the|DT|det|13 role|NN|nsubj|15 ultimately|RB|advmod|15 went|VBD|conj|5 to|IN|prep|15
Walter|NNP|compound|18|B-PERSON Pidgeon|NNP|pobj|16|I-PERSON .|.|punct|15
"""
SHARKS = """
The|DT|det|2 Sharks|NNPS|nsubj|3|B-PERSON started|VBD|ROOT|0 the|DT|det|5|B-DATE year|NN|npadvmod|3|I-DATE
0|CD|nummod|5|I-DATE -|SYM|punct|8|I-DATE 4|CD|prep|5|I-DATE ,|,|punct|3 yet|RB|advmod|3 recovered|VBN|conj|3
to|TO|aux|13 claim|VB|advcl|11 sixth|JJ|amod|15|B-ORDINAL spot|NN|dobj|13 .|.|punct|3
"""
KUBLER = """
Kubler|NNP|nsubj|10|B-PERSON ,|,|punct|1 who|WP|nsubj|4 retired|VBD|relcl|1 from|IN|prep|4 cycling|VBG|pcomp|5
in|IN|prep|4 1957|CD|pobj|7|B-DATE ,|,|punct|10 remained|VBD|ROOT|0 a|DT|det|13 revered|VBN|amod|13 figure|NN|attr|10
in|IN|prep|13 the|DT|det|18 wealthy|JJ|amod|18 alpine|NN|compound|18 nation|NN|pobj|14 .|.|punct|10
"""
TARGET = """
The|DT|det|2 target|NN|nsubj|11 ,|,|punct|2 which|WDT|nsubj|5 is|VBZ|relcl|2 only|RB|advmod|7|B-QUANTITY
six|CD|nummod|8|I-QUANTITY feet|NNS|npadvmod|9|I-QUANTITY away|RB|advmod|5 ,|,|punct|11 serves|VBZ|ROOT|0
the|DT|det|13 archer|NN|dobj|11 as|IN|prep|11 a|DT|det|16 mirror|NN|pobj|14 in|IN|prep|11 order|NN|pobj|17
to|TO|aux|20 reflect|VB|acl|18 the|DT|det|22 status|NN|dobj|20 of|IN|prep|22 the|DT|det|25 archer|NN|poss|27
's|POS|case|25 mind|NN|pobj|23 and|CC|cc|27 spirit|NN|conj|27 .|.|punct|11
"""
FRIGIDARIUM = """
The|DT|det|2 frigidarium|NN|nsubj|11 ,|,|punct|2 the|DT|det|6 last|JJ|amod|6 stop|NN|appos|2 in|IN|prep|6 the|DT|det|9
bathhouse|NN|pobj|7 ,|,|punct|11 was|VBD|ROOT|0 where|WRB|advmod|15 guests|NNS|nsubj|15 would|MD|aux|15
cool|VB|ccomp|11 off|RP|prt|15 in|IN|prep|15 a|DT|det|20 large|JJ|amod|20 pool|NN|pobj|17 .|.|punct|11
"""
JAZZ = """
The|DT|det|5|B-ORG Jacksonville|NNP|compound|5|I-ORG Jazz|NNP|compound|5|I-ORG Piano|NNP|compound|5|I-ORG
Competition|NNP|nsubj|12|I-ORG ,|,|punct|5 a|DT|det|10 30|CD|nummod|9|B-DATE year|NN|compound|10|I-DATE
tradition|NN|appos|5 ,|,|punct|5 takes|VBZ|ROOT|0 place|NN|dobj|12 at|IN|prep|12 the|DT|det|17|B-FAC
Florida|NNP|compound|17|I-FAC Theatre|NNP|pobj|14|I-FAC .|.|punct|12
"""
WHOM = """
Mary|NNP|compound|2|B-PERSON Smith|NNP|nsubj|10|I-PERSON ,|,|punct|2 whom|WP|dobj|6 he|PRP|nsubj|6 married|VBD|relcl|2
in|IN|prep|6 1990|CD|pobj|7|B-DATE ,|,|punct|10 taught|VBD|ROOT|0 physics|NN|dobj|10 at|IN|prep|10 the|DT|det|14
school|NN|pobj|12 .|.|punct|10
"""
WHOSE = """
Peter|NNP|compound|2|B-PERSON Brown|NNP|nsubj|10|I-PERSON ,|,|punct|2 whose|WP$|poss|5 father|NN|nsubj|6
owned|VBD|relcl|2 the|DT|det|8 mill|NN|dobj|6 ,|,|punct|2 left|VBD|ROOT|0 the|DT|det|12 village|NN|dobj|10
in|IN|prep|10 1901|CD|pobj|13|B-DATE .|.|punct|10
"""
WHOSE_OBJECT = """
Peter|NNP|compound|2|B-PERSON Brown|NNP|nsubj|10|I-PERSON ,|,|punct|2 whose|WP$|poss|5 mill|NN|dobj|8 the|DT|det|7
company|NN|nsubj|8 bought|VBD|relcl|2 ,|,|punct|2 left|VBD|ROOT|0 the|DT|det|12 village|NN|dobj|10 in|IN|prep|10
1901|CD|pobj|13|B-DATE .|.|punct|10
"""
CLAUSAL = """
The|DT|det|2 company|NN|nsubj|3 closed|VBD|ROOT|0 the|DT|det|5 mill|NN|dobj|3 ,|,|punct|5 which|WDT|nsubj|8
angered|VBD|relcl|3 the|DT|det|11 whole|JJ|amod|11 town|NN|dobj|8 ,|,|punct|8 and|CC|cc|8 moved|VBD|conj|8
to|IN|prep|14 London|NNP|pobj|15|B-GPE .|.|punct|3
"""
CUT = """
He|PRP|nsubj|2 met|VBD|ROOT|0 the|DT|det|4 mayor|NN|dobj|2 ,|,|punct|4 who|WP|nsubjpass|8 was|VBD|auxpass|8
born|VBN|relcl|4 in|IN|prep|8 Lyon|NNP|pobj|9|B-GPE ,|,|punct|10 France|NNP|conj|10|B-GPE and|CC|cc|8
later|RB|advmod|15 sold|VBD|conj|8 the|DT|det|17 house|NN|dobj|15 .|.|punct|2
"""
WAS_BUILT = """
The|DT|det|2 station|NN|nsubjpass|4 was|VBD|auxpass|4 built|VBN|ROOT|0 in|IN|prep|4 1901|CD|pobj|5|B-DATE and|CC|cc|4
closed|VBN|conj|4 by|IN|agent|8 the|DT|det|11 council|NN|pobj|9 in|IN|prep|8 1960|CD|pobj|12|B-DATE .|.|punct|4
"""
COPULA = """
The|DT|det|2 house|NN|nsubj|3 was|VBD|ROOT|0 the|DT|det|5 birthplace|NN|attr|3 of|IN|prep|5 the|DT|det|8
poet|NN|pobj|6 ,|,|punct|3 and|CC|cc|3 is|VBZ|conj|3 now|RB|advmod|11 the|DT|det|14 museum|NN|attr|11 of|IN|prep|14
the|DT|det|17 town|NN|pobj|15 .|.|punct|3
"""
SHARED_OBJECT = """
She|PRP|nsubj|2 wrote|VBD|ROOT|0 and|CC|cc|2 produced|VBD|conj|2 the|DT|det|6 film|NN|dobj|4 in|IN|prep|4
a|DT|det|10|B-DATE single|JJ|amod|10|I-DATE year|NN|pobj|7|I-DATE .|.|punct|2
"""
FRONTED = """
He|PRP|nsubj|2 defended|VBD|ROOT|0 the|DT|det|4 border|NN|dobj|2 against|IN|prep|2 the|DT|det|7 invasion|NN|pobj|5
,|,|punct|2 and|CC|cc|2 in|IN|prep|12 1839|CD|pobj|10|B-DATE led|VBD|conj|2 a|DT|det|14 campaign|NN|dobj|12
in|IN|prep|14 northern|JJ|amod|17 Texas|NNP|pobj|15|B-GPE .|.|punct|12
"""
LIST3 = """
He|PRP|nsubj|2 bought|VBD|ROOT|0 the|DT|det|4 mill|NN|dobj|2 ,|,|punct|2 repaired|VBD|conj|2 the|DT|det|8
roof|NN|dobj|6 and|CC|cc|6 sold|VBD|conj|6 the|DT|det|12 house|NN|dobj|10 in|IN|prep|10 1905|CD|pobj|13|B-DATE
.|.|punct|2
"""
NEGATED = """
He|PRP|nsubj|4 did|VBD|aux|4 not|RB|neg|4 leave|VB|ROOT|0 the|DT|det|6 town|NN|dobj|4 and|CC|cc|4 marry|VB|conj|4
the|DT|det|10 girl|NN|dobj|8 .|.|punct|4
"""
EMBEDDED = """
He|PRP|nsubj|2 said|VBD|ROOT|0 that|IN|mark|6 the|DT|det|5 mill|NN|nsubj|6 was|VBD|ccomp|2 old|JJ|acomp|6 and|CC|cc|6
it|PRP|nsubj|10 needed|VBD|conj|6 a|DT|det|13 new|JJ|amod|13 roof|NN|dobj|10 .|.|punct|2
"""
UNLIKE = """
Unlike|IN|prep|16 the|DT|det|4 previous|JJ|amod|4 owners|NNS|pobj|1||owner of|IN|prep|4 the|DT|det|7 mill|NN|pobj|5
,|,|punct|4 who|WP|nsubj|11 had|VBD|aux|11 lived|VBN|relcl|4 in|IN|prep|11 town|NN|pobj|12 ,|,|punct|16
Smith|NNP|nsubj|16|B-PERSON moved|VBD|ROOT|0 to|IN|prep|16 the|DT|det|19 valley|NN|pobj|17 .|.|punct|16
"""
STEP = """
The|DT|det|2 treaty|NN|nsubj|3 kept|VBD|ROOT|0 the|DT|det|5 rebels|NNS|dobj|3 from|IN|prep|3 buying|VBG|pcomp|6
arms|NNS|dobj|7 ,|,|punct|8 a|DT|det|11 step|NN|dobj|3 that|WDT|dobj|16 the|DT|det|14 council|NN|nsubj|16
had|VBD|aux|16 opposed|VBN|relcl|11 ,|,|punct|11 for|IN|prep|11 ten|CD|nummod|20|B-DATE years|NNS|pobj|18|I-DATE
.|.|punct|3
"""
PLURAL_APPOS = """
The|DT|det|3 two|CD|nummod|3|B-CARDINAL brothers|NNS|nsubj|11 ,|,|punct|3 the|DT|det|6 owners|NNS|appos|3 of|IN|prep|6
the|DT|det|9 mill|NN|pobj|7 ,|,|punct|3 live|VBP|ROOT|0 in|IN|prep|11 London|NNP|pobj|12|B-GPE with|IN|prep|11
their|PRP$|poss|16 father|NN|pobj|14 .|.|punct|11
"""
ALTHOUGH_BORN = """
Although|IN|mark|2 born|VBN|advcl|7 in|IN|prep|2 Bath|NNP|pobj|3 ,|,|punct|7 he|PRP|nsubj|7 spent|VBD|ROOT|0
most|JJS|dobj|7 of|IN|prep|8 his|PRP$|poss|11 life|NN|pobj|9 in|IN|prep|7 London|NNP|pobj|12|B-GPE .|.|punct|7
"""
SINCE_1970 = """
Since|IN|prep|8 the|DT|det|3|B-DATE 1970s|NNS|pobj|1|I-DATE ,|,|punct|8 several|JJ|amod|6 governments|NNS|nsubj|8
have|VBP|aux|8 made|VBN|ROOT|0 plans|NNS|dobj|8 for|IN|prep|9 the|DT|det|12 road|NN|pobj|10 .|.|punct|8
"""
ONLY_BECAUSE = """
The|DT|det|2 team|NN|nsubj|3 won|VBD|ROOT|0 the|DT|det|6 final|JJ|amod|6 match|NN|dobj|3 only|RB|advmod|13
because|IN|mark|13 the|DT|det|11 other|JJ|amod|11 side|NN|nsubj|13 had|VBD|aux|13 lost|VBN|advcl|3
two|CD|nummod|15|B-CARDINAL players|NNS|dobj|13 .|.|punct|3
"""
REACTION = """
He|PRP|nsubj|2 told|VBD|ROOT|0 reporters|NNS|dobj|2 his|PRP$|poss|5 reaction|NN|nsubj|6 was|VBD|ccomp|2
because|IN|mark|9 he|PRP|nsubj|9 missed|VBD|advcl|6 the|DT|det|12 last|JJ|amod|12 shot|NN|dobj|9 .|.|punct|2
"""
WHILE_TIME = """
He|PRP|nsubj|2 lived|VBD|ROOT|0 in|IN|prep|2 London|NNP|pobj|3|B-GPE while|IN|mark|8 his|PRP$|poss|7
brother|NN|nsubj|8 worked|VBD|advcl|2 at|IN|prep|8 the|DT|det|11 mill|NN|pobj|9 in|IN|prep|11 Leeds|NNPS|pobj|12|B-GPE
.|.|punct|2
"""
SO_THAT = """
The|DT|det|2 walls|NNS|nsubjpass|4 were|VBD|auxpass|4 painted|VBN|ROOT|0 white|JJ|oprd|4 so|IN|mark|11 that|IN|mark|11
the|DT|det|9 rooms|NNS|nsubj|11 would|MD|aux|11 seem|VB|advcl|4 larger|JJR|oprd|11 .|.|punct|4
"""
NAMES_AND = """
The|DT|det|2 firm|NN|nsubj|7 of|IN|prep|2 Smith|NNP|pobj|3|B-ORG and|CC|cc|4|I-ORG Jones|NNP|conj|4|I-ORG
built|VBD|ROOT|0 the|DT|det|9 bridge|NN|dobj|7 over|IN|prep|7 the|DT|det|12 river|NN|pobj|10 in|IN|prep|7
1901|CD|pobj|13|B-DATE .|.|punct|7
"""
FRIENDS_SO = """
The|DT|det|2 mill|NN|nsubjpass|4 was|VBD|auxpass|4 closed|VBN|ccomp|12 by|IN|agent|4 the|DT|det|7 council|NN|pobj|5
,|,|punct|12 so|CC|advmod|12 the|DT|det|11 workers|NNS|nsubj|12 moved|VBD|ROOT|0 to|IN|prep|12 the|DT|det|15
city|NN|pobj|13 .|.|punct|12
"""
USING = """
Using|VBG|advcl|9 a|DT|det|4 new|JJ|amod|4 method|NN|dobj|1 ,|,|punct|9 the|DT|det|7 bridge|NN|nsubjpass|9
was|VBD|auxpass|9 built|VBN|ROOT|0 in|IN|prep|9 only|RB|advmod|12|B-DATE two|CD|nummod|13|I-DATE
years|NNS|pobj|10|I-DATE .|.|punct|9
"""
FOLLOWING = """
Following|VBG|prep|7 the|DT|det|3 war|NN|pobj|1 ,|,|punct|7 the|DT|det|6 family|NN|nsubj|7 moved|VBD|ROOT|0
to|IN|prep|7 the|DT|det|10 south|NN|pobj|8 of|IN|prep|10 France|NNP|pobj|11|B-GPE .|.|punct|7
"""
EVENING = """
Evening|NN|compound|2|B-TIME classes|NNS|nsubj|11 in|IN|prep|2 the|DT|det|5 school|NN|pobj|3 ,|,|punct|2
held|VBN|acl|2 since|IN|prep|7 1901|CD|pobj|8|B-DATE ,|,|punct|11 were|VBD|ROOT|0 popular|JJ|acomp|11 with|IN|prep|12
workers|NNS|pobj|13 .|.|punct|11
"""
BEING = """
Being|VBG|advcl|7 a|DT|det|4 poor|JJ|amod|4 student|NN|attr|1 ,|,|punct|7 she|PRP|nsubj|7 worked|VBD|ROOT|0
in|IN|prep|7 the|DT|det|10 library|NN|pobj|8 at|IN|prep|7 night|NN|pobj|11|B-TIME .|.|punct|7
"""
TEAM_1 = """
The|DT|det|2 Lions|NNPS|nsubj|3|B-ORG won|VBD|ROOT|0 the|DT|det|5 final|NN|dobj|3 against|IN|prep|5 the|DT|det|8
Bears|NNPS|pobj|6|B-ORG in|IN|prep|3 1990|CD|pobj|9|B-DATE .|.|punct|3
"""
TEAM_2 = """
The|DT|det|2 team|NN|nsubj|3 lost|VBD|ROOT|0 most|JJS|dobj|3 of|IN|prep|4 its|PRP$|poss|7 players|NNS|pobj|5
in|IN|prep|3 the|DT|det|11|B-DATE following|JJ|amod|11|I-DATE year|NN|pobj|8|I-DATE .|.|punct|3
"""
LIONS_2 = """
They|PRP|nsubj|2 have|VBP|ROOT|0 a|DT|det|5 good|JJ|amod|5 record|NN|dobj|2 overall|RB|advmod|2 against|IN|prep|2
the|DT|det|9|B-ORG Lions|NNPS|pobj|7|I-ORG of|IN|prep|9|I-ORG Detroit|NNP|pobj|10|I-ORG .|.|punct|2
"""
