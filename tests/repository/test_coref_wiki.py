"""The rows of coref_wiki are well formed, its scorer counts constructed clusters right, and the command runs."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest

from benchmarks.coref_gap import Parsed, token_offsets
from benchmarks.coref_wiki import DATA, KINDS, PARTS, Case, by_kind, figures, link_of, read_cases, score
from benchmarks.slice import Text
from tests.testing import mention, plain

CASES = read_cases()
NOMINALS = read_cases(DATA.parent / "coref_nominals.jsonl")
FIT = read_cases(DATA.parents[2] / "research" / "data" / "coref_fit.jsonl")
TEXT = "Ann runs Acme . It pays Ann and Bob . It grew , and the firm moved ."
SENTENCES = tuple(plain(s + ".") for s in ("Ann runs Acme ", "It pays Ann and Bob ", "It grew , and the firm moved "))


class TestTheRows:
    def test_there_are_enough_of_each(self):
        counts = {kind: [c for c in CASES if c.kind == kind] for kind in KINDS}
        assert sum(map(len, counts.values())) == len(CASES) >= 200
        assert sum(c.has_antecedent for c in counts["it"]) >= 60
        assert sum(not c.has_antecedent for c in counts["it"]) >= 30  # pleonastic
        assert len(counts["they"]) >= 50
        assert (
            sum(c.has_antecedent for c in counts["nominal"])
            >= 30
            <= sum(not c.has_antecedent for c in counts["nominal"])
        )
        assert len({c.page for c in CASES}) >= 60

    def test_ids_are_unique_and_no_page_is_in_both_parts(self):
        assert len({c.id for c in CASES}) == len(CASES)
        pages = [{c.page for c in CASES if c.part == part} for part in PARTS]
        assert not pages[0] & pages[1] and len(pages[0] | pages[1]) == len({c.page for c in CASES})
        assert abs(len(pages[0]) - len(pages[1])) <= 3

    def test_the_second_set_has_other_pages(self):
        assert len({c.id for c in NOMINALS}) == len(NOMINALS) >= 200
        assert {c.kind for c in NOMINALS} == {"nominal"}
        assert sum(c.has_antecedent for c in NOMINALS) >= 60
        pages = [{c.page for c in NOMINALS if c.part == part} for part in PARTS]
        assert not pages[0] & pages[1]
        assert not {c.page for c in CASES} & (pages[0] | pages[1])
        assert not {c.page for c in FIT} & (pages[0] | pages[1])

    def test_spans_are_whole_words_of_the_text(self):
        for case in (*CASES, *NOMINALS, *FIT):
            spans = (case.anaphor, *case.antecedents, *case.groups)
            for start, end in spans:
                words = case.text[start:end]
                assert 0 <= start < end <= len(case.text) and words == words.strip(), case.id
                around = case.text[max(0, start - 1) : start] + case.text[end : end + 1]
                assert not any(map(str.isalnum, around)), case.id
            assert all(end <= case.anaphor[0] for _, end in spans[1:]), case.id
            assert len(set(spans)) == len(spans), case.id

    def test_the_anaphor_is_of_its_kind(self):
        pronouns = {"it": ("it", "its"), "they": ("they", "them", "their", "theirs")}
        for case in (*CASES, *NOMINALS, *FIT):
            first, *rest = case.text[slice(*case.anaphor)].lower().split()
            if case.kind == "nominal":
                assert first in ("the", "this", "these", "that", "those", "such") and rest, case.id
            else:
                assert first in pronouns[case.kind] and not rest, case.id

    def test_a_group_is_a_coordination(self):
        assert all({"and", "or"} & set(case.text[start:end].split()) for case in CASES for start, end in case.groups)

    def test_every_page_is_in_the_notice(self):
        notice = (DATA.parent / "NOTICE.md").read_text(encoding="utf-8")
        assert "creativecommons.org/licenses/by-sa" in notice
        assert all(f"| {c.page} | {c.title} |" in notice for c in CASES)


def case_of(anaphor, antecedents=(), groups=(), kind="it"):
    """A case on TEXT: spans are given as (words, number of the occurrence)."""

    def span(words, number=1):
        at = -1
        for _ in range(number):
            at = TEXT.index(words, at + 1)
        return at, at + len(words)

    return Case(
        "1",
        "p",
        "Acme",
        "dev",
        kind,
        TEXT,
        span(*anaphor),
        tuple(span(*a) for a in antecedents),
        tuple(span(*g) for g in groups),
    )


def linked(case, *cluster):
    parsed = Parsed(Text("1", "Acme", TEXT), SENTENCES, token_offsets(TEXT, SENTENCES))
    return link_of(case, parsed, [cluster])


ANN = mention(0, 0, 1, kind="name")
ACME = mention(0, 2, 3, kind="name")
IT = mention(1, 0, 1, kind="pronoun", confidence=0.9)
BOTH = mention(1, 2, 5, head=2, kind="nominal")
IT_AGAIN = mention(2, 0, 1, kind="pronoun", confidence=0.8)
FIRM = mention(2, 4, 6, kind="nominal", confidence=0.7)
MEANS_ACME = (("Acme", 1), ("It", 1))


class TestTheScorer:
    def test_a_right_link(self):
        link = linked(case_of(("It", 2), MEANS_ACME), ACME, IT, IT_AGAIN)
        assert link.right and link.confidence == 0.8
        assert TEXT[slice(*link.replacing)] == "Acme" and TEXT[slice(*link.nearest)] == "It"

    def test_a_nominal_is_found_by_its_head(self):
        assert linked(case_of(("the firm",), MEANS_ACME, kind="nominal"), ACME, FIRM).right

    def test_a_wrong_link(self):
        assert not linked(case_of(("It", 2), MEANS_ACME), ANN, IT_AGAIN).right

    def test_the_mention_that_would_replace_must_be_right_too(self):
        assert not linked(case_of(("It", 2), MEANS_ACME), ANN, IT, IT_AGAIN).right

    def test_so_must_the_nearest(self):
        assert not linked(case_of(("It", 2), MEANS_ACME), ACME, BOTH, IT_AGAIN).right

    def test_a_chain_of_pronouns_is_right(self):
        assert linked(case_of(("It", 2), MEANS_ACME), IT, IT_AGAIN).right

    def test_an_anaphor_that_opens_its_cluster_is_not_linked(self):
        assert linked(case_of(("It", 1), MEANS_ACME[:1]), IT, IT_AGAIN) is None
        assert linked(case_of(("It", 1), MEANS_ACME[:1]), ANN, ACME) is None

    def test_a_group_must_be_covered(self):
        case = case_of(("the firm",), groups=(("Ann and Bob", 1),), kind="nominal")
        assert linked(case, BOTH, FIRM).right
        assert not linked(case, mention(1, 2, 3, kind="name"), FIRM).right

    def test_a_link_of_a_pleonastic_it_is_wrong(self):
        case = case_of(("It", 2))
        link = linked(case, ACME, IT_AGAIN)
        assert not link.right
        counts = score([case, case], [link, None])
        assert (counts.linked, counts.right, counts.linked_without) == (1, 0, 1)
        assert (counts.precision, counts.left_alone, counts.answered) == (0, 0.5, 0)

    def test_shares_at_a_cut(self):
        case = case_of(("It", 2), MEANS_ACME)
        right, wrong = linked(case, ACME, IT_AGAIN), linked(case, ANN, dataclasses.replace(IT_AGAIN, confidence=0.6))
        counts = score([case] * 4, [right, wrong, wrong, None], cut=0.5)
        assert (counts.precision, counts.answered, counts.left_alone) == (1 / 3, 0.75, 1)
        counts = score([case] * 4, [right, wrong, wrong, None], cut=0.7)
        assert (counts.precision, counts.answered) == (1, 0.25)

    def test_kinds_are_counted_apart(self):
        cases = [case_of(("It", 2), MEANS_ACME), case_of(("the firm",), MEANS_ACME, kind="nominal")]
        links = [linked(cases[0], ACME, IT_AGAIN), linked(cases[1], ANN, FIRM)]
        kinds = by_kind(cases, links, cut=0.0)
        assert [kinds[k].right for k in KINDS] == [1, 0, 0] and [kinds[k].rows for k in KINDS] == [1, 0, 1]
        assert figures(cases, links, cut=0.0)["precision_at_cut"] == 0.5


def run(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.coref_wiki", *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()


@pytest.mark.slow
def test_the_command_on_some_rows(tmp_path):
    rows = DATA.read_text(encoding="utf-8").splitlines()[:12]
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(rows) + "\n", encoding="utf-8")
    *table, last = run("--data", few, "--errors")
    said = json.loads(last)
    assert set(said) == {"rows", "precision_at_cut", "answered_at_cut", "left_alone", "by_kind", "cut"}
    assert said["rows"] == 12 == sum(kind["rows"] for kind in said["by_kind"].values())
    assert any(line.startswith("all, ") for line in table)

    *_, last = run("--data", few, "--coref", "none", "--part", "dev")
    said = json.loads(last)
    assert said["rows"] == sum(json.loads(r)["part"] == "dev" for r in rows)
    assert said["answered_at_cut"] == 0 and said["left_alone"] == 1
