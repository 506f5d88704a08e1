"""Start Dask workers as jobs of Slurm, and print the address for `ostrom … --cluster`. Run it on a login node, where it
stays until it is interrupted; the jobs then end. Needs dask-jobqueue beside `ostrom[cluster,postgres]`.

    python slurm.py --jobs 8 --partition cpu
    python slurm.py --jobs 8 --partition cpu --script     print the job script only
"""

import argparse
import time
from pathlib import Path

from dask_jobqueue import SLURMCluster
from distributed.security import Security


def slurm_cluster(options: argparse.Namespace) -> SLURMCluster:
    """Return a cluster whose workers are jobs with one process and one thread each. Scheduler and workers present the
    certificate, so that no other user of the machines can run code on them."""
    files = {"ca_file": options.ca, "scheduler_cert": options.cert, "scheduler_key": options.key}
    files |= {"worker_cert": options.cert, "worker_key": options.key}
    files |= {"client_cert": options.cert, "client_key": options.key}
    return SLURMCluster(
        queue=options.partition,
        account=options.account,
        cores=1,
        processes=1,
        memory=options.memory,
        walltime=options.walltime,
        protocol="tls",
        security=Security(
            **{f"tls_{name}": str(file.resolve()) for name, file in files.items()}, require_encryption=True
        ),
        scheduler_options={"port": options.port},
        # Keys of providers and the journal's password (PGPASSWORD, or ~/.pgpass) are read on the node.
        job_script_prologue=[f"source {options.environment}/bin/activate", "set -a; source ~/.ostrom-keys; set +a"],
        log_directory=str(options.logs),
    )


def main() -> None:
    """Start the jobs, print the address, and wait."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--partition")
    parser.add_argument("--account")
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--walltime", default="12:00:00")
    parser.add_argument("--port", type=int, default=8786)
    parser.add_argument("--environment", type=Path, default=Path("~/ostrom-env"), help="the Python environment")
    parser.add_argument("--ca", type=Path, default=Path("ca.pem"))
    parser.add_argument("--cert", type=Path, default=Path("lab.pem"))
    parser.add_argument("--key", type=Path, default=Path("lab-key.pem"))
    parser.add_argument("--logs", type=Path, default=Path("dask-logs"))
    parser.add_argument("--script", action="store_true", help="print the job script, and start no job")
    options = parser.parse_args()
    with slurm_cluster(options) as cluster:
        if options.script:
            print(cluster.job_script())
            return
        cluster.scale(jobs=options.jobs)
        print(cluster.scheduler_address, flush=True)
        while True:
            time.sleep(60)


if __name__ == "__main__":
    main()
