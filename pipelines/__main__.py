"""``python -m gistmill JOB ...``, the same as ``gistmill JOB ...``."""

from gistmill.pipelines.cli import run

if __name__ == "__main__":
    run()
