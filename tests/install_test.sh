#!/bin/sh
# Installs to an empty folder, compiles each public header by itself, builds examples/ there as a project of its own, and runs
# what came out.
#   install_test.sh BUILD_DIR SOURCE_DIR COMPILER
set -eu
build=$1 source=$2 compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# What was compiled once comes from the compiler cache, where there is one, whatever the folder is called.
launcher=
if command -v ccache >/dev/null; then
  export CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
  launcher=ccache
fi

cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
"$work/prefix/bin/thicket" --version

# Every public header stands by itself.
(cd "$work/prefix/include/thicket" && find . -name '*.h') | while read -r header; do
  echo "#include \"$header\"" >"$work/header.cc"
  (cd "$work" && $launcher "$compiler" -std=c++20 -Wall -Wextra -Werror -I "$work/prefix/include/thicket" \
    -c "$work/header.cc" -o "$work/header.o")
done

# A copy, so that nothing is found by standing beside the sources.
cp -R "$source/examples" "$work/examples"
cmake -S "$work/examples" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" || { cat "$work/log"; exit 1; }
if grep -rn --include='*.cmake' -F "$source" "$work/prefix"; then
  echo "install: the installed package must not point back to the sources, but these lines do" >&2
  exit 1
fi
cmake --build "$work/build"
ctest --test-dir "$work/build" --output-on-failure --no-tests=error
