"""The workers that apply a recipe and resolve coreference: how they begin, what they do not finish, and splits."""

import gc
from collections import Counter

import pytest
from apache_beam.utils.shared import Shared
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.core.records import Origin, RangeEnd, Reject
from gistmill.core.statistics import SPLITS
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, Section
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.annotate import AnnotateBatches, AnnotationConfig
from gistmill.transforms.steps.recipe import ApplyRecipe, SplitConfig, choose_split
from tests.testing import document, plain


@pytest.mark.parametrize("name", ["discofuse", "gap-sentences"])
def test_the_collector_is_spared_where_documents_are_parsed(name):
    """Other documents hold no tuple for each token, and the collector has little to go through."""
    recipe = RECIPES[name](RECIPES[name].CONFIG())
    gc.unfreeze()  # an owner that another test left
    worker = ApplyRecipe(recipe)
    worker.setup()
    assert bool(gc.get_freeze_count()) is (recipe.DOCUMENT is AnnotatedDocument) is (name == "discofuse")
    del worker


def test_a_document_that_the_rules_do_not_finish_is_rejected_and_the_next_one_is_not():
    for deadline, late in (1e-9, True), (60.0, False):
        worker = ApplyRecipe(DiscoFuse(DiscoFuseConfig()), deadline=deadline)
        worker.setup()
        (made,) = worker.process(document([plain("The river froze and the boats stayed in the harbour .")]))
        assert isinstance(made, Reject) is late
        assert not late or (made.reason, made.stage, made.unit) == (CleanReason.DEADLINE, "recipe", "document")
        end = RangeEnd("r", 1)
        assert list(worker.process(end)) == [end]


@pytest.mark.slow
def test_coreference_that_takes_too_long_costs_the_document_alone():
    text = "Anna Lee lost her keys. She found them. " * 3
    pages = [CleanDocument(Origin(f"d{n}", "jsonl"), (Section("", 1, (text,)),)) for n in range(2)]

    def made(deadline):
        step = AnnotateBatches(AnnotationConfig(parse_deadline=deadline), Shared())
        step.setup()
        step.start_bundle()
        return [out for element in (*pages, RangeEnd("r", 2)) for out in step.process(element)]

    *late, end = made(1e-9)
    assert [(r.id, r.reason, r.stage) for r in late] == [(f"d{n}", CleanReason.DEADLINE, "annotate") for n in range(2)]
    assert end.documents == 2
    *found, _ = made(60)
    assert all(isinstance(d, AnnotatedDocument) and d.clusters for d in found)


shares = st.tuples(*[st.floats(0, 100)] * 3).filter(lambda s: sum(s) > 0)


@given(st.text(max_size=30), shares)
@example("", (0.0, 0.0, 5e-324))  # any point rounds to the last edge
def test_every_document_has_one_split_and_keeps_it(document_id, given_shares):
    config = SplitConfig(splits=given_shares)
    split = choose_split(document_id, config)
    assert split in SPLITS
    assert split == choose_split(document_id, config)
    assert given_shares[SPLITS.index(split)] > 0


def test_shares_are_met():
    counts = Counter(choose_split(f"wikipedia-{i}", SplitConfig()) for i in range(50_000))
    assert abs(counts["train"] / 50_000 - 0.98) < 0.003
    assert abs(counts["validation"] / 50_000 - 0.01) < 0.002


def test_another_salt_gives_another_choice():
    ids = [f"wikipedia-{i}" for i in range(2_000)]
    one, two = (Counter(choose_split(i, SplitConfig(splits=(1, 1, 1), salt=s)) + i for i in ids) for s in "ab")
    assert one != two


@pytest.mark.parametrize("bad", [(0, 0, 0), (98, 1), (98, 3, -1), (1, 1, 1, 1)])
def test_bad_shares_are_refused(bad):
    with pytest.raises(ValueError, match="splits: expected"):
        SplitConfig(splits=bad)
