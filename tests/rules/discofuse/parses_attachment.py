"""Parses for the tests of what a part of a sentence belongs to, by a small model (heads count from 1)."""

SAID_CAME = """
The|DT|det|2 owner|NN|nsubj|3 said|VBD|ROOT|0||say a|DT|det|5 man|NN|nsubj|6 came|VBD|ccomp|3||come in|RP|prt|6
,|,|punct|6 but|CC|cc|3 stood|VBD|conj|3||stand by|IN|prep|10 the|DT|det|13 door|NN|pobj|11 and|CC|cc|10
broke|VBD|conj|10||break the|DT|det|17 lamp|NN|dobj|15 .|.|punct|3
"""
CLOSED_DASH = """
The|DT|det|2 town|NN|nsubj|3 sold|VBD|ROOT|0||sell the|DT|det|5 mill|NN|dobj|3 --|:|punct|5 an|DT|det|9 old|JJ|amod|9
one|NN|appos|5 --|:|punct|3 and|CC|cc|3 bought|VBD|conj|3||buy a|DT|det|15 new|JJ|amod|15 bridge|NN|dobj|12
.|.|punct|3
"""
PLAYER_SIGNED = """
Ann|NNP|nsubj|2|B-PERSON|Ann was|VBD|ROOT|0||be the|DT|det|5 best|JJS|amod|5||good player|NN|attr|2 of|IN|prep|5
the|DT|det|8 team|NN|pobj|6 in|IN|prep|2 2004|CD|pobj|9|B-DATE and|CC|cc|2 signed|VBN|conj|2||sign with|IN|prep|12
Leeds|NNPS|pobj|13|B-GPE|Leeds in|IN|prep|12 May|NNP|pobj|15|B-DATE|May .|.|punct|2
"""
RUIN_VISITED = """
The|DT|det|2 tower|NN|nsubj|3 was|VBD|ROOT|0||be a|DT|det|5 ruin|NN|attr|3 and|CC|cc|3 visited|VBN|conj|3||visit
by|IN|agent|7 many|JJ|amod|10 painters|NNS|pobj|8||painter .|.|punct|3
"""
EDITED_PUBLISHED = """
Ann|NNP|nsubj|2|B-PERSON|Ann served|VBD|ROOT|0||serve as|IN|prep|2 the|DT|det|5 head|NN|pobj|3 of|IN|prep|5
the|DT|det|8 firm|NN|pobj|6 and|CC|cc|2 edited|VBD|conj|2||edit and|CC|cc|2 published|VBD|conj|2||publish a|DT|det|14
number|NN|dobj|12 of|IN|prep|14 books|NNS|pobj|15||book .|.|punct|2
"""
AND_SO = """
The|DT|det|2 mill|NN|nsubj|3 burned|VBD|ROOT|0||burn down|RP|prt|3 in|IN|prep|3 May|NNP|pobj|5|B-DATE|May and|CC|cc|3
so|RB|advmod|9 was|VBD|conj|3||be unable|JJ|acomp|9 to|TO|aux|12 grind|VB|xcomp|10 corn|NN|dobj|12 .|.|punct|9
"""
STAGED_REOPENED = """
They|PRP|nsubj|2 put|VBP|ROOT|0 on|RP|prt|2 a|DT|det|5 play|NN|dobj|2 first|RB|advmod|7|B-ORDINAL
staged|VBN|acl|5||stage in|IN|prep|7 Rome|NNP|pobj|8|B-GPE|Rome in|IN|prep|7 1934|CD|pobj|10|B-DATE and|CC|cc|2
then|RB|advmod|14 reopened|VBN|conj|2||reopen in|IN|prep|14 Paris|NNP|pobj|15|B-GPE|Paris in|IN|prep|14
1935|CD|pobj|17|B-DATE .|.|punct|2
"""
BECAUSE_AND_WENT = """
Ann|NNP|nsubj|2|B-PERSON|Ann moved|VBD|ROOT|0||move to|IN|prep|2 Leeds|NNPS|pobj|3|B-GPE|Leeds because|IN|mark|9
Ben|NNP|nsubj|9|B-PERSON|Ben was|VBD|aux|9||be still|RB|advmod|9 recovering|VBG|advcl|2||recover from|IN|prep|9
his|PRP$|poss|12 fall|NN|pobj|10 ,|,|punct|9 and|CC|cc|9 went|VBD|conj|9||go on|RP|prt|15 to|TO|aux|18 run|VB|advcl|15
the|DT|det|20 mill|NN|dobj|18 .|.|punct|2
"""
BECAUSE_AND_NEEDED = """
Ann|NNP|nsubj|2|B-PERSON|Ann moved|VBD|ROOT|0||move to|IN|prep|2 Leeds|NNPS|pobj|3|B-GPE|Leeds because|IN|mark|7
Ben|NNP|nsubj|7|B-PERSON|Ben was|VBD|advcl|2||be ill|JJ|acomp|7 and|CC|cc|7 needed|VBD|conj|7||need help|NN|dobj|10
.|.|punct|2
"""
BECAUSE_BECAUSE = """
They|PRP|nsubj|2 closed|VBD|ROOT|0||close two|CD|nummod|4|B-CARDINAL mills|NNS|dobj|2||mill because|IN|mark|7
one|PRP|nsubj|7 was|VBD|advcl|2||be too|RB|advmod|9 old|JJ|acomp|7 and|CC|cc|7 because|IN|mark|14 the|DT|det|13
other|JJ|nsubj|14 had|VBD|conj|7||have no|DT|det|16 water|NN|dobj|14 .|.|punct|2
"""
ODD_YEARS = """
In|IN|prep|8 odd|JJ|amod|3|B-DATE years|NNS|pobj|1|I-DATE|year ,|,|punct|8 the|DT|det|6 fair|NN|nsubjpass|8
is|VBZ|auxpass|8||be held|VBN|ROOT|0||hold in|IN|prep|8 Leeds|NNPS|pobj|9|B-GPE|Leeds ,|,|punct|8 while|IN|mark|16
the|DT|det|14 show|NN|nsubjpass|16 is|VBZ|auxpass|16||be held|VBN|advcl|8||hold in|IN|prep|16
York|NNP|pobj|17|B-GPE|York .|.|punct|8
"""
MANY_TOWNS = """
In|IN|prep|8 many|JJ|amod|3 towns|NNS|pobj|1||town ,|,|punct|8 the|DT|det|6 fair|NN|nsubjpass|8 is|VBZ|auxpass|8||be
held|VBN|ROOT|0||hold in|IN|prep|8 squares|NNS|pobj|9||square ,|,|punct|8 while|IN|mark|14 others|NNS|nsubj|14||other
hold|VBP|advcl|8 it|PRP|dobj|14 in|IN|prep|14 halls|NNS|pobj|16||hall .|.|punct|8
"""
CAST_AS = """
The|DT|det|2 studio|NN|nsubj|3 cast|VBD|ROOT|0 Ada|NNP|compound|5|B-PERSON|Ada Grey|NNP|dobj|3|I-PERSON|Grey
,|,|punct|5 a|DT|det|9 young|JJ|amod|9 dancer|NN|appos|5 as|IN|prep|9 the|DT|det|12 queen|NN|pobj|10 .|.|punct|3
"""
SERVANT_AS = """
Ada|NNP|nsubj|2|B-PERSON|Ada was|VBD|ROOT|0||be the|DT|det|4 daughter|NN|attr|2 of|IN|prep|4
Leo|NNP|compound|7|B-PERSON|Leo Kim|NNP|pobj|5|I-PERSON|Kim ,|,|punct|7 a|DT|det|10 servant|NN|appos|7 of|IN|prep|10
the|DT|det|13 king|NN|pobj|11 ,|,|punct|7 as|IN|prep|4 keeper|NN|pobj|15 of|IN|prep|16 the|DT|det|19 park|NN|pobj|17
.|.|punct|2
"""
SCHOOLS = """
Schools|NNS|nsubj|4||school in|IN|prep|1 town|NN|pobj|2 include|VBP|ROOT|0 the|DT|det|6|B-ORG
College|NNP|dobj|4|I-ORG|College of|IN|prep|6|I-ORG Arts|NNP|pobj|7|I-ORG|Arts ,|,|punct|6 which|WDT|nsubj|11
has|VBZ|relcl|6||have a|DT|det|13 museum|NN|dobj|11 ;|:|punct|11 the|DT|det|16|B-ORG College|NNP|dobj|11|I-ORG|College
of|IN|prep|16|I-ORG Music|NNP|pobj|17|I-ORG|Music ;|:|punct|16 and|CC|cc|16 the|DT|det|23|B-ORG
Ash|NNP|compound|23|I-ORG|Ash School|NNP|conj|16|I-ORG|School .|.|punct|4
"""
AN_ENGLISH_MASS = """
Robinson|NNP|nsubj|2|B-PERSON|Robinson wrote|VBD|ROOT|0||write An|DT|det|5 English|NNP|compound|5|B-NORP|English
Mass|NNP|dobj|2||Mass ,|,|punct|5 which|WDT|nsubj|8 had|VBD|relcl|5||have its|PRP$|poss|10 premiere|NN|dobj|8
in|IN|prep|10 Leeds|NNPS|pobj|11|B-GPE|Leeds .|.|punct|2
"""
FAR_LAND = """
They|PRP|nsubj|2 printed|VBD|ROOT|0||print the|DT|det|4 book|NN|dobj|2 Ice|NNP|appos|4||Ice --|:|punct|5
Far|NNP|compound|8||Far Land|NNP|appos|5||Land ,|,|punct|8 which|WDT|nsubjpass|13 was|VBD|auxpass|13||be
later|RB|advmod|13 sold|VBN|relcl|8||sell in|IN|prep|13 Leeds|NNPS|pobj|14|B-GPE|Leeds .|.|punct|2
"""
MANY_LAMPS = """
The|DT|det|2 firm|NN|nsubj|3 is|VBZ|ROOT|0||be unlikely|JJ|acomp|3 to|TO|aux|6 find|VB|xcomp|4 many|JJ|amod|9
new|JJ|amod|9 lamps|NNS|dobj|6||lamp ,|,|punct|9 which|WDT|nsubj|12 are|VBP|relcl|9||be rare|JJ|acomp|12 and|CC|cc|12
cost|VBP|conj|12 a|DT|det|17 lot|NN|dobj|15 .|.|punct|3
"""
STEMMING = """
Stemming|VBG|advcl|10||stem from|IN|prep|1 the|DT|det|4 events|NNS|pobj|2||event of|IN|prep|4 that|DT|det|7
match|NN|pobj|5 ,|,|punct|10 Grey|NNP|nsubj|10|B-PERSON|Grey fought|VBD|ROOT|0||fight briefly|RB|advmod|10
with|IN|prep|10 Kim|NNP|pobj|12|B-PERSON|Kim .|.|punct|10
"""
BELIEVING = """
Believing|VBG|advcl|11||believe the|DT|det|3 mark|NN|nsubj|5 to|TO|aux|5 be|VB|ccomp|1 a|DT|det|7 sign|NN|attr|5
,|,|punct|11 she|PRP|nsubjpass|11 was|VBD|auxpass|11||be cast|VBN|ROOT|0 out|RP|prt|11 by|IN|agent|11 the|DT|det|15
town|NN|pobj|13 .|.|punct|11
"""
COUNTING = """
Counting|VBG|advcl|6||count its|PRP$|poss|3 islands|NNS|dobj|1||island ,|,|punct|6 Norway|NNP|nsubj|6|B-GPE|Norway
is|VBZ|ROOT|0||be larger|JJR|acomp|6||large than|IN|prep|7 Italy|NNP|pobj|8|B-GPE|Italy .|.|punct|6
"""
TURNING = """
Turning|VBG|advcl|8||turn these|DT|det|3 wheels|NNS|dobj|1||wheel ,|,|punct|8 each|DT|det|6 mill|NN|nsubj|8
will|MD|aux|8 have|VB|ROOT|0 a|DT|det|10 number|NN|dobj|8 .|.|punct|8
"""
HUNTING = """
Hunting|VBG|ROOT|0||hunt for|IN|prep|1 food|NN|pobj|2 ,|,|punct|1 mainly|RB|advmod|6 hares|NNS|dep|1||hare ,|,|punct|6
moose|NN|conj|6 ,|,|punct|8 and|CC|cc|1 wild|JJ|amod|12 sheep|NN|nsubj|13 is|VBZ|conj|1||be still|RB|advmod|13
common|JJ|acomp|13 in|IN|prep|13 the|DT|det|18 north|NN|pobj|16 .|.|punct|13
"""
HAVING_SEEN = """
Having|VBG|aux|2 seen|VBN|advcl|7||see the|DT|det|4 plans|NNS|dobj|2||plan ,|,|punct|7 Grey|NNP|nsubj|7|B-PERSON|Grey
appears|VBZ|ROOT|0||appear to|TO|aux|10 have|VB|aux|10 rejected|VBN|xcomp|7||reject the|DT|det|12 bridge|NN|dobj|10
.|.|punct|7
"""
HAS_SUNG = """
In|IN|prep|10 addition|NN|pobj|1 to|IN|prep|2 writing|VBG|pcomp|3||write many|JJ|amod|6 songs|NNS|dobj|4||song
,|,|punct|10 Grey|NNP|nsubj|10|B-PERSON|Grey has|VBZ|aux|10||have sung|VBN|ROOT|0||sing in|IN|prep|10
two|CD|nummod|13|B-CARDINAL operas|NNS|pobj|11||opera .|.|punct|10
"""
SINGS = """
In|IN|prep|9 addition|NN|pobj|1 to|IN|prep|2 writing|VBG|pcomp|3||write many|JJ|amod|6 songs|NNS|dobj|4||song
,|,|punct|9 Grey|NNP|nsubj|9|B-PERSON|Grey sings|VBZ|ROOT|0||sing in|IN|prep|9 two|CD|nummod|12|B-CARDINAL
operas|NNS|pobj|10||opera .|.|punct|9
"""
ONE_LAST_DANCE = """
She|PRP|nsubj|2 saw|VBD|ROOT|0||see the|DT|det|4 film|NN|dobj|2 One|CD|nummod|7|B-CARDINAL Last|JJ|amod|7
Dance|NNP|appos|4||Dance ,|,|punct|7 which|WDT|nsubj|10 starred|VBD|relcl|7||star Leo|NNP|compound|12|B-PERSON|Leo
Kim|NNP|dobj|10|I-PERSON|Kim .|.|punct|2
"""
SO_MUCH_SO = """
The|DT|det|2 mill|NN|nsubj|3 was|VBD|ROOT|0||be well|RB|advmod|5 known|VBN|acomp|3||know in|IN|prep|5 the|DT|det|8
town|NN|pobj|6 ,|,|punct|3 so|RB|advmod|11 much|RB|advmod|12 so|IN|mark|16 that|IN|mark|16 it|PRP|nsubjpass|16
was|VBD|auxpass|16||be printed|VBN|advcl|3||print on|IN|prep|16 coins|NNS|pobj|17||coin .|.|punct|3
"""
SO_THAT = """
The|DT|det|2 firm|NN|nsubj|3 liked|VBD|ROOT|0||like the|DT|det|5 plan|NN|dobj|3 ,|,|punct|3 so|IN|mark|11
that|IN|mark|11 it|PRP|nsubjpass|11 was|VBD|auxpass|11||be printed|VBN|advcl|3||print in|IN|prep|11
May|NNP|pobj|12|B-DATE|May .|.|punct|3
"""
REVENGE = """
Kim|NNP|nsubj|2|B-PERSON|Kim refused|VBD|ROOT|0||refuse to|TO|aux|4 stay|VB|xcomp|2 with|IN|prep|4
Ada|NNP|pobj|5|B-PERSON|Ada ,|,|punct|2 and|CC|cc|2 in|IN|prep|12 revenge|NN|compound|11 Leo|NNP|pobj|9|B-PERSON|Leo
shot|VBD|conj|2||shoot him|PRP|dobj|12||he in|IN|prep|12 the|DT|det|16 hall|NN|pobj|14 .|.|punct|12
"""
IN_MAY = """
Kim|NNP|nsubj|2|B-PERSON|Kim refused|VBD|ROOT|0||refuse to|TO|aux|4 stay|VB|xcomp|2 with|IN|prep|4
Ada|NNP|pobj|5|B-PERSON|Ada ,|,|punct|2 and|CC|cc|2 in|IN|prep|11 May|NNP|pobj|9|B-DATE|May shot|VBD|conj|2||shoot
a|DT|det|13 film|NN|dobj|11 in|IN|prep|11 the|DT|det|16 hall|NN|pobj|14 .|.|punct|11
"""
LAMP_RESPECTIVELY = """
The|DT|det|2 lamp|NN|nsubjpass|4 was|VBD|auxpass|4||be made|VBN|ROOT|0||make in|IN|prep|4
Leeds|NNPS|pobj|5|B-GPE|Leeds and|CC|cc|6 York|NNP|conj|6||York and|CC|cc|4 was|VBD|auxpass|11||be
sold|VBN|conj|4||sell to|IN|dative|11 Ada|NNP|pobj|12|B-GPE|Ada and|CC|cc|13 Leo|NNP|conj|13|B-PERSON|Leo ,|,|punct|13
respectively|RB|advmod|11 .|.|punct|4
"""
ADA_RESPECTIVELY = """
Ada|NNP|nsubj|4|B-PERSON|Ada and|CC|cc|1 Leo|NNP|conj|1|B-PERSON|Leo came|VBD|ROOT|0||come from|IN|prep|4
Leeds|NNPS|pobj|5|B-GPE|Leeds ,|,|punct|4 and|CC|cc|4 originally|RB|advmod|10 meant|VBN|conj|4||mean ox|NN|dobj|10
and|CC|cc|11 house|NN|conj|11 respectively|RB|advmod|10 .|.|punct|4
"""
STUMBLES = """
He|PRP|nsubj|2 sees|VBZ|ROOT|0||see the|DT|det|4 door|NN|dobj|2 ,|,|punct|2 and|CC|cc|2 stumbles|NNS|nsubj|16||stumble
into|IN|prep|7 a|DT|det|10 closet|NN|pobj|8 ,|,|punct|2 as|IN|mark|14 his|PRP$|poss|14 friend|NN|npadvmod|16
has|VBZ|aux|16||have returned|VBN|conj|2||return .|.|punct|16
"""
BRACKETED_CLERK = """
The|DT|det|2 shop|NN|nsubjpass|4 was|VBD|auxpass|4||be opened|VBN|ROOT|0||open in|IN|prep|4 1947|CD|pobj|5|B-DATE
by|IN|agent|4 Paul|NNP|compound|9|B-PERSON|Paul Karr|NNP|pobj|7|I-PERSON|Karr ,|,|punct|9 (|-LRB-|punct|9
born|VBN|acl|9||bear 1925|CD|npadvmod|12|B-DATE )|-RRB-|punct|9 who|WP|nsubj|16 was|VBD|relcl|9||be a|DT|det|18
clerk|NN|attr|16 in|IN|prep|18 Leeds|NNPS|pobj|19|B-GPE|Leeds ,|,|punct|4 and|CC|cc|4 was|VBD|conj|4||be the|DT|det|25
home|NN|attr|23 of|IN|prep|25 a|DT|det|28 band|NN|pobj|26 .|.|punct|4
"""
FIRST_HAVING_PASSED = """
In|IN|prep|5 May|NNP|pobj|1|B-DATE|May ,|,|punct|5 Grey|NNP|nsubj|5|B-ORG|Grey signed|VBD|ROOT|0||sign the|DT|det|8
second|JJ|amod|8|B-ORDINAL Act|NNP|dobj|5||Act ,|,|punct|5 the|DT|det|11 first|JJ|appos|8|B-ORDINAL having|VBG|aux|13
passed|VBN|acl|11||pass under|IN|prep|13 Kim|NNP|pobj|14|B-PERSON|Kim .|.|punct|5
"""
MOUNTAIN_BOYS = """
Three|CD|nummod|2|B-DATE weeks|NNS|npadvmod|3|I-DATE|week later|RBR|advmod|17|I-DATE the|DT|det|7|B-LOC
Green|NNP|compound|7|I-LOC|Green Mountain|NNP|compound|7|I-LOC|Mountain Boys|NNPS|nsubj|17|I-LOC|Boys ,|,|punct|7
a|DT|det|10 group|NN|appos|7 of|IN|prep|10 soldiers|NNS|pobj|11||soldier led|VBN|acl|10||lead by|IN|agent|13
Kim|NNP|pobj|14|B-PERSON|Kim ,|,|punct|7 took|VBD|ROOT|0||take the|DT|det|19 fort|NN|dobj|17 .|.|punct|17
"""
TAKWIN = """
The|DT|det|2 goal|NN|nsubj|3 was|VBD|ROOT|0||be Takwin|NNP|attr|3|B-PERSON|Takwin ,|,|punct|4 the|DT|det|7
creation|NN|appos|4 of|IN|prep|7 life|NN|pobj|8 ,|,|punct|4 up|IN|advmod|3 to|IN|prep|11 the|DT|det|15
human|JJ|amod|15 body|NN|pobj|12 .|.|punct|3
"""
TWO_DIRECTORS = """
The|DT|det|2 firm|NN|nsubj|3 hired|VBD|ROOT|0||hire two|CD|nummod|5|B-CARDINAL directors|NNS|dobj|3||director
,|,|punct|5 Leo|NNP|compound|8|B-PERSON|Leo Kim|NNP|appos|5|I-PERSON|Kim ,|,|punct|8 who|WP|nsubj|11
made|VBD|relcl|8||make a|DT|det|13 film|NN|dobj|11 about|IN|prep|13 Rome|NNP|pobj|14|B-GPE|Rome ,|,|punct|8
and|CC|cc|8 Ada|NNP|compound|19|B-PERSON|Ada Grey|NNP|conj|8|I-PERSON|Grey ,|,|punct|19 who|WP|nsubj|22
left|VBD|relcl|19||leave .|.|punct|3
"""
TEST_RUNS = """
In|IN|prep|7 a|DT|det|3 test|NN|pobj|1 ,|,|punct|7 the|DT|det|6 mill|NN|nsubj|7 runs|VBZ|ROOT|0||run well|RB|advmod|7
and|CC|cc|7 makes|VBZ|conj|7||make a|DT|det|12 noise|NN|dobj|10 .|.|punct|7
"""
TEST_RAN = """
In|IN|prep|7 a|DT|det|3 test|NN|pobj|1 ,|,|punct|7 the|DT|det|6 mill|NN|nsubj|7 ran|VBD|ROOT|0||run well|RB|advmod|7
and|CC|cc|7 made|VBD|conj|7||make a|DT|det|12 noise|NN|dobj|10 .|.|punct|7
"""
ONCE_THEY_LEFT = """
Once|IN|mark|3 they|PRP|nsubj|3 left|VBD|advcl|10||leave the|DT|det|5 hall|NN|dobj|3 ,|,|punct|10 the|DT|det|8
lamps|NNS|nsubjpass|10||lamp were|VBD|auxpass|10||be lit|VBN|ROOT|0||light and|CC|cc|10 the|DT|det|13
mayor|NN|nsubj|14 sang|VBD|conj|10||sing .|.|punct|14
"""
IT_WAS_LEO = """
It|PRP|nsubj|2 was|VBD|ROOT|0||be Leo|NNP|compound|4|B-PERSON|Leo Kim|NNP|attr|2|I-PERSON|Kim ,|,|punct|4 the|DT|det|7
brother|NN|appos|4 of|IN|prep|7 her|PRP$|poss|10 friend|NN|pobj|8 ,|,|punct|10 who|WP|nsubj|13 sold|VBD|relcl|10||sell
the|DT|det|15 mill|NN|dobj|13 .|.|punct|2
"""
IS_MAGIC = """
They|PRP|nsubj|2 saw|VBD|ccomp|9||see the|DT|det|4 series|NN|dobj|2 Little|NNP|compound|6|B-WORK_OF_ART|Little
Pony|NNP|appos|4|I-WORK_OF_ART|Pony :|:|punct|9|I-WORK_OF_ART Friendship|NN|nsubj|9|I-WORK_OF_ART
is|VBZ|ROOT|0|I-WORK_OF_ART|be Magic|NNP|attr|9|B-ORG|Magic ,|,|punct|10 a|DT|det|13 show|NN|appos|10 about|IN|prep|13
horses|NNS|pobj|14||horse .|.|punct|9
"""
COURTESY = """
He|PRP|nsubj|2 won|VBD|ROOT|0||win praise|NN|dobj|2 by|IN|prep|2 his|PRP$|poss|6 kindness|NN|pobj|4 and|CC|cc|2
courtesy|VBD|conj|2 not|RB|preconj|11 only|RB|advmod|9 to|IN|prep|8 her|PRP|pobj|11||she but|CC|cc|11
also|RB|advmod|13 to|IN|conj|11 them|PRP|pobj|15||they .|.|punct|2
"""
THAT_SAVED = """
She|PRP|nsubj|2 took|VBD|ROOT|0||take a|DT|det|4 form|NN|dobj|2 that|WDT|nsubj|6 saved|VBD|relcl|4||save
her|PRP$|poss|8 life|NN|dobj|6 ,|,|punct|2 but|CC|cc|2 hides|VBZ|conj|2||hide her|PRP$|poss|13 face|NN|dobj|11
in|IN|prep|11 the|DT|det|16|B-DATE day|NN|pobj|14|I-DATE .|.|punct|2
"""
HEAD_OF = """
She|PRP|nsubj|2 helped|VBD|ROOT|0||help to|TO|aux|4 found|VB|xcomp|2 ,|,|punct|2 and|CC|cc|2 from|IN|prep|11
1966|CD|pobj|7|B-DATE to|IN|prep|7|I-DATE 1986|CD|pobj|9|I-DATE was|VBD|conj|2||be the|DT|det|13 head|NN|attr|11
of|IN|prep|13 ,|,|punct|14 the|DT|det|17 club|NN|pobj|14 .|.|punct|11
"""
LIKED_PAID = """
Ada|NNP|nsubj|2|B-PERSON|Ada was|VBD|ROOT|0||be close|JJ|acomp|2 to|IN|prep|3 Leo|NNP|compound|6|B-PERSON|Leo
Kim|NNP|pobj|4|I-PERSON|Kim ,|,|punct|6 who|WP|nsubj|9 liked|VBD|relcl|6||like the|DT|det|11 plan|NN|dobj|9
,|,|punct|6 paid|VBD|conj|2||pay the|DT|det|15 costs|NNS|dobj|13||cost ,|,|punct|13 and|CC|cc|13
gave|VBD|conj|13||give her|PRP$|poss|20 land|NN|dobj|18 .|.|punct|2
"""
BUT_NOT = """
The|DT|det|2 walls|NNS|nsubj|3||wall are|VBP|ROOT|0||be the|DT|det|5 towers|NNS|attr|3||tower ,|,|punct|5
which|WDT|nsubj|8 guard|VBP|relcl|5 Ada|NNP|dobj|8|B-PERSON|Ada ,|,|punct|5 but|CC|cc|5 not|RB|neg|15 the|DT|det|15
calm|JJ|amod|15 Bea|NNP|conj|5|B-PERSON|Bea .|.|punct|3
"""
WHETHER = """
The|DT|det|2 plan|NN|nsubjpass|4 is|VBZ|auxpass|4||be liked|VBN|ROOT|0||like by|IN|agent|4 the|DT|det|7
clerk|NN|pobj|5 Ada|NNP|compound|9|B-PERSON|Ada Grey|NNP|appos|7|I-PERSON|Grey ,|,|punct|9 who|WP|nsubj|12
thinks|VBZ|relcl|9||think it|PRP|nsubj|14 helps|VBZ|ccomp|12||help them|PRP|dobj|14||they ,|,|punct|4
whether|IN|mark|19 it|PRP|nsubj|19 be|VB|advcl|4 good|JJ|acomp|19 or|CC|cc|20 bad|JJ|conj|20 .|.|punct|4
"""
UNWILLING = """
Unwilling|VBG|advcl|8 to|TO|aux|3 sell|VB|xcomp|1 the|DT|det|5 mill|NN|dobj|3 ,|,|punct|8 Ada|NNP|nsubj|8|B-PERSON|Ada
left|VBD|ROOT|0||leave the|DT|det|10 town|NN|dobj|8 .|.|punct|8
"""
FAN_OF_TOWERS = """
Being|VBG|advcl|17||be a|DT|det|3 fan|NN|attr|1 of|IN|prep|3 towers|NNS|pobj|4||tower such|JJ|amod|7 as|IN|prep|5
Low|NNP|compound|9|B-PERSON|Low Mill|NNP|pobj|7|I-PERSON|Mill and|CC|cc|9 High|NNP|compound|12|B-PERSON|High
Mill|NNP|conj|9|I-PERSON|Mill ,|,|punct|17 York|NNP|npadvmod|17|B-GPE|York ,|,|punct|17 I|PRP|nsubj|17||I
was|VBD|ROOT|0||be glad|JJ|acomp|17 about|IN|prep|18 the|DT|det|21 plan|NN|pobj|19 .|.|punct|17
"""
LED_BY = """
A|DT|det|2 group|NN|nsubj|17 of|IN|prep|2 painters|NNS|pobj|3||painter in|IN|prep|4 Rome|NNP|pobj|5|B-GPE|Rome
,|,|punct|2 led|VBN|acl|2||lead by|IN|agent|8 Ada|NNP|compound|11|B-PERSON|Ada Grey|NNP|pobj|9|I-PERSON|Grey
,|,|punct|11 a|DT|det|14 sculptor|NN|appos|11 ,|,|punct|11 has|VBZ|aux|17||have opened|VBN|ROOT|0||open a|DT|det|19
school|NN|dobj|17 .|.|punct|17
"""
HER_MOTHER = """
Ada|NNP|nsubjpass|3|B-PERSON|Ada was|VBD|auxpass|3||be born|VBN|ROOT|0||bear to|IN|prep|3 her|PRP$|poss|6
father|NN|pobj|4 ,|,|punct|6 a|DT|det|9 painter|NN|compound|11 Leo|NNP|compound|11|B-PERSON|Leo
Kim|NNP|appos|6|I-PERSON|Kim ,|,|punct|11 who|WP|nsubj|14 lived|VBD|relcl|11||live in|IN|prep|14
Rome|NNP|pobj|15|B-GPE|Rome ,|,|punct|11 and|CC|cc|11 her|PRP$|poss|20 mother|NN|conj|11 Bea|NNP|appos|20|B-PERSON|Bea
.|.|punct|3
"""
