"""Parses for the tests of the extended conventions and of the classes of fault that the rules reject, by a small model
(heads count from 1)."""

FINAL_RELATIVE = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be succeeded|VBN|ROOT|0||succeed by|IN|agent|3
Samuel|NNP|compound|6|B-PERSON|Samuel Lincoln|NNP|pobj|4|I-PERSON|Lincoln ,|,|punct|6 who|WP|nsubj|9
migrated|VBD|relcl|6||migrate from|IN|prep|9 Norfolk|NNP|pobj|10|B-GPE|Norfolk to|IN|prep|9
Hingham|NNP|pobj|12|B-GPE|Hingham in|IN|prep|9 1638|CD|pobj|14|B-DATE .|.|punct|3
"""
FOUR_COMMAS = """
On|IN|prep|19 November|NNP|pobj|1|B-DATE|November 9|CD|nummod|2|I-DATE ,|,|punct|2|I-DATE 2011|CD|nummod|2|I-DATE
,|,|punct|19 Jefferson|NNP|compound|8|B-GPE|Jefferson County|NNP|nsubj|19|I-GPE|County ,|,|punct|8 which|WDT|nsubj|11
was|VBD|relcl|8||be deep|JJ|acomp|11 in|IN|prep|12 debt|NN|pobj|13 at|IN|prep|11 the|DT|det|17 time|NN|pobj|15
,|,|punct|19 declared|VBD|ROOT|0||declare bankruptcy|NN|dobj|19 .|.|punct|19
"""
FINAL_APPOSITION = """
Ben|NNP|compound|2|B-PERSON|Ben Bella|NNP|nsubjpass|4|I-PERSON|Bella was|VBD|auxpass|4||be
overthrown|VBN|ROOT|0||overthrow in|IN|prep|4 1965|CD|pobj|5|B-DATE by|IN|agent|4
Houari|NNP|compound|9|B-PERSON|Houari Boumediene|NNP|pobj|7|I-PERSON|Boumediene ,|,|punct|9 his|PRP$|poss|13
former|JJ|amod|13 ally|NN|appos|9 and|CC|cc|13 minister|NN|conj|13 .|.|punct|4
"""
BESIDE_COMMAS = """
On|IN|prep|16 22|CD|nummod|3|B-DATE March|NNP|pobj|1|I-DATE|March 2002|CD|nummod|3|I-DATE ,|,|punct|16
Jonas|NNP|compound|7|B-PERSON|Jonas Savimbi|NNP|nsubjpass|16|I-PERSON|Savimbi ,|,|punct|7 the|DT|det|10
leader|NN|appos|7 of|IN|prep|10 the|DT|det|13 party|NN|pobj|11 ,|,|punct|16 was|VBD|auxpass|16||be
killed|VBN|ROOT|0||kill in|IN|prep|16 combat|NN|pobj|17 .|.|punct|16
"""
TWO_COORDS = """
The|DT|det|2 wind|NN|nsubj|3 rose|VBD|ROOT|0||rise quickly|RB|advmod|3 and|CC|cc|3 the|DT|det|7 rain|NN|nsubj|8
fell|VBD|conj|3||fall hard|RB|advmod|8 ,|,|punct|8 but|CC|cc|8 the|DT|det|13 boats|NNS|nsubj|14||boat
returned|VBD|conj|8||return to|IN|prep|14 the|DT|det|17 harbour|NN|pobj|15 .|.|punct|14
"""
WHOLE_CLAUSE = """
Congress|NNP|nsubj|2|B-ORG|Congress abandoned|VBD|ROOT|0||abandon the|DT|det|4 city|NN|dobj|2 because|IN|mark|15
the|DT|det|7 soldiers|NNS|nsubj|15||soldier ,|,|punct|7 the|DT|det|10 militia|NN|conj|7 and|CC|cc|10 the|DT|det|13
sailors|NNS|conj|10||sailor had|VBD|aux|15||have left|VBN|advcl|2||leave .|.|punct|2
"""
AT_THAT_TIME = """
Tohei|NNP|nsubj|2|B-PERSON|Tohei met|VBD|ROOT|0||meet Kisshomaru|NNP|compound|4|B-PERSON|Kisshomaru
Ueshiba|NNP|dobj|2|I-PERSON|Ueshiba ,|,|punct|4 who|WP|nsubj|10 at|IN|prep|10 that|DT|det|9 time|NN|pobj|7
headed|VBD|relcl|4||head the|DT|det|12 foundation|NN|dobj|10 .|.|punct|2
"""
AIR_WING = """
The|DT|det|2 police|NNS|nsubj|3 built|VBD|ROOT|0||build an|DT|det|6 air|NN|compound|6 wing|NN|dobj|3 ,|,|punct|6
which|WDT|nsubj|10 will|MD|aux|10 carry|VB|relcl|6 the|DT|det|12 supplies|NNS|dobj|10||supply to|IN|prep|10
the|DT|det|15 camp|NN|pobj|13 .|.|punct|3
"""
FIVE = """
The|DT|det|2 piece|NN|nsubjpass|4 is|VBZ|auxpass|4||be structured|VBN|ROOT|0||structure into|IN|prep|4
five|CD|nummod|7|B-CARDINAL sections|NNS|pobj|5||section ,|,|punct|7 which|WDT|nsubj|10 end|VBP|relcl|7 in|IN|prep|10
a|DT|det|14 loose|JJ|amod|14 format|NN|pobj|11 .|.|punct|4
"""
TREATISE = """
He|PRP|nsubj|2 wrote|VBD|ROOT|0||write a|DT|det|4 treatise|NN|dobj|2 in|IN|prep|2 the|DT|det|8
Arabic|JJ|amod|8|B-LANGUAGE language|NN|pobj|5 ,|,|punct|8 which|WDT|nsubjpass|12 was|VBD|auxpass|12||be
translated|VBN|relcl|8||translate into|IN|prep|12 Latin|NNP|pobj|13|B-LANGUAGE|Latin .|.|punct|2
"""
WHICH_MAKES = """
The|DT|det|2 program|NN|nsubj|3 reduces|VBZ|ROOT|0||reduce the|DT|det|5 steps|NNS|dobj|3||step ,|,|punct|5
which|WDT|nsubj|8 makes|VBZ|relcl|5||make it|PRP|nsubj|11 more|RBR|advmod|11 elegant|JJ|ccomp|8 than|IN|prep|11
the|DT|det|15 old|JJ|amod|15 one|NN|pobj|12 .|.|punct|3
"""
WHICH_DO = """
Johnston|NNP|nsubj|2||Johnston ordered|VBD|ROOT|0||order him|PRP|dobj|2||he to|TO|aux|5 fortify|VB|xcomp|2
the|DT|det|8 high|JJ|amod|8 ground|NN|dobj|5 ,|,|punct|8 which|WDT|dobj|15 Polk|NNP|nsubj|13||Polk
had|VBD|aux|13||have failed|VBN|relcl|8||fail to|TO|aux|15 do|VB|xcomp|13 .|.|punct|2
"""
SECOND_PREDICATE = """
He|PRP|nsubj|2 created|VBD|ROOT|0||create the|DT|det|6 New|NNP|compound|5|B-GPE|New York|NNP|compound|6|I-GPE|York
kouros|NNS|dobj|2||kouro ,|,|punct|6 which|WDT|nsubj|9 is|VBZ|relcl|6||be the|DT|det|12 oldest|JJS|amod|12||old
statue|NN|attr|9 ,|,|punct|2 and|CC|cc|2 seems|VBZ|conj|2||seem to|TO|aux|17 be|VB|xcomp|15 old|JJ|acomp|17
.|.|punct|2
"""
ENACTED = """
Lincoln|NNP|nsubj|2|B-ORG|Lincoln approved|VBD|ROOT|0||approve the|DT|det|4 grant|NN|dobj|2 enacted|VBN|acl|4||enact
by|IN|agent|5 the|DT|det|8 council|NN|pobj|6 ,|,|punct|8 which|WDT|nsubj|11 was|VBD|relcl|8||be large|JJ|acomp|11
in|IN|prep|12 number|NN|pobj|13 .|.|punct|2
"""
SYRIA = """
The|DT|det|2 empire|NN|nsubj|3 included|VBD|ROOT|0||include Palestine|NNP|dobj|3|B-GPE|Palestine ,|,|punct|4
Syria|NNP|conj|4|B-GPE|Syria ,|,|punct|6 the|DT|det|9 coast|NN|appos|6 of|IN|prep|9 Africa|NNP|pobj|10|B-LOC|Africa
,|,|punct|9 Hejaz|NNP|conj|9|B-GPE|Hejaz ,|,|punct|13 and|CC|cc|13 Yemen|NNP|conj|13|B-GPE|Yemen .|.|punct|3
"""
BIRDS = """
Birds|NNS|nsubj|2||bird have|VBP|ROOT|0 a|DT|det|6 high|JJ|amod|6 metabolic|NN|compound|6 rate|NN|dobj|2 ,|,|punct|6
a|DT|det|11 light|JJ|amod|11 skeletal|JJ|amod|11 system|NN|appos|6 and|CC|cc|11 powerful|JJ|amod|14
muscles|NNS|conj|11||muscle .|.|punct|2
"""
CHARACTERS = """
Francisco|NN|nsubj|2|B-PERSON is|VBZ|ROOT|0||be one|CD|attr|2 of|IN|prep|3 the|DT|det|6
characters|NNS|pobj|4||character in|IN|prep|6 the|DT|det|9 novel|NN|pobj|7 ,|,|punct|3 an|DT|det|12 owner|NN|appos|3
of|IN|prep|12 the|DT|det|16 largest|JJS|amod|16||large mine|NN|pobj|13 .|.|punct|2
"""
OWN_TENSE = """
It|PRP|nsubj|2 begins|VBZ|ROOT|0||begin after|IN|mark|6 he|PRP|nsubjpass|6 was|VBD|auxpass|6||be
dishonored|VBN|advcl|2||dishonor by|IN|agent|6 Agamemnon|NNP|pobj|7|B-PERSON|Agamemnon ,|,|punct|8 the|DT|det|11
commander|NN|appos|8 of|IN|prep|11 the|DT|det|14 forces|NNS|pobj|12||force .|.|punct|2
"""
DEATHS = """
Thinking|VBG|advcl|12||think that|IN|mark|6 this|DT|det|4 death|NN|nsubj|6 would|MD|aux|6 lead|VB|ccomp|1 to|IN|prep|6
freedom|NN|pobj|7 ,|,|punct|12 the|DT|det|11 deaths|NNS|nsubj|12||death encouraged|VBD|ROOT|0||encourage the|DT|det|14
people|NNS|dobj|12 .|.|punct|12
"""
INTERSECTING = """
Intersecting|VBG|advcl|11||intersect and|CC|cc|1 overlapping|VBG|conj|1||overlap between|IN|prep|3 the|DT|det|6
schools|NNS|pobj|4||school ,|,|punct|11 the|DT|det|9 topics|NNS|nsubj|11||topic have|VBP|aux|11
proven|VBN|ROOT|0||prove perennial|JJ|oprd|11 .|.|punct|11
"""
CHECKERS = """
Playing|VBG|advcl|8||play cards|NNS|dobj|1||card ,|,|punct|8 checkers|NNS|nsubj|8||checker and|CC|cc|4
chess|NN|compound|7 games|NNS|conj|4||game are|VBP|ROOT|0||be part|NN|attr|8 of|IN|prep|9 the|DT|det|12
culture|NN|pobj|10 .|.|punct|8
"""
EARLIER = """
The|DT|det|2 ships|NNS|nsubjpass|4||ship were|VBD|auxpass|4||be built|VBN|ROOT|0||build in|IN|prep|4
the|DT|det|7|B-DATE 1980s|NNS|pobj|5|I-DATE|1980 or|CC|cc|7|I-DATE earlier|RBR|advmod|4|I-DATE|early ,|,|punct|4
and|CC|cc|4 many|JJ|nsubj|15 of|IN|prep|12 them|PRP|pobj|13||they are|VBP|conj|4||be old|JJ|acomp|15 .|.|punct|15
"""
CLAUSES = """
The|DT|det|2 appellant|NN|nsubjpass|5 could|MD|aux|5 be|VB|auxpass|5 released|VBN|ccomp|11||release ,|,|punct|11
the|DT|det|8 sentence|NN|nsubjpass|11 could|MD|aux|11 be|VB|auxpass|11 modified|VBN|ROOT|0||modify ,|,|punct|11
or|CC|cc|11 a|DT|det|15 trial|NN|nsubjpass|18 could|MD|aux|18 be|VB|auxpass|18 held|VBN|conj|11||hold .|.|punct|18
"""
THAT_CAN = """
Individuals|NNS|nsubj|3||individual may|MD|aux|3 have|VB|ROOT|0 symptoms|NNS|dobj|3||symptom that|WDT|nsubj|6
are|VBP|relcl|4||be independent|JJ|acomp|6 ,|,|punct|3 but|CC|cc|3 that|DT|nsubj|12 can|MD|aux|12 affect|VB|conj|3
the|DT|det|14 family|NN|dobj|12 .|.|punct|12
"""
COPULA_FRONTED = """
After|IN|prep|6 three|CD|nummod|3|B-DATE months|NNS|pobj|1|I-DATE|month ,|,|punct|6 they|PRP|nsubj|6 begin|VBP|ROOT|0
foraging|VBG|xcomp|6||forage and|CC|cc|6 by|IN|prep|12 four|CD|nummod|11|B-DATE months|NNS|pobj|9|I-DATE|month
are|VBP|conj|6||be independent|JJ|acomp|12 .|.|punct|12
"""
HANDED = """
A|DT|det|2 translation|NN|nsubjpass|4 was|VBD|auxpass|4||be confiscated|VBN|ROOT|0||confiscate by|IN|agent|4
the|DT|det|7 authorities|NNS|pobj|5||authority and|CC|cc|4 handed|VBD|conj|4||hand over|RP|prt|9 to|IN|prep|9
the|DT|det|13 commission|NN|pobj|11 .|.|punct|4
"""
SEND = """
Receptor|NN|compound|2 cells|NNS|nsubjpass|4||cell are|VBP|auxpass|4||be found|VBN|ROOT|0||find in|IN|prep|4
groups|NNS|pobj|5||group and|CC|cc|4 send|VB|conj|4 messages|NNS|dobj|8||message along|IN|prep|8
networks|NNS|pobj|10||network .|.|punct|4
"""
BADLANDS = """
The|DT|det|2 badlands|NNS|nsubjpass|4||badland are|VBP|auxpass|4||be located|VBN|ROOT|0||locate in|IN|prep|4
Alberta|NNP|pobj|5|B-GPE|Alberta and|CC|cc|4 features|VBZ|conj|4||feature deep|JJ|amod|10 canyons|NNS|dobj|8||canyon
.|.|punct|4
"""
NOT_ALLOWED = """
His|PRP$|poss|2 son|NN|nsubj|3 was|VBD|ROOT|0||be still|RB|advmod|3 in|IN|prep|3 the|DT|det|7 country|NN|pobj|5
and|CC|cc|3 not|RB|neg|10 allowed|VBN|conj|3||allow to|TO|aux|12 leave|VB|xcomp|10 the|DT|det|14 city|NN|dobj|12
.|.|punct|3
"""
SERVED = """
He|PRP|nsubjpass|3 was|VBD|auxpass|3||be elected|VBN|ROOT|0||elect to|IN|prep|3 the|DT|det|6 senate|NNP|pobj|4|B-ORG
and|CC|cc|3 served|VBD|conj|3||serve two|CD|nummod|10|B-CARDINAL terms|NNS|dobj|8||term in|IN|prep|10
office|NN|pobj|11 .|.|punct|3
"""
SINCE_1945 = """
Since|IN|prep|7 1945|CD|pobj|1|B-DATE ,|,|punct|7 the|DT|det|5 mine|NN|nsubjpass|7 was|VBD|auxpass|7||be
exploited|VBN|ROOT|0||exploit by|IN|agent|7 the|DT|det|10 government|NN|pobj|8 ,|,|punct|7 and|CC|cc|7 the|DT|det|14
management|NN|nsubj|15 passed|VBD|conj|7||pass to|IN|prep|15 a|DT|det|18 company|NN|pobj|16 .|.|punct|15
"""
STEADMAN = """
The|DT|det|2 edition|NN|nsubjpass|4 was|VBD|auxpass|4||be illustrated|VBN|ROOT|0||illustrate by|IN|agent|4
the|DT|det|7 cartoonist|NN|pobj|5 Ralph|NNP|compound|9|B-PERSON|Ralph Steadman|NNP|appos|7|I-PERSON|Steadman
in|IN|prep|9 London|NNP|pobj|10|B-GPE|London .|.|punct|4
"""
SOME_LAY = """
Some|DT|nsubj|2 lay|VBD|ROOT|0||lie their|PRP$|poss|4 eggs|NNS|dobj|2||egg on|IN|prep|2 land|NN|pobj|5 and|CC|cc|2
keep|VB|conj|2 them|PRP|dobj|8||they moist|JJ|oprd|8 .|.|punct|2
"""
