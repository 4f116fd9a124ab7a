"""The bodies of /v1/propositions and /v1/resolve."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from gistmill.rules.propositions.open_references import Kind
from gistmill.serving.schema_parts import MaybeText, Request, Text

_EXAMPLE = "Ada Lovelace met Charles Babbage in 1833. She wrote notes on his engine, which was never built."
_MOST_TITLE = 500  # characters; a title is searched for the subject of the text

KindName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(Kind.__members__)})]
Place = Annotated[list[int], Field(min_length=2, max_length=2)]


class _WholeTextRequest(Request):
    text: Text = Field(description="sentences in English; blank lines separate paragraphs")
    title: MaybeText = Field(
        "", max_length=_MOST_TITLE, description="title of the text, whose subject is what a first pronoun may mean"
    )
    precision: Literal["strict", "balanced", "generous"] = Field(
        "balanced",
        description="strict: fewer splits and replacements, and surer ones; generous: more, and more faults",
    )


class PropositionsRequest(_WholeTextRequest):
    """A text to cut into propositions."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _EXAMPLE, "title": "Ada Lovelace"}]})
    resolved_only: bool = Field(False, description="whether propositions that do not stand alone are left out")


class ResolveRequest(_WholeTextRequest):
    """A text whose mentions are to be resolved."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _EXAMPLE}]})


class Unresolved(BaseModel):
    """Words that need the text around them."""

    kind: KindName
    why: str = Field(description="what the kind means")
    text: str
    start: int = Field(description="where the text has them, in characters; -1 for words that a rule has written")
    end: int = Field(description="the first character after them; -1 too")


class Proposition(BaseModel):
    """A statement of a text. Places are characters (code points) of the text, the end is not included."""

    text: str = Field(description="the statement")
    sentence: str = Field(description="the sentence that it is made of")
    start: int = Field(description="where the text has the sentence")
    end: int
    pieces: list[Place] = Field(description="where the text has what the statement is made of, in its own order")
    operations: list[str] = Field(description="what was done to the sentence, in order")
    resolved: bool = Field(description="whether nothing in it needs the text around it")
    unresolved: list[Unresolved] = Field(description="what does")
    quality: float = Field(ge=0, le=1, description="probability that splits and replacements are right")


class PropositionsResponse(BaseModel):
    """The propositions of a text, in order. A sentence that states nothing, such as a question, has none."""

    propositions: list[Proposition]


class Replaced(BaseModel):
    """A mention that has given way to what it means. Places are characters (code points), the end is not included."""

    text: str = Field(description="the mention")
    start: int = Field(description="where the text given has it")
    end: int
    by: str = Field(description="what stands for it")
    new_start: int = Field(description="where the text made has that")
    new_end: int
    antecedent_start: int = Field(description="where the text given has what is meant")
    antecedent_end: int
    kind: Literal["pronoun", "name", "nominal"]
    confidence: float = Field(ge=0, le=1, description="how sure the link is")


class ResolveResponse(BaseModel):
    """The text with its mentions resolved where that is sure; the rest of it is as it was."""

    text: str
    replaced: list[Replaced]
    unresolved: list[Unresolved] = Field(description="what still needs the text around it")
