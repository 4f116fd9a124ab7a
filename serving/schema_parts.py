"""What the bodies of all requests have in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints

# No control characters but tabs and ends of lines; and something else than white space.
_ANY_TEXT = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*"
Text = Annotated[str, StringConstraints(pattern=rf"^{_ANY_TEXT}[^\x00-\x20\x7f\s]{_ANY_TEXT}$")]
MaybeText = Annotated[str, StringConstraints(pattern=rf"^{_ANY_TEXT}$")]


class Request(BaseModel):
    """A body whose every field is known."""

    model_config = ConfigDict(extra="forbid", strict=True)
