"""The options of ``gistmill serve``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import FOLDER, NOT_NEGATIVE, POSITIVE, SWITCH, TOKEN, list_of, whole
from gistmill.rules.text.language import ANY, LANGUAGE

API_KEY = "GISTMILL_API_KEY"  # environment variable with the key that clients must send
ENGLISH = "en"  # the models' language
_FEW, _MANY = 1, 1024


@dataclass(frozen=True, kw_only=True)
class ServingConfig(Options):
    """The server's models, address and limits. Limits apply per request, queue sizes per worker."""

    GROUP: ClassVar[str] = "server"

    host: str = option(TOKEN, default="127.0.0.1", help="address to listen on; 0.0.0.0 means all addresses")
    port: int = option(whole(0, 65535), default=8000, help="port to listen on; 0 chooses a free port")
    workers: int = option(
        whole(_FEW, _MANY),
        default=1,
        unit="processes",
        help="number of processes sharing the port; each loads the models",
    )
    drain: float = option(
        NOT_NEGATIVE,
        default=3.0,
        unit="seconds",
        help="time for which the port stays open after SIGTERM, while /readyz returns 503 and client "
        "connections are closed",
    )
    log_texts: bool = option(SWITCH, default=False, help="also log request texts")

    fusion: str | None = option(
        FOLDER,
        metavar="DIR",
        group="models",
        help="folder of a sentence fusion model (default: the tagger shipped with the package)",
    )
    summarizer: str | None = option(
        FOLDER,
        metavar="DIR",
        group="models",
        help="folder of a summarization model (default: none; the first three sentences are the summary)",
    )
    languages: tuple[str, ...] = option(
        list_of(LANGUAGE),
        default=(ENGLISH,),
        metavar="CODES",
        group="models",
        help="ISO 639-1 codes of article languages; articles in languages other than en are translated into it, "
        "and their summaries back",
    )
    translator: str | None = option(
        TOKEN,
        metavar="MODULE:FUNCTION",
        group="models",
        help="Python function that returns the translator for a source and a target language",
    )

    max_body: int = option(
        whole(1024), default=1 << 20, unit="bytes", group="limits", help="maximum number of bytes per request"
    )
    max_pairs: int = option(
        whole(1), default=32, unit="pairs", group="limits", help="maximum number of pairs per request"
    )
    max_characters: int = option(
        whole(1),
        default=4000,
        unit="characters",
        group="limits",
        help="maximum number of characters per sentence of a pair",
    )
    max_tokens: int = option(
        whole(1),
        default=256,
        unit="tokens",
        group="limits",
        help="maximum number of tokens (words and punctuation marks) per sentence of a pair",
    )
    max_text: int = option(
        whole(1),
        default=20_000,
        unit="characters",
        group="limits",
        help="maximum number of characters per text to cut into propositions or to resolve",
    )
    max_sentences: int = option(
        whole(1), default=2000, unit="sentences", group="limits", help="maximum number of sentences per article"
    )
    timeout: float = option(
        POSITIVE, default=30.0, unit="seconds", group="limits", help="time limit for a request, including waiting"
    )
    read_timeout: float = option(
        POSITIVE, default=10.0, unit="seconds", group="limits", help="time limit for a client to send a request"
    )
    max_connections: int = option(
        whole(1),
        default=512,
        unit="connections",
        group="limits",
        help="maximum number of open connections per worker; further ones wait until one is closed",
    )
    max_queue: int = option(
        whole(1),
        default=128,
        unit="items",
        group="limits",
        help="maximum number of pairs, texts or articles waiting for a model; further requests get status 429",
    )

    batch_wait: float = option(
        NOT_NEGATIVE,
        default=2.0,
        unit="milliseconds",
        group="batches",
        help="maximum time that the first item in a batch waits for others",
    )
    batch_items: int = option(
        whole(1), default=16, unit="items", group="batches", help="maximum number of items per batch"
    )
    batch_characters: int = option(
        whole(1),
        default=16_000,
        unit="characters",
        group="batches",
        help="maximum number of characters per batch, counted as its longest item's characters times its number "
        "of items; a single item may exceed it",
    )

    def check(self) -> None:
        """Raises ValueError if languages are given without a translator, or a translator without languages."""
        if ANY in self.languages or len(set(self.languages)) < len(self.languages):
            raise ValueError(f"languages: name each code only once, not {','.join(self.languages)}")
        if self.foreign and self.translator is None:
            raise ValueError(f"languages: {self.foreign[0]} requires translator")
        if self.translator is not None and not self.foreign:
            raise ValueError("translator: has no effect, because languages names only en")

    @property
    def foreign(self) -> tuple[str, ...]:
        """The languages that need translation."""
        return tuple(code for code in self.languages if code != ENGLISH)
