"""``gistmill propositions --text`` and ``gistmill resolve`` by the real commands: text, files, standard input, JSON, errors."""

import json
import os
import pty
import subprocess
from dataclasses import asdict

import pytest

from gistmill.pipelines.cli import main
from gistmill.pipelines.propositions import propositions, resolve
from tests.commands import COMMAND

TEXT = "Ada Lovelace was a writer. She worked with Charles Babbage, who built engines."
STATEMENTS = [
    "Ada Lovelace was a writer.",
    "Ada Lovelace worked with Charles Babbage.",
    "Charles Babbage built engines.",
]
RESOLVED = TEXT.replace("She", "Ada Lovelace")
OF_TEXT = {"propositions": ("--text", "--text-file"), "resolve": (None, "--input")}
PRINTED = {"propositions": "\n".join(STATEMENTS) + "\n", "resolve": RESOLVED + "\n"}


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "article.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    return path


def said(capsys, *arguments):
    """What a command prints that ends well."""
    assert main(list(map(str, arguments))) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys, *arguments):
    """The line with which a command fails."""
    assert main(list(map(str, arguments))) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert captured.out == ""
    return line


@pytest.mark.slow
@pytest.mark.parametrize("job", OF_TEXT)
def test_a_text_is_typed_read_from_a_file_or_from_standard_input(job, article, capsys):
    typed, flag = OF_TEXT[job]
    words = [typed, TEXT] if typed else TEXT.split(" ")
    assert said(capsys, job, *words) == said(capsys, job, flag, article) == PRINTED[job]
    for arguments in ([flag, "-"], *([] if typed else [[]])):
        done = subprocess.run([*COMMAND, job, *arguments], input=TEXT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, PRINTED[job], "")


def test_json_says_what_python_says(article, capsys):
    lines = said(capsys, "propositions", "--text", TEXT, "--json").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(json.dumps([asdict(p) for p in propositions(TEXT)]))
    assert [json.loads(line)["text"] for line in lines] == STATEMENTS
    made = json.loads(said(capsys, "resolve", "--json", "--input", article))
    assert made == json.loads(json.dumps(asdict(resolve(TEXT)))) and made["text"] == RESOLVED
    (one,) = made["replaced"]
    assert (one["text"], one["by"], one["kind"]) == ("She", "Ada Lovelace", "pronoun") and 0 < one["confidence"] <= 1
    assert TEXT[one["antecedent_start"] : one["antecedent_end"]] == RESOLVED[one["new_start"] : one["new_end"]]


WITHOUT = "we left Kent. Ada Lovelace left Bath. Who left? Why did she go?"


def test_a_sentence_without_statements_has_its_reason(capsys):
    assert main(["propositions", "--text", WITHOUT]) == 0
    captured = capsys.readouterr()
    assert captured.out == "Ada Lovelace left Bath.\n"
    (line,) = captured.err.splitlines()
    assert "2 STATES_A_QUESTION (a question asserts nothing); 1 STATES_NO_BEGINNING (" in line
    for more in ((), ("--resolved-only",)):
        found = [
            json.loads(line) for line in said(capsys, "propositions", "--json", "--text", WITHOUT, *more).splitlines()
        ]
        assert [each.get("reason", each.get("text")) for each in found] == [
            "STATES_NO_BEGINNING",
            "Ada Lovelace left Bath.",
            "STATES_A_QUESTION",
            "STATES_A_QUESTION",
        ]
        assert [WITHOUT[each["start"] : each["end"]] for each in found] == [each["sentence"] for each in found]


def test_a_text_without_a_sentence_is_said_to_have_none(capsys):
    assert main(["propositions", "--text", "Not prose"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "" and "the text contains no sentence" in captured.err


def test_only_what_stands_alone_is_printed_if_asked_for(capsys):
    text = "We left Kent. Ada Lovelace left Bath."
    assert said(capsys, "propositions", "--text", text) == "We left Kent.\nAda Lovelace left Bath.\n"
    for more in ((), ("--json",)):
        (line,) = said(capsys, "propositions", "--text", text, "--resolved-only", *more).splitlines()
        assert "Ada Lovelace left Bath." in line


def test_a_text_that_ends_in_a_line_end_gets_no_other_and_letters_are_written_as_they_are(capsys):
    assert (
        said(capsys, "resolve", "Ada Lovelace left the café.\r\nShe slept.\n")
        == "Ada Lovelace left the café.\r\nAda Lovelace slept.\n"
    )
    assert "café" in said(capsys, "propositions", "--json", "--text", "Ada Lovelace left the café.")


def test_the_options_of_the_recipe_decide(capsys):
    text = "Ada Lovelace wrote a program. She published it."
    for job, typed in (("propositions", ["--text"]), ("resolve", [])):

        def last(*options, command=(job, *typed, text)):
            return said(capsys, *command, *options).rstrip("\n").replace(". ", ".\n").splitlines()[-1]

        assert last() == last("--precision", "balanced") == "Ada Lovelace published the program."
        assert last("--min-coref-confidence", "0.95") == "Ada Lovelace published it."
        assert last("--precision=strict") == "Ada Lovelace published it."
        assert last("--max-antecedent-tokens", "1") == last("--coref", "none") == "She published it."
    two = "Ada Lovelace met Mary Somerville. She left Kent."
    assert said(capsys, "resolve", two) == two + "\n"
    assert said(capsys, "resolve", two, "--title", "Ada Lovelace") == two.replace("She", "Ada Lovelace") + "\n"


def test_the_grain_of_statements_is_chosen(capsys):
    text = "Ada Lane was born in Leeds in 1990, and she left it in May."
    made = {
        grain: said(capsys, "propositions", "--text", text, "--grain", grain).splitlines()
        for grain in ("sentence", "clause", "fact")
    }
    assert made["sentence"] == [text]
    assert made["clause"] == said(capsys, "propositions", "--text", text).splitlines()
    assert {"Ada Lane was born in Leeds.", "Ada Lane was born in 1990."} <= set(made["fact"])
    assert "--grain" in refused(capsys, "resolve", text, "--grain", "fact")


@pytest.mark.slow
def test_on_a_terminal_what_does_not_stand_alone_is_shown_behind():
    ours, theirs = pty.openpty()
    command = [*COMMAND, "propositions", "--text", "We left Kent. Ada Lovelace left Bath."]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        assert process.wait(120) == 0
    first, second = os.read(ours, 10_000).decode().splitlines()
    os.close(ours)
    assert first.startswith("We left Kent.\x1b[2m  (We: ") and second == "Ada Lovelace left Bath."


@pytest.mark.parametrize("job", OF_TEXT)
def test_what_is_wrong_is_one_line(job, article, tmp_path, capsys):
    typed, flag = OF_TEXT[job]
    words = [typed, TEXT] if typed else [TEXT]
    (tmp_path / "latin.txt").write_bytes("Zoë left Kent.".encode("latin-1"))
    (tmp_path / "empty.txt").write_bytes(b" \r\n")
    assert refused(capsys, job, *words, flag, article) == f"gistmill {job}: specify either a text or {flag}, not both"
    assert "the text is not valid UTF-8 (byte 3)" in refused(capsys, job, flag, tmp_path / "latin.txt")
    assert refused(capsys, job, flag, tmp_path / "empty.txt") == f"gistmill {job}: the text is empty"
    assert "No such file or directory" in refused(capsys, job, flag, tmp_path / "none.txt")
    assert flag in refused(capsys, job, flag, tmp_path)
    assert "did you mean balanced" in refused(capsys, job, *words, "--precision", "balanecd")
    assert "from 0 to 1" in refused(capsys, job, *words, "--min-coref-confidence", "2")
    assert "at least 1" in refused(capsys, job, *words, "--max-antecedent-tokens", "0")
    assert "sieve" in refused(capsys, job, *words, "--coref", "best")
    assert "no-such-model" in refused(capsys, job, *words, "--spacy-model", "no-such-model")
    assert "did you mean --json" in refused(capsys, job, *words, "--jsno")
