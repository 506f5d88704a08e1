#!/usr/bin/env bash
# Writes requirements/*.txt anew: every version with the hashes of all its published files, for every platform, and no
# host. Versions stay as they are where they still fit; what is given, such as --upgrade-package NAME, goes to uv.
set -euo pipefail
cd "$(dirname "$0")/../requirements"

compile() {
  ../.venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links \
    --custom-compile-command 'make lock' "$@" >/dev/null
}

# One resolution; what runs and what builds is a part of it.
extras=$(../.venv/bin/python -c 'import tomllib; print(*tomllib.load(open("../pyproject.toml", "rb"))["project"]["optional-dependencies"])')
providers="anthropic bedrock cohere google groq huggingface mistral xai"
# All extras but Axelrod, which is installed without what it declares (players.in), and the providers' own libraries.
wanted=$(comm -23 <(tr ' ' '\n' <<<"$extras" | sort) <(tr ' ' '\n' <<<"axelrod $providers" | sort))
compile --python-version 3.11 "$@" $(printf -- '--extra %s ' $wanted) ../pyproject.toml build.in -o dev.txt
compile --python-version 3.11 -c dev.txt --extra compiled --extra models --extra video --extra web ../pyproject.toml -o base.txt
# A resolution of their own: some of these libraries want older versions than we or others do.
compile --python-version 3.11 $(printf -- '--extra %s ' $providers) ../pyproject.toml -o providers.txt
compile --python-version 3.11 -c dev.txt build.in -o build.txt
# Lists that are installed as they are: what these packages declare beyond them is not needed.
for list in axelrod egttools gymnax inspect local-model node otree players uv; do
  compile --python-version 3.11.5 --no-deps "$list.in" -o "$list.txt"
done
