"""Kinds of named things: the kind in a name ("Harvard University", "Fort Donelson"), countries and states, and nouns
that can stand for one another ("the band", "the group").
"""

from __future__ import annotations

from collections.abc import Sequence

_SAME = [
    frozenset(group.split())
    for group in (
        "band group",
        "club team side",
        "company firm corporation business manufacturer",
        "film movie picture",
        "song single track",
        "book novel",
        "school college university institution academy",
        "show series program programme sitcom",
        "ship vessel boat",
        "country nation",
        "newspaper paper",
        "organization organisation",
    )
]
_FIRST_WORDS = frozenset("fort lake mount cape camp university republic kingdom bank church school museum".split())
COUNTRIES = frozenset(
    tuple(name.split())
    for name in (
        "afghanistan,albania,algeria,andorra,angola,argentina,armenia,australia,austria,azerbaijan,bahrain,bangladesh,"
        "barbados,belarus,belgium,belize,benin,bhutan,bolivia,bosnia and herzegovina,botswana,brazil,brunei,bulgaria,"
        "burkina faso,burundi,cambodia,cameroon,canada,cape verde,central african republic,chad,chile,china,colombia,"
        "comoros,costa rica,croatia,cuba,cyprus,czech republic,denmark,djibouti,dominican republic,ecuador,egypt,"
        "el salvador,equatorial guinea,eritrea,estonia,eswatini,ethiopia,fiji,finland,france,gabon,gambia,germany,"
        "ghana,greece,grenada,guatemala,guinea,guinea-bissau,guyana,"
        "haiti,honduras,hungary,iceland,india,indonesia,iran,iraq,"
        "ireland,israel,italy,ivory coast,jamaica,japan,kazakhstan,kenya,kosovo,kuwait,kyrgyzstan,laos,latvia,lebanon,"
        "lesotho,liberia,libya,liechtenstein,lithuania,luxembourg,madagascar,malawi,malaysia,maldives,mali,malta,"
        "mauritania,mauritius,mexico,moldova,monaco,mongolia,montenegro,morocco,mozambique,myanmar,namibia,nepal,"
        "netherlands,new zealand,nicaragua,niger,nigeria,north korea,north macedonia,norway,oman,pakistan,panama,"
        "papua new guinea,paraguay,peru,philippines,poland,portugal,qatar,romania,russia,rwanda,samoa,san marino,"
        "saudi arabia,senegal,serbia,seychelles,sierra leone,singapore,slovakia,slovenia,somalia,south africa,"
        "south korea,south sudan,spain,sri lanka,sudan,suriname,sweden,switzerland,syria,taiwan,tajikistan,tanzania,"
        "thailand,togo,tonga,trinidad and tobago,tunisia,turkey,turkmenistan,uganda,ukraine,united arab emirates,"
        "united kingdom,united states,uruguay,uzbekistan,vanuatu,venezuela,vietnam,yemen,zambia,zimbabwe"
    ).split(",")
)
STATES = frozenset(
    tuple(name.split())
    for name in (
        "alabama,alaska,arizona,arkansas,california,colorado,connecticut,delaware,florida,hawaii,idaho,illinois,"
        "indiana,iowa,kansas,kentucky,louisiana,"
        "maine,maryland,massachusetts,michigan,minnesota,mississippi,missouri,montana,"
        "nebraska,nevada,new hampshire,new jersey,new mexico,north carolina,north dakota,ohio,oklahoma,oregon,"
        "pennsylvania,rhode island,south carolina,south dakota,tennessee,texas,utah,vermont,virginia,west virginia,"
        "wisconsin,wyoming,new south wales,queensland,victoria,tasmania,bavaria,saxony,hesse,kerala,gujarat,punjab"
    ).split(",")
)


# Nouns that often stand for a name, by what they call it. Nouns of which a place or an organisation has one of its own
# ("the government", "the court", "the street") are not among them: they seldom mean a name that stands near.
_NOUNS = {
    "group": "academy agency airline association band bank battalion brand brewery broadcaster charity choir club "
    "college company conglomerate consortium cooperative corporation duo ensemble federation firm "
    "foundation franchise group institute institution label league magazine manufacturer network "
    "newspaper nonprofit orchestra organisation organization paper party publisher quartet regiment "
    "retailer school society squad startup station store studio team think-tank trio troupe union "
    "university",
    "town": "borough city hamlet metropolis municipality settlement suburb town township village",
    "country": "country nation",
    "region": "archipelago canton colony commonwealth continent county district emirate empire island kingdom "
    "neighborhood neighbourhood peninsula prefecture principality province republic resort state "
    "territory valley",
    "site": "abbey airport arena basilica bay bridge canal castle cathedral cave cemetery chapel church college "
    "dam desert fort fortress hospital hotel island lake library lighthouse mansion memorial mine "
    "monastery monument mosque mountain museum palace peak peninsula prison reservoir river school shrine "
    "skyscraper stadium station strait synagogue temple theater theatre tower university venue volcano "
    "zoo",
    "work": "act album anthem article ballad ballet book cartoon comedy comic concerto constitution documentary "
    "drama epic episode essay film game journal magazine manga memoir movie musical newspaper novel "
    "novella opera painting play poem program programme sculpture sequel series show single sitcom song "
    "soundtrack statue story symphony tragedy treaty",
    "event": "battle campaign championship competition concert conference contest convention coup earthquake "
    "election exhibition expedition festival genocide hurricane massacre mission race rebellion "
    "referendum revolt revolution siege storm strike tour tournament uprising war",
    "thing": "aircraft airplane boat drug helicopter language locomotive missile plane probe protocol rifle rocket "
    "satellite ship software spacecraft submarine telescope vessel",
}
_CALLED: dict[str, frozenset[str]] = {
    noun: frozenset(kind for kind, nouns in _NOUNS.items() if noun in nouns.split())
    for nouns in _NOUNS.values()
    for noun in nouns.split()
}


def calls(noun: str) -> frozenset[str]:
    """Returns the kinds of names for which a noun often stands: "group", "town", "country", "region", "site", "work",
    "event" and "thing"; none for most nouns.
    """
    return _CALLED.get(noun, frozenset())


def kinds_of_name(words: Sequence[str]) -> list[str]:
    """Returns the kinds of thing that a name's own words, in lower case, tell: "university"."""
    words = tuple(words)
    if words in COUNTRIES:
        return ["country"]
    if words in STATES:
        return ["state"]
    if len(words) < 2:
        return []
    if "of" in words[1:]:
        return [words[words.index("of") - 1]]
    return [words[-1], *([words[0]] if words[0] in _FIRST_WORDS else [])]


def same_kind(noun: str) -> frozenset[str]:
    """Returns the nouns that can stand for what a noun names, itself among them."""
    return frozenset({noun}).union(*(group for group in _SAME if noun in group))
