"""Elements of a page that are no part of its text: boxes, notices, hatnotes, notes, coordinates. By their classes.

Templates of many wikis share these classes, because the style sheets of MediaWiki and the gadgets look for them.
"""

from __future__ import annotations

from collections.abc import Collection

# Boxes, notices, hatnotes, links beside the text, and doubts of editors.
_BOXES = frozenset(
    """ambox asbox bandeau-container bandeau-article barbox biota catlinks chemobox coordinates cmbox dablink
    dmbox fmbox gallery gallerybox haudio hatnote homonymie imbox infobox infobox_v2 infobox_v3 infobox-subbox
    Inline-Template interProject listenlist locmap mainarticle mbox-inside mbox-small mbox-small-left mediaContainer
    metadata mw-cite-backlink mw-editsection mw-gallery-traditional mw-kartographer-container
    mw-kartographer-maplink mw-references mw-references-wrap mw-stub multiimageinner navbar navbox navbox-inner
    navbox-styles NavFrame need_ref need_ref_tag noprint ombox portal portalbox printfooter pullquote quotebox
    references refbegin reflist rellink selfreference seealso shortdescription side-box sidebar sinottico
    sistersitebox sortkey spoken-wikipedia stub succession-box taxobox Template-Fact templatequotecite thumb thumbinner
    tmbox toc toccolours tocleft tocright vertical-navbox Z3988""".split()
)
_ROLES = frozenset("navigation note".split())


def is_box(classes: Collection[str], role: str | None) -> bool:
    """Returns whether an element with these classes and this role is beside the text."""
    return not _BOXES.isdisjoint(classes) or role in _ROLES
