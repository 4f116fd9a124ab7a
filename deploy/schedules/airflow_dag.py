"""An Airflow DAG that checks for a new dump every day and rebuilds the corpus when there is one.

Put the file into the DAGs folder. `gistmill` must be on the worker's path. If there is no new dump, the task and its
downstream tasks are skipped.
"""

from datetime import datetime, timedelta

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

CORPUS = "/etc/gistmill/monthly.corpus.yaml"
NOTHING_NEW = 3

with DAG(
    dag_id="gistmill_rebuild",
    schedule="0 3 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,  # missed days need no separate rebuild
    max_active_runs=1,
    tags=["corpora"],
) as dag:
    BashOperator(
        task_id="rebuild",
        bash_command=f"gistmill rebuild {CORPUS}",
        skip_on_exit_code=NOTHING_NEW,
        retries=3,  # finished stages are not repeated
        retry_delay=timedelta(minutes=15),
    )
