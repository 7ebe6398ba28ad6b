#!/usr/bin/env bash
# Verifies on this machine what `run` tuned and packed on another one. As root; what it changes it takes back.
#   OUT=FOLDER verify.sh [SECONDS]      begins no kernel after SECONDS (380) less what one takes
set -euo pipefail
carry=$(cd "$(dirname "$0")" && pwd)
out=$(mkdir -p "${OUT:?names the folder for what is measured}" && cd "$OUT" && pwd)
seconds=${1:-380}
began=$(date +%s)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
tar -C "$here" -xzf "$carry/pack.tgz"
cd "$here/pack"

# Only libraries that are missing: g++ and its programs shall find their own. Into the loader's cache, since that is what
# a runner in the sandbox sees of them.
brought=/usr/local/lib/hone-elsewhere
trap 'rm -rf "$here" "$brought" /etc/ld.so.conf.d/hone-elsewhere.conf; ldconfig' EXIT
mkdir -p "$brought" /etc/ld.so.conf.d
known=$(ldconfig -p)
for library in libraries/*; do
  grep -qF "$(basename "$library") " <<<"$known" || cp "$library" "$brought"
done
echo "$brought" >/etc/ld.so.conf.d/hone-elsewhere.conf
ldconfig
export XDG_CACHE_HOME=$here/cache
{
  grep -m1 'model name' /proc/cpuinfo || true
  g++ --version | head -1
  echo "$(nproc) processors, load $(cut -d' ' -f1-3 /proc/loadavg)"
  echo "libraries brought: $(ls "$brought" | tr '\n' ' ')"
} >"$out/machine.txt"

kernels_from=$PWD/suite/kernels
"$carry/project" "$here/suite" "$kernels_from"
cp -r suite/hone.lock suite/hone "$here/suite"
longest=0
for file in "$kernels_from"/*.cpp; do
  name=$(basename "$file" .cpp) start=$(date +%s)
  left=$((seconds - (start - began)))
  [ $left -gt $longest ] || { echo "$name: no time is left"; continue; }
  timeout $left libexec/hone/hone-tool verify "$name" -p "$here/suite/build" --json >"$out/$name.json" 2>>"$out/machine.txt" ||
    echo "$name: exit $?, see its file"
  [ -s "$out/$name.json" ] || rm -f "$out/$name.json"
  took=$(($(date +%s) - start))
  [ $took -lt $longest ] || longest=$took
done
cat "$out/machine.txt"
cat "$out"/*.json | grep -E '"(name|right|median|machine)"' | paste -sd' ' | sed 's/"name"/\n&/g' || true
