"""Short ways to put parses, written by hand or stored, through the rules of propositions."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import AnnotatedDocument, Mention, Sentence
from gistmill.rules.propositions.resolution import Resolution, resolve
from gistmill.rules.propositions.splitting import Part, divided
from gistmill.rules.propositions.statements import Divided, PropositionExtractor, PropositionsConfig, Statement
from gistmill.rules.text.prose import Places
from tests.rules.discofuse import parsed_cases
from tests.testing import document, parsed

CONFIG = PropositionsConfig()


def sentences(*texts: str | Sentence) -> list[Sentence]:
    """Returns sentences, of which each may be a hand-written parse; a space follows it then."""
    return [_spaced(parsed(text)) if isinstance(text, str) else text for text in texts]


def _spaced(sentence: Sentence) -> Sentence:
    *tokens, last = sentence.tokens
    return replace(sentence, tokens=(*tokens, last._replace(space=True)))


def statements(*texts: str | Sentence, clusters: Sequence[Sequence[Mention]] = (), title: str = "", **config):
    """Returns the statements of a document of hand-written parses."""
    return stated(document(sentences(*texts), clusters=clusters, title=title), **config)


def stated(made: AnnotatedDocument, **config) -> list[Statement]:
    """Returns the statements of a document."""
    return [s for found in used(made, **config) for s in found.statements]


def used(made: AnnotatedDocument, **config) -> Iterator[Divided]:
    """Yields the sentences of a document that state something."""
    for _, found in PropositionExtractor(PropositionsConfig(**config)).sentences(made):
        if isinstance(found, Divided):
            yield found


def resolved(made: AnnotatedDocument, **config) -> Resolution:
    """Returns a document's text with its mentions resolved."""
    return resolve(made, PropositionExtractor(PropositionsConfig(**config)), Places(made))


def whole(text: str | Sentence) -> Part:
    """Returns a parse with all its splits."""
    (sentence,) = sentences(text)
    return divided(Parse(sentence), Splitter(CONFIG.splits))


def stored_documents() -> Iterator[AnnotatedDocument]:
    """Yields what the models made of each text of the cases of DiscoFuse, as documents."""
    for number, found in enumerate(parsed_cases.stored().values()):
        yield document(found.sentences, clusters=found.clusters, id=f"case-{number:05d}", title="")
