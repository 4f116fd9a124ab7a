"""Lines that a news site adds to its articles: links, prompts, credits, notices. Whole paragraphs only.

A paragraph is looked up by its first word, so that the usual one costs a dictionary look-up. Most rules want the whole
line to have the form; those that know only its beginning refuse a line that reports speech.
"""
from __future__ import annotations

import re

from rules.text.news_words import DATE

_LONGEST = 700  # characters; what is longer is prose, whatever it begins with
_SPEECH = re.compile(r"\b(?:said|says|told|added|wrote|asked|according to|replied|warned|argued|insisted)\b", re.I)
_SITES = r"(?:Facebook|Twitter|Instagram|LinkedIn|WhatsApp|Telegram|YouTube|TikTok|Reddit|Pinterest|Snapchat|Google News|X|Threads|Bluesky|Mastodon|e-?mail)"

# By first word (lower case, letters only): the whole line, from its beginning, whatever speech it reports ("ALWAYS"), or
# unless it reports speech ("UNLESS").
_ALWAYS: dict[str, str] = {
    "advertisement advertisements advertising ad sponsored": r"(?:\w+ ?){1,4}[.:]?$|advertisement\b.{0,40}$",
    "story article scroll content": r"(?:story|article|content)? ?(?:continues|continued) (?:below|after|from)\b|scroll (?:down|to|for)\b",
    "continue": r"continue reading\b|continue (?:with|to)\b.{0,60}$",
    "skip": r"skip (?:to|ad|advert|past)\b.{0,60}$",
    "loading please": r"loading\W*$|please (?:enable|turn on|try again|enter|select|log ?in|sign ?in|subscribe|refresh|wait|share|check your|visit|click|note that this)\b",
    "share tweet pin email print facebook twitter whatsapp linkedin reddit copy save comments comment like follow copied link":
        rf"(?:(?:share|tweet|pin|print|copy|copied|save|send|post|like|comments?|follow|link|this|it|on|via|with|by|to|and|or|us|me|article|story|page|now"
        rf"|your|friends|clipboard|{_SITES}|\d[\d.,]*[km]?)\W*)+$",
    "image images photo photos photograph photographs picture pictures pic video media illustration illustrations caption featured file"
    " graphic screenshot stock cover lead main header hero feature footage source sources credit credits getty via courtesy":
        r"(?:(?:featured|file|stock|cover|lead|main|header|hero|feature|media|the|all|getty)? ?(?:image|photo|photograph|picture|pic|video|"
        r"illustration|graphic|screenshot|media|footage|source|credit|caption)s?)?(?: (?:image|photo|photograph|picture|video|media))?s? ?"
        r"(?:credits?|copyright|captions?|sources?|courtesy(?: of)?|via|by|from)?s? ?(?:[:|/©–—-]|(?<=by) |(?<=via) |(?<=courtesy of) |(?<=copyright) |(?<=caption) |$)"
        r"(?!.*\b(?:shows?|showed|was|were|has|have|will)\b.*[.!?]$)"
        r"|getty images\b.{0,40}$|(?:image|media|video) (?:copyright\b|captions?\b|source[,:])(?! (?:is|was|are|were|of|for)\b)|courtesy (?:of|photo)\b.{0,60}$",
    "ap reuters afp epa": r"(?:ap|reuters|afp|epa)(?: photo| images| file| via .{1,30})?\s?/\s?\S.{0,60}$",
    "copyright ©": r"copyright\s*(?:©|\(c\)|\d{4}|:|by\b|notice)|©",
    "all": r"all rights reserved\b|all (?:photos|images|pictures)\b.{0,80}\b(?:by|courtesy|via|from)\b.{0,60}$",
    "filed tags tag topics topic categories category keywords temas": r"(?:filed under|tags?|topics?|categor(?:y|ies)|keywords|temas)\b ?(?:[:|]|$|in\b)",
    "estimated reading read": r"(?:estimated )?read(?:ing)? time\b.{0,30}$|reading (?:time|mode)\b.{0,30}$",
    "published posted updated last first originally created modified date":
        rf"(?:first |last |originally )?(?:published|posted|updated|created|modified|date)(?: (?:on|at|by|date|time))*\W+(?:{DATE}|\d|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day).{{0,60}}$"
        rf"|last (?:updated|modified)\b.{{0,60}}$|(?:first|originally) (?:published|appeared|posted) (?:on|in|at|by)\b|{DATE}\W*$",
    "cookies cookie accept manage": r"(?:accept|manage|cookies?)\b.{0,40}\b(?:cookies?|policy|preferences|settings|notice)\b",
    "disclaimer disclosure": r"(?:disclaimer|disclosure)s?\b ?[:–—-]",
    "editor editors": r"(?:editor['’]?s?['’]?) ?(?:note|notes|pick|picks|choice)\b",
    "republished reprinted reproduced syndicated excerpted": r"(?:republished|reprinted|reproduced|syndicated|excerpted) (?:with|by|from|under|courtesy)\b",
    "related recommended trending popular": r"(?:related|recommended|trending|popular)(?: (?:stories|story|articles?|content|coverage|links?|reading|news|posts?|videos?|topics|now|for you))*\s*(?:[:|»>–—-]|$)",
    "ends end": r"(?:the )?ends?\W*$",
    "javascript your": r"javascript (?:is|must)\b|your (?:browser|ad ?blocker|subscription|email address|e-mail address|privacy)\b.{0,160}$",
    "originally": r"originally (?:published|posted|appeared)\b",
    "thank thanks": r"thank(?:s| you) for (?:reading|subscribing|signing up|your feedback|visiting|joining)\b",
    "comments": r"comments (?:are|have been|\(\d|will be)\b.{0,80}$",
}
_UNLESS: dict[str, str] = {
    "read": r"(?:read )?(?:more|also|next|now|on|the full (?:story|article|report|piece|interview|review|text))\b ?(?:[:|»>→–—-]|$|here|about|on|at|in our|from|in the)|"
            r"read (?:our|the (?:latest|original|rest|full)|all|related)\b|read:|read (?:more|also|next)\b[^.]*$",
    "more": r"more ?(?:[:|»>–—]|from\b[^.]*$|on (?:this|the) (?:story|topic|subject)|on [^.]*:|stories\b|news\b[^.]*$|coverage\b|like this|information (?:is available|can be found))",
    "also see watch listen view check click tap find discover explore browse learn visit download try take go dont don":
        r"(?:also (?:read|see|watch|on)|see (?:also|more|all|our|below for)|see:|watch(?: (?:now|live|this|the video|more|below|above|video|here))?\s*(?:[:|»>–—]|$)|"
        r"watch (?:the video|live|more|below|above|our)\b|listen(?: (?:to|now|live|here))?\s*(?:[:|»>–—]|$)|listen to (?:our|the (?:full|podcast|episode))\b|"
        r"view (?:all|more|the (?:full|original|gallery|photos)|comments|this|gallery|\d)\b|check out (?:our|the (?:full|latest|rest|video|gallery)|more|these|all|some (?:more|other|of our))\b|"
        r"(?:click|tap)(?: or tap)? (?:here|on|the|below|to)\b|find (?:out more|us|more|all)\b|discover more\b|explore (?:more|our|all)\b|browse\b|"
        r"learn more\b|visit (?:our|us|the .{0,40}(?:website|page|site)|www|https?:)\b|download (?:our|the .{0,60}app|now|free|it|here)\b|take (?:our|the|this) (?:survey|poll|quiz)\b|"
        r"don['’]?t (?:miss|forget to (?:subscribe|follow|share|like|sign)))",
    "sign subscribe register join become support donate enter log already get receive unsubscribe stay keep":
        rf"(?:sign(?:ing)? ?up|subscribe|register|unsubscribe)\b(?! (?:for|to) (?:the|a) (?:army|war|military|marines|navy))(?:\W*$| (?:for|to|now|here|today|with|on|below|and|free|by|via)\b)|"
        rf"join (?:our|us on|the (?:conversation|discussion|debate)|{_SITES}|(?:thousands|millions|over|more than) .{{0,40}}(?:readers|subscribers|people))|"
        r"become an? .{0,30}(?:member|subscriber|supporter|patron|insider)\b|support (?:our|independent|local|quality|us|this) .{0,20}(?:journalism|work|site|reporting|newsroom|by|with)|donate (?:now|today|here|to)\b|"
        r"enter your\b|log ?in\b(?! .{0,60}was)|already (?:a|have|an|registered|subscribed)\b.{0,80}(?:sign|log|subscriber|member|account)|"
        rf"(?:get|receive|stay|keep)\b.{{0,160}}\b(?:newsletters?|inbox|e-?mails? (?:alerts?|updates?)|daily edition|(?:edition|updates|alerts|stories|news|headlines|briefing|digest) (?:by|via) e-?mail|push notifications?|our app|free app|up to date with|breaking news alerts|sign up|on {_SITES})\b",
    "follow like connect contact reach tweet write find":
        rf"(?:you can )?(?:follow|like|find|connect with|contact|reach|e-?mail|tweet|write to|message)\b.{{0,120}}(?:\bon (?:our )?{_SITES}\b|@\w|\bat:? \S+\.\S+|\bsocial media\b|\bfor (?:more|the latest)\b)|follow (?:us|me|our)\b.{{0,80}}$",
    "leave post have be tell what let do got send submit we want share view join add":
        r"leave (?:a|your) (?:comment|reply|thought|feedback)|post (?:a|your) (?:comment|reply)|have (?:your say|you (?:been affected|got a story|seen|experienced))|be the first to (?:comment|know|like|share)|"
        r"(?:tell|let) us (?:know|what|about|in the)\b.{0,120}(?:comment|below|think|know|e-?mail|twitter|facebook)|what (?:do|are|did) you(?:r)? (?:think|thoughts|reckon|make)\b(?:\W*$|.{0,140}\b(?:comments?|below|let us know|tell us)\b)|"
        r"do you (?:have|know|want|agree|like)\b.{0,160}(?:\bemail|@|tips?\b|sign up|let us know|contact|get in touch|comment|newsletter|here\W*$)|got (?:a|an) .{0,20}(?:tip|story|news|opinion|question)\b|"
        r"(?:send|submit)\b.{0,80}(?:@|letters?|tips?|comments?|to the editor|pitch)|we (?:want to hear|may (?:earn|receive|get)|(?:and our partners )?use (?:cookies|your)|value your privacy|have sent|recommend the best products|welcome your)\b|"
        r"share your (?:thoughts|views|opinion|story|comments?)\b|add (?:a|your) comment\b",
    "this these the a an some our newyou":
        r"newyou can\b|(?:this|a version of this|an? (?:earlier |previous |shorter |longer )?version of this|our|some of the|these|some) ?(?:(?:is )?(?:article|story|post|piece|column|report|essay|interview|excerpt|content|page|website|site|material|video|blog|review|guide|feature|press release|op-?ed|links?|products|opinions|views|information)s?)? ?"
        r"(?:(?:has been|have been|was|is|were|are|may be|must|will be)? ?(?:first |originally |last |also |lightly |automatically )*(?:published|appeared|appears|updated|edited|amended|corrected|republished|reprinted|reproduced|syndicated|adapted|excerpted|produced in partnership|sponsored|powered|protected by|translated from|part of (?:a|our|the) (?:series|special|newsletter)|affiliate links|not necessarily)\b"
        r"|(?:is|are) (?:not|no longer|only) available\b|is (?:more than|over) .{1,20} old\b|is an? (?:breaking|developing|updating)\b|(?:uses?|contains?|requires?|may contain|may not be|does not necessarily)\b .{0,60}?(?:cookies|affiliate|reproduced|published|javascript|copyright|links|reflect|commission|redistributed))"
        r"|the (?:article|story|post|piece|column|essay|interview) (?:was|is|has been) ?(?:also )?(?:first|originally) (?:published|posted|appeared|printed)\b|the (?:views|opinions) expressed\b|the (?:video|audio|player|requested)\b.{0,60}(?:could not|cannot|not available|is loading)|the post .{3,200} (?:first )?appeared (?:first )?on\b|this site is protected\b|our (?:privacy|cookie|terms|standards|editorial)\b.{0,80}(?:policy|principles|notice|use)",
    "by": r"by (?:clicking|continuing|submitting|signing up|subscribing|using|registering|providing|entering|proceeding)\b.{0,160}\b(?:you (?:agree|accept|consent|confirm|acknowledge|are agreeing)|terms|privacy|cookies)\b",
    "to": r"to (?:continue reading|read (?:the full|more|this)|subscribe|sign up|comment|report an error|view this|submit|contact the|unlock|access this|learn more|receive|see (?:more|all|the full)|get (?:the|our) .{0,60}(?:inbox|newsletter|alert))\b",
    "if": r"if you(?:['’]re| are| have| would| want| enjoyed| liked?| wish| do not| don['’]t| cannot| need)?\b.{0,160}\b(?:app\b.{0,30}click|click here|sign up|subscribe|newsletter|let us know|please (?:contact|email|consider|share|visit|call|check)|e-?mail us|get in touch|comment below|in the comments|samaritans|helpline|check out|read (?:more|our)|purchase|buy (?:something|through)|commission)",
    "you": r"you can now listen to\b|you (?:can (?:follow (?:us|me|him|her|them|@|our|the author|.{2,40} on (?:twitter|facebook|instagram|x)\b)|find (?:more|us|out|me|our|all|the full|him on|her on|them on)\b|also (?:read|follow|find|listen|watch|sign)|reach|unsubscribe|contact|read (?:more|the (?:original|full))|listen to|subscribe|share|support|opt)|must (?:be logged|have javascript|log ?in|be \d+)|may (?:also (?:like|be interested)|unsubscribe)|might also (?:like|be interested)|have (?:been|successfully|reached|no|\d+|read)\b.{0,60}(?:subscri|signed|articles?|limit|logged)|will (?:receive|be redirected|get)\b.{0,60}(?:email|newsletter))",
    "for": r"for (?:more (?:information|info|details|stories|news|on this|updates?|from|great|tips|recipes)|further (?:information|details)|the latest (?:news|updates|headlines)|all the latest|media (?:inquiries|enquiries)|press (?:inquiries|enquiries)|confidential support|details,? (?:visit|call|contact))\b.{0,200}(?:visit|click|call|contact|follow|see|check|sign|subscribe|e-?mail|www\.|https?:|@|app|newsletter|here)",
    "in": r"in case you missed it\b|in (?:partnership|association|collaboration) with\b[^.]{0,60}$",
    "use": r"use of this (?:site|website)\b",
    "it": r"it looks like (?:you|your|nothing)\b",
    "as": r"as an amazon associate\b",
    "we": r"we (?:independently|only recommend|selected these|hope you (?:love|enjoy)|may be compensated|participate in)\b.{0,200}\b(?:products?|links?|review|evaluate|commission|purchase)",
    "all when purchases products every": r"(?:all|every) products?\b.{0,60}\b(?:independently|selected|editors)|when you (?:buy|purchase|shop|click|make a purchase)\b.{0,100}\b(?:links?|commission)|"
                          r"(?:purchases|products)\b.{0,100}\b(?:commission|independently)",
    "fox check stay": r"fox news flash\b|check (?:back|here) (?:for|later|often|soon)\b|stay (?:with|tuned)\b.{0,60}\b(?:for (?:updates|more|the latest)|us)\b",
    "icymi": r"icymi\b", "must": r"must read\b.{0,80}$", "next": r"next (?:article|story|post|up)\b.{0,100}$", "previous": r"previous (?:article|story|post)\b.{0,100}$",
}
_FIRST_WORD = re.compile(r"[^\w©]*([^\W\d_]+|©)")
_DATE_LINE = re.compile(rf"{DATE}(?:\W+\d{{1,2}}[:.]\d\d(?:\s?[ap]\.?m\.?)?(?:\s[A-Z]{{2,4}})?)?\W*")
_LETTER = re.compile(r"[^\W\d_]")
# Anywhere in a short line; a pattern is tried where one of its hints, in lower case, is found.
_ANYWHERE_LONGEST = 400
_ANYWHERE: tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...] = tuple(
    (hints, re.compile(pattern, re.I), unless_speech) for hints, pattern, unless_speech in (
        (("rights reserved", "may not be "),
         r"all rights reserved|may not be (?:published|reproduced|republished|copied|redistributed)", False),
        (("pic.twitter.com/", "https://t.co/"), r"", False),
        (("(@",), r"^[—–-]+\s?[^.]{2,50}\(@\w+\)", False),
        (("cookie",), r"\bcookies? (?:policy|notice|settings)\b|\bwebsite uses cookies\b|\buses cookies\b", False),
        (("privacy",), r"\bterms (?:of (?:use|service)|and conditions)\b.{0,60}\bprivacy\b|\bprivacy policy\b.{0,60}\bterms\b", False),
        (("opens in", "full stor", "javascript", "ad block"),
         r"\bopens in (?:a )?new (?:tab|window)\b|\bfull stor(?:y|ies) (?:here|at)\b|\benable javascript\b|\bdisable your ad ?block", False),
        (("subscribe", "sign up", "register"),
         r"\b(?:subscribe|sign up|register) (?:to|for) (?:our|the|my|a|free)\b.{0,60}\b(?:newsletters?|mailing list|e-?mails?|updates|alerts|channel|podcast)\b", True),
        (("comment",), r"\b(?:comment below|in the comments?(?: section)?(?: below| of this \w+)?\W*$|leave (?:a|your) comment)\b", True),
        (("tickets", "more info", "details"), r"\b(?:tickets|more info(?:rmation)?|details)\b.{0,40}\bat:? (?:www\.)?\w[\w-]*\.\w{2,6}\S*$", True),
    ))
_END = 40
_SHORT = 60
_LAST_WORDS = re.compile(
    r"(?:sign up|subscribe|click|register|download|follow|apply|donate|read more|learn more|find out more) (?:here|now|today)\W*$", re.I)
_COUNT = re.compile(r"\W*\d[\d.,]*[km]? (?:shares?|comments?|views?|likes?|min(?:ute)?s? (?:read|ago)|hours? ago|days? ago)\b.{0,30}$", re.I)
# "(This story corrects the headline)", and warnings.
_NOTICE = re.compile(
    r"(?:(?:content |trigger )?warning: (?=th|contain|graphic|spoiler|dis|som|may)"
    r"|\((?:this|refiles|refiling|corrects|correcting|updates|adds|recasts|removes|repeats|fixes|clarifies)\b[^()]{0,200}"
    r"\b(?:story|headline|paragraph|para|byline|dateline|typo|article|version|throughout|details|quotes|comment)\b[^()]{0,200}\)$)", re.I)
_LABEL = re.compile(
    r"(?:MORE|READ(?: MORE| NEXT| ALSO)?|RELATED(?: STORY| STORIES| ARTICLE)?|WATCH(?: LIVE| NOW)?|VIDEO|PHOTOS?|ALSO(?: READ| SEE| WATCH)?|SEE(?: ALSO| MORE)?|LISTEN(?: NOW)?"
    r"|GALLERY|Gallery|IN PICTURES|IN PHOTOS|LIVE(?: UPDATES?| BLOG)?|ICYMI|STREAM|POLL|QUIZ|PODCAST|NEXT|TRENDING|RECOMMENDED|MUST READ|(?:More|Read) on [^.:]{2,60}|Related(?: [a-z]+)?|Watch(?: live| now)?|Read(?: more| next| also)?"
    r"|See also|Also read|More(?: here)?|Video|Photos|Listen|Opinion|Editor['’]s [Nn]ote|Don['’]t miss|Click to play|LEARN MORE|TAP (?:TO|HERE).{0,30})\s?[:|»>➤▶]")


def is_boilerplate(text: str) -> bool:
    """Whether a whole paragraph is the site's and not the article's."""
    if len(text) > _LONGEST:
        return False
    if _LABEL.match(text) or _NOTICE.match(text) or not _LETTER.search(text):  # without letters it is a separator, a page number, a count
        return True
    if first := _FIRST_WORD.match(text):
        word, start = first.group(1).lower(), first.start(1)
        if (always := _ALWAYS_BY_WORD.get(word)) and always.match(text, start):
            return True
        if (unless := _UNLESS_BY_WORD.get(word)) and unless.match(text, start) and not _SPEECH.search(text):
            return True
    if len(text) > _ANYWHERE_LONGEST:
        return False
    if _LAST_WORDS.search(text[-_END:]) or len(text) <= _SHORT and (_DATE_LINE.fullmatch(text) or _COUNT.match(text)):
        return True
    lower = text.lower()
    for hints, pattern, unless_speech in _ANYWHERE:
        for hint in hints:
            if hint in lower and pattern.search(text) and not (unless_speech and _SPEECH.search(text)):
                return True
    return False


def _by_word(rules: dict[str, str]) -> dict[str, re.Pattern[str]]:
    patterns: dict[str, list[str]] = {}
    for words, pattern in rules.items():
        for word in words.split():
            patterns.setdefault(word, []).append(pattern)
    return {word: re.compile("|".join(f"(?:{p})" for p in found), re.I) for word, found in patterns.items()}


_ALWAYS_BY_WORD = _by_word(_ALWAYS)
_UNLESS_BY_WORD = _by_word(_UNLESS)
