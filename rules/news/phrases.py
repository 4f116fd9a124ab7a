"""The tables of phrases by which ``rules/news/lines.py`` recognises a news site's own lines."""

from __future__ import annotations

import re

from gistmill.rules.news.words import DATE

_SITES = (
    r"(?:Facebook|Twitter|Instagram|LinkedIn|WhatsApp|Telegram|YouTube|TikTok|Reddit|Pinterest|Snapchat|Google News"
    r"|X|Threads|Bluesky|Mastodon|e-?mail)"
)

# By first word (lower case, letters only), from the line's beginning: rules that hold whatever speech the line reports.
ALWAYS: dict[str, str] = {
    "advertisement advertisements advertising ad sponsored": (r"(?:\w+ ?){1,4}[.:]?$|advertisement\b.{0,40}$"),
    "story article scroll content": (
        r"(?:story|article|content)? ?(?:continues|continued) (?:below|after|from)\b|scroll (?:down|to|for)\b"
    ),
    "continue": (r"continue reading\b|continue (?:with|to)\b.{0,60}$"),
    "skip": (r"skip (?:to|ad|advert|past)\b.{0,60}$"),
    "loading please": (
        r"loading\W*$|please (?:enable|turn on|try again|enter|select|log ?in|sign ?in|subscribe|refresh|wait|share"
        r"|check your|visit|click|note that this)\b"
    ),
    "share tweet pin email print facebook twitter whatsapp linkedin reddit copy save comments comment like follow"
    " copied link": (
        rf"(?:(?:share|tweet|pin|print|copy|copied|save|send|post|like|comments?|follow|link|this|it|on|via|with|by"
        rf"|to|and|or|us|me|article|story|page|now|your|friends|clipboard|{_SITES}|\d[\d.,]*[km]?)\W*)+$"
    ),
    "image images photo photos photograph photographs picture pictures pic video media illustration illustrations"
    " caption featured file graphic screenshot stock cover lead main header hero feature footage source sources"
    " credit credits getty via courtesy": (
        r"(?!via .*[.!?][\"”’»)]*$)(?:(?:featured|file|stock|cover|lead|main|header|hero|feature|media|the|all"
        r"|getty)? ?(?:image|photo"
        r"|photograph|picture|pic|video|illustration|graphic|screenshot|media|footage|source|credit"
        r"|caption)s?)?(?: (?:image|photo|photograph|picture|video|media))?s? ?(?:credits?|copyright|captions?"
        r"|sources?|courtesy(?: of)?|via|by|from)?s? ?(?:[:|/©–—-]|(?<=by) |(?<=via) |(?<=courtesy of) "
        r"|(?<=copyright) |(?<=caption) |$)(?!.*\b(?:shows?|showed|was|were|has|have|will)\b.*[.!?]$)"
        r"|getty images\b.{0,40}$|(?:image|media|video) (?:copyright\b|captions?\b|source[,:])(?! (?:is|was|are|were"
        r"|of|for)\b)|courtesy (?:of|photo)\b.{0,60}$"
    ),
    "ap reuters afp epa": (r"(?:ap|reuters|afp|epa)(?: photo| images| file| via .{1,30})?\s?/\s?\S.{0,60}$"),
    "copyright ©": (r"copyright\s*(?:©|\(c\)|\d{4}|:|by\b|notice)|©"),
    "all": (r"all rights reserved\b|all (?:photos|images|pictures)\b.{0,80}\b(?:by|courtesy|via|from)\b.{0,60}$"),
    "correction corrections clarification": (
        rf"(?:correction|clarification)s?\b(?: (?:added|issued|appended))?\W*(?:{DATE}|:|\d)"
    ),
    "filed tags tag topics topic categories category keywords temas": (
        r"(?:filed under|tags?|topics?|categor(?:y|ies)|keywords|temas)\b ?(?:[:|]|$|in\b)"
    ),
    "estimated reading read": (r"(?:estimated )?read(?:ing)? time\b.{0,30}$|reading (?:time|mode)\b.{0,30}$"),
    "published posted updated update last first originally created modified date": (
        rf"update\W+{DATE}.{{0,30}}:"
        rf"|(?:first |last |originally )?(?:published|posted|updated|created|modified|date)(?: (?:on|at|by|date"
        rf"|time))*\W+(?:{DATE}|\d|today|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day).{{0,60}}$"
        rf"|last (?:updated|modified)\b.{{0,60}}$|(?:first|originally) (?:published|appeared|posted) (?:on|in|at"
        rf"|by)\b|{DATE}\W*$"
    ),
    "cookies cookie accept manage": (
        r"(?:accept|manage|cookies?)\b.{0,40}\b(?:cookies?|policy|preferences|settings|notice)\b"
    ),
    "disclaimer disclosure": (r"(?:disclaimer|disclosure)s?\b ?[:–—-]"),
    "editor editors": (r"(?:editor['’]?s?['’]?) ?(?:note|notes|pick|picks|choice)\b"),
    "republished reprinted reproduced syndicated excerpted": (
        r"(?:republished|reprinted|reproduced|syndicated|excerpted) (?:with|by|from|under|courtesy)\b"
    ),
    "related recommended trending popular": (
        r"(?:related|recommended|trending|popular)(?: (?:stories|story|articles?|content|coverage|links?|reading"
        r"|news|posts?|videos?|topics|now|for you))*\s*(?:[:|»>–—-]|$)"
    ),
    "ends end": (r"(?:the )?ends?\W*$"),
    "javascript your": (
        r"javascript (?:is|must)\b|your (?:browser|ad ?blocker|subscription|email address|e-mail address"
        r"|privacy)\b.{0,160}$"
    ),
    "originally": (r"originally (?:published|posted|appeared)\b"),
    "thank thanks": (r"thank(?:s| you) for (?:reading|subscribing|signing up|your feedback|visiting)\b"),
    "comments": (r"comments (?:are|have been|\(\d|will be)\b.{0,80}$"),
}
# Rules that hold unless the line reports speech.
UNLESS: dict[str, str] = {
    "read": (
        r"(?:read )?(?:more|also|next|now|on|the full (?:story|article|report|piece|interview|review|text))\b ?(?:[:"
        r"|»>→–—-]|$|here|about|on|at|in our|from|in the)|read (?:our|the (?:latest|original|rest|full)|all"
        r"|related)\b|read:|read (?:more|also|next)\b[^.]*$"
    ),
    "more": (
        r"more ?(?:[:|»>–—]|from\b[^.]*$|on (?:this|the) (?:story|topic|subject)|on [^.]*:|stories\b|news\b[^.]*$"
        r"|coverage\b|like this|information (?:is available|can be found))"
    ),
    "also see watch listen view check click tap find discover explore browse learn visit download try take go dont"
    " don": (
        r"(?:also (?:read|see|watch|on)|see (?:also|more|all|our|below for)|see:|watch(?: (?:now|live|this|the video"
        r"|more|below|above|video|here))?\s*(?:[:|»>–—]|$)|watch (?:the video|live|more|below|above|our)\b"
        r"|listen(?: (?:to|now|live|here))?\s*(?:[:|»>–—]|$)|listen to (?:our|the (?:full|podcast|episode))\b"
        r"|view (?:all|more|the (?:full|original|gallery|photos)|comments|this|gallery|\d)\b|check out (?:our"
        r"|the (?:full|latest|rest|video|gallery)|more|these|all|some (?:more|other|of our))\b|(?:click"
        r"|tap)(?: or tap)? (?:here|on|the|below|to)\b|find (?:out more|us|more|all)\b|discover more\b"
        r"|explore (?:more|our|all)\b|browse\b|learn more\b|visit (?:our|us|the .{0,40}(?:website|page|site)|www"
        r"|https?:)\b|download (?:our|the .{0,60}app|now|free|it|here)\b|take (?:our|the|this) (?:survey|poll"
        r"|quiz)\b|don['’]?t (?:miss|forget to (?:subscribe|follow|share|like|sign)))"
    ),
    "sign subscribe register join become support donate enter log already get receive unsubscribe stay keep": (
        rf"(?:sign(?:ing)? ?up|subscribe|register|unsubscribe)\b(?! (?:for|to) (?:the|a) (?:army|war|military|marines"
        rf"|navy))(?:\W*$| (?:for|to|now|here|today|with|on|below|and|free|by|via)\b)|join (?:our|us on|(?:now"
        rf"|today)\b|or renew"
        rf"|the (?:conversation|discussion|debate)|{_SITES}|(?:thousands|millions|over|more than) .{{0,40}}(?:readers"
        rf"|subscribers|people))|become an? .{{0,30}}(?:member|subscriber|supporter|patron|insider)\b|support (?:our"
        rf"|independent|local|quality|us|this) .{{0,20}}(?:journalism|work|site|reporting|newsroom|by|with)"
        rf"|donate (?:now|today|here|to)\b|enter your\b|log ?in\b(?! .{{0,60}}was)|already (?:a|have|an|registered"
        rf"|subscribed)\b.{{0,80}}(?:sign|log|subscriber|member|account)|(?:get|receive|stay"
        rf"|keep)\b.{{0,160}}\b(?:newsletters?|inbox|e-?mails? (?:alerts?|updates?)|daily edition|(?:edition|updates"
        rf"|alerts|stories|news|headlines|briefing|digest) (?:by|via) e-?mail|push notifications?|our app|free app"
        rf"|up to date with|breaking news alerts|sign up|on {_SITES})\b"
    ),
    "follow like connect contact reach tweet write find email": (
        rf"like this (?:story|article|post)\?"
        rf"|(?:you can )?(?:follow|like|find|connect with|contact|reach|e-?mail|tweet|write to"
        rf"|message)\b.{{0,120}}(?:\bon (?:our )?{_SITES}\b|@\w|\bat:? \S+\.\S+|\bsocial media\b|\bfor (?:more"
        rf"|the latest)\b)|follow (?:us|me|our)\b.{{0,80}}$"
    ),
    "leave post have be tell what let do got send submit we want share view join add": (
        r"leave (?:a|your) (?:comment|reply|thought|feedback)|post (?:a|your) (?:comment|reply)|have (?:your say"
        r"|you (?:been affected|got a story|seen|experienced))|be the first to (?:comment|know|like|share)|(?:tell"
        r"|let) us (?:know|what|about|in the)\b.{0,120}(?:comment|below|think|know|e-?mail|twitter|facebook)"
        r"|what (?:do|are|did) you(?:r)? (?:think|thoughts|reckon|make)\b(?:\W*$|.{0,140}\b(?:comments?|below"
        r"|let us know|tell us)\b)|do you (?:have|know|want|agree|like)\b.{0,160}(?:\bemail|@|tips?\b|sign up"
        r"|let us know|contact|get in touch|comment|newsletter|here\W*$)|got (?:a|an) .{0,20}(?:tip|story|news"
        r"|opinion|question)\b|(?:send|submit)\b.{0,80}(?:@|letters?|tips?|comments?|to the editor|pitch)"
        r"|we (?:want to hear|may (?:earn|receive|get)|(?:and our partners )?use (?:cookies|your)|value your privacy"
        r"|have sent|recommend the best products|welcome your)\b|share your (?:thoughts|views|opinion|story"
        r"|comments?)\b|add (?:a|your) comment\b"
    ),
    "this these the a an some our newyou": (
        r"newyou can\b|this is a preview\b|this copy is for\b"
        r"|(?:this|a version of this|an? (?:earlier |previous |shorter |longer )?version of this|our"
        r"|some of the|these|some) ?(?:(?:is )?(?:article|story|post|piece|column|report|essay|interview|excerpt"
        r"|content|page|website|site|material|video|blog|review|guide|feature|press release|op-?ed|links?|products"
        r"|opinions|views|information)s?)? ?(?:(?:has been|have been|was|is|were|are|may be|must"
        r"|will be)? ?(?:first |originally |last |also |lightly |automatically )*(?:published|appeared|appears"
        r"|updated|edited|amended|corrected|republished|reprinted|reproduced|syndicated|adapted|excerpted"
        r"|produced in partnership|sponsored|powered|protected by|translated from|part of (?:a|our|the) (?:series"
        r"|special|newsletter)|affiliate links|not necessarily)\b|(?:is|are) (?:not|no longer|only) available\b"
        r"|is (?:more than|over) .{1,20} old\b|is an? (?:breaking|developing|updating)\b|(?:uses?|contains?"
        r"|requires?|may contain|may not be|does not necessarily)\b .{0,60}?(?:cookies|affiliate|reproduced"
        r"|published|javascript|copyright|links|reflect|commission|redistributed))|the (?:article|story|post|piece"
        r"|column|essay|interview) (?:was|is|has been) ?(?:also )?(?:first|originally) (?:published|posted|appeared"
        r"|printed)\b"
        r"|the (?:views|opinions)(?: and (?:views|opinions))? expressed\b"
        r"|the (?:video|audio|player|requested)\b.{0,60}(?:could not"
        r"|cannot|not available|is loading)|the post .{3,200} (?:first )?appeared (?:first )?on\b"
        r"|this site is protected\b|our (?:privacy|cookie|terms|standards|editorial)\b.{0,80}(?:policy|principles"
        r"|notice|use)"
    ),
    "by": (
        r"by (?:clicking|continuing|submitting|signing up|subscribing|using|registering|providing|entering"
        r"|proceeding)\b.{0,160}\b(?:you (?:agree|accept|consent|confirm|acknowledge|are agreeing)|terms|privacy"
        r"|cookies)\b"
    ),
    "to": (
        r"to (?:continue reading|read (?:the full|more|this)|subscribe|sign up|comment|report an error|view this"
        r"|submit|contact the|unlock|access this|learn more|receive|see (?:more|all|the full)|get (?:the"
        r"|our) .{0,60}(?:inbox|newsletter|alert))\b"
    ),
    "if": (
        r"if you(?:['’]re| are| have| would| want| enjoyed| liked?| wish| do not| don['’]t| cannot"
        r"| need)?\b.{0,160}\b(?:app\b.{0,30}click|click here|sign up|subscribe|newsletter|let us know"
        r"|please (?:contact|email|consider|share|visit|call|check)|e-?mail us|get in touch|comment below"
        r"|in the comments|samaritans|helpline|check out|read (?:more|our)|purchase|buy (?:something|through)"
        r"|commission)"
    ),
    "you": (
        r"you can now listen to\b|you (?:can (?:follow (?:us|me|him|her|them|@|our|the author|.{2,40} on (?:twitter"
        r"|facebook|instagram|x)\b)|find (?:more|us|out|me|our|all|the full|him on|her on|them on)\b|also (?:read"
        r"|follow|find|listen|watch|sign)|reach|unsubscribe|contact|read (?:more|the (?:original|full))|listen to"
        r"|subscribe|share|support|opt)|must (?:be logged|have javascript|log ?in|be \d+)|may (?:also (?:like"
        r"|be interested)|unsubscribe)|might also (?:like|be interested)|have (?:been|successfully|reached|no|\d+"
        r"|read)\b.{0,60}(?:subscri|signed|articles?|limit|logged)|will (?:receive|be redirected"
        r"|get)\b.{0,60}(?:email|newsletter))"
    ),
    "for": (
        r"for (?:more (?:information|info|details|stories|news|on this|updates?|from|great|tips|recipes)"
        r"|further (?:information|details)|the (?:latest|top|best) (?:news|updates|headlines|stories|breaking)"
        r"|all the latest|media (?:inquiries"
        r"|enquiries)|press (?:inquiries|enquiries)|confidential support|details,? (?:visit|call"
        r"|contact))\b.{0,200}(?:visit|click|call|contact|follow|see|check|sign|subscribe|e-?mail|www\.|https?:|@"
        r"|app|newsletter|here)"
    ),
    "in": (r"in case you missed it\b|in (?:partnership|association|collaboration) with\b[^.]{0,60}$"),
    "written reviewed medically clinically fact": (
        r"(?:(?:medically|clinically|fact)[ -](?:reviewed|checked)|written or reviewed) by\b|reviewed by\b.{0,60}$"
    ),
    "feel": (r"feel free to (?:contact|e-?mail|call|write|reach|message|share|leave|send|comment|follow)\b"),
    "use": (r"use of this (?:site|website)\b"),
    "it": (r"it looks like (?:you|your|nothing)\b"),
    "as": (r"as an amazon associate\b"),
    "we": (
        r"we (?:independently|only recommend|selected these|hope you (?:love|enjoy)|may be compensated"
        r"|participate in)\b.{0,200}\b(?:products?|links?|review|evaluate|commission|purchase)"
    ),
    "all when purchases products every": (
        r"(?:all|every) products?\b.{0,60}\b(?:independently|selected|editors)|when you (?:buy|purchase|shop|click"
        r"|make a purchase)\b.{0,100}\b(?:links?|commission)|(?:purchases|products)\b.{0,100}\b(?:commission"
        r"|independently)"
    ),
    "fox check stay": (
        r"fox news flash\b|check (?:back|here) (?:for|later|often|soon)\b|stay (?:with"
        r"|tuned)\b.{0,60}\b(?:for (?:updates|more|the latest)|us)\b"
    ),
    "icymi": (r"icymi\b"),
    "must": (r"must read\b.{0,80}$"),
    "next": (r"next (?:article|story|post|up)\b.{0,100}$|next ?[:»>→].{0,100}$"),
    "previous": (r"previous (?:article|story|post)\b.{0,100}$"),
}

# Hints, in lower case, and the pattern that is looked for anywhere in a line with one of them; whether reported speech
# speaks against it.
ANYWHERE: tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...] = tuple(
    (hints, re.compile(pattern, re.I), unless_speech)
    for hints, pattern, unless_speech in (
        (
            ("rights reserved", "may not be "),
            r"all rights reserved|may not be (?:published|reproduced|republished|copied|redistributed)",
            False,
        ),
        (("pic.twitter.com/", "https://t.co/"), r"", False),
        (("(@",), r"^[—–-]+\s?[^.]{2,50}\(@\w+\)", False),
        (("cookie",), r"\bcookies? (?:policy|notice|settings)\b|\bwebsite uses cookies\b|\buses cookies\b", False),
        (
            ("privacy",),
            r"\bterms (?:of (?:use|service)|and conditions)\b.{0,60}\bprivacy\b"
            r"|\bprivacy policy\b.{0,60}\bterms\b",
            False,
        ),
        (
            ("opens in", "full stor", "javascript", "ad block"),
            r"\bopens in (?:a )?new (?:tab|window)\b|\bfull stor(?:y|ies) (?:here|at)\b|\benable javascript\b"
            r"|\bdisable your ad ?block",
            False,
        ),
        (
            ("subscrib", "sign up", "signing up", "register"),
            r"\b(?:subscrib(?:e|ing)|sign(?:ing)? up|register(?:ing)?) (?:to|for) (?:our|the|my|a|free)\b.{0,60}\b"
            r"(?:newsletters?"
            r"|mailing list|e-?mails?|updates|alerts|channel|podcast)\b",
            True,
        ),
        # a caption: "Jane Roe (left)", "the mayor (right) looks on"; not a party: "the VVD (centre-right) won"
        (
            ("(right", "(left", "(centre)", "(center)", " right)", " left)"),
            r"(?:\b(?-i:[A-Z][\w.'’-]+ [A-Z][\w.'’-]+),? )\((?:left|right|centre|center)\)"
            r"|\((?:left|right|centre|center)\),? (?:looks?|speaks?|talks?|poses?|shakes?|greets?|addresses|holds?"
            r"|walks?|stands?"
            r"|sits?|arrives?|hands?|presents?|receives?|listens?|cuts?|celebrates?)\b"
            r"|\((?:(?:seated|standing|pictured|front|back|top|bottom|second|third|fourth|at|on|the)[ -])*"
            r"from (?:the )?(?:left|right)\)"
            r"|\((?:pictured|seated|standing),? (?:left|right|centre|center)\)",
            True,
        ),
        (
            ("(function", "document.", "getelementby"),
            r"^\W*function ?\(|\bdocument\.(?:write|addEventListener|getElement\w+|querySelector\w*|createElement)\b",
            False,
        ),
        (
            ("comment",),
            r"\b(?:comment below|in the comments?(?: section)?(?: below| of this \w+)?\W*$|leave (?:a"
            r"|your) comment)\b",
            True,
        ),
        (("your inbox",), r"\b(?:in|to|into) your inbox\b", True),
        (("share your ",), r"\bplease share your\b|\bshare your (?:videos|photos|pictures|stories) with us\b", True),
        (("in your region", "in your country", "in your area"), r"\bnot (?:currently )?available in your\b", True),
        (("be reached",), r"\b(?:can|may) be reached (?:at|by|via|on|through)\b.{0,60}@", False),
        (("subscription",), r"\b(?:start|begin|get|renew) (?:your|a) (?:\w+ ){0,4}subscription\b", True),
        (
            ("tickets", "more info", "details"),
            r"\b(?:tickets|more info(?:rmation)?|details)\b.{0,40}\bat:? (?:www\.)?\w[\w-]*\.\w{2,6}\S*$",
            True,
        ),
    )
)
