"""``--since`` and ``--until`` by the real command."""

import json

from gistmill.pipelines import cli
from tests.commands import manifest

TEXT = " ".join(f"Sentence {n} tells of the otters in the river." for n in range(9))
DATES = {"old": "2016-05-31", "first": "2016-06-01", "last": "2019-06-30T22:00:00Z", "new": "2019-07-01", "none": ""}


def run(tmp_path, *options):
    lines = [{"id": name, "date": day, "text": f"This is {name}. {TEXT}"} for name, day in DATES.items()]
    (tmp_path / "news.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    made = ("--source", "jsonl", "--input", str(tmp_path / "news.jsonl"), "--output", str(tmp_path / "out"))
    return cli.main(["gap-sentences", *made, "--splits", "1,0,0", "--deduplicate", "none", *options])


def test_documents_of_other_days_and_without_a_date_are_rejected_and_counted(tmp_path, capsys):
    assert run(tmp_path, "--since", "2016-06-01", "--until", "2019-06-30") == 0
    counts = manifest(tmp_path / "out")["counts"]
    assert counts["documents"] == {"read": 5, "used": 2}
    assert counts["documents/rejected"] == {"NO_DATE": 1, "TOO_NEW": 1, "TOO_OLD": 1}
    assert manifest(tmp_path / "out")["configuration"]["since"] == "2016-06-01"
    capsys.readouterr()


def test_days_that_cannot_be_are_told_of(tmp_path, capsys):
    assert run(tmp_path, "--since", "2016-06-31") == 2
    assert "--since: expected a day such as 2016-06-01, not '2016-06-31'" in capsys.readouterr().err
    assert run(tmp_path, "--since", "2019-01-01", "--until", "2018-12-31") == 2
    assert "since: 2019-01-01 is after until, 2018-12-31" in capsys.readouterr().err
