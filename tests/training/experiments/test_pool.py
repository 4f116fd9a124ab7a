"""Commands of cells side by side: real processes, small ones."""

import os
import signal
import sys
import threading
import time

import psutil
import pytest

from gistmill.training.experiments.runner import CellFailed, Pool, Step, places_of_cells


class Cells:
    """Cells whose commands are Python, and what becomes of them."""

    def __init__(self, folder, places=({},)):
        self.folder, self.said, self.ended = folder, [], {}
        self.pool = Pool(places=list(places), lock=2, say=self.said.append, ended=self.end)

    def end(self, name, error):
        self.ended[name] = None if error is None else str(error)

    def step(self, name, code):
        return Step(command=[sys.executable, "-c", code], log=self.folder / f"{name}.log", what=name)

    def cell(self, name, *codes):
        return name, (self.step(name, code) for code in codes)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")


def note(text):
    """Code that writes when it began and when it ended."""
    return f"import time; print('{text}', time.time(), flush=True); time.sleep(0.5); print(time.time())"


@pytest.mark.slow
def test_as_many_run_at_a_time_as_there_are_places(tmp_path):
    for places, together in (([{}], 1), ([{}, {}], 2)):
        cells = Cells(tmp_path, places)
        (tmp_path / "times").unlink(missing_ok=True)
        code = (
            f"import time; f = open({str(tmp_path / 'times')!r}, 'a'); f.write('1 '); f.flush(); time.sleep(0.6); "
            "f.write('-1 '); f.flush()"
        )
        cells.pool.run([cells.cell(f"cell{number}", code) for number in range(4)])
        changes = list(map(int, (tmp_path / "times").read_text().split()))
        assert len(changes) == 8 and max(sum(changes[:n]) for n in range(9)) == together
        assert cells.ended == {f"cell{number}": None for number in range(4)}


def test_commands_of_a_cell_follow_each_other_and_earlier_cells_go_first(tmp_path):
    cells = Cells(tmp_path)
    codes = [f"print({number})" for number in range(3)]
    cells.pool.run([cells.cell("a", *codes), cells.cell("b", *codes)])
    assert cells.said == ["a", "a", "a", "b", "b", "b"]
    assert cells.log("a") == cells.log("b") == "0\n1\n2\n"


def test_each_place_is_told_to_its_processes(tmp_path):
    gpus = [{"CUDA_VISIBLE_DEVICES": "2"}, {"CUDA_VISIBLE_DEVICES": "3,4"}]
    cells = Cells(tmp_path, gpus)
    code = "import os, time; print(os.environ['CUDA_VISIBLE_DEVICES']); time.sleep(0.6)"
    cells.pool.run([cells.cell("a", code), cells.cell("b", code), cells.cell("c", code)])
    assert sorted([cells.log("a"), cells.log("b")]) == ["2\n", "3,4\n"] and cells.log("c") in ("2\n", "3,4\n")
    assert cells.said[:2] == ["a on GPU 2", "b on GPU 3,4"]


def test_a_command_that_fails_ends_its_cell_alone_and_is_told_in_one_line(tmp_path):
    cells = Cells(tmp_path, [{}, {}])
    bad = "import sys; print('first'); sys.exit('no such thing')"
    cells.pool.run([cells.cell("bad", bad, "print('never')"), cells.cell("good", note("x"), note("y"))])
    assert cells.ended["good"] is None
    assert cells.ended["bad"] == f"bad: exit code 1: no such thing ({tmp_path / 'bad.log'})"
    assert "never" not in cells.log("bad") and cells.log("good").count("\n") == 4


def test_a_cell_that_waits_for_another_leaves_its_place_to_the_next(tmp_path):
    cells = Cells(tmp_path, [{}, {}])
    busy = []

    def first():
        busy.append(1)
        yield cells.step("first", note("x"))
        busy.clear()

    def second():
        while busy:
            yield None
        yield cells.step("second", note("y"))

    cells.pool.run([("first", first()), ("second", second()), cells.cell("third", note("z"))])
    assert cells.said == ["first", "third", "second"] and set(cells.ended.values()) == {None}


def test_a_cell_may_fail_before_its_first_command(tmp_path):
    cells = Cells(tmp_path)

    def broken():
        raise CellFailed("no rows")
        yield

    cells.pool.run([("broken", broken()), cells.cell("good", "print(1)")])
    assert cells.ended == {"broken": "no rows", "good": None}


def test_an_interrupt_ends_all_processes_and_waits_for_them(tmp_path):
    cells = Cells(tmp_path, [{}, {}])
    slow = (
        "import signal, sys, time\n"
        "def end(*_): time.sleep(0.3); print('a checkpoint', flush=True); sys.exit(143)\n"
        "signal.signal(signal.SIGTERM, end); print('begun', flush=True); time.sleep(120)"
    )

    def interrupt():
        while not all((tmp_path / f"{n}.log").exists() and "begun" in cells.log(n) for n in "ab"):
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    before = psutil.Process().children()  # of other tests
    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        cells.pool.run([cells.cell("a", slow), cells.cell("b", slow), cells.cell("c", "print(1)")])
    thread.join()
    assert cells.log("a") == cells.log("b") == "begun\na checkpoint\n"
    assert not (tmp_path / "c.log").exists() and not cells.ended
    assert psutil.Process().children() == before


def test_gpus_are_shared_out():
    for gpus, parallel, processes, expected in [
        ([], None, 1, [None]),
        ([], 3, 1, [None] * 3),
        (["0"], None, 1, ["0"]),
        (["0", "1", "2", "3"], None, 1, ["0", "1", "2", "3"]),
        (["0", "1", "2", "3"], 2, 1, ["0", "1"]),
        (["4", "GPU-x", "6", "7", "8"], None, 2, ["4,GPU-x", "6,7"]),
        (["0", "1"], 5, 1, ["0", "1", "0", "1", "0"]),
        (["0", "1"], None, 8, ["0,1"]),
    ]:
        found = places_of_cells(gpus, parallel=parallel, processes=processes)
        assert [place.get("CUDA_VISIBLE_DEVICES") for place in found] == expected, gpus
