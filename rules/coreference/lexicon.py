"""Words that tell gender, number and animacy: lists of first names (data files) and closed classes of English words."""

from __future__ import annotations

from importlib.resources import files

MALE, FEMALE, NEUTER, PLURAL = "m", "f", "n", "p"
GENDERED = frozenset((MALE, FEMALE))


def _read(name: str) -> frozenset[str]:
    return frozenset(files(__package__).joinpath("data", f"{name}.txt").read_text(encoding="utf-8").split())


MALE_NAMES = _read("male_names")
FEMALE_NAMES = _read("female_names")
FIRST_NAMES = MALE_NAMES | FEMALE_NAMES | _read("unisex_names")

PRONOUNS = {
    word: gender
    for gender, words in {
        MALE: "he him his himself",
        FEMALE: "she her hers herself",
        NEUTER: "it its itself",
        PLURAL: "they them their theirs themselves",
    }.items()
    for word in words.split()
}
REFLEXIVES = frozenset({"himself", "herself", "itself", "themselves"})

MALE_NOUNS = frozenset(
    "man gentleman boy guy chap lad fellow bloke father dad stepfather godfather grandfather great-grandfather "
    "forefather son stepson grandson godson brother half-brother stepbrother husband ex-husband widower bridegroom "
    "groom fiancé uncle nephew boyfriend king prince duke lord earl baron viscount count marquess emperor tsar knight "
    "sir squire monk friar priest bishop archbishop cardinal pope abbot actor waiter steward hero businessman chairman "
    "spokesman congressman sportsman policeman fisherman frontman cameraman salesman statesman nobleman craftsman "
    "gunman midfielder batsman fireman sultan sheikh rabbi imam mr mister monsieur schoolboy landlord headmaster "
    "sorcerer wizard bachelor patriarch paternal".split()
)
FEMALE_NOUNS = frozenset(
    "woman lady girl lass mother mum mom stepmother godmother grandmother great-grandmother daughter stepdaughter "
    "granddaughter goddaughter sister half-sister stepsister wife ex-wife widow bride bridesmaid fiancée aunt niece "
    "girlfriend queen princess duchess countess baroness marchioness viscountess empress tsarina dame nun abbess "
    "priestess actress waitress stewardess heroine businesswoman chairwoman spokeswoman congresswoman sportswoman "
    "policewoman frontwoman saleswoman noblewoman mrs ms miss madam madame mademoiselle schoolgirl landlady "
    "headmistress governess mistress hostess heiress seductress goddess witch sorceress housewife maid prostitute "
    "ballerina soprano mezzo-soprano midwife spinster matriarch songstress sculptress poetess authoress stepmom "
    "grandma".split()
)
# Roles of persons that countries and organisations have too: "Albania is a member of NATO".
SHARED_ROLES = frozenset(
    "ally applicant buyer candidate champion competitor consumer contender contributor creditor debtor donor "
    "employer executive exporter founder guarantor guardian holder host importer investor leader lender loser maker "
    "member neighbor neighbour observer opponent owner partaker participant partner pioneer player predecessor "
    "producer provider publisher representative retailer rival seller signatory sponsor subscriber successor "
    "supplier supporter user victim winner".split()
)
# Roles of persons that the data file lacks, because each has another sense too.
PERSON_NOUNS = (
    _read("person_nouns")
    | MALE_NOUNS
    | FEMALE_NOUNS
    | frozenset(
        "adult agent ally apprentice assailant associate attacker baby bandleader baritone boss bowler boxer "
        "broadcaster caller celebrity character client coach collector commissioner conductor consort creator "
        "developer doctor driver editor emperor engineer executive explorer farmer father fighter figure footballer "
        "founder friend fugitive general genius ghost goalkeeper governor graduate guard guest guide guitarist head "
        "hero holder host individual infant justice kid killer king leader linebacker maker major martyr master member "
        "mentor minister model monarch mother murderer narrator native neighbor neighbour orphan painter parent "
        "passenger patient philanthropist pilot pitcher predecessor premier president prisoner producer professional "
        "protagonist protégé publisher pupil quarterback queen racer rapper receiver recruit relative representative "
        "researcher rider ruler runner scientist sculptor secretary sergeant servant singer soldier speaker specialist "
        "star striker subordinate successor suitor superstar supervisor supporter survivor suspect teacher tenor "
        "trainer translator traveller twin victor villain vocalist volunteer witness worker youngster".split()
    )
)
GROUP_NOUNS = frozenset(
    "administration agency army association band board brigade cabinet cast choir church clan class club college "
    "committee community company congregation corporation council country couple court crew crowd department duo "
    "division ensemble faculty family federation firm fleet force gang government group house institute institution "
    "jury label league majority management media ministry minority navy network office orchestra organisation "
    "organization pair panel parliament party police population press public quartet regiment school senate side "
    "society squad staff studio team tribe trio troop troupe union unit university".split()
)
# Titles before names. Their gender counts; in a comparison of names they do not.
TITLES = frozenset(
    "mr mrs ms miss dr sir dame lady lord prof professor president king queen prince princess duke duchess count "
    "countess earl baron baroness captain colonel general major lieutenant sergeant admiral judge justice senator "
    "governor mayor pope bishop archbishop cardinal father sister brother saint st rev reverend emperor empress "
    "chancellor inspector detective officer private corporal coach uncle aunt chief minister secretary ambassador "
    "madame monsieur".split()
)
# Words that stand in lower case inside names of persons.
PARTICLES = frozenset(
    "de del della der den di da do dos das du des la le van von vom zu zur ter ten te af av bin ibn ben al el ul ad "
    "abu y e i of the and san st jr sr ap ab bat bint".split()
)
# First words of names of places.
PLACE_NOUNS = frozenset("fort lake mount cape camp port".split())
# Last words of names that are never a person's.
INSTITUTION_NOUNS = frozenset(
    "academy agency airport album alliance army assembly association auditorium authority award awards bank band "
    "battalion battle brigade broadcasting bureau cathedral cemetery center centre championship championships choir "
    "club college commission committee company conference congress conservatory convention corp corporation council "
    "county court cup department district division ensemble entertainment exhibition expedition federation festival "
    "fellowship films foundation fund gallery gardens group hospital hotel inc initiative institute institution island "
    "islands lab laboratories laboratory league library limited llc ltd magazine medal memorial ministry mission "
    "monument movement mountains museum network newspaper observatory office olympics opera orchestra organisation "
    "organization orphanage palace parish parliament partnership party philharmonic prize productions program "
    "programme project province quartet railway records regiment republic research scholarship school schools seminary "
    "senate series show society squadron stadium state station studio studios symphony team television theater theatre "
    "tournament tower tribunal trio trophy trust union university zoo".split()
)
# Verbs of saying and thinking: their subject is the likeliest antecedent of a subject in what is said.
SPEECH_LEMMAS = frozenset(
    "say tell claim state announce declare explain think believe know feel admit add argue ask reveal insist suggest "
    "hope realize realise report write note confirm deny fear decide learn find discover recall remember mention agree "
    "promise swear warn testify allege assert maintain acknowledge confess comment remark reply respond indicate "
    "describe".split()
)
# "it rains", "it seems that": subjects without an antecedent.
WEATHER_LEMMAS = frozenset("rain snow hail drizzle thunder".split())
RAISING_LEMMAS = frozenset("seem appear happen turn emerge follow transpire matter".split())


def gender_of_noun(word: str) -> str:
    """Returns the gender that a lower-case noun fixes, or ""."""
    return MALE if word in MALE_NOUNS else FEMALE if word in FEMALE_NOUNS else ""


def gender_of_first_name(name: str) -> str:
    """Returns the gender of those who bear a first name (with its capital), or "" where no list tells."""
    return MALE if name in MALE_NAMES else FEMALE if name in FEMALE_NAMES else ""


def _endings() -> dict[str, str]:
    """Endings of two letters that nearly all first names of one gender share, read off the lists."""
    counts: dict[str, list[int]] = {}
    for place, names in enumerate((MALE_NAMES, FEMALE_NAMES)):
        for name in names:
            counts.setdefault(name[-2:].lower(), [0, 0])[place] += 1
    return {e: MALE if m > f else FEMALE for e, (m, f) in counts.items() if max(m, f) >= 8 * min(m, f) and m + f >= 12}


_ENDINGS = _endings()


def leaning_of_first_name(name: str) -> str:
    """Returns the gender that the ending of an unknown first name suggests, or ""."""
    return _ENDINGS.get(name[-2:].lower(), "") if len(name) > 3 else ""
