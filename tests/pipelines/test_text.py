"""``--source text`` by the real command: a folder of files becomes statements and articles."""

import gzip

import gistmill
from tests.commands import make, manifest, rejects, rows

FILES = {
    "notes/mill.md": "# The mill\n\nAda Lovelace bought a mill, and she sold it in 1843.\n\n## Later\n\n- The mill burned down.\n",
    "notes/mill/bridge.txt": "\ufeffAda Lovelace opened a bridge.\r\n\r\nThe bridge was long.\r\n",
    "notes/caf\u00e9.txt": "Un caf\u00e9.".encode("latin-1"),
    "notes/empty.md": "",
    "notes/data.csv": "id,text\n",
    "bells.txt.gz": gzip.compress(b"Ada Lovelace heard the bells. The bells rang in May.\n"),
}


def test_a_folder_of_texts_becomes_statements(tmp_path, monkeypatch):
    for name, content in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path)
    source = "--source text --input notes,bells.txt.gz --language en --splits 1,0,0 --formats parquet"
    make(f"propositions {source} --output out")
    found = rows(tmp_path / "out", "propositions")
    stated = {(row["document_id"], row["title"]): [] for row in found}
    for row in found:
        stated[row["document_id"], row["title"]].append(row["proposition"])
    assert stated == {
        ("bells", "bells"): ["Ada Lovelace heard the bells.", "The bells rang in May."],
        ("mill", "mill"): [
            "Ada Lovelace bought a mill.",
            "Ada Lovelace sold the mill in 1843.",
            "The mill burned down.",
        ],
        ("mill/bridge", "bridge"): ["Ada Lovelace opened a bridge.", "The bridge was long."],
    }
    assert {(r["id"], r["reason"]) for r in rejects(tmp_path / "out")} == {
        ("caf\u00e9", "NOT_TEXT"),
        ("empty", "EMPTY_PAGE"),
    }
    kinds = {entry["name"]: entry["kind"] for entry in manifest(tmp_path / "out")["sources"]}
    assert kinds["bells.txt.gz"] == "text-gzip" and kinds["mill.md"] == "text" and "data.csv" not in kinds
    row = found[-1]
    traced = gistmill.trace_row(gistmill.Dataset(tmp_path / "out"), row["id"], inputs=["notes"])
    assert traced.differing == [] and traced.found
    make(f"articles {source} --output articles")
    sections = {row["id"]: row["section_titles"] for row in rows(tmp_path / "articles")}
    assert sections == {"bells": [""], "mill": ["The mill", "Later"], "mill/bridge": [""]}
