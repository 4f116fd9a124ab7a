"""Lines, bylines and datelines of news in other languages than English."""

from __future__ import annotations

import pytest

from gistmill.rules.languages.language import language_named
from gistmill.rules.news.html import extract_article
from gistmill.rules.news.story import clean_news

STORY = {
    "de": "Die neue Brücke wurde am Dienstag in der Stadt eröffnet.",
    "fr": "Le nouveau pont a été ouvert mardi dans la ville.",
    "es": "El nuevo puente se abrió el martes en la ciudad.",
    "pt": "A nova ponte foi inaugurada na terça-feira na cidade.",
    "it": "Il nuovo ponte è stato aperto martedì in città.",
    "nl": "De nieuwe brug is dinsdag in de stad geopend.",
    "pl": "Nowy most otwarto we wtorek w centrum miasta.",
    "ru": "Новый мост открыли во вторник в центре города.",
    "ja": "新しい橋が火曜日に市の中心部で開通した。",
    "zh": "新大桥星期二在市中心正式通车并对外开放。",
    "ar": "افتتح الجسر الجديد يوم الثلاثاء في وسط المدينة.",
}


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("de", "Lesen Sie auch: Was der Bürgermeister sagt"),
        ("de", "Foto: Max Müller/dpa"),
        ("de", "Von Max Müller und Anna von Berg"),
        ("de", "Jetzt unseren Newsletter abonnieren und nichts mehr verpassen!"),
        ("fr", "À lire aussi : le maire parle"),
        ("fr", "Par Jean de La Tour"),
        ("fr", "Inscrivez-vous à notre lettre du matin."),
        ("es", "Lee también | El alcalde habla"),
        ("es", "Por Juan Pérez"),
        ("es", "Foto: EFE"),
        ("pt", "Leia também: o prefeito fala"),
        ("it", "Riproduzione riservata ©"),
        ("nl", "Lees ook: de burgemeester spreekt"),
        ("pl", "Czytaj też: burmistrz zabiera głos"),
        ("ru", "Читайте также: что сказал мэр"),
        ("ru", "Подписывайтесь на наш канал, чтобы ничего не пропустить."),
        ("ru", "Фото: ТАСС"),
        ("ja", "関連記事：市長が会見"),
        ("ja", "記事の無断転載を禁じます。"),
        ("zh", "责任编辑：李四"),
        ("zh", "扫码关注我们的微信公众号。"),
        ("zh", "图：人民网"),
        ("ar", "اقرأ أيضا: ماذا قال العمدة"),
        ("ar", "جميع الحقوق محفوظة."),
    ],
)
def test_lines_of_the_site_go(language: str, line: str) -> None:
    story = STORY[language]
    assert clean_news([line, story, line], language=language) == (story,)


@pytest.mark.parametrize(
    ("language", "head"),
    [
        ("de", "Berlin (dpa) - "),
        ("fr", "PARIS (AFP) — "),
        ("es", "Madrid, 5 may (EFE).- "),
        ("ru", "МОСКВА, 5 мая — РИА Новости. "),
        ("ja", "【ワシントン＝時事】"),
        ("zh", "新华社北京5月1日电（记者张三）"),
        ("ar", "القاهرة (رويترز) - "),
    ],
)
def test_datelines_go(language: str, head: str) -> None:
    assert clean_news([head + STORY[language]], language=language) == (STORY[language],)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Tag der offenen Tür: In Berlin kamen am Sonntag viele Leute zusammen."),  # "Tag:" of English
        ("de", "Die CDU (dpa nannte sie so) - und nicht die SPD - gewann die Wahl am Sonntag."),
        ("de", "Von der Leyen reiste am Dienstag zu ihrem ersten Besuch nach Kiew."),
        ("de", "Werbung für Tabak ist in der Stadt seit Dienstag verboten."),
        ("fr", "Partager le pain demande du courage, disait le maire mardi soir."),
        ("es", "Por eso el alcalde cerró el puente el martes por la noche."),
        ("es", "More, el barrio del norte, amaneció el martes sin luz ni agua."),
        ("it", "Di Maio ha incontrato martedì il sindaco della città."),
        ("nl", "Delen van de stad stonden dinsdag onder water."),
        ("pl", "Reklama tytoniu jest w mieście zakazana od wtorku."),
        ("ru", "Подробнее об этом министр рассказал журналистам на встрече."),
        ("ja", "関連記事を執筆した記者は逮捕されたと語った。"),
        ("zh", "关注这一事件的人们认为，政府应当采取更多的措施。"),
        ("ja", "市長は記者団に答えた。「工事は予定どおり進む。」"),
        ("zh", "市長在會上答覆記者：「新橋會按時完工。」"),
        ("ur", "نیا پل منگل کو شہر میں کھولا گیا۔"),
        ("hy", "Նոր կամուրջը բացվեց երեքշաբթի օրը։"),
        ("th", "สะพานใหม่เปิดใช้งานเมื่อวันอังคารที่ใจกลางเมืองหลังจากก่อสร้างมานานกว่าสามปี นายกเทศมนตรีกล่าว"),
        ("lo", "ຂົວໃໝ່ໄດ້ເປີດໃຊ້ໃນວັນອັງຄານຢູ່ໃຈກາງເມືອງຫຼັງຈາກກໍ່ສ້າງມາເປັນເວລາຫຼາຍກວ່າສາມປີ"),
        ("xx", "Read more about it, said the mayor of the town on Tuesday."),
    ],
)
def test_prose_stays(language: str, text: str) -> None:
    assert clean_news([text], language=language) == (text,)


@pytest.mark.parametrize(
    ("language", "text"),
    [("ja", "市長は記者団に（左から三人目）「工事の予定」"), ("th", "สะพานใหม่ใจกลางเมือง"), ("ur", "نیا پل، شہر")],
)
def test_captions_and_links_that_end_no_sentence_go(language: str, text: str) -> None:
    assert clean_news([text], language=language) == ()


@pytest.mark.parametrize(
    ("language", "signature"), [("de", " (mz)"), ("zh", "（完）"), ("zh", "（记者张三）"), ("ja", "（共同）")]
)
def test_who_wrote_it_goes_from_behind_the_last_sentence(language: str, signature: str) -> None:
    assert clean_news([STORY[language] + signature], language=language) == (STORY[language],)


def test_a_bracket_inside_or_of_sentences_stays() -> None:
    for text in (
        f"{STORY['de']} (Mehr dazu steht unten.)",
        "Die neue Brücke wurde am Dienstag eröffnet (siehe Karte).",
    ):
        assert clean_news([text], language="de") == (text,)


def test_the_headline_and_the_author_go_in_every_language() -> None:
    lines = ["Neue Brücke eröffnet", "Max Müller", STORY["de"]]
    assert clean_news(lines, title="Neue Brücke eröffnet!", author="Max Müller", language="de") == (STORY["de"],)


def test_english_is_the_language_that_is_not_named() -> None:
    lines = ["By Jane Roe, Staff Writer", "LONDON (AP) — The mayor opened the bridge on Tuesday.", "Read more here"]
    expected = ("The mayor opened the bridge on Tuesday.",)
    assert clean_news(lines) == clean_news(lines, language="en") == expected


@pytest.mark.parametrize("language", ["de", "ja", "xx"])
def test_a_second_pass_changes_nothing(language: str) -> None:
    lines = ["Foto: dpa", "Berlin (dpa) - Die Brücke wurde am Dienstag geöffnet.", "関連記事：市長", STORY["ja"]]
    once = clean_news(lines, language=language)
    assert clean_news(once, language=language) == once


@pytest.mark.parametrize("code", ["ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh"])
def test_phrases_are_in_lower_case(code: str) -> None:
    table = language_named(code).tables["news"]
    phrases = [phrase for key in ("begins", "holds", "bylines") for phrase in table[key]]
    assert phrases == [phrase.lower() for phrase in phrases] and all(phrases)


def test_the_extractor_is_told_the_language() -> None:
    body = "".join(f"<p>{STORY['de']} Das sagte die Bürgermeisterin der Stadt am Abend.</p>" for _ in range(6))
    page = f"<html><body><article><h1>Neue Brücke</h1>{body}</article></body></html>"
    assert extract_article((page, ""), language="de") == extract_article((page, ""))
