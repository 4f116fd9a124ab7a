"""Parses for the tests of coordination, frames and connectives, by a small model (heads count from 1)."""

FRAME_VP = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|9
old|JJ|amod|9 library|NN|dobj|6 and|CC|cc|6 opened|VBD|conj|6||open a|DT|det|13 museum|NN|dobj|11 for|IN|prep|13
children|NNS|pobj|14||child .|.|punct|6
"""
FRAME_OWN_TIME = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|9
old|JJ|amod|9 library|NN|dobj|6 and|CC|cc|6 opened|VBD|conj|6||open a|DT|det|13 museum|NN|dobj|11 in|IN|prep|11
1995|CD|pobj|14|B-DATE .|.|punct|6
"""
FRAME_PERFECT = """
Since|IN|prep|7 1990|CD|pobj|1|B-DATE ,|,|punct|7 the|DT|det|5 council|NN|nsubj|7 has|VBZ|aux|7||have
closed|VBN|ROOT|0||close the|DT|det|10 old|JJ|amod|10 library|NN|dobj|7 and|CC|cc|7 plans|VBZ|conj|7||plan a|DT|det|15
new|JJ|amod|15 museum|NN|dobj|12 .|.|punct|7
"""
FRAME_CONDITION = """
With|IN|prep|8 enough|JJ|amod|3 money|NN|pobj|1 ,|,|punct|8 the|DT|det|6 council|NN|nsubj|8 could|MD|aux|8
repair|VB|ROOT|0 the|DT|det|10 library|NN|dobj|8 and|CC|cc|8 open|VB|conj|8 a|DT|det|14 museum|NN|dobj|12
for|IN|prep|14 children|NNS|pobj|15||child .|.|punct|8
"""
FRAME_SOURCE = """
According|VBG|prep|8||accord to|IN|prep|1 the|DT|det|4 mayor|NN|pobj|2 ,|,|punct|8 the|DT|det|7 council|NN|nsubj|8
closed|VBD|ROOT|0||close the|DT|det|11 old|JJ|amod|11 library|NN|dobj|8 and|CC|cc|8 opened|VBD|conj|8||open
a|DT|det|15 museum|NN|dobj|13 for|IN|prep|15 children|NNS|pobj|16||child .|.|punct|8
"""
FRAME_BEGINNING = """
At|IN|prep|6 first|RB|pcomp|1|B-ORDINAL ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close
the|DT|det|9 old|JJ|amod|9 library|NN|dobj|6 and|CC|cc|6 opened|VBD|conj|6||open a|DT|det|13 museum|NN|dobj|11
for|IN|prep|13 children|NNS|pobj|14||child .|.|punct|6
"""
FRAME_CLAUSES = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|9
old|JJ|amod|9 library|NN|dobj|6 and|CC|cc|6 the|DT|det|12 museum|NN|nsubj|13 lost|VBD|conj|6||lose its|PRP$|poss|15
roof|NN|dobj|13 .|.|punct|13
"""
FRAME_BUT = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|9
old|JJ|amod|9 library|NN|dobj|6 ,|,|punct|6 but|CC|cc|6 the|DT|det|13 museum|NN|nsubj|14 kept|VBD|conj|6||keep
its|PRP$|poss|16 roof|NN|dobj|14 .|.|punct|14
"""
FRAME_ARTICLE = """
In|IN|prep|8 a|DT|det|4 later|JJ|amod|4 test|NN|pobj|1 ,|,|punct|8 the|DT|det|7 workers|NNS|nsubj|8||worker
removed|VBD|ROOT|0||remove the|DT|det|11 old|JJ|amod|11 roof|NN|dobj|8 and|CC|cc|8 washed|VBD|conj|8||wash
the|DT|det|15 walls|NNS|dobj|13||wall with|IN|prep|13 water|NN|pobj|16 .|.|punct|8
"""
FRAME_PLACE = """
In|IN|prep|5 London|NNP|pobj|1|B-GPE|London ,|,|punct|5 he|PRP|nsubj|5 studied|VBD|ROOT|0||study law|NN|dobj|5
at|IN|prep|5 the|DT|det|9 university|NN|pobj|7 and|CC|cc|5 worked|VBD|conj|5||work as|IN|prep|11 a|DT|det|14
clerk|NN|pobj|12 in|IN|prep|14 Paris|NNP|pobj|15|B-GPE|Paris .|.|punct|5
"""
FRAME_BEHIND = """
In|IN|prep|6 1990|CD|pobj|1|B-DATE ,|,|punct|6 the|DT|det|5 council|NN|nsubj|6 closed|VBD|ROOT|0||close the|DT|det|8
library|NN|dobj|6 and|CC|cc|6 in|IN|prep|14 the|DT|det|12|B-DATE winter|NN|pobj|10|I-DATE it|PRP|nsubj|14
sold|VBD|conj|6||sell the|DT|det|16 building|NN|dobj|14 .|.|punct|14
"""
COLON = """
The|DT|det|2 court|NN|nsubj|3 made|VBD|ccomp|11||make its|PRP$|poss|5 ruling|NN|dobj|3 in|IN|prep|3
May|NNP|pobj|6|B-DATE|May :|:|punct|11 the|DT|det|10 bank|NN|nsubj|11 lost|VBD|ROOT|0||lose the|DT|det|13
case|NN|dobj|11 ,|,|punct|11 but|CC|cc|11 the|DT|det|17 loan|NN|nsubj|18 remained|VBD|conj|11||remain in|IN|prep|18
force|NN|pobj|19 .|.|punct|18
"""
OR_FACT = """
The|DT|det|2 pupils|NNS|nsubjpass|4||pupil are|VBP|auxpass|4||be taught|VBN|ROOT|0||teach
French|NNP|dobj|4|B-LANGUAGE|French at|IN|prep|4 the|DT|det|8 school|NN|pobj|6 or|CC|cc|4 are|VBP|auxpass|11||be
taught|VBN|conj|4||teach Spanish|NNP|dobj|11|B-NORP|Spanish by|IN|agent|11 their|PRP$|poss|15
parents|NNS|pobj|13||parent .|.|punct|4
"""
OR_CHOICE = """
You|PRP|nsubj|3 can|MD|aux|3 paint|VB|ROOT|0 the|DT|det|6 old|JJ|amod|6 table|NN|dobj|3 in|IN|prep|3 the|DT|det|9
garden|NN|pobj|7 or|CC|cc|3 buy|VB|conj|3 a|DT|det|14 new|JJ|amod|14 table|NN|dobj|11 in|IN|prep|11 town|NN|pobj|15
.|.|punct|3
"""
QUOTED = """
The|DT|det|2 method|NN|nsubj|3 saves|VBZ|ccomp|7||save much|JJ|amod|5 time|NN|dobj|3 ,|,|punct|7 say|VBP|ROOT|0
the|DT|det|9 authors|NNS|nsubj|7||author ,|,|punct|7 and|CC|cc|7 it|PRP|nsubj|13 lowers|VBZ|conj|7||lower
the|DT|det|15 cost|NN|dobj|13 of|IN|prep|15 the|DT|det|18 work|NN|pobj|16 .|.|punct|13
"""
UNTIL = """
She|PRP|nsubj|3 never|RB|neg|3 cared|VBD|ROOT|0||care much|RB|advmod|3 about|IN|prep|3 music|NN|pobj|5 until|IN|mark|9
she|PRP|nsubj|9 met|VBD|advcl|3||meet the|DT|det|11 singer|NN|dobj|9 and|CC|cc|3 he|PRP|nsubj|14
changed|VBD|conj|3||change her|PRP$|poss|16 life|NN|dobj|14 .|.|punct|14
"""
SAID_MAN = """
The|DT|det|2 owner|NN|nsubj|3 said|VBD|ROOT|0||say a|DT|det|5 man|NN|nsubj|6 came|VBD|ccomp|3||come in|RP|prt|6
after|IN|prep|6 noon|NN|pobj|8 but|CC|cc|3 sat|VBD|conj|3||sit in|IN|prep|11 the|DT|det|14 corner|NN|pobj|12 .|.|punct|3
"""
SHOWED_TRAVELS = """
Alhazen|NNP|nsubj|2|B-ORG|Alhazen showed|VBD|ROOT|0||show that|IN|mark|5 light|JJ|amod|5 travels|NNS|dobj|2||travel
in|IN|prep|5 straight|JJ|amod|8 lines|NNS|pobj|6||line ,|,|punct|2 and|CC|cc|2 made|VBD|conj|2||make
several|JJ|amod|13 experiments|NNS|dobj|11||experiment with|IN|prep|13 lenses|NNS|pobj|14||lens .|.|punct|2
"""
RESPECTIVELY = """
The|DT|det|2 brothers|NNS|nsubj|3||brother joined|VBD|ROOT|0||join the|DT|det|5 navy|NN|dobj|3 in|IN|prep|3
May|NNP|pobj|6|B-DATE|May and|CC|cc|3 won|VBD|conj|3||win the|DT|det|11 race|NN|dobj|9 in|IN|prep|9
June|NNP|pobj|12|B-DATE|June ,|,|punct|9 respectively|RB|advmod|9 .|.|punct|3
"""
EITHER = """
Either|CC|preconj|5 the|DT|det|3 protein|NN|nsubj|5 has|VBZ|aux|5||have lost|VBN|ROOT|0||lose its|PRP$|poss|7
function|NN|dobj|5 or|CC|cc|7 its|PRP$|poss|10 form|NN|conj|7 ,|,|punct|5 or|CC|cc|5 the|DT|det|14 cell|NN|nsubj|16
has|VBZ|aux|16||have lost|VBN|conj|5||lose the|DT|det|18 gene|NN|dobj|16 .|.|punct|16
"""
COMPARABLE_TO = """
The|DT|det|3 new|JJ|amod|3 results|NNS|nsubj|4||result were|VBD|ROOT|0||be comparable|JJ|acomp|4 to|IN|prep|5
or|CC|cc|4 exceeded|VBD|conj|4||exceed the|DT|det|10 standards|NNS|dobj|8||standard of|IN|prep|10 the|DT|det|14
old|JJ|amod|14 clinic|NN|pobj|11 .|.|punct|4
"""
STREETS = """
A|DT|det|4 large|JJ|amod|4 sewage|NN|compound|4 system|NN|nsubjpass|6 was|VBD|auxpass|6||be built|VBN|ROOT|0||build
in|IN|prep|6 town|NN|pobj|7 ,|,|punct|6 and|CC|cc|6 the|DT|det|12 streets|NNS|nsubj|13||street became|VBD|auxpass|14
illuminated|VBN|conj|6||illuminate with|IN|prep|14 gas|NN|pobj|15 .|.|punct|6
"""
LOVE_TO = """
I|PRP|nsubj|3||I would|MD|aux|3 love|VB|ROOT|0 to|TO|aux|5 cook|VB|xcomp|3 the|DT|det|7 tomatoes|NNS|dobj|5||tomato
for|IN|prep|5 an|DT|det|10|B-TIME hour|NN|pobj|8|I-TIME and|CC|cc|3 then|RB|advmod|13 make|VB|conj|3 the|DT|det|15
sauce|NN|dobj|13 .|.|punct|3
"""
OTHER_AUX = """
The|DT|det|2 game|NN|nsubjpass|4 was|VBD|auxpass|4||be adopted|VBN|ROOT|0||adopt by|IN|agent|4 the|DT|det|7
army|NN|pobj|5 ,|,|punct|4 and|CC|cc|4 he|PRP|nsubj|11 saw|VBD|conj|4||see people|NNS|dobj|11 at|IN|prep|12
the|DT|det|15 club|NN|pobj|13 ,|,|punct|11 and|CC|cc|11 hitting|VBG|conj|11||hit a|DT|det|20 ball|NN|dobj|18
with|IN|prep|18 a|DT|det|23 stick|NN|pobj|21 .|.|punct|11
"""
OBSERVED_TO = """
The|DT|det|2 cells|NNS|nsubjpass|4||cell were|VBD|auxpass|4||be treated|VBN|ROOT|0||treat with|IN|prep|4 the|DT|det|7
drug|NN|pobj|5 for|IN|prep|4 two|CD|nummod|10|B-DATE days|NNS|pobj|8|I-DATE|day ,|,|punct|4 and|CC|cc|4
observed|VBD|conj|4||observe to|TO|aux|15 grow|VB|xcomp|13 in|IN|prep|15 the|DT|det|18 dish|NN|pobj|16 .|.|punct|4
"""
WANTED_TO = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be elected|VBN|ROOT|0||elect by|IN|agent|3 the|DT|det|6
members|NNS|pobj|4||member in|IN|prep|3 May|NNP|pobj|7|B-DATE|May ,|,|punct|3 and|CC|cc|3 wanted|VBD|conj|3||want
to|TO|aux|13 change|VB|xcomp|11 the|DT|det|15 rules|NNS|dobj|13||rule of|IN|prep|15 the|DT|det|18 club|NN|pobj|16
.|.|punct|3
"""
LOST_COMMA = """
South|JJ|amod|2|B-NORP Asian|JJ|amod|3|I-NORP languages|NNS|nsubj|12||language ,|,|punct|3
including|VBG|prep|3||include Urdu|NNP|pobj|5|B-GPE|Urdu ,|,|punct|6 Hindi|NNP|conj|6|B-GPE|Hindi and|CC|cc|8
Tamil|NNP|conj|8|B-PERSON|Tamil ,|,|punct|3 are|VBP|ROOT|0||be the|DT|det|15 largest|JJS|amod|15||large
group|NN|attr|12 and|CC|cc|12 are|VBP|auxpass|18||be spoken|VBN|conj|12||speak in|IN|prep|18 many|JJ|amod|21
towns|NNS|pobj|19||town .|.|punct|12
"""
RIGHT_NODE = """
In|IN|prep|5 March|NNP|pobj|1|B-DATE|March the|DT|det|4 council|NN|nsubj|5 passed|VBD|ROOT|0||pass ,|,|punct|5
and|CC|cc|5 the|DT|det|9 mayor|NN|nsubj|10 signed|VBD|conj|5||sign a|DT|det|12 law|NN|dobj|10 about|IN|prep|12
the|DT|det|16 old|JJ|amod|16 river|NN|pobj|13 .|.|punct|10
"""
ONE_OF = """
One|CD|nsubj|12|B-CARDINAL of|IN|prep|1 the|DT|det|5 largest|JJS|amod|5||large events|NNS|pobj|2||event in|IN|prep|5
the|DT|det|8 city|NN|pobj|6 ,|,|punct|12 Pride|NNP|compound|11|B-EVENT|Pride Week|NNP|nsubj|12|I-EVENT|Week
takes|VBZ|ROOT|0||take place|NN|dobj|12 in|IN|prep|12 June|NNP|pobj|14|B-DATE|June ,|,|punct|12 and|CC|cc|12
is|VBZ|auxpass|19||be known|VBN|conj|12||know in|IN|prep|19 all|DT|pobj|20 of|IN|prep|21
Europe|NNP|pobj|22|B-LOC|Europe .|.|punct|12
"""
SO_THAT_RESULT = """
The|DT|det|2 empire|NN|nsubj|4 had|VBD|aux|4||have lost|VBN|ROOT|0||lose its|PRP$|poss|7 best|JJS|amod|7||good
ships|NNS|dobj|4||ship ,|,|punct|4 so|IN|mark|14 that|IN|mark|14 a|DT|det|13 long|JJ|amod|13 war|NN|nsubj|14
was|VBD|advcl|4||be out|IN|prep|14 of|IN|prep|15 the|DT|det|18 question|NN|pobj|16 .|.|punct|4
"""
SO_THAT_PRESENT = """
You|PRP|nsubj|3 can|MD|aux|3 add|VB|ROOT|0 some|DT|det|5 shelves|NNS|dobj|3||shelf so|IN|mark|9 that|IN|mark|9
it|PRP|nsubj|9 fits|VBZ|advcl|3||fit all|PDT|predet|12 the|DT|det|12 needs|NNS|dobj|9||need of|IN|prep|12
your|PRP$|poss|15 office|NN|pobj|13 .|.|punct|3
"""
BECAUSE_REPORT = """
He|PRP|nsubj|2 argued|VBD|ROOT|0||argue that|IN|mark|6 the|DT|det|5 town|NN|nsubj|6 lost|VBD|ccomp|2||lose
the|DT|det|8 case|NN|dobj|6 because|IN|mark|12 the|DT|det|11 judge|NN|nsubj|12 knew|VBD|advcl|6||know the|DT|det|14
mayor|NN|dobj|12 well|RB|advmod|12 .|.|punct|2
"""
HENCE = """
The|DT|det|2 walls|NNS|nsubj|3||wall carry|VBP|ccomp|11 their|PRP$|poss|6 own|JJ|amod|6 weight|NN|dobj|3 ,|,|punct|11
hence|RB|advmod|11 the|DT|det|10 stone|NN|nsubj|11 is|VBZ|ROOT|0||be very|RB|advmod|13 strong|JJ|acomp|11
in|IN|prep|13 all|DT|pobj|14 of|IN|prep|15 its|PRP$|poss|18 parts|NNS|pobj|16||part .|.|punct|11
"""
HENCE_NAME = """
The|DT|det|2 bird|NN|nsubj|3 has|VBZ|ROOT|0||have a|DT|det|7 long|JJ|amod|7 red|JJ|amod|7 tail|NN|dobj|3
with|IN|prep|7 white|JJ|amod|10 spots|NNS|pobj|8||spot ,|,|punct|10 hence|RB|advmod|14 the|DT|det|14 name|NN|appos|10
of|IN|prep|14 the|DT|det|18 old|JJ|amod|18 inn|NNP|pobj|15|B-PERSON .|.|punct|3
"""
MEANING = """
The|DT|det|2 computer|NN|nsubj|3 had|VBD|ROOT|0||have too|RB|advmod|5 many|JJ|amod|6 tasks|NNS|dobj|3||task
,|,|punct|3 meaning|VBG|advcl|3||mean the|DT|det|10 crew|NN|nsubj|13 could|MD|aux|13 not|RB|neg|13 see|VB|ccomp|8
all|DT|dobj|13 of|IN|prep|14 the|DT|det|17 numbers|NNS|pobj|15||number .|.|punct|3
"""
MEANING_THAT = """
The|DT|det|2 state|NN|nsubj|3 controls|VBZ|ROOT|0||control the|DT|det|5 sale|NN|dobj|3 of|IN|prep|5 alcohol|NN|pobj|6
,|,|punct|3 meaning|VBG|advcl|3||mean that|IN|mark|13 the|DT|det|12 shops|NNS|nsubj|13||shop pay|VBP|ccomp|9
a|DT|det|16 high|JJ|amod|16 tax|NN|dobj|13 .|.|punct|3
"""
MEANING_WORD = """
The|DT|det|2 town|NN|nsubj|3 took|VBD|ROOT|0||take its|PRP$|poss|5 name|NN|dobj|3 from|IN|prep|3 a|DT|det|9
Welsh|NNP|compound|9|B-PERSON|Welsh word|NN|pobj|6 ,|,|punct|3 meaning|VBG|advcl|3||mean house|NN|dobj|11
of|IN|prep|12 the|DT|det|16 red|NNP|compound|16 river|NNP|pobj|13 .|.|punct|3
"""
NOW_THAT = """
The|DT|det|2 family|NN|nsubj|3 moved|VBD|ROOT|0||move back|RB|advmod|3 to|IN|prep|4 the|DT|det|8 old|JJ|amod|8
town|NN|pobj|5 ,|,|punct|3 now|RB|advmod|3 that|IN|mark|15 the|DT|det|14 long|JJ|amod|14 war|NN|nsubj|15
was|VBD|ccomp|10||be over|RB|advmod|15 .|.|punct|3
"""
ALTHOUGH_HE = """
Although|IN|mark|4 he|PRP|nsubjpass|4 was|VBD|auxpass|4||be praised|VBN|advcl|11||praise for|IN|prep|4 his|PRP$|poss|8
early|JJ|amod|8 work|NN|pobj|5 ,|,|punct|11 Einstein|NNP|nsubj|11|B-PERSON|Einstein became|VBD|ROOT|0||become
isolated|JJ|acomp|11 in|IN|prep|12 his|PRP$|poss|16 last|JJ|amod|16|B-DATE years|NNS|pobj|13|I-DATE|year .|.|punct|11
"""
ALTHOUGH_IT = """
Although|IN|mark|4 it|PRP|nsubjpass|4 was|VBD|auxpass|4||be praised|VBN|advcl|11||praise in|IN|prep|4 the|DT|det|7
papers|NNS|pobj|5||paper ,|,|punct|11 Mary|NNP|compound|10|B-PERSON|Mary Smith|NNP|nsubj|11|I-PERSON|Smith
disliked|VBD|ROOT|0||dislike the|DT|det|13 film|NN|dobj|11 and|CC|cc|13 its|PRP$|poss|16 music|NN|conj|13 .|.|punct|11
"""
AS_A_RESULT = """
The|DT|det|2 company|NN|nsubj|8 ,|,|punct|8 as|IN|prep|8 a|DT|det|6 result|NN|pobj|4 ,|,|punct|8
moved|VBD|ROOT|0||move its|PRP$|poss|10 office|NN|dobj|8 to|IN|prep|8 the|DT|det|13 capital|NN|pobj|11 of|IN|prep|13
the|DT|det|16 country|NN|pobj|14 .|.|punct|8
"""
IF_FOR_INSTANCE = """
If|IN|mark|7 ,|,|punct|7 for|IN|prep|7 instance|NN|pobj|3 ,|,|punct|7 someone|NN|nsubj|7 buries|VBZ|advcl|15||bury
the|DT|det|9 money|NN|dobj|7 in|IN|prep|7 the|DT|det|12 bank|NN|pobj|10 ,|,|punct|15 people|NNS|nsubj|15
think|VBP|ROOT|0 of|IN|prep|15 a|DT|det|18 building|NN|pobj|16 .|.|punct|15
"""
THUS = """
The|DT|det|2 company|NN|nsubj|4 thus|RB|advmod|4 moved|VBD|ROOT|0||move its|PRP$|poss|6 office|NN|dobj|4 to|IN|prep|4
the|DT|det|9 capital|NN|pobj|7 of|IN|prep|9 the|DT|det|12 country|NN|pobj|10 .|.|punct|4
"""
THEN_PRESIDENT = """
The|DT|det|3 then|RB|amod|3 president|NNP|nsubj|4 moved|VBD|ROOT|0||move his|PRP$|poss|6 office|NN|dobj|4 to|IN|prep|4
the|DT|det|9 capital|NN|pobj|7 of|IN|prep|9 the|DT|det|12 country|NN|pobj|10 .|.|punct|4
"""
IN_JERSEY = """
In|IN|prep|10 Jersey|NNP|pobj|1|B-GPE|Jersey ,|,|punct|10 for|IN|prep|10 example|NN|pobj|4 ,|,|punct|10 the|DT|det|8
court|NN|nsubj|10 has|VBZ|aux|10||have made|VBN|ROOT|0||make a|DT|det|12 form|NN|dobj|10 of|IN|prep|12
notice|NN|pobj|13 for|IN|prep|10 all|DT|det|17 users|NNS|pobj|15||user .|.|punct|10
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
QUESTION = """
Did|VBD|aux|4||do the|DT|det|3 council|NN|nsubj|4 close|VB|ROOT|0 the|DT|det|6 library|NN|dobj|4 in|IN|prep|4
the|DT|det|10 old|JJ|amod|10 town|NN|pobj|7 because|IN|mark|14 it|PRP|nsubj|14 had|VBD|aux|14||have run|VBN|advcl|4
out|IN|prep|14 of|IN|prep|15 money|NN|pobj|16 ?|.|punct|4
"""
COLON_END = """
He|PRP|nsubj|2 noted|VBD|ROOT|0||note the|DT|det|4 absurdity|NN|dobj|2 of|IN|prep|4 the|DT|det|7
motions|NNS|pobj|5||motion and|CC|cc|2 wrote|VBD|conj|2||write about|IN|prep|9 the|DT|det|12 lines|NNS|pobj|10||line
and|CC|cc|12 circles|NNS|conj|12||circle :|:|punct|2
"""
NUCLEIC = """
Nucleic|JJ|amod|2 acids|NNS|nsubj|3||acid contain|VBP|ROOT|0 the|DT|det|5 code|NN|dobj|3 that|WDT|nsubj|7
shapes|VBZ|relcl|5||shape the|DT|det|9 life|NN|dobj|7 of|IN|prep|9 a|DT|det|12 cell|NN|pobj|10 ,|,|punct|3 and|CC|cc|3
is|VBZ|auxpass|16||be passed|VBN|conj|3||pass from|IN|prep|16 parents|NNS|pobj|17||parent to|IN|prep|16
children|NNS|pobj|19||child .|.|punct|3
"""
MALI = """
Blacks|NNS|nsubj|8||black from|IN|prep|1 Mali|NNP|pobj|2|B-GPE|Mali ,|,|punct|3 Nigeria|NNP|conj|3|B-GPE|Nigeria
and|CC|cc|5 Senegal|NNP|conj|5|B-GPE|Senegal are|VBP|ROOT|0||be mostly|RB|advmod|8 Muslims|NNPS|attr|8|B-NORP|Muslims
,|,|punct|8 but|CC|cc|8 make|VB|conj|8 up|RP|prt|13 a|DT|det|17 small|JJ|amod|17 part|NN|dobj|13 of|IN|prep|17
the|DT|det|20 population|NN|pobj|18 .|.|punct|8
"""
IN_PRACTICE = """
The|DT|det|2 ampere|RB|nsubjpass|5 is|VBZ|auxpass|5||be best|RBS|advmod|5||well measured|VBN|ROOT|0||measure
by|IN|agent|5 a|DT|det|9 watt|NN|compound|9 balance|NN|pobj|6 ,|,|punct|5 but|CC|cc|5 is|VBZ|conj|5||be in|IN|prep|12
practice|NN|pobj|13 maintained|VBN|acl|14||maintain by|IN|agent|15 other|JJ|amod|18 means|NNS|pobj|16||mean
.|.|punct|5
"""
PERFECT = """
The|DT|det|2 government|NN|nsubj|4 has|VBZ|aux|4||have closed|VBN|ROOT|0||close the|DT|det|7 old|JJ|amod|7
mines|NNS|dobj|4||mine and|CC|cc|4 imposed|VBN|conj|4||impose new|JJ|amod|11 limits|NNS|dobj|9||limit on|IN|prep|11
trade|NN|pobj|12 with|IN|prep|13 the|DT|det|16 islands|NNS|pobj|14||island .|.|punct|4
"""
PERFECT_OWN = """
The|DT|det|2 government|NN|nsubj|4 has|VBZ|aux|4||have closed|VBN|ROOT|0||close the|DT|det|7 old|JJ|amod|7
mines|NNS|dobj|4||mine and|CC|cc|4 imposed|VBN|conj|4||impose new|JJ|amod|11 limits|NNS|dobj|9||limit on|IN|prep|11
trade|NN|pobj|12 in|IN|prep|9 1990|CD|pobj|14|B-DATE .|.|punct|4
"""
WHICH_HAD = """
The|DT|det|3 northern|JJ|amod|3 field|NN|nsubj|4 was|VBD|ROOT|0||be smaller|JJR|acomp|4||small than|IN|prep|5
the|DT|det|9 southern|JJ|amod|9 field|NN|pobj|6 ,|,|punct|9 which|WDT|nsubj|12 was|VBD|relcl|9||be new|JJ|acomp|12
,|,|punct|4 and|CC|cc|4 had|VBD|conj|4||have ten|CD|nummod|18|B-DATE years|NNS|dobj|16|I-DATE|year of|IN|prep|18
oil|NN|pobj|19 .|.|punct|4
"""
FEW = """
Few|JJ|amod|2 pupils|NNS|nsubj|3||pupil passed|VBD|ROOT|0||pass the|DT|det|6 hard|JJ|amod|6 test|NN|dobj|3 and|CC|cc|3
won|VBD|conj|3||win a|DT|det|10 prize|NN|dobj|8 from|IN|prep|8 the|DT|det|13 school|NN|pobj|11 .|.|punct|3
"""
SOME = """
Some|DT|det|2 villagers|NNS|nsubj|3||villager left|VBD|ROOT|0||leave the|DT|det|5 valley|NN|dobj|3 in|IN|prep|3
May|NNP|pobj|6|B-DATE|May and|CC|cc|3 founded|VBD|conj|3||found a|DT|det|12 new|JJ|amod|12 town|NN|dobj|9 in|IN|prep|9
the|DT|det|15 hills|NNS|pobj|13||hill .|.|punct|3
"""
OVER_WHICH = """
The|DT|det|2 organs|NNS|nsubj|3||organ have|VBP|ROOT|0 a|DT|det|5 plan|NN|dobj|3 that|IN|dobj|11 the|DT|det|8
mind|NN|nsubj|11 did|VBD|aux|11||do not|RB|neg|11 choose|VB|acl|5 ,|,|punct|3 and|CC|cc|3 over|IN|prep|17
which|WDT|pobj|14 it|PRP|nsubj|17 has|VBZ|conj|3||have little|JJ|amod|19 power|NN|dobj|17 .|.|punct|3
"""
BELIEVED = """
He|PRP|nsubj|2 believed|VBD|ROOT|0||believe the|DT|det|4 words|NNS|dobj|2||word and|CC|cc|4 all|DT|nsubjpass|11
of|IN|prep|6 the|DT|det|9 thoughts|NNS|pobj|7||thought were|VBD|auxpass|11||be based|VBN|conj|2||base on|IN|prep|11
the|DT|det|14 senses|NNS|pobj|12||sens of|IN|prep|14 men|NNS|pobj|15||man .|.|punct|11
"""
