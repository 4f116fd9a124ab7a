"""Abbreviations of English prose by what may follow their full stop, and words that open sentences. No full stops here:
"Dr" stands for "Dr."."""

from __future__ import annotations

# Something always follows: a name, a number, the other party.
NEVER_LAST = frozenset(
    "Mr Mrs Ms Messrs Mme Mlle Dr Drs Prof Gen Brig Maj Col Lt Capt Cmdr Cdr Cpl Sgt Pvt Pfc Adm Sen Sens Rep Reps Gov "
    "Govs Pres Rev Fr Hon Supt Det Insp Atty Amb Msgr Sir Mt Ft MR MRS MS DR PROF GEN COL LT CAPT SGT SEN REP GOV REV "
    "vs VS Vs v cf viz ca approx aka a.k.a feat e.g E.g i.e I.e".split()
)
# A number may follow, and then the sentence goes on; with anything else the full stop ends it.
BEFORE_NUMBERS = frozenset(
    "No Nos no nos Fig Figs fig figs Vol Vols vol vols p pp Pp Ch ch Chap chap Sec Secs sec Art Arts Abs para eds Eq "
    "eq Ref Op op Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun JAN FEB "
    "MAR APR JUN JUL AUG SEPT OCT NOV DEC ft in lb lbs oz mi min hr hrs est Est".split()
)
# They may end a sentence or stand inside it: only a word that opens sentences tells.
EITHER = frozenset(
    "Inc INC Corp Co Cos Ltd LTD Bros Mfg Assn Assoc Dept Univ Intl Natl Jr Sr Esq St Ave Blvd Rd Hwy al Bancorp Cie "
    "PhD Ph.D GmbH Pty Pte Ste".split()
)
# States as the Associated Press used to shorten them; some are words too, so they count after a comma only.
STATES = frozenset(
    "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Md Mass Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Penn "
    "Tenn Tex Va Vt Wash Wis Wyo Ont Que Alta".split()
)
CLOCK = frozenset("a.m p.m A.M P.M am pm".split())
AFTER_CLOCK = frozenset(
    "Eastern Central Mountain Pacific Greenwich Atlantic Local Beijing Moscow London Tokyo Sydney ET EST EDT CT CST "
    "CDT MT MST MDT PT PST PDT GMT UTC BST CET CEST IST JST AEST AEDT HKT SGT Monday Tuesday Wednesday Thursday Friday "
    "Saturday Sunday January February March April May June July August September October November December Jan Feb Aug "
    "Sept Oct Nov Dec Mon Tue Tues Wed Thu Thurs Fri Sat Sun".split()
)
# Nouns before a single letter that is not an initial: "Plan B."
LABELLED = frozenset(
    "plan vitamin vitamins group hepatitis type class category grade schedule appendix exhibit section part team block "
    "option point phase series model version figure influenza factor letter note element variable the".split()
)
# Names that end in a mark.
MARKED_NAMES = frozenset(("Yahoo!", "Jeopardy!", "Yum!"))
# After a quotation with its own mark: '"No!" Mr Roe said.'
SPEECH_VERBS = (
    "said",
    "says",
    "asked",
    "asks",
    "added",
    "told",
    "replied",
    "wrote",
    "tweeted",
    "shouted",
    "cried",
    "exclaimed",
    "yelled",
    "answered",
    "wondered",
    "screamed",
    "posted",
    "continued",
    "remarked",
    "joked",
    "insisted",
)
# Words with a capital that open a sentence and are hardly ever part of a name after an abbreviation or initial.
STARTERS = frozenset(
    "A About According Actually After Afterwards All Along Already Also Although Always Among An And Another Any "
    "Anyone As Aside At Back Because Before Besides Between Both But By Can Could Despite Did Do Does Due During Each "
    "Earlier Either Eventually Even Ever Every Everyone Everything Finally First Following For Former From Furthermore "
    "Given Had Has Have He Her Here His How However I If In Indeed Initially Instead Into Is It Its Just Last Later "
    "Like Many Maybe Meanwhile More Moreover Most Much My Nearly Neither Never Nevertheless Next No Nobody None Not "
    "Nothing Now Of Officials On Once One Only Or Other Others Our Out Over Overall People Perhaps Please Police "
    "Recently Residents Several Shares She Should Similarly Since So Some Someone Sometimes Soon Still Such That The "
    "Their Them Then There Therefore These They Thing Things This Those Though Through Throughout Thus To Today "
    "Together Tomorrow Tonight Two Under Unfortunately Unlike Until Upon Was We Were What Whatever When Where Whether "
    "Which While Who Whoever Whose Why With Within Without Would Yes Yesterday Yet You Your It's It’s He's He’s She's "
    "She’s I'm I’m I've I’ve We're We’re They're They’re That's That’s There's There’s Don't Don’t".split()
)
