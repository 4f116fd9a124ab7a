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
SHARED_OBJECT = """
She|PRP|nsubj|2 wrote|VBD|ROOT|0 and|CC|cc|2 produced|VBD|conj|2 the|DT|det|6 film|NN|dobj|4 in|IN|prep|4
a|DT|det|10|B-DATE single|JJ|amod|10|I-DATE year|NN|pobj|7|I-DATE .|.|punct|2
"""
FRONTED = """
He|PRP|nsubj|2 defended|VBD|ROOT|0 the|DT|det|4 border|NN|dobj|2 against|IN|prep|2 the|DT|det|7 invasion|NN|pobj|5
,|,|punct|2 and|CC|cc|2 in|IN|prep|12 1839|CD|pobj|10|B-DATE led|VBD|conj|2 a|DT|det|14 campaign|NN|dobj|12
in|IN|prep|14 northern|JJ|amod|17 Texas|NNP|pobj|15|B-GPE .|.|punct|12
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
FRAME_VP = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|9
old|JJ|amod|9 library|NN|dobj|6 and|CC|cc|6 opened|VBD|conj|6||open a|DT|det|13 museum|NN|dobj|11 for|IN|prep|13
children|NNS|pobj|14||child .|.|punct|6
"""
OR_FACT = """
The|DT|det|2 pupils|NNS|nsubjpass|4||pupil are|VBP|auxpass|4||be taught|VBN|ROOT|0||teach
French|NNP|dobj|4|B-LANGUAGE|French at|IN|prep|4 the|DT|det|8 school|NN|pobj|6 or|CC|cc|4 are|VBP|auxpass|11||be
taught|VBN|conj|4||teach Spanish|NNP|dobj|11|B-NORP|Spanish by|IN|agent|11 their|PRP$|poss|15
parents|NNS|pobj|13||parent .|.|punct|4
"""
WHAT_HE_SAID = """
What|WP|dobj|3 he|PRP|nsubj|3 said|VBD|csubjpass|9||say at|IN|prep|3 the|DT|det|6 meeting|NN|pobj|4
is|VBZ|auxpass|9||be not|RB|neg|9 known|VBN|ROOT|0||know .|.|punct|9
"""
WHOSE_IDEA = """
Whose|WP$|det|2 idea|NN|attr|4 it|PRP|nsubj|4 was|VBD|csubj|5||be remains|VBZ|ROOT|0||remain unclear|JJ|acomp|5
to|IN|prep|6 the|DT|det|9 public|NN|pobj|7 .|.|punct|5
"""
MILLER_WRITES = """
In|IN|prep|8 his|PRP$|poss|3 book|NN|pobj|1 on|IN|prep|3 the|DT|det|6 war|NN|pobj|4 Miller|NNP|nsubj|8|B-PERSON|Miller
writes|VBZ|ROOT|0||write .|.|punct|8
"""
AS_FOLLOWS = """
The|DT|det|2 results|NNS|nsubj|6||result of|IN|prep|2 the|DT|det|5 study|NN|pobj|3 were|VBD|ROOT|0||be as|IN|mark|8
follows|VBZ|advcl|6||follow .|.|punct|6
"""
HE_WROTE = """
They|PRP|nsubj|3 had|VBD|aux|3||have won|VBN|ccomp|8||win the|DT|det|5 war|NN|dobj|3 ,|,|punct|8 he|PRP|nsubj|8
wrote|VBD|ROOT|0||write .|.|punct|8
"""
SOME = """
Some|DT|det|2 villagers|NNS|nsubj|3||villager left|VBD|ROOT|0||leave the|DT|det|5 valley|NN|dobj|3 in|IN|prep|3
May|NNP|pobj|6|B-DATE|May and|CC|cc|3 founded|VBD|conj|3||found a|DT|det|12 new|JJ|amod|12 town|NN|dobj|9 in|IN|prep|9
the|DT|det|15 hills|NNS|pobj|13||hill .|.|punct|3
"""
OSLO = """
Ruth|NNP|compound|2|B-PERSON|Ruth Berg|NNP|nsubj|14|I-PERSON|Berg ,|,|punct|2 a|DT|det|5 nurse|NN|appos|2
from|IN|prep|5 Oslo|NNP|pobj|6|B-GPE|Oslo ,|,|punct|2 first|RB|advmod|10 seen|VBN|acl|2||see in|IN|prep|10
1950|CD|pobj|11|B-DATE ,|,|punct|2 lives|VBZ|ROOT|0||live in|IN|prep|14 Rome|NNP|pobj|15|B-GPE|Rome .|.|punct|14
"""
THEIR = """
Ada|NNP|compound|2|B-PERSON|Ada Lane|NNP|nsubj|11|I-PERSON|Lane ,|,|punct|2 a|DT|det|5 reader|NN|appos|2 of|IN|prep|5
Kant|NNP|pobj|6|B-PERSON|Kant and|CC|cc|7 Hegel|NNP|conj|7|B-PERSON|Hegel ,|,|punct|2 praised|VBD|ROOT|0||praise
their|PRP$|poss|14 early|JJ|amod|14 letters|NNS|dobj|11||letter in|IN|prep|11 May|NNP|pobj|15|B-DATE|May .|.|punct|11
"""
HOPED = """
This|DT|nsubj|8 ,|,|punct|5 it|PRP|nsubjpass|5 was|VBD|auxpass|5||be hoped|VBN|parataxis|8||hope ,|,|punct|5
would|MD|aux|8 keep|VB|ROOT|0 their|PRP$|poss|10 numbers|NNS|dobj|8||number high|JJ|oprd|8 .|.|punct|8
"""
FINAL_RELATIVE = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be succeeded|VBN|ROOT|0||succeed by|IN|agent|3
Samuel|NNP|compound|6|B-PERSON|Samuel Lincoln|NNP|pobj|4|I-PERSON|Lincoln ,|,|punct|6 who|WP|nsubj|9
migrated|VBD|relcl|6||migrate from|IN|prep|9 Norfolk|NNP|pobj|10|B-GPE|Norfolk to|IN|prep|9
Hingham|NNP|pobj|12|B-GPE|Hingham in|IN|prep|9 1638|CD|pobj|14|B-DATE .|.|punct|3
"""
FINAL_APPOSITION = """
Ben|NNP|compound|2|B-PERSON|Ben Bella|NNP|nsubjpass|4|I-PERSON|Bella was|VBD|auxpass|4||be
overthrown|VBN|ROOT|0||overthrow in|IN|prep|4 1965|CD|pobj|5|B-DATE by|IN|agent|4
Houari|NNP|compound|9|B-PERSON|Houari Boumediene|NNP|pobj|7|I-PERSON|Boumediene ,|,|punct|9 his|PRP$|poss|13
former|JJ|amod|13 ally|NN|appos|9 and|CC|cc|13 minister|NN|conj|13 .|.|punct|4
"""
