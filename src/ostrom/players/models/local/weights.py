"""The weights of local models. A model is given by a path, or by a name in the cache of the Hugging Face Hub. Nothing
is downloaded."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from ostrom.core import InputError
from ostrom.core.game import imported
from ostrom.players.models.engine import Engine

PREFIX: Final = "local:"
"""The beginning of the name of a model that runs in this process."""
LLAMA: Final = "llama.cpp"
TRANSFORMERS: Final = "transformers"
VLLM: Final = "vllm"
_PACKAGES: Final = {LLAMA: "xllamacpp", TRANSFORMERS: "transformers", VLLM: "vllm"}
_TO_INSTALL: Final = {LLAMA: "'ostrom[llama]'", TRANSFORMERS: "transformers torch", VLLM: "vllm"}
"""The packages to install with pip for each backend. The right version of PyTorch depends on the machine, so no extra
of Ostrom chooses it."""
_ENGINES: Final = {
    LLAMA: "ostrom.players.models.local.llama:LlamaEngine",
    TRANSFORMERS: "ostrom.players.models.local.transformers:TransformersEngine",
    VLLM: "ostrom.players.models.local.vllm:VllmEngine",
}
"""The import path of each backend's engine. Each needs a different large package."""
PARALLEL_VARIABLE: Final = "OSTROM_LOCAL_PARALLEL"
"""The name of the environment variable with the number of prompts that llama.cpp computes together."""


class Weights(NamedTuple):
    """A model's files and the backend that runs them."""

    path: Path
    backend: str


def is_local(model: str) -> bool:
    """Return whether a model's name means a model in this process."""
    return model.startswith(PREFIX)


def find_weights(model: str) -> Weights:
    """Return the files and the backend of `local:PATH_OR_NAME`. Raises `InputError` if the files or the backend's
    package are missing."""
    name = model.removeprefix(PREFIX)
    path = Path(name).expanduser()
    path = path if path.exists() else _cached(name)
    if path.is_file() and path.suffix == ".gguf":
        backend = LLAMA
    elif (path / "config.json").is_file():
        backend = VLLM if find_spec("vllm") is not None else TRANSFORMERS
    elif path.is_dir() and len(files := sorted(path.glob("*.gguf"))) == 1:
        path, backend = files[0], LLAMA
    else:
        raise InputError(f"{model}: {path} is neither a GGUF file nor a folder with config.json and weights")
    if find_spec(_PACKAGES[backend]) is None:
        raise InputError(f"{model} needs {backend}: pip install {_TO_INSTALL[backend]}")
    return Weights(path, backend)


def load_engine(weights: Weights) -> Engine:
    """Load a model. Only the module of its backend is imported."""
    engine = imported(_ENGINES[weights.backend])
    loaded: Engine
    if weights.backend == LLAMA:
        loaded = engine(weights.path, _parallel())
    elif weights.backend == VLLM:
        loaded = engine(weights.path)
    else:
        loaded = engine.load(weights.path)
    return loaded


def _parallel() -> int:
    text = os.environ.get(PARALLEL_VARIABLE, "1")
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise InputError(f"{PARALLEL_VARIABLE} is {text!r}; it must be a whole number from 1 to 256")
    return int(text)


def _cached(name: str) -> Path:
    """Return the newest snapshot of the model with this name in the Hub's cache on this machine."""
    home = Path(os.environ.get("HF_HOME", "~/.cache/huggingface")).expanduser()
    hub = Path(os.environ.get("HF_HUB_CACHE", home / "hub")).expanduser()
    folder = hub / f"models--{name.replace('/', '--')}"
    reference = folder / "refs" / "main"
    snapshot = folder / "snapshots" / (reference.read_text().strip() if reference.is_file() else "none")
    if not snapshot.is_dir():
        raise InputError(
            f"local:{name}: there is no such file or folder, and the cache of models has no {name}; nothing is "
            f"downloaded unless you ask for it: hf download {name}"
        )
    return snapshot
