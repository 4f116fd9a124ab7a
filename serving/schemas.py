"""Request and response bodies, described for OpenAPI. app.py adds the limits set by options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    FailFast,
    Field,
    StringConstraints,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from gistmill.fusion import DiscourseType
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.statements import PropositionsReason

# No control characters except tabs and line breaks, and at least one character that is not white space.
_ANY_TEXT = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*"
Text = Annotated[str, StringConstraints(pattern=rf"^{_ANY_TEXT}[^\x00-\x20\x7f\s]{_ANY_TEXT}$")]
MaybeText = Annotated[str, StringConstraints(pattern=rf"^{_ANY_TEXT}$")]


class Request(BaseModel):
    """A body without unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _few_keys(cls, value: Any) -> Any:
        """Limits the number of unknown keys before each becomes a separate error: a body may contain 100,000."""
        if isinstance(value, dict) and len(value) > len(cls.model_fields):
            unknown = next(str(key)[:50] for key in value if key not in cls.model_fields)
            raise PydanticCustomError(
                "too_many_keys",
                "Extra inputs are not permitted: {found} keys, such as {unknown}; expected only {known}",
                {"found": len(value), "unknown": unknown, "known": ", ".join(cls.model_fields)},
            )
        return value


def _example(body: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [body]})


def at_most(option: str, count: Callable[[list[Any]], int] = len) -> BeforeValidator:
    """Returns a validator that rejects a list longer than a server option allows, before validating its items.

    Args:
        option: the option's name in ServingConfig, which is the validation context.
        count: returns the number of entries in a list.
    """

    def check(value: Any, info: ValidationInfo) -> Any:
        most = getattr(info.context, option, None)  # Python callers have no limits
        if most is not None and isinstance(value, list) and (found := count(value)) > most:
            raise PydanticCustomError(
                "too_many", "{found} were sent; at most {most} are accepted at once", {"found": found, "most": most}
            )
        return value

    return BeforeValidator(check)


def _integer(value: Any) -> Any:
    """Converts whole floats to int, because JSON Schema counts 2.0 as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _type_name(value: str) -> str:
    if value not in DiscourseType.__members__:
        raise ValueError(f"unknown discourse type; expected one of {', '.join(DiscourseType.__members__)}")
    return value


DiscourseName = Annotated[
    str, AfterValidator(_type_name), WithJsonSchema({"type": "string", "enum": list(DiscourseType.__members__)})
]
_NEWS = (
    "The bridge over the river was closed on Monday. Engineers had found cracks in two of its pillars. "
    "Drivers have to take the old road. The repairs will take three months."
)


_EXPLAIN = "whether to explain the operations in words"


class Piece(BaseModel):
    """A span of a text, and whether it is missing at this place in the other text."""

    text: str
    changed: bool


class Step(BaseModel):
    """One operation."""

    name: str
    detail: str


class Explanation(BaseModel):
    """An explanation of how the sentences were changed; the words of both texts are joined by spaces."""

    steps: list[Step]
    source: list[Piece]
    result: list[Piece]


class SplitPair(Request):
    """A sentence, or two consecutive ones."""

    first: Text = Field(description="a sentence")
    second: MaybeText = Field("", description="the sentence after it; empty to split only the first one")


class SplitRequest(Request):
    """Sentences to split."""

    model_config = _example(
        {"pairs": [{"first": "The Sharks started slowly, yet they recovered to claim sixth spot."}]}
    )
    pairs: Annotated[
        list[SplitPair], FailFast(), at_most("max_pairs"), Field(min_length=1, description="pairs to split")
    ]
    tokenized: bool = Field(False, description="whether the sentences are tokens joined by single spaces")
    explain: bool = Field(False, description=_EXPLAIN)


class Candidate(BaseModel):
    """A possible DiscoFuse example, as `gistmill split` writes it."""

    discourse_type: str
    connective_string: str
    incoherent_first_sentence: str
    incoherent_second_sentence: str
    has_coref_type_pronoun: float
    has_coref_type_nominal: float
    inputs: str
    refused: str | None = Field(description="name of the reason why the rules reject it, or null")
    why: str | None = Field(description="the reason in words, or null")
    explanation: Explanation | None = Field(None, description="present only if requested")


class SplitResult(BaseModel):
    """The candidates for a pair."""

    first: str
    second: str
    examples: list[Candidate]


class SplitResponse(BaseModel):
    """The results, in the order of the pairs."""

    results: list[SplitResult]


class FusePair(Request):
    """Two sentences."""

    first: Text = Field(description="a sentence")
    second: Text = Field(description="the sentence after it")


class FuseRequest(Request):
    """Sentences to fuse."""

    model_config = _example({"pairs": [{"first": "The bridge was closed.", "second": "The river had risen."}], "n": 2})
    pairs: Annotated[list[FusePair], FailFast(), at_most("max_pairs"), Field(min_length=1, description="pairs to fuse")]
    discourse_type: DiscourseName | None = Field(None, description="the required discourse type; null for any")
    connective: Text | None = Field(None, description='the required connective, such as "although"; null for any')
    caution: float = Field(
        0.0,
        allow_inf_nan=False,
        description="number added to the log probability of leaving two sentences unchanged; higher values leave more "
        "pairs unchanged",
    )
    n: Annotated[int, BeforeValidator(_integer)] = Field(
        1, ge=1, le=10, description="maximum number of fusions per pair: the best one and the next most likely ones"
    )
    tokenized: bool = Field(False, description="whether the sentences are tokens joined by single spaces")
    explain: bool = Field(False, description=_EXPLAIN)


class Fusion(BaseModel):
    """A fusion of a pair, as `gistmill fuse` writes it."""

    fusion: str
    edits: list[str] = Field(description="edits that turn the tokens of the sentences into it")
    discourse_type: str = Field(description="empty for a model without discourse types")
    score: float = Field(description="log probability according to the model")
    explanation: Explanation | None = Field(None, description="present only if requested")


class FuseResult(BaseModel):
    """The fusions of a pair, best first."""

    first: str
    second: str
    fusions: list[Fusion]
    unchanged_probability: float | None = Field(
        ge=0,
        le=1,
        description="the model's probability that the sentences are left unchanged, assuming the type frequencies of "
        "its target corpus; null for a model without discourse types, or if there is no fusion",
    )
    why: str | None = Field(description="why there is no fusion, or null")


class FuseResponse(BaseModel):
    """The results, in the order of the pairs."""

    model: str
    results: list[FuseResult]


class _ArticleRequest(Request):
    title: MaybeText = Field("", description="the headline")
    language: str | None = Field(
        None,
        pattern="^[a-z]{2}$",
        description="ISO 639-1 code of the text's language; null: the market's language, or en",
    )
    market: str | None = Field(
        None, pattern="^[a-z]{2}-[A-Za-z]{2}$", description="the readers' language and country, such as en-us"
    )
    explain: bool = Field(False, description="whether to list the fragments that the summary copies from the article")


class TextRequest(_ArticleRequest):
    """An article as plain text; a blank line ends a paragraph."""

    model_config = _example({"text": _NEWS, "market": "en-us"})
    text: Text = Field(description="the article")


class HtmlRequest(_ArticleRequest):
    """An article as a web page, from which the main text is extracted."""

    model_config = _example({"html": f"<html><body><article><h1>News</h1><p>{_NEWS}</p></article></body></html>"})
    html: Text = Field(description="the page")
    url: MaybeText = Field("", description="address from which the page was fetched")


class Section(Request):
    """A section: a title and paragraphs."""

    title: MaybeText = Field("", description="the heading")
    paragraphs: Annotated[list[Text], FailFast(), Field(min_length=1, description="the paragraphs, without headings")]


def _paragraphs(sections: list[Any]) -> int:
    """Counts the paragraphs and the sections without any: each counts as at least one sentence."""
    found = (section.get("paragraphs") if isinstance(section, dict) else None for section in sections)
    return sum(len(paragraphs) if isinstance(paragraphs, list) else 1 for paragraphs in found)


class SectionsRequest(_ArticleRequest):
    """An article already divided into sections."""

    model_config = _example({"title": "News", "sections": [{"paragraphs": [_NEWS]}], "language": "en"})
    sections: Annotated[
        list[Section],
        FailFast(),
        at_most("max_sentences", _paragraphs),
        Field(min_length=1, description="the article; each paragraph counts as at least one sentence"),
    ]


def _kind(body: Any) -> str:
    """Returns which article form a body uses, so that errors refer only to that form."""
    return next((name for name in ("html", "sections") if isinstance(body, dict) and name in body), "text")


SummarizeRequest = Annotated[
    Annotated[TextRequest, Tag("text")]
    | Annotated[HtmlRequest, Tag("html")]
    | Annotated[SectionsRequest, Tag("sections")],
    Discriminator(_kind),
]


class Read(BaseModel):
    """The part of an article that the model has read."""

    complete: bool = Field(description="whether the model has read the whole article")
    sentences: int = Field(description="number of sentences that the model has read, starting with the first")
    of_sentences: int = Field(description="number of sentences in the article")
    characters: int
    of_characters: int
    note: str | None = Field(description="description of the unread part; null if the whole article was read")


class Copied(BaseModel):
    """A fragment found in both the article and the summary. Positions are in characters; the end is exclusive."""

    words: int
    source_start: int = Field(description="position in the paragraphs, joined by line breaks")
    source_end: int
    summary_start: int
    summary_end: int


class Extracted(BaseModel):
    """The fragments that a summary copies from its article (Newsroom, section 4.1)."""

    coverage: float = Field(description="share of the summary's words that are in fragments")
    density: float = Field(description="mean length of the fragment that contains a word of the summary")
    copied: list[Copied]


class SummarizeResponse(BaseModel):
    """The summary of an article, and the text that it was made from."""

    model: str
    baseline: bool = Field(description="whether the summary is a baseline (the first sentences), not a model's")
    language: str
    market: str | None
    title: str
    summary: str
    sentences: list[str] = Field(description="the summary's sentences")
    read: Read
    paragraphs: list[str] = Field(description="the prose found, in the article's language")
    why: str | None = Field(description="why there is no summary, or null")
    explanation: Extracted | None = Field(
        None, description="present only if requested; also null if the texts are too long to compare"
    )


class ProblemDetails(BaseModel):
    """Details of an error (RFC 9457)."""

    title: str
    status: int
    detail: str = Field(description="the problem and how to fix it")


_LIFE = "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built."
Place = Annotated[list[int], Field(min_length=2, max_length=2)]


class _WholeTextRequest(Request):
    text: Text = Field(description="sentences in English; blank lines separate paragraphs")
    title: MaybeText = Field("", max_length=500, description="title of the text, often what pronouns refer to")
    precision: Literal["strict", "balanced", "generous"] = Field(
        "balanced",
        description="strict: fewer but more reliable splits and replacements; generous: more of them but more errors",
    )


class PropositionsRequest(_WholeTextRequest):
    """A text to cut into propositions."""

    model_config = _example({"text": _LIFE, "title": "Ada Lovelace"})
    grain: Literal["sentence", "clause", "fact"] = Field(
        "clause", description="granularity: whole sentences, clauses, or one fact each"
    )
    resolved_only: bool = Field(False, description="whether to leave out propositions that cannot be understood alone")


class ResolveRequest(_WholeTextRequest):
    """A text in which to resolve mentions."""

    model_config = _example({"text": _LIFE})


class Unresolved(BaseModel):
    """Words that cannot be understood without the surrounding text."""

    kind: str = Field(json_schema_extra={"enum": list(OpenKind.__members__)})
    why: str = Field(description="meaning of the kind")
    text: str
    start: int = Field(description="their position in the text, in characters; -1 for words written by a rule")
    end: int = Field(description="position of the first character after them, or -1 likewise")


class Proposition(BaseModel):
    """A statement from a text. Positions are in characters (code points) of the text; the end is exclusive."""

    text: str = Field(description="the statement")
    sentence: str = Field(description="the sentence from which it was made")
    start: int = Field(description="the sentence's position in the text")
    end: int
    pieces: list[Place] = Field(description="positions of the statement's words in the text, in text order")
    operations: list[str] = Field(description="operations applied to the sentence, in order")
    resolved: bool = Field(description="whether it can be understood alone: nothing in it needs the surrounding text")
    resolved_with_title: bool = Field(description="whether it can be understood with the title alone")
    unresolved: list[Unresolved] = Field(description="the words that need the surrounding text")
    quality: float = Field(ge=0, le=1, description="probability that the splits and replacements are correct")


class RejectedSentence(BaseModel):
    """A sentence that yields no proposition."""

    sentence: str
    start: int = Field(description="its position in the text, in characters")
    end: int = Field(description="position of the first character after it")
    reason: str = Field(json_schema_extra={"enum": list(PropositionsReason.__members__)})
    why: str = Field(description="meaning of the reason")


class PropositionsResponse(BaseModel):
    """The propositions of a text, and the sentences that yield none, such as questions, both in text order."""

    propositions: list[Proposition]
    rejected: list[RejectedSentence]


class Replaced(BaseModel):
    """A mention replaced by its antecedent. Positions are in characters (code points); the end is exclusive."""

    text: str = Field(description="the mention")
    start: int = Field(description="its position in the input text")
    end: int
    by: str = Field(description="its replacement")
    new_start: int = Field(description="the replacement's position in the output text")
    new_end: int
    antecedent_start: int = Field(description="the antecedent's position in the input text; -1 if only in the title")
    antecedent_end: int
    kind: Literal["pronoun", "name", "nominal", "date"]
    confidence: float = Field(ge=0, le=1, description="confidence of the coreference link")


class ResolveResponse(BaseModel):
    """The text with mentions resolved where that is certain, and otherwise unchanged."""

    text: str
    replaced: list[Replaced]
    unresolved: list[Unresolved] = Field(description="words that still need the surrounding text")
