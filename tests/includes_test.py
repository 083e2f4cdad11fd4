"""Checks that no include in src/ leaves the arrows that src/CMakeLists.txt draws between its folders.

A folder may include its own headers, those of the folders it DEPENDS on, and what these depend on in turn; its tests
also those it is TESTED_WITH. Headers of tests/ are for x_test.cc and x_benchmark.cc only. What x_test.cc defines stands
in the namespace thicket::x_test, since several tests are compiled together.

Also checks that no two headers define a type of the same name: whoever links both gets the functions of one for the objects of
the other, and no compiler says so.

The command (src/cli/) includes the public headers only, those that cmake/thicket_install.cmake lists; a public header
includes no other header of src/. docs/library.md names each of them, and shows no C++ that is not in examples/.
"""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULE = re.compile(r"^\s*thicket_module\(\s*(\w+)([^)]*)\)", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum class) ([A-Z]\w*)(?![\w:])[^;]*\{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def arrows(cmake, keyword="DEPENDS"):
    """Folder -> the folders after its `keyword`, as written."""
    drawn = {}
    for name, rest in MODULE.findall(cmake):
        found = re.search(rf"\b{keyword}\b(.*?)(\b[A-Z_]+\b|$)", rest, re.DOTALL)
        drawn[name] = found[1].split() if found else []
    return drawn


def reach(folder, drawn, path=()):
    """All folders that `folder` may use, itself included."""
    if folder in path:
        raise ValueError("src/CMakeLists.txt: the arrows must not form a circle, but "
                         + " -> ".join(path[path.index(folder):] + (folder,)) + " does")
    found = {folder}
    for other in drawn[folder]:
        if other not in drawn:
            raise ValueError(f"src/CMakeLists.txt: {folder} must depend on folders of src/, but {other} is not one")
        found |= reach(other, drawn, path + (folder,))
    return found


def types_twice(root):
    """Types of src/ that two headers define, one sentence each."""
    header_of = {}
    found = []
    for path in sorted(root.glob("src/**/*.h")):
        name = path.relative_to(root)
        for type_name in TYPE.findall(path.read_text(encoding="utf-8")):
            if header_of.setdefault(type_name, name) != name:
                found.append(f"{name}: {type_name} must have one definition, but {header_of[type_name]} has another")
    return found


def public_headers(root):
    """The headers that are installed, relative to src/; none where nothing is installed."""
    install = root / "cmake" / "thicket_install.cmake"
    if not install.is_file():
        return None
    found = re.search(r"set\(THICKET_PUBLIC_HEADERS([^)]*)\)", install.read_text(encoding="utf-8"))
    return set(found[1].split()) if found else set()


def complaints_about_public(root):
    """What is wrong with what programs outside see, one sentence each."""
    public = public_headers(root)
    if public is None:
        return []
    found = [f"cmake/thicket_install.cmake: {name} must be a header of src/, but is none"
             for name in sorted(public) if not (root / "src" / name).is_file()]
    for path in sorted(root.glob("src/**/*")):
        name = str(path.relative_to(root / "src"))
        is_command = name.startswith("cli/")
        if path.suffix not in (".h", ".cc") or not (is_command or name in public):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            include = INCLUDE.match(line)
            if not include or not (root / "src" / include[2]).is_file() or include[2] in public:
                continue
            if is_command and include[2].startswith("cli/"):
                continue
            who = "the command" if is_command else "a public header"
            found.append(f"src/{name}:{number}: {who} must include public headers only, but {include[2]} is none")
    page = root / "docs" / "library.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else ""
    found += [f"docs/library.md: every public header must be described, but {name} is not"
              for name in sorted(public) if f"`{name}`" not in text]
    programs = [path.read_text(encoding="utf-8") for path in sorted(root.glob("examples/*.cc"))]
    for block in re.findall(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        if not any(block in program for program in programs):
            first = block.split("\n")[0]
            found.append(f"docs/library.md: C++ must be part of a program in examples/, but is not: {first}")
    return found


def complaints(root):
    """What is wrong in the tree at `root`, one sentence each."""
    cmake = (root / "src" / "CMakeLists.txt").read_text(encoding="utf-8")
    drawn = arrows(cmake)
    only_tests = arrows(cmake, "TESTED_WITH")
    try:
        allowed = {folder: reach(folder, drawn) for folder in drawn}
        for_tests = {folder: allowed[folder].union(*(reach(other, drawn) for other in only_tests[folder]))
                     for folder in drawn}
    except ValueError as circle:
        return [str(circle)]
    found = []
    for path in sorted(root.glob("src/**/*")):
        if path.suffix not in (".h", ".cc"):
            continue
        folder = path.relative_to(root / "src").parts[0]
        if folder not in drawn:
            found.append(f"{path.relative_to(root)}: src/CMakeLists.txt has no thicket_module({folder})")
            continue
        is_test = path.stem.endswith(("_test", "_benchmark"))
        may = (for_tests if is_test else allowed)[folder]
        if path.name.endswith("_test.cc") and f"\nnamespace thicket::{path.stem} {{\n" not in path.read_text(encoding="utf-8"):
            found.append(f"{path.relative_to(root)}: a test must stand in namespace thicket::{path.stem}, but does not")
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            quote, name = include.groups()
            target = name.split("/")[0] if "/" in name else ""
            where = f"{path.relative_to(root)}:{number}: "
            if target in drawn and (root / "src" / name).is_file():
                if quote == "<":
                    found.append(f'{where}a header of src/ must be included as "{name}"')
                elif target not in may:
                    found.append(f"{where}{folder} may include {', '.join(sorted(may))}, but not {target}")
            elif quote == '"' and (root / "tests" / name).is_file():
                if not is_test:
                    found.append(f"{where}headers of tests/ are for tests, but this is none")
            elif quote == '"':
                found.append(f'{where}"{name}" must be a header of src/, with its folder, or of tests/; '
                             "write <...> for a library's")
    return found + types_twice(root) + complaints_about_public(root)


class Includes(unittest.TestCase):
    def test_this_project_keeps_to_its_arrows(self):
        self.assertGreaterEqual(len(arrows((ROOT / "src" / "CMakeLists.txt").read_text(encoding="utf-8"))), 10)
        self.assertEqual(complaints(ROOT), [])

    def test_this_project_has_public_headers(self):
        self.assertGreaterEqual(len(public_headers(ROOT)), 10)


class Checker(unittest.TestCase):
    """The checker on trees with one planted mistake."""

    CMAKE = """
        thicket_module(base LIBRARIES fmt::fmt)
        thicket_module(record DEPENDS base)
        thicket_module(io DEPENDS record LIBRARIES ZLIB::ZLIB)
        thicket_module(verify
                       DEPENDS record)
        """

    def complaints(self, files, cmake=CMAKE):
        """Of a tree with these files, of which tests have their namespace unless they name another."""
        def with_namespace(name, text):
            if not name.endswith("_test.cc") or "namespace" in text:
                return text
            return text + f"\nnamespace thicket::{pathlib.Path(name).stem} {{\n"
        files = {name: with_namespace(name, text) for name, text in files.items()}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            headers = {f"src/{name}/{name}.h": "" for name in ("base", "record", "io", "verify")}
            for name, text in ({"src/CMakeLists.txt": cmake, "tests/samples.h": ""} | headers | files).items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return complaints(root)

    def rejects(self, files, reason, **more):
        found = self.complaints(files, **more)
        self.assertEqual(len(found), 1, found)
        self.assertIn(reason, found[0])

    def test_accepts_own_direct_and_indirect_folders(self):
        self.assertEqual(self.complaints({
            "src/io/a.cc": '#include "io/io.h"\n#include <zlib.h>\n'
                           '#include "record/record.h"\n#include "base/base.h"\n',
            "src/io/a_test.cc": '#include "samples.h"\n#include <gtest/gtest.h>\n'}), [])

    def test_rejects_an_arrow_that_is_not_drawn(self):
        self.rejects({"src/verify/a.cc": '#include <vector>\n#include "io/io.h"\n'},
                     "src/verify/a.cc:2: verify may include base, record, verify, but not io")
        self.rejects({"src/base/b.h": '#  include "record/record.h"\n'}, "but not record")

    def test_rejects_an_arrow_from_a_test(self):
        self.rejects({"src/verify/a_test.cc": '#include "io/io.h"\n'}, "but not io")

    def test_accepts_what_only_tests_use(self):
        cmake = self.CMAKE.replace("verify\n                       DEPENDS record", "verify DEPENDS record TESTED_WITH io")
        self.assertEqual(self.complaints({"src/verify/deep/a_test.cc": '#include "io/io.h"\n'}, cmake=cmake), [])
        self.rejects({"src/verify/deep/a.cc": '#include "io/io.h"\n'}, "but not io", cmake=cmake)

    def test_rejects_test_headers_in_the_product(self):
        self.rejects({"src/io/a.cc": '#include "samples.h"\n'}, "this is none")

    def test_rejects_other_spellings(self):
        self.rejects({"src/io/a.cc": '#include "io.h"\n'}, "with its folder")
        self.rejects({"src/verify/a.cc": '#include "../io/io.h"\n'}, "with its folder")
        self.rejects({"src/verify/a.cc": "#include <io/io.h>\n"}, "must be included as")

    def test_rejects_a_test_in_a_namespace_of_others(self):
        self.rejects({"src/io/a_test.cc": "\nnamespace thicket {\n"}, "must stand in namespace thicket::a_test")

    def test_rejects_a_type_that_two_headers_define(self):
        self.rejects({"src/io/a.h": "class Counts {\n};\n", "src/verify/b.h": "class Counts;\nstruct Counts : Base {\n};\n"},
                     "src/verify/b.h: Counts must have one definition, but src/io/a.h has another")
        self.assertEqual(self.complaints({"src/io/a.h": "class Counts {\n};\n", "src/verify/b.h": "class Counts;\n"}), [])

    def test_rejects_a_folder_without_module(self):
        self.rejects({"src/extra/a.cc": ""}, "no thicket_module(extra)")

    PUBLIC = {"cmake/thicket_install.cmake": "set(THICKET_PUBLIC_HEADERS\n    base/base.h\n    io/io.h)\n",
              "docs/library.md": "`base/base.h` and `io/io.h`\n"}
    WITH_COMMAND = CMAKE + "thicket_module(cli DEPENDS io)\n"

    def test_accepts_a_command_that_includes_public_headers(self):
        files = self.PUBLIC | {"src/cli/main.cc": '#include "cli/x.h"\n#include "io/io.h"\n', "src/cli/x.h": "",
                               "src/io/io.h": '#include "base/base.h"\n'}
        self.assertEqual(self.complaints(files, cmake=self.WITH_COMMAND), [])

    def test_rejects_a_command_that_includes_others(self):
        self.rejects(self.PUBLIC | {"src/cli/main.cc": '#include "record/record.h"\n'},
                     "src/cli/main.cc:1: the command must include public headers only, but record/record.h is none",
                     cmake=self.WITH_COMMAND)

    def test_rejects_a_public_header_that_includes_others(self):
        self.rejects(self.PUBLIC | {"src/io/io.h": '#include <map>\n#include "record/record.h"\n'},
                     "src/io/io.h:2: a public header must include public headers only")

    def test_rejects_a_public_header_that_is_missing_or_not_described(self):
        self.rejects(self.PUBLIC | {"docs/library.md": "`base/base.h`\n"}, "but io/io.h is not")
        found = self.complaints({"cmake/thicket_install.cmake": "set(THICKET_PUBLIC_HEADERS base/none.h)\n"})
        self.assertEqual(len(found), 2, found)

    def test_rejects_code_of_the_page_that_nobody_compiles(self):
        page = "`base/base.h` and `io/io.h`\n```cpp\nint a;\n```\n"
        program = {"examples/a.cc": "int main() {}\nint a;\n"}
        self.assertEqual(self.complaints(self.PUBLIC | {"docs/library.md": page} | program), [])
        self.rejects(self.PUBLIC | {"docs/library.md": page.replace("int a", "int b")} | program, "int b")

    def test_rejects_a_circle_and_an_unknown_folder(self):
        self.rejects({}, "base -> record -> base", cmake=self.CMAKE.replace("base LIB", "base DEPENDS record LIB"))
        self.rejects({}, "but nowhere is not one", cmake=self.CMAKE.replace("io DEPENDS", "io DEPENDS nowhere"))


if __name__ == "__main__":
    unittest.main()
