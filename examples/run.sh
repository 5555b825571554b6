#!/usr/bin/env bash
# Runs the examples and what `ringback init` writes, all or those that are named, as a user would: each in a copy outside of the repository, with the
# package as `npm pack` makes it. One whose runtime is not there says so in one line.
set -uo pipefail
cd "$(dirname "$0")"

work=$(mktemp -d)
server=
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT

# A root as the repository's, where the examples look for the tarball, and Vitest for settings unless they have their own.
root="$work/repository"
mkdir -p "$root/examples"
cp ../vitest.config.ts "$root"
(cd .. && npm pack --silent --pack-destination "$root" >/dev/null) || exit 1

install() { npm install --silent --no-audit --no-fund --prefer-offline; }

express_backend() { install && npm test --silent; }

fastapi_backend() {
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    { echo "skipped: there is no Python 3.10 or newer with venv"; return; }
  install && python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt && .venv/bin/pytest -q -n 4
}

playwright() { install && npm test --silent; }

testcontainers_node() { install && npm test --silent; }

java() {
  command -v java >/dev/null || { echo "skipped: there is no JDK"; return; }
  npm install --silent --no-audit --no-fund --prefer-offline --prefix "$work/java-server" "$root"/ringback-*.tgz || return 1
  local ringback="$work/java-server/node_modules/.bin/ringback"
  local port=$((20000 + $$ % 20000))
  RINGBACK_PORT=$port "$ringback" serve --log error >/dev/null &
  server=$!
  "$ringback" readyz --wait 30s --url "http://127.0.0.1:$port" &&
    RINGBACK_URL="http://127.0.0.1:$port" command java -ea CallsTest.java
  local code=$?
  kill "$server" 2>/dev/null && wait "$server"
  server=
  return "$code"
}

# What `ringback init` writes, in an empty folder.
new_project() {
  npm init -y >/dev/null && npm install --silent --no-audit --no-fund --prefer-offline --save-dev "$root"/ringback-*.tgz "$@"
}

init_vitest() { new_project vitest && npx ringback init && npx vitest run; }

init_jest() { new_project jest && npx ringback init && npx jest; }

init_python() {
  python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    { echo "skipped: there is no Python 3.10 or newer with venv"; return; }
  new_project && npx ringback init --lang python && python3 -m venv .venv &&
    .venv/bin/pip install --quiet -r requirements-test.txt && .venv/bin/pytest -q -n 4
}

names=("$@")
[ $# -gt 0 ] || names=(express-backend fastapi-backend playwright testcontainers-node java init-vitest init-jest init-python)
failed=0
for name in "${names[@]}"; do
  printf -- '-- %s\n' "$name"
  if [ -d "$name" ]; then
    folder="$root/examples/$name"
    # Without what a run in place has left there.
    mkdir "$folder" && tar -C "$name" --exclude ./node_modules --exclude ./.venv -cf - . | tar -C "$folder" -xf -
  else
    folder="$work/$name"
    mkdir "$folder"
  fi
  here=$PWD
  if ! { cd "$folder" && "${name//-/_}"; }; then
    echo "FAILED: $name"
    failed=1
  fi
  cd "$here" || exit 1
done
exit "$failed"
