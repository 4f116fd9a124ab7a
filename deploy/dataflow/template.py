"""Writes metadata.json of the Flex Template from the options of the jobs: ``python -m deploy.dataflow.template``.

The form is that of ``google.dataflow.v1beta3.TemplateMetadata``. No parameter has a ``defaultValue``: it would be passed
to every job, and gistmill has its defaults itself.
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deploy.dataflow.main import DEFAULT_JOB, JOB, options_of
from pipelines.common import SOURCES
from pipelines.options import Option
from pipelines.profiles import BUILT_IN
from rules.discofuse.config import CONVENTIONS
from rules.gap_sentences import COUNTINGS, SCORINGS, SELECTIONS
from transforms.coreference import NAMES as RESOLVERS
from transforms.duplicates.sketches import MODES
from transforms.segment import METHODS
from transforms.sinks.formats import FORMATS
from transforms.sources.jsonl_document import MARKUPS

METADATA = Path(__file__).with_name("metadata.json")
BUILDING_JOBS = ("discofuse", "lead-bias", "wikitransfer", "gap-sentences", "annotate")
# Options that mean nothing on Dataflow.
LOCAL = frozenset({"workers"})

_URL = r"(gs|s3)://[^/\s,]+/[^,\r\n]+"
_COUNT = "^[1-9][0-9]*$"
_NUMBER = r"[0-9]+(\.[0-9]+)?"
_SHARE = r"(0(\.[0-9]+)?|1(\.0+)?)"
_FORMAT = f"({'|'.join(sorted(FORMATS))})"
_TEXT = r"^.*\S.*$"
_REGEXES = {
    "input": f"^{_URL}(,{_URL})*$",
    "output": f"^{_URL}$",
    "temp_dir": f"^{_URL}$",
    "limit": _COUNT,
    "namespaces": "^[0-9]+(,[0-9]+)*$",
    "range_bytes": "^(409[6-9]|4[1-9][0-9]{2}|[5-9][0-9]{3}|[1-9][0-9]{4,})$",
    "parse_deadline": r"^(0*[1-9][0-9]*(\.[0-9]+)?|0+\.0*[1-9][0-9]*)$",
    "languages": r"^([a-z]{2}(,[a-z]{2})*|any)$",
    "duplicate_threshold": f"^{_SHARE}$",
    "decontaminate": f"^{_URL}(,{_URL})*$",
    "decontaminate_fields": r"^[^,\r\n]*[^,\s][^,\r\n]*(,[^,\r\n]*[^,\s][^,\r\n]*)*$",
    "decontaminate_ngram": _COUNT,
    "decontaminate_threshold": r"^(0*[1-9][0-9]*(\.[0-9]+)?|0+\.0*[1-9][0-9]*)$",
    "spacy_model": r"^[A-Za-z0-9_./-]+$",
    "coref_model": r"^.*\S.*$",
    "min_text_tokens": _COUNT,
    "min_sentence_tokens": _COUNT,
    "min_coref_confidence": f"^{_SHARE}$",
    "max_antecedent_tokens": _COUNT,
    "lead": r"^(sentences:0*[1-9][0-9]*|paragraphs:0*[1-9][0-9]*|lead-section|section:.*\S.*)$",
    "min_lead_words": _COUNT,
    "max_lead_words": _COUNT,
    "min_rest_words": _COUNT,
    "max_rest_words": _COUNT,
    "min_sentences": _COUNT,
    "min_overlap": f"^{_SHARE}$",
    "profile": f"^({'|'.join(BUILT_IN)})(,({'|'.join(BUILT_IN)}))*$",
    "gap_ratio": r"^0?\.[0-9]*[1-9][0-9]*$",
    "left_ratio": f"^{_SHARE}$",
    "mask_token": r"^\S+$",
    "max_words": "^[0-9]+$",
    "balanced_rates": r"^\{[^{}\r\n]+\}$",
    "formats": f"^{_FORMAT}(,{_FORMAT})*$",
    "shards": _COUNT,
    "splits": f"^{_NUMBER}(,{_NUMBER}){{2}}$",
    "salt": _TEXT,
    "warc_prefix": _TEXT,
    **{f"{name}_field": _TEXT for name in ("text", "id", "title", "url", "date")},
}
_CHOICES = {JOB: BUILDING_JOBS, "source": SOURCES, "coref": RESOLVERS, "conventions": CONVENTIONS, "sentences": METHODS,
            "selection": SELECTIONS, "scoring": SCORINGS, "ngrams": COUNTINGS, "deduplicate": MODES, "text_markup": MARKUPS}
# Options of Beam that a launch may want to change; the service knows the others without being told.
_BEAM = (
    ("sdk_container_image", r"^[a-z0-9][a-z0-9.:/_-]*(@sha256:[0-9a-f]{64})?$",
     "image of the workers, made from deploy/Dockerfile (default: that of the template)"),
    ("number_of_worker_harness_threads", _COUNT,
     "threads of each worker process (default: 1; there is a process for each core, and one thread fills it)"),
    ("disk_size_gb", _COUNT, "disk of each worker in GB (default: Dataflow's)"),
)


def metadata() -> dict[str, Any]:
    """Returns the content of metadata.json."""
    return {
        "name": "Gistmill",
        "description": "Turns Wikipedia dumps into training corpora for sentence fusion and summarization.",
        "streaming": False,
        "parameters": [*_parameters()],
    }


def _parameters() -> Iterator[dict[str, Any]]:
    yield _parameter(JOB, f"the job to run (default: {DEFAULT_JOB})")
    options = {job: options_of(job) for job in BUILDING_JOBS}
    for name in dict.fromkeys(name for known in options.values() for name in known):
        having = [job for job in BUILDING_JOBS if name in options[job]]
        if name not in LOCAL:
            option = options[having[0]][name]
            only = "" if len(having) == len(BUILDING_JOBS) else f"{', '.join(having)} only: "
            required = option.required and len(having) == len(BUILDING_JOBS)
            default = _defaults({job: options[job][name] for job in having})
            yield _parameter(name, f"{only}{option.help}{default}", option, required=required)
    for name, regex, text in _BEAM:
        yield _parameter(name, text, regex=regex)


def _parameter(name: str, text: str, option: Option | None = None, *, regex: str = "",
               required: bool = False) -> dict[str, Any]:
    made: Mapping[str, Any] = {
        "name": name,
        "label": name.replace("_", " ").capitalize(),
        "helpText": text[0].upper() + text[1:],
        "isOptional": not required,
    }
    if choices := _CHOICES.get(name):
        values = [{"value": c, "label": c} for c in choices]
        return {**made, "paramType": "ENUM", "enumOptions": values, "regexes": [f"^({'|'.join(choices)})$"]}
    if option is not None and not option.metavar:
        return {**made, "paramType": "BOOLEAN", "regexes": ["^(true|false)$"]}
    return {**made, "paramType": "TEXT", "regexes": [regex or _REGEXES[name]]}


def _defaults(options: Mapping[str, Option]) -> str:
    """The default, where the help does not speak of it, and the jobs that have it, where they differ."""
    shown = {job: _default(option) for job, option in options.items()}
    if len(set(shown.values())) == 1:
        value = next(iter(shown.values()))
        return f" (default: {value})" if value else ""
    return f" (default: {', '.join(f'{value} for {job}' for job, value in shown.items() if value)})"


def _default(option: Option) -> str:
    if option.default in (None, False) or isinstance(option.default, Mapping):
        return ""
    values = option.default if isinstance(option.default, tuple) else (option.default,)
    return ",".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values)


def text() -> str:
    """Returns metadata.json."""
    return json.dumps(metadata(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    METADATA.write_text(text(), encoding="utf-8")
