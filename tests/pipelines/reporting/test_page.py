import dataclasses
from datetime import UTC, datetime

from gistmill.core.manifest import Manifest
from gistmill.core.statistics import Figure, group_counts
from gistmill.pipelines.reporting.manifest import card, statistics
from gistmill.pipelines.reporting.page.view import command, distributions, figure, prose, remarks, report
from gistmill.pipelines.reporting.plain_text import Piece, duration, marked, merged
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.sinks.results import NO_SAMPLES, Samples
from tests.cases import by_heading
from tests.html_page import Page
from tests.pipelines.publishing.made import INFO

CASES = by_heading(__file__)

HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(1)> \u202e rtl \x00 & 'quoted' \"twice\""
COUNTS = {
    "documents/read": 200,
    "documents/used": 150,
    "documents/rejected/REDIRECT": 50,
    "sentences/read": 10,
    "sentences/used": 4,
    "sentences/rejected/LIST": 6,
    "rows/full/train": 7,
    "rows/full/test": 1,
    "types/full/PAIR_CONN": 5,
    "types/full/PAIR_NONE": 3,
}


def manifest(counts=COUNTS, **changes):
    made = Manifest(
        recipe="discofuse",
        configuration={"output": "out", "limit": 9, "conventions": "released", "ascii_only": False, "workers": 1},
        code_version="1",
        versions={"beam": "2"},
        models=(),
        runner="local",
        start=datetime(2026, 1, 1, tzinfo=UTC),
        end=datetime(2026, 1, 2, tzinfo=UTC),
        licence="",
        attribution="",
        evaluation=(),
        sources=(),
        damage=(),
        counts=group_counts(counts),
        machine_dependent={},
        columns={"full": (), "balanced": ()},
        files=(),
    )
    return dataclasses.replace(made, **changes)


def page(made=None, samples=NO_SAMPLES, before=None, counts=COUNTS, run=INFO):
    shown = statistics(counts, recipe=RECIPES["discofuse"])
    return Page(report(made or manifest(counts), shown, run=run, samples=samples, before=before))


def test_whatever_comes_from_data_is_shown_as_text():
    row = {"id": HOSTILE, "inputs": HOSTILE, "targets": HOSTILE * 2, "title": HOSTILE[:20]}
    rejects = {"LIST": [{"id": "1", "unit": "sentence", "title": HOSTILE, "detail": HOSTILE}]}
    counts = {**COUNTS, f"documents/rejected/{HOSTILE}": 1, f"types/full/{HOSTILE}": 2}
    run = dataclasses.replace(INFO, title=HOSTILE, description=HOSTILE)
    shown = page(None, Samples({"full": {HOSTILE: [row]}}, rejects), counts=counts, run=run)
    assert not shown.open and not shown.seen & {"script", "img"} and shown.outside == []
    assert shown.text.count("<script>alert(1)</script>") >= 6


def test_the_page_may_run_nothing_and_ask_for_nothing():
    text = report(manifest(), statistics(COUNTS, recipe=RECIPES["discofuse"]), run=INFO)
    head = text[: text.index("<style>")]
    assert (
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'\">" in head
    )


def test_a_reason_shows_its_meaning_and_rejects_of_its_own_unit():
    of_sentence = {"id": "1", "unit": "sentence", "title": "Cats", "detail": "A, B and C"}
    of_pair = {"id": "2", "unit": "pair", "title": "Dogs", "detail": "elsewhere"}
    shown = page(samples=Samples({}, {"LIST": [of_sentence, of_pair]}))
    assert "A, B and C" in shown.text and "elsewhere" not in shown.text
    assert "6 (60.0%)" in shown.text and "the phrase between the commas is a list item" in shown.text


def test_two_texts_are_shown_as_one_with_marks():
    for old, new, shown in [
        ("He ran . He fell .", "He ran , but fell .", "He ran [-. He-] {+, but+} fell ."),
        ("We walked .", "We walked .", "We walked ."),
        ("Yes .", "Yes , we did .", "Yes {+, we did+} ."),
        ("a b", "c", "[-a b-] {+c+}"),
        ("", "", ""),
    ]:
        assert merged(old, new) == shown


def test_the_words_that_changed_are_marked():
    row = {"id": "1", "inputs": "It rained . It stopped .", "targets": "It rained but it stopped ."}
    samples = Samples({"full": {"T": [row]}}, {})
    html = report(manifest(), statistics(COUNTS, recipe=RECIPES["discofuse"]), run=INFO, samples=samples)
    assert "<del>. It</del>" in html and "<ins>but it</ins>" in html


def test_pieces_of_two_texts():
    for inputs, targets, wanted in [
        ("a b c", "a b c", ([Piece("a b c", False)], [Piece("a b c", False)])),
        ("a b c", "x y z", ([Piece("a b c", False)], [Piece("x y z", False)])),
        ("", "", ([], [])),
        (
            "a b c d",
            "a b d",
            ([Piece("a b", False), Piece("c", True), Piece("d", False)], [Piece("a b", False), Piece("d", False)]),
        ),
    ]:
        assert marked(inputs, targets) == wanted


def test_the_command_leaves_defaults_out_and_quotes():
    made = manifest(
        configuration={
            "output": "my out",
            "workers": None,
            "conventions": "released",
            "ascii_only": False,
            "splits": [98, 1, 1],
            "balanced_rates": {"PAIR_NONE": 0.5},
        }
    )
    assert command(made) == [
        "gistmill discofuse",
        "--output 'my out'",
        "--conventions released",
        "--no-ascii-only",
        """--balanced-rates '{"PAIR_NONE": 0.5}'""",
    ]


def test_the_version_before_stands_beside():
    older = manifest({**COUNTS, "documents/used": 100, "rows/full/train": 3})
    shown = page(before=older)
    assert "+50 (+50.0%)" in shown.text and "rows in full" in shown.text
    assert "Against the version before" not in page().text
    assert "Against the version before" not in page(before=manifest(recipe="annotate")).text


def test_what_is_unusual_is_said_first():
    counts = {**COUNTS, "documents/used": 1, "documents/rejected/DEADLINE": 3}
    found = list(remarks(manifest(counts), "documents"))
    assert found == [
        "Only 1 of 200 documents were used.",
        "3 documents were rejected because something failed: the parser or the rules did not finish before the deadline (DEADLINE).",
    ]
    assert list(remarks(manifest(), "documents")) == []
    assert list(remarks(manifest({}), "pages")) == ["No pages were read."]


def test_an_empty_split_is_unusual():
    for options, rows, said in CASES["an empty split is unusual"]:
        counts = {name: n for name, n in COUNTS.items() if not name.startswith("rows/")}
        counts |= {f"rows/full/{split}": n for split, n in rows.items()}
        assert list(remarks(manifest(counts, configuration=options), "documents")) == said


def measures(rows, **changes):
    """The chart of a figure about two measures."""
    made = Figure(key="k", title="T", note="", head=("name", "here", "paper"), rows=rows, bars=("here", "paper"))
    return figure(dataclasses.replace(made, **changes))


def test_bars_reach_as_far_as_their_numbers_and_none_draws_nothing():
    chart = measures([("and", 0.25, 0.5), ("but", 0.1, None)])
    assert [line.bars for line in chart.lines] == [[50.0, 100.0], [20.0, 0.0]]
    assert [line.cells for line in chart.lines] == [["and", "0.25", "0.5"], ["but", "0.1", ""]]
    assert [line.bars for line in measures([("and", 0, None)]).lines] == [[0.0, 0.0]]


def test_a_long_chart_shows_its_first_lines():
    for rows, shown, more in [(8, 8, 0), (9, 6, 3), (0, 0, 0)]:
        chart = measures([(f"word {n}", n, 1) for n in range(rows)])
        assert (len(chart.lines), len(chart.more)) == (shown, more)


def test_many_numbers_become_a_histogram():
    numbered = [(str(n / 10), n, 1) for n in range(12)]
    assert measures(numbered).is_histogram and len(measures(numbered).lines) == 12
    assert not measures([(f"word {n}", n, 1) for n in range(12)]).is_histogram
    assert not measures(numbered[:11]).is_histogram
    assert not measures(numbered, bars=()).is_histogram


def test_a_distribution_has_a_bar_for_each_configuration():
    counts = {**COUNTS, "types/balanced/PAIR_CONN": 1, "types/balanced/ELSEWHERE": 1}
    shown, *_ = distributions(statistics(counts, recipe=RECIPES["discofuse"]), "discofuse")
    assert list(shown.head) == ["", "full", "balanced"] or list(shown.head) == ["", "balanced", "full"]
    cells = {line.cells[0]: dict(zip(shown.series, line.cells[1:], strict=True)) for line in shown.lines}
    assert cells == {
        "PAIR_CONN": {"full": "5 (62.5%)", "balanced": "1 (50.0%)"},
        "ELSEWHERE": {"full": "0 (0.0%)", "balanced": "1 (50.0%)"},
        "PAIR_NONE": {"full": "3 (37.5%)", "balanced": "0 (0.0%)"},
    }


def test_words_between_backticks_are_code():
    for text, shown in [
        ("`url` leads to <it>", "<code>url</code> leads to &lt;it&gt;"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("one ` alone", "one ` alone"),
        ("", ""),
    ]:
        assert prose(text) == shown


def test_a_page_of_our_words_has_no_backtick():
    run = dataclasses.replace(INFO, description="`inputs` and `targets`")
    counts = {**COUNTS, "documents/rejected/TOO_LONG": 2}
    assert "`" not in page(manifest(counts, attribution="`url` leads to each article."), run=run, counts=counts).text


def test_rows_stand_behind_the_summary_and_rejects_are_shown_once():
    row = {"id": "1", "inputs": "It rained .", "targets": "It rained ."}
    text = page(samples=Samples({"full": {"T": [row]}}, {})).text
    order = ["Nothing unusual", "It rained .", "the page is a redirect", "Distributions", "How it was made"]
    assert sorted(order, key=text.rindex) == order
    assert text.count("REDIRECT") == 1 and text.count("50 (25.0%)") == 1


def test_rarer_reasons_are_behind_the_others():
    counts = {**COUNTS, **{f"documents/rejected/R{n}": 20 - n for n in range(9)}}
    text = page(manifest(counts), counts=counts).text
    assert "4 rarer reasons" in text and text.index("R4") < text.index("4 rarer reasons") < text.index("R5")


def test_an_empty_dataset_has_a_page():
    shown = page(manifest({}), counts={})
    assert not shown.open and "No documents were read." in shown.text and "Nothing was read." in shown.text


def test_the_card_shows_connectives_beside_the_paper():
    counts = {"types/balanced/PAIR_CONN": 3, "types/balanced/PAIR_NONE": 1, "connectives/balanced/but": 3}
    schema = RECIPES["discofuse"](DiscoFuseConfig()).schema
    text = card(dataclasses.replace(manifest(), counts=group_counts(counts)), run=INFO, schema=schema)
    assert "| but | 0.75 | 0.107 |" in text and "| PAIR_NONE | 0.25 | 0.06226 |" in text
    assert "Connectives beside" not in card(manifest(), run=INFO, schema=schema)


def test_a_time_has_the_unit_that_fits():
    for seconds, shown in CASES["a time has the unit that fits"]:
        assert duration(seconds) == shown
