"""The workers that apply a recipe and resolve coreference: how they begin, and what they do not finish."""

import gc

import pytest
from apache_beam.utils.shared import Shared

from gistmill.core.records import Origin, RangeEnd, Reject
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, CleanReason, Section
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.annotate import AnnotateBatches, AnnotationConfig
from gistmill.transforms.steps.recipe import ApplyRecipe
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
