"""Cases of the DiscoFuse rules: a text and what is made of it, with the parse that the shipped models give.

    python -m tests.rules.discofuse.parsed_cases [--record]

writes `cases/parses.jsonl` anew: the parse and the coreference links of each text in the files beside it, and of each
example of a check (rules/discofuse/checks.py). With `--record` it writes the candidates in those files anew too: what
has changed shows in the difference. A file of cases (tests/cases.py), `cases/*.txt`, has texts of one sentence or two,
each with its candidates below:

    # Relative clause: the antecedent is a clause
    He sold the mill, which angered the whole town, and moved to London.
        SINGLE_RELATIVE refused: CLAUSAL_ANTECEDENT
    He was late because it rained.
        SINGLE_CONN_INNER (because): He was late . | It rained .
    He was late.
        nothing

Short sentences pass, so that cases can be short. Cases of `released.txt` are of the conventions of the released data.
"""

import functools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.checks import tables
from gistmill.published.dataset import Dataset
from gistmill.rules.annotated import from_values
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import Candidate
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Mention, Sentence, Token
from tests.cases import cases as of_file

FOLDER = Path(__file__).parent / "cases"
PARSES = FOLDER / "parses.jsonl"
_NOTHING = "nothing"


class Case(NamedTuple):
    """A text with its expected candidates, each as a line of the file has it."""

    file: str
    heading: str
    text: str
    made: tuple[str, ...]


class Parsed(NamedTuple):
    """The sentences of a text, and the coreference links between their mentions."""

    sentences: tuple[Sentence, ...]
    clusters: tuple[tuple[Mention, ...], ...]

    @property
    def parses(self) -> tuple[Parse, ...]:
        """The sentences as the rules see them."""
        return tuple(map(Parse, self.sentences))


def cases() -> Iterator[Case]:
    """Yields the cases of all files, in order."""
    for path in sorted(FOLDER.glob("*.txt")):
        for case in of_file(path):
            yield Case(path.stem, case.heading, case.text, tuple(m for m in case.lines if m != _NOTHING))


def texts() -> set[str]:
    """Returns the texts of all cases, and the examples of all checks."""
    examples = (text for table in tables() for check in table.checks for text in (check.refuses, check.passes))
    return {*examples, *(case.text for case in cases())}


def candidates(text: str, *, conventions: str = "extended") -> tuple[Candidate, ...]:
    """Returns what the rules make of a stored text: of a single sentence, or of a pair."""
    parsed = stored()[text]
    splitter = Splitter(DiscoFuseConfig(conventions=conventions, min_sentence_tokens=2))
    return splitter.candidates(*parsed.parses, links=Links(parsed.clusters))


def described(candidate: Candidate) -> str:
    """Returns a candidate as a line of a file of cases has it."""
    kind, reason = candidate.discourse_type.name, candidate.verdict.reason
    if reason is not None:
        return f"{kind} refused: {reason.name}"
    connective = f" ({candidate.connective_string})" if candidate.connective_string else ""
    return f"{kind}{connective}: {candidate.incoherent_first_sentence} | {candidate.incoherent_second_sentence}"


@functools.cache
def stored(path: Path = PARSES) -> dict[str, Parsed]:
    """The stored parses of a file, by their texts."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        text, sentences, clusters = json.loads(line)
        found[text] = Parsed(
            tuple(Sentence(tuple(Token(*t) for t in tokens)) for tokens in sentences),
            tuple(tuple(Mention(*m) for m in cluster) for cluster in clusters),
        )
    return found


def annotate(texts: Iterable[str]) -> Iterator[str]:
    """Yields the line of `parses.jsonl` of each text, by what `gistmill annotate` says of it."""
    unique = sorted(set(texts))
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / "texts.jsonl"
        records = ({"id": f"{i:06d}", "text": [text]} for i, text in enumerate(unique))
        given.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        command = [sys.executable, "-m", "gistmill", "annotate", "--source", "jsonl", "--input", str(given), "--quiet"]
        command += ["--output", f"{folder}/annotated", "--languages", "any", "--deduplicate", "none"]
        subprocess.run([*command, "--keep-lists", "--keep-boilerplate"], check=True)
        dataset = Dataset(Path(folder) / "annotated")
        rows = sorted((v for split in dataset.splits() for v in dataset.rows(split)), key=lambda v: v["id"])
    for values in rows:
        document = from_values(values)
        fields = ("sentence", "start", "end", "head", "kind", "confidence")
        clusters = [[[getattr(m, f) for f in fields] for m in cluster] for cluster in document.clusters]
        yield json.dumps([unique[int(values["id"])], [s.tokens for s in document.sentences], clusters]) + "\n"


def record() -> None:
    """Writes what the rules make now of each text into the files of cases."""
    lines: dict[str, list[str]] = {}
    heading: dict[str, str] = {}
    for case in cases():
        out = lines.setdefault(case.file, [])
        if heading.get(case.file) != case.heading:
            out.append(f"# {case.heading}")
            heading[case.file] = case.heading
        made = candidates(case.text, conventions=conventions_of(case))
        out += [case.text, *(f"    {described(candidate)}" for candidate in made)]
        out += [] if made else [f"    {_NOTHING}"]
    for name, out in lines.items():
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in out), encoding="utf-8")


def conventions_of(case: Case) -> str:
    """Returns the conventions that a case is of."""
    return "released" if case.file == "released" else "extended"


def main() -> int:
    """Writes the parses of all cases, and their candidates if that is asked for."""
    PARSES.write_text("".join(annotate(texts())), encoding="utf-8")
    print(f"{PARSES}: the parses of {len(PARSES.read_text(encoding='utf-8').splitlines())} texts")
    if sys.argv[1:] == ["--record"]:
        stored.cache_clear()
        record()
    return 0


if __name__ == "__main__":
    sys.exit(main())
