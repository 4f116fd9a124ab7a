"""Which dump is the newest complete one, by the directories and status files of real HTTP servers."""

import hashlib
import json
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from gistmill.pipelines.rebuild.download import DumpConfig, fetch, newest
from gistmill.pipelines.rebuild.dumps import DumpError, find_dump
from gistmill.pipelines.web import session
from tests.pipelines.rebuild.mirror import Mirror, serve

MONTHS = ("20251201", "20260101")


def names(date, *, parts=("",)):
    """The files of a dump; a part is a number and its pages, such as 2-p10p19."""
    stem, made = f"xxwiki-{date}-pages-articles-multistream", {}
    for part in parts:
        number, _, pages = part.partition("-")
        made[f"{stem}{number}.xml{'-' if pages else ''}{pages}.bz2"] = b"x" * 9
        made[f"{stem}-index{number}.txt{'-' if pages else ''}{pages}.bz2"] = b"i"
    return made


@pytest.fixture
def servers():
    with ExitStack() as stack:

        def make(**behaviour):
            mirror = Mirror(**behaviour)
            for date in MONTHS:
                mirror.put_dump("xxwiki", date, names(date))
            return stack.enter_context(serve(mirror))

        yield make


def find(*mirrors, **options):
    lines = []
    with session(tries=2, pause=0.01) as web:
        found = find_dump(web, "xxwiki", layout="dumps", mirrors=[m.url for m in mirrors], say=lines.append, **options)
    return found, lines


def test_the_newest_dump_is_found_with_sizes_and_sums(servers):
    dump, lines = find(servers())
    assert (dump.wiki, dump.date, dump.layout, lines) == ("xxwiki", "20260101", "dumps", [])
    index, export = dump.files
    assert index.name == "xxwiki-20260101-pages-articles-multistream-index.txt.bz2"
    assert (export.size, export.sha1) == (9, hashlib.sha1(b"x" * 9).hexdigest())
    assert dump.folder == "xxwiki/20260101"


def test_a_dump_whose_status_is_not_done_or_cannot_be_used_is_passed_over(servers):
    jobs = b'{"jobs": {"articlesmultistreamdump": {"status": "done", '
    for content in [
        *(f'{{"jobs": {{"articlesmultistreamdump": {{"status": "{status}"}}}}}}'.encode() for status in STATUSES),
        *(jobs + json.dumps({"files": {name: entry}}).encode()[1:] + b"}}" for name, entry in IMPOSSIBLE),
        None,
        b"",
        b'{"jobs": {"articlesmultistr',
        b"[]",
        b'{"jobs": {}}',
        b"\xff\xfe",
        jobs + b'"files": {}}}}',
        b'{"jobs": {"articlesmultistreamdump": {"status": "done"}}}',
        b"[" * 200_000,
        b'{"jobs": ' * 60 + b"1" + b"}" * 60,
        b"9" * 5000,
        b'{"jobs": {"articlesmultistreamdump": {"status": "' + b"long " * 5000 + b'"}}}',
    ]:
        mirror = servers()
        path = "xxwiki/20260101/dumpstatus.json"
        if content is None:
            mirror.files["xxwiki/20260101/other.txt"] = mirror.files.pop(path)
        else:
            mirror.files[path] = content
        dump, lines = find(mirror)
        assert dump.date == "20251201" and len(lines) == 1 and "20260101 is not complete" in lines[0], content
        assert "\n" not in lines[0] and len(lines[0]) < 1000


STATUSES = ("in-progress", "waiting", "failed", "skipped")
IMPOSSIBLE = [
    ("../../etc/passwd", {"size": 1, "sha1": "a" * 40}),
    ("xxwiki-20260101-a/b.xml.bz2", {"size": 1, "sha1": "a" * 40}),
    ("yywiki-20260101-a.xml.bz2", {"size": 1, "sha1": "a" * 40}),
    ("xxwiki-20260101-a.xml.bz2", {"size": 1}),
    ("xxwiki-20260101-a.xml.bz2", {"size": 0, "sha1": "a" * 40}),
    ("xxwiki-20260101-a.xml.bz2", {"size": 1, "sha1": "z" * 40}),
    ("xxwiki-20260101-a.xml.bz2", {"size": "1", "sha1": "a" * 40}),
]


def test_parts_of_a_large_wiki_are_not_exchanged_for_the_joined_file(servers):
    mirror = servers()
    mirror.put_dump("xxwiki", "20260101", names("20260101", parts=("1-p1p9", "2-p10p19")))
    status = json.loads(mirror.files["xxwiki/20260101/dumpstatus.json"])
    status["jobs"]["articlesmultistreamdumprecombine"] = {"status": "done", "files": {"x": {}}}
    mirror.files["xxwiki/20260101/dumpstatus.json"] = json.dumps(status).encode()
    assert len([f for f in find(mirror)[0].files if ".xml" in f.name]) == 2


def test_no_page_comes_twice(servers):
    mirror = servers()
    mirror.put_dump("xxwiki", "20260101", names("20260101", parts=("", "1-p1p9", "2-p10p19")))
    assert {f.name for f in find(mirror)[0].files} == set(names("20260101"))


def test_a_wiki_without_multistream_has_the_other_job(servers):
    mirror = servers()
    mirror.put_dump("xxwiki", "20260101", {"xxwiki-20260101-pages-articles.xml.bz2": b"x"}, job="articlesdump")
    assert [f.name for f in find(mirror)[0].files] == ["xxwiki-20260101-pages-articles.xml.bz2"]


def test_the_first_mirror_decides_what_is_the_newest(servers):
    first, second = servers(), servers()
    second.put_dump("xxwiki", "20260201", names("20260201"))
    dump, lines = find(first, second)
    assert dump.date == "20260101" and lines == [] and second.requests == []
    first.put_dump("xxwiki", "20260201", names("20260201"), status="in-progress")
    assert find(first, second)[0].date == "20260101" and second.requests == []
    with pytest.raises(DumpError, match="no complete dump of xxwiki was found: .*20260201.*in-progress"):
        find(first, second, date="20260201")


def test_only_if_it_does_not_answer_the_next_one_decides(servers):
    for where in ["xxwiki/", "xxwiki/20260201/dumpstatus.json"]:
        down = servers(plan=lambda path, number, where=where: 503 if path.endswith(where) else None)
        down.put_dump("xxwiki", "20260201", names("20260201"))
        dump, lines = find(down, servers())
        assert dump.date == "20260101" and "skipping a mirror: " in lines[0] and len(lines) == 1


def test_a_mirror_cannot_invent_a_newer_dump(servers, tmp_path):
    honest, evil = servers(), servers()
    for date in ("20260101", "20991231"):
        evil.put_dump("xxwiki", date, dict.fromkeys(names(date), b"evil"))
    config = DumpConfig(wiki="xxwiki", layout="dumps", mirrors=(honest.url, evil.url))
    said = []
    dump = newest(config, say=said.append)
    assert dump.date == "20260101"
    files = fetch(dump, tmp_path, config=config, say=said.append)
    assert [file.read_bytes() for file in files] == [b"x" * 9]
    assert not any("20991231" in line for line in said)


def test_no_dump_is_of_the_future(servers):
    mirror, now = servers(), datetime.now(UTC)
    tomorrow, later = ((now + timedelta(days=days)).strftime("%Y%m%d") for days in (1, 2))
    for date in (later, "20991231"):
        mirror.put_dump("xxwiki", date, names(date))
    dump, lines = find(mirror)
    assert dump.date == "20260101" and len(lines) == 2 and "the dump of 20991231 is in the future" in lines[0]
    with pytest.raises(DumpError, match="no complete dump of xxwiki was found: .*20991231 is in the future"):
        find(mirror, date="20991231")
    mirror.put_dump("xxwiki", tomorrow, names(tomorrow))
    assert find(mirror)[0].date == tomorrow


def test_no_answer_about_the_newest_is_an_error_and_no_older_dump(servers):
    mirror = servers(plan=lambda path, number: 503 if "20260101/" in path else None)
    with pytest.raises(DumpError, match="no mirror lists the complete dumps of xxwiki: .*20260101"):
        find(mirror)


def test_dates_are_dates_and_latest_is_none(servers):
    mirror = servers()
    mirror.put_dump("xxwiki", "99999999", names("99999999"))
    mirror.put_dump("xxwiki", "latest", names("latest"))
    assert find(mirror)[0].date == "20260101"
    assert not any("latest" in path for path, _ in mirror.requests)


def test_a_date_can_be_asked_for(servers):
    assert find(servers(), date="20251201")[0].date == "20251201"
    with pytest.raises(DumpError, match="no complete dump of xxwiki was found: .*20240101.* 404"):
        find(servers(), date="20240101")


def test_nothing_listed_and_nobody_there(servers):
    empty = servers()
    empty.files.clear()
    with pytest.raises(DumpError, match="no complete dump of xxwiki was found: none is listed"):
        find(empty)
    with serve(Mirror()) as gone:
        pass
    with pytest.raises(DumpError, match="no mirror lists the complete dumps of xxwiki"):
        find(gone)
