"""Bylines and datelines go; prose that looks like them stays."""

from __future__ import annotations

import pytest

from gistmill.rules.news.heads import is_byline, repeats, without_dateline

STORY = "The mayor opened the bridge on Tuesday."


@pytest.mark.parametrize(
    "head",
    [
        "NEW YORK (Reuters) - ",
        "(CNN) -- ",
        "(CNN)",
        "(CNN) ",
        "London (CNN)",
        "New York (CNN Business) — ",
        "LONDON, May 3 (AP) — ",
        "WASHINGTON (AP) _ ",
        "WASHINGTON (AP) — ",
        "WASHINGTON — ",
        "WASHINGTON, D.C. – ",
        "Washington (AFP) - ",
        "PARIS, (AFP) – ",
        "BEIJING, Aug. 3 (Xinhua) -- ",
        "SAN FRANCISCO, Calif. (KGO) -- ",
        "NAPA COUNTY, Calif. (KGO) -- ",
        "AUSTIN (KXAN) — ",
        "MANILA, Philippines (AP) — ",
        "(Reuters) - ",
        "(JTA) — ",
        "JTA — ",
        "KVELLER via JTA — ",
        "AP - ",
        "TAYLORVILLE — ",
        "KHAN YOUNIS, GAZA — ",
        "ST. LOUIS (AP) — ",
        "ST. LOUIS — ",
        "RIO DE JANEIRO — ",
        "SÃO PAULO — ",
        "BOSTON, May 3 — ",
        "Geneva, 10 May 2018 – ",
        "GENEVA, 10 May 2018 (WHO) – ",
        "NEW YORK, May 3, 2018 /PRNewswire/ -- ",
        "May 3 (Reuters) - ",
        "Feb. 20 (Bloomberg) -- ",
        "NEW DELHI: ",
        "New Delhi: ",
        "Jerusalem — ",
        "Paris – ",
        "TOKYO, Japan — ",
        "LOS ANGELES (CBS LA) — ",
        "NASHVILLE, Tenn. (WKRN) — ",
        "RALEIGH, N.C. (WNCN) – ",
        "BALTIMORE (WJZ) — ",
        "HARRISBURG, Pa. (WHTM) — ",
        "PORT-AU-PRINCE, Haiti — ",
        "DETROIT (FOX 2) - ",
        "LONDON (Thomson Reuters Foundation) - ",
        "ISLAMABAD (Dawn News) - ",
        "By Jane Roe LONDON (Reuters) - ",
        "By JANE ROE Associated Press WASHINGTON (AP) — ",
        "By Jane Roe, 10 May 2018 ",
        "By Jane Roe and John Doe | May 10, 2018 | ",
        "Jones Smith, May 10th, 2018. ",
        "New York (CNN) –",
        "BREAKING: ",
        "EXCLUSIVE - ",
        "Anchor: ",
        "May 10, 2018 - ",
        "BEIRUT/GENEVA (Reuters) - ",
        "TEL AVIV, Israel (AP) — ",
        "U.N. Headquarters (AP) — ",
        "Moscow, March 2, 2019 (TASS) – ",
        "New Delhi [India], May 3 (ANI): ",
        "Mumbai, May 3: ",
        "MOSCOW. May 3 (Interfax) - ",
        "NEW YORK--(BUSINESS WIRE)--",
        "Doha, Qatar – ",
        "Mosul, Iraq – ",
        "Tallahassee, Fla. — ",
        "Los Angeles, CA - ",
        "NEW YORK, May 3, 2018 (GLOBE NEWSWIRE) -- ",
        "Tokyo, May 3 (Jiji Press)--",
        "SACRAMENTO, Calif. - ",
        "TOKYO -- ",
        "Kyiv, Ukraine — ",
        "Chicago (WLS) -- ",
        "Mumbai (Maharashtra) [India], May 3 (ANI): ",
        "By MEG KINNARD Associated Press ",
        "By LISA MASCARO and STEPHEN GROVES Associated Press WASHINGTON (AP) — ",
        "By Jane Roe, CNN ",
        "(UNDATED) – ",
        "BENGALURU : ",
        "Monroe County, MI – ",
        "JACKSON COUNTY, MI -- ",
        "New Delhi, March 23 (IANS) ",
        "SPRINGFIELD, Ill., Nov. 8 — ",
        "LAGOS, Nigeria, March 4 – ",
        "HONG KONG, Oct 20, 2023 - (ACN Newswire) - ",
        "OSLO, 3.5.2018 – ",
        "WOODINVILLE, Wash., Oct. 29 /PRNewswire/ -- ",
        "New York, NY, November 12, 2008 – ",
        "LONDON, June 4 (Reuters) - ",
        "SURABAYA, Indonesia/JAKARTA (Reuters) - ",
        "BAGHDAD/MOSUL, Iraq (Reuters) - ",
        "Shamil Zhumatov/REUTERS",
        "ANAHEIM, Calif. — ",
        "Washington, DC, United States: ",
        "Kaieteur News – ",
        "The Town Times — ",
        "By Aaron Humes: ",
        "By Jane de la Roe and John Doe: ",
        "By Max Lee, Jane Roe and John Doe: ",
        "ANNANDALE, Va. (AP) — ",
        "SIOUX FALLS, S.D. (AP) — ",
        "CHEROKEE COUNTY – ",
    ],
)
def test_heads_go(head: str) -> None:
    assert without_dateline(head + STORY) == STORY


@pytest.mark.parametrize("head", ["PanARMENIAN.Net - ", "panarmenian.net – ", "LONDON — PanARMENIAN.Net — "])
def test_the_name_of_the_site_goes(head: str) -> None:
    assert without_dateline(head + STORY, site="PanARMENIAN.Net") == STORY


@pytest.mark.parametrize(
    "text",
    [
        "Town Crier said on Monday - The mayor was there.",
        "Town Crier — it is old — was sold.",
        "Town Crier",
        "Town Crier - ",
        "The Town Crier - The oldest of all.",
    ],
)
def test_the_site_in_a_sentence_stays(text: str) -> None:
    assert without_dateline(text, site="Town Crier") == text


def test_a_word_without_end_is_left() -> None:
    for text in ("A" * 10_000_000, "Aa-" * 3_000_000, "LONDON — " + "A" * 10_000_000):
        assert without_dateline(text, site="Aa").endswith(text[-1000:])


def test_a_sure_dateline_needs_no_second_look() -> None:
    story = "Musicians often show off —but rarely so."
    assert without_dateline("ANAHEIM, Calif. — " + story) == story


@pytest.mark.parametrize(
    "text",
    [
        "London (the capital) - a city of nine million - is growing.",
        "By Tuesday, 10 people had been found.",
        "By May 2018 the firm had closed.",
        "Barack Obama (D-Ill.) - then a senator - voted for it.",
        "Apple (AAPL) — The company's shares rose.",
        "Microsoft (NASDAQ: MSFT) - The maker of Windows rose.",
        "NASA — Boeing's client — said on Monday that it was late.",
        "NASA — the space agency — said on Monday that it was late.",
        "IBM - which makes computers - said so.",
        "The mayor (John Roe) – The man who built it – resigned.",
        "COVID-19: What we know about the new variant so far.",
        "Jane Roe — The writer has lived here since May.",
        "May (the minister) said she would not go.",
        "March 3 was the day on which it began.",
        "May 10, 2018 was a dark day for the town.",
        "Paris is the capital of France - and its largest city.",
        "A man (Reuters) said so.",
        "U.S. President Joe Biden (left) - He spoke in Ohio.",
        "I - The writer of this - was there.",
        "CNN reported on Monday that it was over.",
        "Reuters and AP said so on Monday.",
        "(He was right.) The others were not.",
        "2018 – The year that changed it all – is over.",
        "WARNING: This story holds details that may upset you.",
        "D-Day — The landing of 1944 — is remembered.",
        "By far the most popular of them was the third.",
        "By New Year: The town will have a bridge.",
        "By Monday Night: The game will be over.",
        "By Jane's own account: The car came from the left.",
        "The Sun Herald – The paper of the town – has closed.",
        "Sky News reported it – The others did not.",
        "On Tuesday, May 3: The day it began was cold.",
        "Jane Roe, Mayor – The woman who built it.",
        "By John's account, the car came from the left.",
    ],
)
def test_prose_stays(text: str) -> None:
    assert without_dateline(text) == text
    assert not is_byline(text)


@pytest.mark.parametrize(
    "line",
    [
        "By Jane Roe, 10 May 2018",
        "By Jane Roe",
        "BY JANE ROE",
        "By Jane Roe.",
        "By Jane Roe and John Doe",
        "By Jane Roe, BBC News",
        "By Jane Roe | Staff Writer | May 10, 2018 at 3:14 p.m. EDT",
        "By Jane Roe, Political Correspondent",
        "Jane Roe, Staff Writer",
        "Written by Jane Roe",
        "Posted by Jane Roe on May 10, 2018",
        "By Jane Roe For Mailonline",
        "By Jane Roe @janeroe",
        "By: Jane Roe",
        "By Ludwig van Beethoven and Vincent de la Cruz",
        "By Jane Roe of The Times",
        "By Jane Roe jane.roe@example.com",
        "10 May 2018",
        "May 10, 2018 3:14 PM",
        "Jones Smith, May 10th, 2018.",
        "By The Associated Press",
        "Agence France-Presse",
        "By Jane Roe Published: 07:00 EST, 3 May 2013 | Updated: 09:12 EST, 3 May 2013",
        "Story by Jane Roe",
        "Max Lee has more.",
        "KBS World's Max Lee reports from Seoul.",
        "By JANE ROE and JOHN DOE Associated Press",
        "By Jane Roe • 5 hours ago",
        "Written by Jane Roe | New Delhi | Updated: May 3, 2018 10:15:23 am",
        "Express News Service | New Delhi | May 3, 2018",
    ],
)
def test_bylines_are_told(line: str) -> None:
    assert is_byline(line)


@pytest.mark.parametrize(
    "text",
    [
        "By Monday.",
        "By George!",
        "“Yes.”",
        "Jane Roe resigned.",
        "By then Jane Roe had gone.",
        "Nobody Knows?",
        "He left in May 2018.",
        "Jane Roe, 34, was booked into jail.",
        "The Prime Minister has more.",
    ],
)
def test_sentences_are_no_bylines(text: str) -> None:
    assert not is_byline(text)


def test_the_headline_repeated() -> None:
    assert repeats("Mayor opens ‘new’ bridge.", "Mayor Opens 'New' Bridge")
    assert not repeats("Mayor opens new bridge and leaves.", "Mayor opens new bridge")
    assert not repeats("", "") and not repeats("...", "")


def test_hostile_text_takes_linear_time() -> None:
    for piece in ("A ", "LONDON, ", "(", "By ", "A-", "May 3 ", "J. R. ", "BREAKING: "):
        text = piece * 30_000
        assert text.endswith(without_dateline(text))
        assert not is_byline(text[:224] + " said the mayor.")
