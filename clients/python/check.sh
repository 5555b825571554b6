#!/usr/bin/env bash
# Checks and tests the Python client against the built server, with the oldest Python that it promises and that is here,
# in a virtual environment that is kept in the user's cache.
set -uo pipefail
cd "$(dirname "$0")"

is_usable() { "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
python=
for minor in 10 11 12 13 14; do
  for name in "python3.$minor" "${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python; do
    if is_usable "$name"; then python=$name && break 2; fi
  done
done
[ -n "$python" ] || { is_usable python3 && python=python3; }
[ -n "$python" ] ||
  { echo "skipped: the Python client is not tested, since there is no Python 3.10 or newer with venv"; exit 0; }

folder="${XDG_CACHE_HOME:-$HOME/.cache}/ringback-ci/python-client"
# What is installed follows from the manifest, the version and the place: an editable installation points here.
wanted="$("$python" --version) $PWD $(cat pyproject.toml)"
if [ "$(cat "$folder/installed" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$folder"
  "$python" -m venv "$folder" && "$folder/bin/pip" install --quiet --editable '.[dev]' || exit 1
  printf '%s\n' "$wanted" >"$folder/installed"
fi

export PATH="$folder/bin:$PATH"
echo "$(python --version), $(pytest --version)"
[ -e ../../dist/main.js ] || (cd ../.. && npm run --silent build) || exit 1
ruff check . && ruff format --check . && mypy && pytest -q -n 4
