"""Templates that leave nothing: notes, marks of maintenance, boxes, links beside the text. Names and shapes of names."""

from __future__ import annotations

import re

from rules.wiki.marks import HOLE
from rules.wiki.templates.arguments import Arguments, Renderer

# Notes and citations.
_NOTES = """
    sfn|sfnp|sfnm|sfnmp|sfnref|sfb|sfnlink|harv|harvid|harvnb|harvp|harvs|harvcol|harvcolnb|hvnb|efn|efn2|efn-ua|efn-la|efn-lr
    efn-ur|efn-lg|efn-ug|refn|ref|ref label|note|note label|notetag|notelist|notelist-ua|notelist-la|reflist|references|r|rp|rma
    ref supports2|ref supports|ran|ran2|sref|fn|fnb|fnote|footnote|footnotes|cref|cref2|cnote|cnote2|note2|ref2|nb|ref-|refbegin
    refend|rf|gref|gnote|citation|cite|citec|vcite|wikicite|wikiref|harvard citation|harvard citation no brackets|sfn whitelist
    short footnote|shortened footnote|shortened footnote template|bracket ref|page number|page|pages|linktext ref|inflation-fn
    inflation/fn|inflation-year|dead link|deadlink|broken link|dead|webarchive|wayback|cbignore|subscription|subscription required
    registration|registration required|closed access|open access|free access|subscription or libraries|paywall|isbn missing|doi
    doi-inline|pmid|pmc|issn|oclc|bibcode|jstor|arxiv|hdl|lccn|asin|ssrn|s2cid|zbl|mr|jfm|ol|id|google books|gbooks|gutenberg
    internet archive|librivox author|imdb|imdb name|imdb title|official website|official|findagrave|find a grave|hansard
    usgs|gnis|geonet|url2|allmusic|discogs artist|musicbrainz artist|twitter|facebook|instagram|youtube|myspace|tumblr
    londongazette|london gazette|cite|cit|ci|better ref|linkrot|bare url inline|bare url pdf|permanent dead link|audio link
    self-published inline|sps|self-published source|primary source-inline|tertiary|third-party inline|nonspecific
    circular reference|circular ref|better source|better source needed|bsn|bettersource|ref needed|reference needed|refneeded
    attribution|attribution needed|pd-notice|pd-old-text|acad|venn|acad&h|wikisource inline|commons-inline|wikiquote-inline
"""
# Doubts of editors.
_DOUBTS = """
    cn|fact|citation needed|citeneeded|citationneeded|cit needed|ct|needcite|needs citation|source?|source needed|src|proveit
    citation needed span|cnspan|citation needed (lead)|facts|fcitation needed|needref|cb|unreferenced inline|uncited|unsourced
    clarify|clarification needed|clarifyme|clarify me|clarify span|clarify inline|clear up|confusing|huh|what|what?|explain|expl
    further explanation needed|vague|vague-inline|ambiguous|definition|definition needed|define?|elucidate|specify|example
    examples|example needed|examples needed|for example?|which|which?|which one|who|who?|whom|whom?|by whom|by whom?|by who
    whose|where|where?|when|when?|time needed|year needed|year missing|date missing|date?|why|why?|how|how?|how often
    how many|quantify|quant|to whom?|from whom?|according to whom|according to who|attribution needed|like whom?|peacock term
    peacock inline|weasel inline|weasel-inline|weasel word|weasel|weasel words|weaselinline|buzz|jargon inline|jargon|technical
    technical statement|incomprehensible inline|dubious|disputed|disputed inline|disputed-inline|dispute inline|disputable
    doubtful|contradict inline|contradict-inline|contradiction|inconsistent|discuss|pov statement|pov-statement|pov inline
    pov-inline|lopsided|neutrality disputed|undue inline|undue weight inline|undue-inline|editorializing|opinion|fringe inline|or
    original research inline|original research?|original synthesis|syn|synthesis inline|synth|speculation|speculate|vs|verify source
    verify|verification needed|verify credibility|vc|failed verification|fv|not in source|nis|not in citation given|nicg|nc|not in ref
    not specifically in source|qn|request quotation|quote request|need quotation|quote needed|quotation needed|full|full citation
    full citation needed|fcn|page needed|pn|page-needed|pageneeded|pages needed|volume needed|issue needed|title missing|title needed
    author missing|isbn needed|episode needed|season needed|scene needed|chapter needed|line needed|verse needed|incomplete short citation
    non-primary source needed|primary inline|primary source inline|primary source needed|psc|secondary source needed|third-party source needed|tpsn
    medical citation needed|medcn|mcn|medref inline|bmedrs|unreliable medical source|ums|unreliable source|unreliable source?
    unreliable source inline|unreliable-source-inline|unreliable|rs?|rs|rs-inline|unreliable fringe source|unreliable scientific source
    obsolete source|obsolete|outdated inline|outdated as of|update inline|update-inline|update after|update needed|upd|updateinline|update
    out of date inline|needs update|old|irrelevant citation|irrelevant|importance inline|importance-inline|relevance inline|relevance-inline
    relevance|importance?|off-topic inline|off-topic-inline|off topic?|trivia inline|undue|notability inline|needs independent confirmation
    copyedit inline|copyedit-inline|copy edit inline|ce-inline|awkward|awk|check|chinese script needed|tone inline|tone-inline|inappropriate tone inline
    inline|cleanup inline|fix|fix-inline|fix inline|fixlink|disambiguation needed|dn|disambig needed|needdab|dablink needed|link needed|nonenglish|not english inline
    translation needed|pronunciation needed|pronunciation?|pronounce|ipa needed|ipa?|romanization needed|spelling|spell|spelling?|infobox requested
    anachronism|chronology citation needed|globalize-inline|globalize inline|expand section|expand acronym|acronym needed|abbr needed|compared to?|compared with?|than what
    cherry picked|cherry-picked|citing sources|current inline|dated info|dead url|dubious span|excessive citations inline|excess cite|overly detailed inline|inline pov
    insufficient|misleading|mismatch|neologism inline|newlink|nfitation|no note|noref|nowrap end|over-quoted|purple|qualify evidence|refimprove|more citations needed
    remove|request|review|sentence fragment|sia|spam inline|self-published|specify sources|swn|tooltip needed|ungrammatical|unverified|user-generated inline|user-generated source
    usurped|verse citation needed|volatile|vandal|word|words|year?|citation style inline|campaignbox|sic?|nosource|close paraphrasing inline|copypaste inline|copyvio link|inote|hidden note
"""
# Boxes, notices, hatnotes and links beside the text.
_BOXES = """
    main|main article|mainarticle|main articles|see|see also|seealso|see also2|further|further information|further2|details|detail|about|about2|about-distinguish
    for|for2|for-text|redirect|redirect2|redirect-multi|redirect-distinguish|redirect-synonym|redirects|other uses|otheruses|other uses2|otheruses4|other uses of|other people|other places
    other ships|other hurricanes|other persons|distinguish|distinguish2|distinguish-redirect|not to be confused with|confused|hatnote|hatnote group|rellink|dablink|outline|broader|main category
    category see also|cat main|family name hatnote|family name|family name explanation|chinese name|korean name|japanese name|spanish name|portuguese name|vietnamese name|hungarian name|eastern name order
    icelandic name|patronymic|patronymic name|east slavic name|singapore hatnote|selfref|self reference|self-reference|similar names|contains special characters|special characters|contains indic text|indic text
    contains chinese text|contains japanese text|contains korean text|lowercase title|lowercase|italic title|italictitle|italicdab|displaytitle|wrongtitle|correct title|short description|shortdescription|sd
    use dmy dates|use mdy dates|dmy|mdy|toc left|toc right|toc limit|tocleft|tocright|toclimit|toc|compact toc|horizontal toc|notoc|anchor|anchors|anc|anchor span|shortcut|clear|clear left|clear right|-|clr|clearleft|clearright
    coord|coords|coor|coor d|coor dm|coor dms|coor title dms|coor title dm|coor title d|coor at d|coor at dm|coor at dms|coordinates|location map|location map many|location map+|location map~|osm location map|maplink|mapframe|osm4
    featured article|good article|featured list|link fa|link ga|portal|portal bar|portal box|portal-inline|portalpar|subject bar|sister project links|sister project|sisterlinks|sister links|sister bar|sister-inline|wikivoyage|wikivoyage-inline
    commons|commons category|commonscat|commons cat|commons category-inline|commonscat-inline|commons category multi|wikiquote|wiktionary|wikisource|wikisource1911enc citation|wikisource1911enc|wikibooks|wikinews|wikiversity|wikispecies|wikidata|wikipedia books
    wikipedia-books|wikipediabooks|meta|authority control|persondata|defaultsort|navbox|navboxes|nav|sidebar|infobox|taxobox|speciesbox|automatic taxobox|subspeciesbox|hybridbox|taxonbar|succession box|s-start|s-end|s-bef|s-aft|s-ttl|end|end box|start box
    image|image frame|imageframe|multiple image|multiple images|double image|triple image|auto images|gallery|css image crop|css crop|wide image|tall image|photomontage|annotated image|annotated image 4|panorama|superimpose|external media|external image
    external video|external audio|listen|audio sample|multi-listen start|multi-listen item|multi-listen end|sound sample box|audio speaker|spoken wikipedia|spoken|video|quote box|quotebox|pull quote|rquote box|stack|stack begin|stack end|div col|div col end
    div end|col-begin|col-end|col-2|col-3|col-4|col-break|columns|colbegin|colend|multicol|multicol-break|multicol-end|top|bottom|hidden begin|hidden end|collapse top|collapse bottom|cot|cob|side box|flagicon|flagicon image|flag icon|flag icon image|flagathlete icon
    flagdeco|noflag+|icon|cricon|fbicon|fb icon|rlicon|ruicon|flagg|rint|rail icon|rws|airport codes icon|increase|decrease|steady|increasenegative|decreasepositive|gain|loss|up|down|nochange|profit|legend|legend2|legend0|legend-line|legend-col|color box|colorbox|color sample
    featured topic|good topic|dyk|itn|wip|in use|inuse|under construction|underconstruction|new page|orphan|stub|tone|notability|copy edit|copyedit|cleanup|clean up|unreferenced|primary sources|one source|blp sources|blp unsourced|more footnotes|no footnotes|expert needed|lead too short
    lead rewrite|long|very long|too long|multiple issues|article issues|merge|merge to|merge from|merging|split|globalize|pov|npov|advert|coi|autobiography|expand|expand language|incomplete|inc|incomplete list|dynamic list|current|recent death|update section|hoax|prose|in universe|plot
    fansite|essay-like|essay|ref improve|refimprove section|unreferenced section|citation style|technical|peacock|overlinked|underlinked|dead end|tooshort|story|howto|import style|trivia|in popular culture|cleanup rewrite|cleanup list|cleanup bare urls|rfd|afd|prod|db|protected|semi-protected
    hidden|hide|void|null|#|comment|todo|noprint|ambox|tmbox|mbox|ombox|cmbox|sidebar with collapsible lists|graph|graph:chart|chart|bar chart|bar box|pie chart|chart end|familytree|family tree|ahnentafel|tree chart|clade|cladogram|football squad start|fs start|fs player|fs mid|fs break|fs end
    football squad player|football squad mid|football squad end|fb start|fb end|updated|official year|engvarb|engvar|british english|american english|use british english|use american english|bots|nobots|featured|good|pp|wikify|toc hidden|tocnestright|wiktionary-inline|wikt inline|ib|ibid|skip to toc|skiptotoc
    dictionary of canadian biography|dcb|acronym box|chess diagram|chess diagram small|weather box|climate chart|historical populations|us census population|usc|succession|sort key|hs|sortkey|nohide|plainlist|endplainlist|flatlist|endflatlist|columns-list|tree list|tree list/end
    indent|in5|rquote-box|sectionlinks|section sizes|gr|largest cities|iso 639 name en|lunar coords and quad cat|marscoords|dentalformula|ussr-stub|wide template|vertical header|music ratings|album ratings|video game reviews|film ratings|certification table
"""
_NAMES = frozenset(name.strip() for group in (_NOTES, _DOUBTS, _BOXES) for name in group.strip().replace("\n", "|").split("|"))
_SHAPES = re.compile(
    r"(?:cite|citation|cite-|infobox|taxobox|navbox|sidebar|use|pp-|pp |ref-|wikiproject|user|uw-|bs-|s-|campaignbox|succession"
    r"|commons|wikisource|hatnote|expand|cleanup|copied|adapted|template|featured|efn|sfn|harv|portal|location map|googlemap"
    r"|music ratings|certification|imdb|tcmdb|ibdb|allmovie|allmusic)(?:[- /].*)?"
    r"|.*(?:[ -](?:stub|inline|infobox|sidebar|navbox|footer|needed|source|sources|citation|footnote|section|box|topics|topic|missing|note|icon"
    r"|poster|hatnote)\??|-fn|\?)"
)


def nothing(args: Arguments) -> str:
    """A hole: what stood there is no part of the sentence."""
    return HOLE


def by_shape(name: str) -> Renderer | None:
    """Returns the renderer for a name (canonical) that says that nothing is left, None for any other."""
    return nothing if name in _NAMES or _SHAPES.fullmatch(name) else None
