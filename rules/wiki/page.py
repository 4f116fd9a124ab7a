"""What the text of a page depends on beside its wikitext: title, language, and names of namespaces.

Rules for a whole page (``-{H|...}-``) go: which words they mean is not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.rules.text.prose import HOLE, LOST
from gistmill.rules.wiki.local import Local, local_of

# Extension tags and HTML tags whose content is not prose; it is raw up to the first closing tag, as in MediaWiki.
DROPPED_TAGS = frozenset(
    "ref references gallery syntaxhighlight source score timeline imagemap hiero graph mapframe "
    "maplink templatedata inputbox categorytree poem pre indicator section style script includeonly templatestyles "
    "del s strike rt rp rtc charinsert dynamicpagelist quiz rss abc phonos listing poll form select textarea".split()
)
# Among them: blocks, or a part of a sentence when they stand on one line ...
BLOCK_EXTENSIONS = frozenset(
    "gallery syntaxhighlight source score timeline imagemap hiero graph mapframe poem pre inputbox".split()
)
# ... and parts of a sentence, which is not a sentence without them.
FORMULA_TAGS = frozenset("math chem ce code".split())

# Tags that begin and end a block: what is inside is judged as paragraphs of its own.
BLOCK_TAGS = frozenset("div p center blockquote ul ol dl h1 h2 h3 h4 h5 h6 hr section aside article".split())
LIST_TAGS = frozenset("li dt dd".split())
# Tags that only format: the tag goes, the text stays.
INLINE_TAGS = frozenset(
    "b i u em strong small big span font tt kbd samp var cite q abbr dfn ins mark bdi bdo sub ruby rb a wbr time data "
    "noinclude onlyinclude nobr includes blink acronym label body html languages translate tvar legend".split()
)

FILE_NAMESPACES = frozenset("file image".split())
CATEGORY_NAMESPACES = frozenset(("category",))
MEDIA_NAMESPACES = frozenset(("media",))

# Wikipedia's language codes: a link with such a prefix stands in the margin, not in the text.
LANGUAGE_CODES = frozenset(
    "aa ab ace ady af ak als alt am ami an ang anp ar arc ary arz as ast atj av avk awa ay az azb ba ban bar bat-smg "
    "bbc bcl bdr be be-tarask be-x-old bew bg bh bi bjn blk bm bn bo bpy br bs btm bug bxr ca cbk-zam cdo ce ceb ch "
    "cho chr chy ckb co cr crh cs csb cu cv cy da dag de dga din diq dsb dtp dty dv dz ee el eml en eo es et eu ext fa "
    "fat ff fi fiu-vro fj fo fon fr frp frr fur fy ga gag gan gcr gd gl glk gn gom gor got gpe gsw gu guc gur guw gv "
    "ha hak haw he hi hif ho hr hsb ht hu hy hyw hz ia iba id ie ig igl ii ik ilo inh io is it iu ja jam jbo jv ka kaa "
    "kab kbd kbp kcg kg ki kj kk kl km kn knc ko koi kr krc ks ksh ku kus kv kw ky la lad lb lbe lez lfn lg li lij lld "
    "lmo ln lo lrc lt ltg lv lzh mad mai map-bms mdf mg mh mhr mi min mk ml mn mni mnw mo mos mr mrj ms mt mus mwl my "
    "myv mzn na nah nan nap nb nds nds-nl ne new ng nia nl nn no nov nqo nr nrm nso nup nv ny oc olo om or os pa pag "
    "pam pap pcd pcm pdc pfl pi pih pl pms pnb pnt ps pt pwn qu rm rmy rn ro roa-rup roa-tara rsk ru rue rup rw sa sah "
    "sat sc scn sco sd se sg sgs sh shi shn shy si simple sk skr sl sm smn sn so sq sr srn ss st stq su sv sw syl szl "
    "szy ta tay tcy tdd te tet tg th ti tig tk tl tly tn to tpi tr trv ts tt tum tw ty tyv udm ug uk ur uz ve vec vep "
    "vi vls vo vro wa war wo wuu xal xh xmf yi yo yue za zea zgh zh zh-classical zh-min-nan zh-yue zu".split()
)
# Prefixes of other projects; such a link is part of the text.
PROJECT_PREFIXES = frozenset(
    "w wikipedia wikt wiktionary s wikisource b wikibooks q wikiquote n wikinews v wikiversity voy wikivoyage d "
    "wikidata species wikispecies c commons m meta mw foundation wmf special help template portal user wp project "
    "iarchive doi rfc hdl oeis imdbtitle arxiv".split()
)

# Sections of notes, sources and links, by lower-case title; their subsections go with them.
DROPPED_SECTIONS = frozenset(
    " ".join(title.split())
    for title in """see also; references; reference; notes; note; external links; external link; further reading;
    bibliography; sources; source; footnotes; footnote; citations; citation; works cited; notes and references;
    references and notes; notes and citations; citations and notes; references and sources; sources and references;
    references and further reading; further reading and references; sources and further reading;
    bibliography and further reading; further reading and external links; external links and references;
    references and external links; external links and further reading; general references; general sources;
    cited sources; cited works; literature cited; references cited; cited references; sources cited;
    primary sources; secondary sources; additional reading; additional references; additional sources;
    other references; other sources; other external links; related links; links; web links; weblinks;
    internet links; explanatory notes; informational notes; endnotes; annotations; notelist; selected bibliography;
    select bibliography; general bibliography; recommended reading; suggested reading; selected reading;
    reading list; in-line citations; inline citations; inline notes; footnotes and references; notes and sources;
    notes and bibliography; bibliography and references; related pages; see also and references;
    specific references; specific citations; related articles; related topics;
    related lists""".replace("\n", " ").split(";")
)

# Behaviour switches such as __NOTOC__.
SWITCHES = (
    "notoc|forcetoc|toc|nogallery|noeditsection|newsectionlink|nonewsectionlink|hiddencat|expectunusedcategory"
    "|expectunusedtemplate|expectedunconnectedpage|index|noindex|staticredirect|notitleconvert|notc|nocontentconvert|nocc"
    "|disambig|noglobal|archivedtalk|notalk"
)


FILE, CATEGORY = 6, 14  # numbers of the namespaces whose links are not text
MEDIA = -2  # of the one whose links to files are text
_WIKI = re.compile(
    r"https?://(?P<code>[a-z][a-z-]*)(?:\.m)?"
    r"\.(?:wiki(?:pedia|news|books|quote|source|versity|voyage)|wiktionary)\.org(?:[:/?#]|$)"
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as its wiki knows it.

    Attributes:
        title: title, "" when unknown.
        files: lower-case names of the namespace of files.
        dropped: those, and the names of the namespace of categories.
        media: lower-case names of the namespace of links to files.
        language: code of the wiki's language; "" is English.
        variant: variant of that language to take, such as ``zh-tw``; "" for that of its table.
    """

    title: str = ""
    files: frozenset[str] = FILE_NAMESPACES
    dropped: frozenset[str] = FILE_NAMESPACES | CATEGORY_NAMESPACES
    media: frozenset[str] = MEDIA_NAMESPACES
    language: str = ""
    variant: str = ""

    @property
    def local(self) -> Local:
        """What is particular to the wiki's language."""
        return local_of(self.language)

    @classmethod
    def of(
        cls, title: str, namespaces: tuple[tuple[int, str], ...] = (), language: str = "", variant: str = ""
    ) -> Page:
        """Returns the page of a wiki in a language, whose ``siteinfo`` gives these names (number, name) beside those of
        its language and the English ones."""
        local = local_of(language)
        named = [(number, " ".join(name.replace("_", " ").split()).lower()) for number, name in namespaces]
        files, categories, media = (
            known.union(name for number, name in named if number == wanted)
            for known, wanted in (
                (FILE_NAMESPACES | local.files, FILE),
                (CATEGORY_NAMESPACES | local.categories, CATEGORY),
                (MEDIA_NAMESPACES | local.media, MEDIA),
            )
        )
        return cls(title, files, files | categories, media, language, variant)


UNKNOWN = Page()


def language_of_wiki(url: str) -> str:
    """Returns the code of the language of a wiki, given an address of it, such as that of a page; "" where that names
    none: ``https://de.wikipedia.org/wiki/Berlin`` is in ``de``."""
    match = _WIKI.match(url)
    return match["code"] if match and match["code"] in LANGUAGE_CODES else ""


_MARKUP = re.compile(r"-\{(?!\{)((?:(?!-\{(?!\{)|\}-).)*+)\}-(?!\})", re.DOTALL)
_CODE = r"[a-z]{2,3}(?:-[a-z]++)*+"
_FLAGS = re.compile(rf"\s*+([A-Z-](?:\s*+;\s*+[A-Z-])*+|{_CODE}(?:\s*+;\s*+{_CODE})*+)?+\s*+\|")
_VARIANT = re.compile(rf"(?:^|;)\s*+(?:[^;:=]*+=>\s*+)?+(?P<code>{_CODE})\s*+:\s*+", re.I)
_DEEPEST = 6


def without_variants(text: str, variants: Sequence[str] = ()) -> str:
    """Returns wikitext with one variant in the place of each choice. What is never closed stays.

    Args:
        text: the wikitext.
        variants: codes of variants; of each choice the first of them that it has is taken, else its own first one.
    """
    for _ in range(_DEEPEST):
        if "-{" not in text:
            break
        text, count = _MARKUP.subn(lambda match: _shown(match[1], variants), text)
        if not count:
            break
    return text


def _shown(inside: str, wanted: Sequence[str]) -> str:
    flags = _FLAGS.match(inside)
    letters = frozenset(re.split(r"[\s;]+", flags[1] or "")) if flags else frozenset()
    if flags:
        inside = inside[flags.end() :]
    if letters & {"N", "D"}:  # the name of a language, the rule itself
        return LOST
    if letters & {"H", "T", "-"}:  # a rule for other places of the page
        return HOLE
    if "R" in letters:
        return inside
    variants = list(_VARIANT.finditer(inside))
    if not variants or inside[: variants[0].start()].strip():
        return inside
    codes = [match["code"].lower() for match in variants]
    at = next((codes.index(code) for code in wanted if code in codes), 0)
    end = variants[at + 1].start() if at + 1 < len(variants) else None
    return inside[variants[at].end() : end].rstrip("; \n")
