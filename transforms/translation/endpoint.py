"""A translator behind an HTTP endpoint.

A request is a POST of JSON, ``{"source": "en", "target": "de", "sentences": [...], "hypotheses": 10}``. The answer is
``{"translations": [[...], ...], "model": "..."}``: for each sentence that many hypotheses, the best first, or none
where it is too long; ``model`` says which model answers, and may be missing. No sentences ask for the model alone.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import urllib3
from typing_extensions import override
from urllib3.exceptions import HTTPError, MaxRetryError
from urllib3.exceptions import TimeoutError as TooSlow
from urllib3.util.retry import Retry

from gistmill.core.addresses import without_secrets
from gistmill.rules.augmentation.translator import TranslationError, Translator
from gistmill.transforms.translation.batches import by_length

KEY = "GISTMILL_TRANSLATOR_KEY"  # the environment variable of the key
_CHARACTERS, _SENTENCES = 20_000, 64  # of one request
_MOST_BYTES = 64 << 20  # of an answer
_LONGEST_WAIT = 60  # seconds between two requests


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a translator answers.

    Attributes:
        url: of the endpoint.
        timeout: seconds that a request may take to be answered.
        attempts: how often a request is repeated.
        backoff: seconds before the second repetition, half as many as before the third.
    """

    url: str
    timeout: float
    attempts: int = 5
    backoff: float = 1.0

    @property
    def name(self) -> str:
        """The URL without what may be secret."""
        parts = urlsplit(self.url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{host}{port}{parts.path}"


def check_url(url: str) -> None:
    """Raises ValueError where a URL is not one of HTTP, or holds a password."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018, it raises
    except ValueError:
        raise ValueError("translator_url: it is not a URL") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("translator_url: expected a URL that begins with http:// or https://")
    if parts.username or parts.password:
        raise ValueError(f"translator_url: a key belongs into the environment variable {KEY}, not into the URL")


class HttpTranslator(Translator):
    """Asks an endpoint. Busy answers (429 and 5xx) and broken connections are tried again, after longer and longer
    waits or as long as ``Retry-After`` says.

    Args:
        endpoint: where.
        source, target: languages, as the endpoint writes them.
        model: what the endpoint says of its model; None: it is asked.

    Raises:
        TranslationError: it does not answer.
    """

    def __init__(self, endpoint: Endpoint, source: str, target: str, *, model: str | None = None) -> None:
        self._endpoint, self._languages = endpoint, (source, target)
        self._retries = Retry(
            total=endpoint.attempts,
            allowed_methods=None,
            status_forcelist=(429, 500, 502, 503, 504),
            backoff_factor=endpoint.backoff / 2,
            backoff_max=_LONGEST_WAIT,
            retry_after_max=_LONGEST_WAIT,
        )
        self._pool = urllib3.PoolManager(timeout=endpoint.timeout)
        logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings have whole URLs
        self.model = self._ask((), 1)[1] if model is None else model

    @property
    @override
    def identity(self) -> str:
        """The URL, what the endpoint says of its model, and the languages."""
        return f"{self._endpoint.name} {self.model} {'-'.join(self._languages)}"

    @override
    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        found: list[list[str]] = [[]] * len(sentences)
        for batch in by_length([len(s) for s in sentences], budget=_CHARACTERS, most=_SENTENCES):
            answers, _ = self._ask([sentences[n] for n in batch], count)
            if len(answers) != len(batch):
                raise self._error(f"gave {len(answers)} translations for {len(batch)} sentences")
            for number, answer in zip(batch, answers, strict=True):
                found[number] = answer
        return found

    def _ask(self, sentences: Sequence[str], count: int) -> tuple[list[list[str]], str]:
        source, target = self._languages
        asked = {"source": source, "target": target, "sentences": list(sentences), "hypotheses": count}
        body, retries = json.dumps(asked, ensure_ascii=False).encode("utf-8"), self._retries
        while True:
            try:
                content = self._post(body, retries)
                break
            except MaxRetryError as error:
                raise self._error(f"does not answer: {_reason(error)}") from None
            except HTTPError as error:  # the answer broke off
                try:
                    retries = retries.increment("POST", self._endpoint.url, error=error)
                except HTTPError:
                    raise self._error(f"broke off: {_reason(error)}") from None
                retries.sleep()
        try:
            return _read(json.loads(content))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self._error('gave no JSON such as {"translations": [["..."]]}') from None

    def _post(self, body: bytes, retries: Retry) -> bytes:
        url, timeout = self._endpoint.url, self._endpoint.timeout
        answer = self._pool.request(
            "POST", url, body=body, headers=_headers(), retries=retries, redirect=False, preload_content=False
        )
        try:
            if answer.status != 200:
                raise self._error(f"answered {answer.status} {answer.reason or ''}".rstrip())
            content, deadline = bytearray(), time.monotonic() + timeout
            while part := answer.read1(_MOST_BYTES + 1 - len(content)):
                content += part
                if len(content) > _MOST_BYTES:
                    raise self._error(f"answered with more than {_MOST_BYTES >> 20} MB")
                if time.monotonic() > deadline:
                    raise TooSlow(f"no whole answer within {timeout:g} s")
            return bytes(content)
        finally:
            answer.close()

    def _error(self, problem: str) -> TranslationError:
        return TranslationError(f"the translator at {self._endpoint.name} {problem}")


def _headers() -> dict[str, str]:
    key = os.environ.get(KEY)
    return {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}


def _read(answer: Any) -> tuple[list[list[str]], str]:
    translations, model = answer["translations"], answer.get("model") or ""
    texts = [text for each in translations for text in each]
    if not isinstance(translations, list) or not all(isinstance(each, list) for each in translations):
        raise TypeError
    if not isinstance(model, str) or not all(isinstance(text, str) for text in texts):
        raise TypeError
    return translations, model


def _reason(error: HTTPError) -> str:
    reason = getattr(error, "reason", None) or error
    return without_secrets(" ".join(str(reason).split()))[-200:]
