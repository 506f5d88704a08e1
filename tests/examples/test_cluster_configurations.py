"""The example configurations for workers on Slurm and Kubernetes. No cluster runs here: the job script is the one that
dask-jobqueue writes, and the files for Kubernetes are read."""

import subprocess
import sys
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "cluster"
DOCS = FOLDER.parents[1] / "docs" / "experiments.md"


def test_a_job_of_slurm_is_an_encrypted_worker_with_one_thread(tmp_path):
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    names = ("-keyout", "lab-key.pem", "-out", "lab.pem", "-subj", "/CN=lab", "-addext", "subjectAltName=IP:127.0.0.1")
    subprocess.run([*made, *names], cwd=tmp_path, check=True, capture_output=True)
    words = ["--partition", "short", "--account", "lab", "--ca", "lab.pem", "--port", "0", "--script"]
    command = [sys.executable, "-P", str(FOLDER / "slurm.py"), *words]
    script = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert {"#SBATCH -p short", "#SBATCH -A lab", "#SBATCH -n 1", "#SBATCH --cpus-per-task=1"} <= set(
        script.splitlines()
    )
    worker = next(line for line in script.splitlines() if "tls://" in line)
    assert "--nthreads 1" in worker
    assert f"--tls-cert {tmp_path / 'lab.pem'}" in worker
    assert script.index("ostrom-keys") < script.index(worker)


def test_workers_on_kubernetes_are_one_cluster_that_only_its_clients_reach():
    cluster, policy = (
        yaml.safe_load((FOLDER / name).read_text()) for name in ("kubernetes.yaml", "network-policy.yaml")
    )
    assert cluster["kind"] == "DaskCluster"
    name, spec = cluster["metadata"]["name"], cluster["spec"]
    (worker,) = spec["worker"]["spec"]["containers"]
    assert worker["args"][worker["args"].index("--nthreads") + 1] == "1"
    assert worker["envFrom"] == [{"secretRef": {"name": "ostrom-keys"}}]
    (scheduler,) = spec["scheduler"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in scheduler["ports"]}
    assert {port["targetPort"] for port in spec["scheduler"]["service"]["ports"]} == set(ports)
    assert f"tcp://{name}-scheduler:{ports['tcp-comm']}" in DOCS.read_text()
    label = {"dask.org/cluster-name": name}
    assert policy["spec"]["podSelector"]["matchLabels"] == label
    assert spec["scheduler"]["service"]["selector"] == label | {"dask.org/component": "scheduler"}
    (rule,) = policy["spec"]["ingress"]
    assert {"podSelector": {"matchLabels": {"ostrom": "client"}}} in rule["from"]
