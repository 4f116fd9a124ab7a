"""Templates that leave nothing: notes, doubts of editors, boxes, links beside the text. By name or by its shape."""

from __future__ import annotations

import re

from gistmill.rules.text.marks import HOLE
from gistmill.rules.wiki.templates.arguments import Arguments, Renderer

# Notes and citations.
_NOTES = """
    acad | acad&h | arxiv | asin | attribution | audio link | bare url pdf | better ref | bettersource | bibcode
    bracket ref | broken link | bsn | cbignore | ci | circular ref | circular reference | cit | citec
    closed access | cnote | cnote2 | cref | cref2 | dead | dead link | deadlink | discogs artist | doi | efn2
    facebook | find a grave | findagrave | fn | fnb | fnote | footnote | footnotes | free access | gbooks
    geonet | gnis | gnote | google books | gref | gutenberg | hansard | harvard citation no brackets | harvcol
    harvcolnb | harvid | harvnb | harvp | harvs | hdl | hvnb | inflation-year | inflation/fn | instagram
    internet archive | issn | jfm | jstor | lccn | librivox author | linkrot | linktext ref | london gazette
    londongazette | mr | musicbrainz artist | myspace | nb | nonspecific | note | note label | note2 | notelist
    notelist-la | notelist-ua | notetag | oclc | official | official website | ol | open access | page
    page number | pages | paywall | pd-notice | pd-old-text | permanent dead link | pmc | pmid | r | ran | ran2
    ref | ref label | ref supports | ref supports2 | ref2 | refbegin | refend | references | reflist | refn
    refneeded | registration | registration required | rf | rma | rp | s2cid | sfb | sfnlink | sfnm | sfnmp
    sfnp | sfnref | shortened footnote template | sps | sref | ssrn | subscription | subscription or libraries
    subscription required | tertiary | tumblr | twitter | url2 | usgs | vcite | venn | wayback | webarchive
    wikicite | wikiref | youtube | zbl
"""
# Doubts of editors.
_DOUBTS = """
    according to who | according to whom | actualizar | ambiguous | anachronism | awk | awkward | belege fehlen
    bmedrs | buzz | by who | by whom | carece de fontes | cb | cherry picked | cherry-picked
    cita requerida | citar fonte | citationneeded | citazione necessaria | citeneeded
    clarify | clarify me | clarifyme | clear up | cn | confusing | contradiction | copyvio link | ct
    dated info | dead url | definition | demostrar | discuss | disputable | disputed | dn | doubtful | dubious
    editorializing | elucidate | enlink | excess cite | expl | explain | fact | facts | failed verification
    fakt | fcn | fix | fixlink | full | how | how many | how often | huh | inconsistent | inline
    inline pov | inote | insufficient | irrelevant | jargon | källa behövs | lopsided | mcn | medcn
    misleading | mismatch | nc | need quotation | needcite | needdab | needref | needs independent confirmation
    needs update | neutrality disputed | newlink | nicg | nonenglish | noot | noref | nosource
    not in citation given | not in ref | obsolete | old | or | original synthesis | outdated as of
    over-quoted | pageneeded | peacock term | pn | pov statement | pov-statement | pronounce | proveit | psc
    purple | qn | qualify evidence | quant | quantify | quote request | refimprove | refnec | refnest
    relevance | request quotation | réf. nécessaire | référence nécessaire | self-published
    sentence fragment | sia | specify | speculate | speculation | spell | spelling | src | swn | syn | synth
    technical | technical statement | than what | tpsn | ums | uncited | undue | ungrammatical | unreliable
    unsourced | unverified | upd | update | update after | updateinline | usurped | vague | vandal | vc | verify
    verify credibility | volatile | vs | weasel | weasel word | weasel words | weaselinline | what | when
    where | which | which one | who | whom | whose | why | джерело | коли | кто | нет аи | いつ | 要出典 | 誰
"""
# Boxes, notices, hatnotes and links beside the text.
_BOXES = """
    # | about | about-distinguish | about2 | advert | afd | ahnentafel | album ratings | ambox
    american english | anc | anchor | anchor span | anchors | annotated image | annotated image 4
    article issues | audio sample | audio speaker | authority control | auto images | autobiography
    automatic taxobox | bar chart | blp unsourced | bots | bottom | british english | broader | cat main
    category see also | chart | chart end | chess diagram | chess diagram small | chinese name | clade
    cladogram | clean up | clear | clear left | clear right | clearleft | clearright | climate chart | clr
    cmbox | cob | coi | col-2 | col-3 | col-4 | col-begin | col-break | col-end | colbegin | colend
    collapse bottom | collapse top | color sample | colorbox | columns | columns-list | comment | commonscat
    compact toc | confused | contains chinese text | contains indic text | contains japanese text
    contains korean text | contains special characters | coor title d | coor title dm | coor title dms
    copy edit | copyedit | correct title | cot | cricon | css crop | css image crop | current | dablink | db
    dcb | dead end | decrease | decreasepositive | defaultsort | dentalformula | detail | details
    dictionary of canadian biography | displaytitle | distinguish | distinguish-redirect | distinguish2
    div col | div col end | div end | dmy | double image | down | dyk | dynamic list | east slavic name
    eastern name order | end | endflatlist | endplainlist | engvar | engvarb | essay | essay-like
    external audio | external image | external media | external video | family name | family name explanation
    family tree | familytree | fansite | fb end | fb start | fbicon | film ratings | flag icon image | flagdeco
    flagg | flagicon | flagicon image | flatlist | football squad end | football squad mid
    football squad player | football squad start | for | for-text | for2 | fs break | fs end | fs mid
    fs player | fs start | further | further information | further2 | gain | gallery | globalize | good
    good article | gr | graph | graph:chart | hidden | hidden begin | hidden end | hide | historical populations
    hoax | horizontal toc | howto | hs | hungarian name | hybridbox | ib | ibid | icelandic name | icon | image
    image frame | imageframe | import style | in popular culture | in universe | in use | in5 | inc | incomplete
    incomplete list | increase | increasenegative | indent | indic text | inuse | iso 639 name en | italic title
    italicdab | italictitle | itn | japanese name | korean name | largest cities | lead rewrite | lead too short
    legend | legend-col | legend-line | legend0 | legend2 | link fa | link ga | listen | location map+
    location map~ | long | loss | lowercase title | lunar coords and quad cat | main | main article
    main articles | main category | mainarticle | mapframe | maplink | marscoords | mbox | mdy | merge
    merge from | merge to | merging | meta | more footnotes | multi-listen end | multi-listen item
    multi-listen start | multicol | multicol-break | multicol-end | multiple image | multiple images
    multiple issues | nav | navboxes | new page | no footnotes | nobots | nochange | noflag+ | nohide | noprint
    not to be confused with | notability | notoc | npov | null | official year | ombox | orphan
    osm location map | osm4 | other hurricanes | other people | other persons | other places | other ships
    other uses | other uses of | other uses2 | otheruses | otheruses4 | outline | overlinked | panorama
    patronymic | patronymic name | peacock | persondata | photomontage | pie chart | plainlist | plot
    portalpar | portuguese name | pov | pp | prod | profit | protected | pull quote | quotebox | recent death
    redirect | redirect-distinguish | redirect-multi | redirect-synonym | redirect2 | redirects | ref improve
    rellink | rfd | rint | rlicon | ruicon | rws | s-aft | s-bef | s-end | s-start | s-ttl | sd | section sizes
    sectionlinks | see | see also | see also2 | seealso | self reference | self-reference | selfref
    semi-protected | short description | shortcut | shortdescription | similar names | sister bar | sister links
    sister project | sister project links | sisterlinks | skip to toc | skiptotoc | sort key | sortkey
    spanish name | special characters | speciesbox | split | spoken | spoken wikipedia | stack | stack begin
    stack end | steady | stub | subject bar | subspeciesbox | superimpose | tall image | taxonbar | tmbox | toc
    toc hidden | toc left | toc limit | toc right | tocleft | toclimit | tocnestright | tocright | todo | tone
    too long | tooshort | top | tree chart | tree list | tree list/end | triple image | trivia
    under construction | underconstruction | underlinked | unreferenced | up | updated | us census population
    vertical header | very long | video | video game reviews | vietnamese name | void | wide image
    wide template | wikibooks | wikidata | wikify | wikinews | wikipedia books | wikipedia-books
    wikipediabooks | wikiquote | wikisource1911enc | wikispecies | wikiversity | wikivoyage | wiktionary | wip
    wrongtitle
"""
NAMES = frozenset(
    name.strip() for names in (_NOTES, _DOUBTS, _BOXES) for name in names.strip().replace("\n", "|").split("|")
)
_SHAPES = re.compile(
    r"(?:cite|citation|cite-|infobox|taxobox|navbox|sidebar|use|pp-|pp |ref-|wikiproject|user|uw-|bs-|s-|campaignbox"
    r"|succession|commons|wikisource|hatnote|expand|cleanup|copied|adapted|template|featured|efn|sfn|harv|portal"
    r"|location map|googlemap|music ratings|certification|imdb|tcmdb|ibdb|allmovie|allmusic)(?:[- /].*)?"
    r"|.*(?:[ -](?:stub|inline|infobox|sidebar|navbox|footer|needed|sources?|citation|footnote|section|box|topics?"
    r"|missing|note|icon|poster|hatnote)\??|-fn|\?)"
)


def nothing(args: Arguments) -> str:
    """A hole: what stood there is no part of the sentence."""
    return HOLE


def by_shape(name: str) -> Renderer | None:
    """Returns the renderer for a name (canonical) that says that nothing is left, None for any other."""
    return nothing if name in NAMES or _SHAPES.fullmatch(name) else None
