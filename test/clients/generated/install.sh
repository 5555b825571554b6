#!/usr/bin/env bash
# Installs what test/all/generated-clients.test.ts generates and compiles clients with, each version pinned: into
# $RINGBACK_CLIENT_TOOLS, or ringback-clients in the user's cache. What is there already is kept; a language whose runtime
# is missing is left out, with one line that says why. The test skips what is not installed.
set -uo pipefail
cd "$(dirname "$0")"
tools=${RINGBACK_CLIENT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/ringback-clients}
mkdir -p "$tools"

install_python() {
  cmp -s requirements.txt "$tools/python/requirements.txt" && return
  python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    { echo "left out: Python clients need Python 3.11 or newer with venv"; return 0; }
  rm -rf "$tools/python"
  python3 -m venv "$tools/python" && "$tools/python/bin/pip" install --quiet -r requirements.txt &&
    cp requirements.txt "$tools/python/"
}

install_go() {
  local generator=v2.8.2
  [ -e "$tools/go/$generator" ] && cmp -s go.mod "$tools/go/go.mod" && return
  local minor
  minor=$(go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
  [ "${minor:-0}" -ge 25 ] || { echo "left out: Go clients need Go 1.25 or newer"; return 0; }
  export GOBIN="$tools/go/bin" GOMODCACHE="$tools/go/mod" GOFLAGS=-modcacherw GOWORK=off
  go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$generator" && go mod download &&
    touch "$tools/go/$generator" && cp go.mod "$tools/go/"
}

install_java() {
  command -v javac >/dev/null || { echo "left out: Java clients need a JDK of version 17 or newer"; return 0; }
  cmp -s java-jars.txt "$tools/java/java-jars.txt" && return
  rm -f "$tools/java/java-jars.txt"
  mkdir -p "$tools/java"
  local sum path jar
  while read -r sum path; do
    jar="$tools/java/$(basename "$path")"
    echo "$sum  $jar" | sha256sum --status --check 2>/dev/null && continue
    curl -sSfL --max-time 300 -o "$jar" "https://repo1.maven.org/maven2/$path" &&
      echo "$sum  $jar" | sha256sum --quiet --check || { rm -f "$jar"; return 1; }
  done <java-jars.txt
  cp java-jars.txt "$tools/java/"
}

failed=0
for language in python go java; do
  "install_$language" || { echo "failed: the tools of $language could not be installed"; failed=1; }
done
exit "$failed"
