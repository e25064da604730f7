"""Each check must find the mistake it is for, and nothing in a tidy tree.  python3 tools/test_tools.py"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
FOLDERS = """# trammel_folder(comment USES nothing)
trammel_folder(core LINKS fmt::fmt)
trammel_folder(system USES core)
trammel_folder(linear USES system LINKS KLU::KLU)
trammel_folder(integrators USES
  system linear)
trammel_folder(model USES system)
trammel_folder(analysis USES model integrators)
"""


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("src/trammel/CMakeLists.txt", FOLDERS)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, tool, *words):
        run = subprocess.run(["/usr/bin/python3", TOOLS / tool, "--root", self.root, *words],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def assert_clean(self, tool, *words):
        code, output = self.run_tool(tool, *words)
        self.assertEqual(code, 0, output)
        return output

    def assert_finds(self, expected, tool, *words):
        code, output = self.run_tool(tool, *words)
        self.assertEqual(code, 1, output)
        self.assertIn(expected, output)


class Layering(ToolTest):
    def test_allowed_includes_pass(self):
        self.write("src/trammel/integrators/scheme.cpp",
                   '#include "trammel/integrators/scheme.h"\n#include "trammel/core/names.h"\n#include <vector>\n')
        self.assert_clean("check_layering")

    def test_include_of_a_folder_not_used(self):
        self.write("src/trammel/integrators/scheme.cpp", '\n#include "trammel/model/body.h"\n')
        self.assert_finds("scheme.cpp:2: integrators must not include trammel/model/body.h", "check_layering")

    def test_include_of_a_folder_above(self):
        self.write("src/trammel/core/names.h", '#include <trammel/system/state.h>\n')
        self.assert_finds("names.h:1: core must not include trammel/system/state.h", "check_layering")

    def test_relative_include(self):
        self.write("src/trammel/linear/solver.h", '#include "../model/body.h"\n')
        self.assert_finds("relative include ../model/body.h", "check_layering")

    def test_solver_side_reaches_model_side_through_others(self):
        self.write("src/trammel/CMakeLists.txt", FOLDERS.replace("linear USES system", "linear USES analysis"))
        self.assert_finds("integrators reaches model", "check_layering")

    def test_model_side_reaches_solver_side(self):
        self.write("src/trammel/CMakeLists.txt", FOLDERS.replace("model USES system", "model USES linear"))
        self.assert_finds("model reaches linear", "check_layering")

    def test_undeclared_folder(self):
        self.write("src/trammel/topology/graph.h", "#pragma once\n")
        self.assert_finds("folder topology/ is not declared", "check_layering")

    def test_unknown_folder_used(self):
        self.write("src/trammel/CMakeLists.txt", FOLDERS + "trammel_folder(io USES modle)\n")
        self.assert_finds("io USES modle", "check_layering")

    def test_tests_obey_their_own_list(self):
        self.write("tests/CMakeLists.txt", "trammel_tests(integrators USES integrators)\n"
                                           "trammel_tests(model USES model SUPPORT)\n")
        self.write("tests/unit/model/a_test.cpp", '#include "trammel/analysis/simulate.h"\n')
        self.assert_clean("check_layering")
        self.write("tests/unit/integrators/a_test.cpp", '#include "trammel/model/body.h"\n')
        self.assert_finds("the tests of integrators must not include trammel/model/body.h", "check_layering")


class Registry(ToolTest):
    def setUp(self):
        super().setUp()
        self.joint = {"name": "revolute", "space": "planar", "freedoms": 1, "allows": ["turn_z"], "mirrored": True,
                      "symbol": "pin"}
        formula = {"mirrored": False, "not_mirrored_because": "its formula has no sign"}
        self.registry = {"joints": [self.joint],
                         "forces": [{"name": "gravity", "space": "spatial", "mirrored": True}],
                         "flexible": [{"name": "ancf"}],
                         "couplings": [{"name": "gear", **formula}], "drives": [{"name": "velocity", **formula}],
                         "sensors": [{"name": "distance"}],
                         "integrators": [{"name": "generalized-alpha"}], "solvers": [{"name": "klu"}]}
        for page in ("joints/planar/revolute", "forces/gravity", "integrators/generalized-alpha", "solvers/klu"):
            self.write(f"docs/{page}.md", "# page\n")
        for page, name in (("flexible_bodies", "ancf"), ("couplings", "gear"), ("drives", "velocity"), ("sensors", "distance")):
            self.write(f"docs/{page}.md", f"`{name}`\n")
        self.write("tests/unit/a_test.cpp", '"revolute" "gravity" "ancf" "gear" "velocity" "distance" "generalized-alpha" "klu"\n')
        self.write("viewer/src/stage/joints.ts", 'case "pin":\n')
        self.write("viewer/src/stage/joint_kinds.ts", "")
        self.run_tool("check_registry", "--write", self.program())

    def program(self):
        """A stand-in for the command line, which prints the registry."""
        path = self.write("trammel", f"#!/bin/sh\n[ \"$*\" = 'list --json' ] && echo '{json.dumps(self.registry)}'\n")
        path.chmod(0o755)
        return str(path)

    def test_complete_registry_passes(self):
        self.assert_clean("check_registry", self.program())

    def test_missing_page(self):
        (self.root / "docs/joints/planar/revolute.md").unlink()
        self.assert_finds("write docs/joints/planar/revolute.md", "check_registry", self.program())

    def test_missing_test(self):
        self.write("tests/unit/a_test.cpp", '"revolute" "gravity" "ancf" "gear" "velocity" "distance" "generalized-alpha" klu\n')
        self.assert_finds("solver 'klu' has no test", "check_registry", self.program())

    def test_law_test_counts_for_all_of_its_kind(self):
        self.write("tests/unit/a_test.cpp", '"revolute" "gravity" "ancf" "gear" "velocity" "distance" "generalized-alpha"\n')
        self.write("tests/support/laws.h", "// registry: solvers\n")
        self.assert_clean("check_registry", self.program())

    def test_empty_registry(self):
        self.registry["forces"] = []
        self.assert_finds("has no forces", "check_registry", self.program())

    def test_joint_that_does_not_tell_what_it_allows(self):
        del self.joint["allows"]
        self.assert_finds("'revolute' does not tell what it allows", "check_registry", self.program())
        self.joint["closes_loops_only"] = "it is bent"
        self.assert_clean("check_registry", self.program())
        self.joint["allows"] = ["slide_x", "ball"]
        self.assert_finds("leaves 1 freedoms, but its chain allows 4", "check_registry", self.program())

    def test_kind_that_does_not_tell_how_it_is_mirrored(self):
        self.joint["mirrored"] = False
        self.assert_finds("planar joint 'revolute' does not tell how it is mirrored", "check_registry", self.program())
        self.joint["mirrored"] = True
        del self.registry["drives"][0]["not_mirrored_because"]
        self.assert_finds("drive 'velocity' does not tell how it is mirrored", "check_registry", self.program())

    def test_symbol_is_told_and_drawn(self):
        self.joint["symbol"] = "untold"
        self.assert_finds("does not tell by which symbol", "check_registry", self.program())
        self.joint["symbol"] = "spring"
        self.assert_finds("does not draw the symbol 'spring'", "check_registry", self.program())
        self.assert_finds("is not that of the registry", "check_registry", self.program())
        self.write("viewer/src/stage/joints.ts", 'case "spring":\n')
        self.assert_finds("is not that of the registry", "check_registry", self.program())
        self.run_tool("check_registry", "--write", self.program())
        self.assert_clean("check_registry", self.program())

    def test_program_not_built(self):
        self.assertIn("nothing was checked", self.assert_clean("check_registry", str(self.root / "absent")))


class Coverage(ToolTest):
    ROW = "| 1 | pins | **shown** | `revolute`, `trammel run --step` | model/pin_test.cpp |"

    def setUp(self):
        super().setUp()
        self.write("schema/trammel-1.schema.json", json.dumps(
            {"properties": {"coordinates": {"enum": ["relative"]}, "joints": {"properties": {"type": {"const": "revolute"}}}}}))
        self.write("docs/command_line.md", "| [`run`](#run) | x |\n| [`dof`](#analyses) | x |\n\n## What holds for all of them\n"
                                           "`--force`\n## run\n    --step TIME\n## Analyses\n    --along start\n")
        self.write("python/trammel/__init__.py", '__all__ = [\n    "simulate", "start",\n]\n')
        self.write("python/trammel/stepping.py", "class Simulation:\n    def step(self):\n        self.multipliers = 1\n")
        self.write("python/tests/test_run.py", "def test_pins_turn(model):\n    pass\n")
        self.write("tests/CMakeLists.txt", "add_test(NAME examples.doors COMMAND x)\n")
        self.write("tests/unit/model/pin_test.cpp", "TEST(Pin, Turns) {\n}\nTEST_P(Pins,\n       Turn) {\n}\n"
                                                    "INSTANTIATE_TEST_SUITE_P(All,\n                         Pins, x);\n")
        self.write("examples/door/door.yaml", "trammel: 1\n")

    def page(self, *rows, count=None, together=None, more=""):
        marks = {"**shown**": 0, "part": 1, "open": 2}
        counted = [0, 0, 0]
        for row in rows:
            counted[marks.get(row.split("|")[3].strip(), 2)] += 1
        right = "{} shown, {} in part, {} open.".format(*counted)
        self.write("docs/coverage.md", f"# Coverage\n\nTogether: {together or right}\n\n## Author 1900: pins\n\n{count or right}\n\n"
                   "| # | capability | status | reached by | shown by |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n" + more)

    def row(self, reached="`revolute`", shown="model/pin_test.cpp", status="**shown**", number=1):
        return f"| {number} | pins | {status} | {reached} | {shown} |"

    def assert_row_passes(self, **cells):
        self.page(self.row(**cells))
        self.assert_clean("check_coverage")

    def assert_row_fails(self, expected, **cells):
        self.page(self.row(**cells))
        self.assert_finds(f"docs/coverage.md:11: Author 1900, 1: {expected}", "check_coverage")

    def test_good_page(self):
        self.page(self.ROW, self.row(number=2, shown="example door", reached="`coordinates: relative`"),
                  "| 3 | cams | part | `trammel dof --along --force` | `Pin.Turns`. Open: cams |", "| 4 | gears | open |  |  |",
                  more="\n### Tests\n\n| # | test | shown by |\n|---|---|---|\n| 1 | x | pin_test.cpp, `Pins` |\n")
        self.assertIn("4 rows, 2 shown, 1 in part, 1 open", self.assert_clean("check_coverage"))

    def test_everything_that_shows_a_thing(self):
        for shown in ("tests/unit/model/pin_test.cpp", "pin_test.cpp (to 1e-9)", "model/", "examples door", "`Pin`", "`Pins.Turn`",
                      "`All/Pins.Turn`", "`test_pins_turn`", "`examples.doors`", "all examples, python/tests/test_run.py"):
            self.assert_row_passes(shown=shown)

    def test_names_that_do_not_exist(self):
        self.assert_row_fails("there is no file model/pins_test.cpp, neither from the root nor below tests/unit; "
                              "did you mean 'model/pin_test.cpp'?", shown="model/pins_test.cpp")
        self.assert_row_fails("there is no example doors; did you mean 'door'?", shown="example doors")
        self.assert_row_fails("joints/ is no folder", shown="joints/, pin_test.cpp")
        self.assert_row_fails("there is no test Pin.Tunrs; did you mean 'Pin.Turns'?", shown="`Pin.Tunrs`")
        self.assert_row_fails("there is no test test_pins", shown="`test_pins`")
        self.assert_row_fails("there is no test examples.door", shown="`examples.door`")
        self.write("tests/unit/joints/pin_test.cpp", "")
        self.assert_row_fails("pin_test.cpp may be tests/unit/joints/pin_test.cpp or tests/unit/model/pin_test.cpp",
                              shown="pin_test.cpp")

    def test_other_tables_name_what_exists(self):
        self.page(self.ROW, more="\n| # | test | shown by |\n|---|---|---|\n| 1 | x | pins_test.cpp |\n")
        self.assert_finds("docs/coverage.md:15: there is no file pins_test.cpp", "check_coverage")

    def test_everything_that_reaches_a_thing(self):
        for reached in ("`joints: {type: revolute}`", "`trammel run --step '1 s'`", "`tr.simulate(model)`", "`sim.multipliers`"):
            self.assert_row_passes(reached=reached)

    def test_ways_that_lead_nowhere(self):
        self.assert_row_fails("a shown row names in backticks", reached="the joints")
        self.assert_row_fails("`revolut`: the schema has no key or value 'revolut'; did you mean 'revolute'?", reached="`revolut`")
        self.assert_row_fails("`relative: 1`: the schema has no key 'relative'", reached="`relative: 1`")
        self.assert_row_fails("`trammel go`: docs/command_line.md has no command 'go'", reached="`trammel go`")
        self.assert_row_fails("`trammel dof --step`: docs/command_line.md tells of no --step of 'dof'",
                              reached="`trammel dof --step`")
        self.assert_row_fails("`tr.simulat`: python/trammel has no 'simulat'; did you mean 'simulate'?", reached="`tr.simulat`")
        self.assert_row_fails("`sim.lambdas`: python/trammel has no 'lambdas'", reached="`sim.lambdas`")
        self.assert_row_fails("`10 %` names no key", reached="`10 %`")

    def test_status(self):
        self.assert_row_fails("the status is **shown**, part or open, not 'done'", status="done")
        self.assert_row_fails("an open row names nothing", status="open")
        self.assert_row_fails("what is missing of a row in part", status="part")
        self.assert_row_fails("a row that is shown names a test or an example", shown="seen by the author")
        self.assert_row_fails("a row that is in part names a test", status="part", shown="a little. Open: the rest")

    def test_rows_are_numbered_and_whole(self):
        self.page(self.ROW, self.row(number=3))
        self.assert_finds("docs/coverage.md:12: 2 is next, not 3", "check_coverage")
        self.page(self.ROW, "| 2 | pins | open | |")
        self.assert_finds("docs/coverage.md:12: a row has as many cells", "check_coverage")
        self.page()
        self.assert_finds("no table with the head", "check_coverage")

    def test_counts(self):
        self.page(self.ROW, count="2 shown, 0 in part, 0 open.")
        self.assert_finds("docs/coverage.md:7: '2 shown, 0 in part, 0 open', but the rows say '1 shown, 0 in part, 0 open'",
                          "check_coverage")
        self.page(self.ROW, together="nothing")
        self.assert_finds("there is no count of all sources together", "check_coverage")
        self.page(self.ROW, count="one")
        self.assert_finds("there is no count of Author 1900", "check_coverage")
        self.page(self.ROW)
        self.write("README.md", "# T\n\n2 of its 10 rows are shown\n")
        self.assert_finds("README.md:3: '2 of its 10 rows', but the rows say '1 of its 1 rows'", "check_coverage")

    def test_counts_are_written(self):
        self.page(self.ROW, count="7 shown, 0 in part, 9 open.", together="8 shown, 1 in part, 2 open.")
        self.write("README.md", "2 of its 10 rows\n")
        self.assert_clean("check_coverage", "--write")
        self.assertEqual((self.root / "README.md").read_text(), "1 of its 1 rows\n")


class Files(ToolTest):
    def test_tidy_file_passes(self):
        self.write("src/trammel/core/names.h", "#pragma once\n")
        self.assert_clean("check_files")

    def test_long_file(self):
        self.write("src/trammel/core/names.cpp", "\n" * 501)
        self.assert_finds("501 lines", "check_files")
        self.write("src/trammel/core/names.cpp", "// long file: one table\n" + "\n" * 501)
        self.assert_clean("check_files")

    def test_leftover(self):
        self.write("src/trammel/core/names.cpp", "// TO" "DO: later\n")
        self.assert_finds("names.cpp:1: TO" "DO", "check_files")

    def test_printing_goes_through_one_place(self):
        for text in ("fmt::print(\"x\");\n", "std::fflush(stderr);\n", "std::cout << 1;\n"):
            self.write("apps/cli/commands/run.cpp", text)
            self.assert_finds("commands/run.cpp:1", "check_files")
        self.write("apps/cli/commands/run.cpp", "print_output(\"x\");\n")
        self.write("apps/cli/printing.cpp", "std::fflush(stderr);\n")
        self.assert_clean("check_files")

    def test_header_without_guard(self):
        self.write("src/trammel/core/names.h", "int f();\n")
        self.assert_finds("#pragma once", "check_files")

    def test_names(self):
        self.write("src/trammel/core/Names.cpp", "")
        self.assert_finds("snake_case", "check_files")
        self.write("src/trammel/core/utils.cpp", "")
        self.assert_finds("find the concept", "check_files")

    def test_machine_path(self):
        self.write("docs/page.md", "see /ho" "me/someone/file\n")
        self.assert_finds("docs/page.md:1", "check_files")


class Names(ToolTest):
    def hide(self, name, text, space="trammel::core"):
        self.write(name, f"namespace {space} {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace {space}\n")

    def test_names_of_their_own_pass(self):
        self.hide("src/trammel/core/crank.cpp", "double crank_length() {\n  return 1.0;\n}\nusing Line = int;")
        self.hide("src/trammel/core/rod.cpp", "constexpr double rod_length = 2.0;\nusing Line = int;")
        self.hide("src/trammel/linear/rod.cpp", "constexpr double crank_length = 2.0;", "trammel::linear")
        self.assert_clean("check_names")

    def test_one_name_in_two_files(self):
        for first, second in (("double length(int i) {\n}", "double length(double x) {\n}"),
                              ("constexpr int length = 1;", "constexpr int length = 2;"),
                              ("struct length {\n};", "class length {\n};"),
                              ("std::array<int, 2> length{1, 2};", "template <class S>\nint length(const S& s) {\n}")):
            self.hide("src/trammel/core/crank.cpp", first)
            self.hide("src/trammel/core/rod.cpp", second)
            self.assert_finds("'length' stands in the anonymous namespace of src/trammel/core/crank.cpp", "check_names")

    def test_a_namespace_of_its_own_keeps_names_apart(self):
        self.hide("tests/unit/core/crank_test.cpp", "int run() {\n}", "trammel::core::crank_test")
        self.hide("tests/unit/core/rod_test.cpp", "int run() {\n}")
        self.assert_clean("check_names")

    def test_text_in_quotes_is_no_name(self):
        self.hide("src/trammel/core/crank.cpp", 'const char* crank = R"(\nint run(int i) {\n)";')
        self.hide("src/trammel/core/rod.cpp", 'const char* rod = R"x(\nint run(int i) {\n)x";')
        self.assert_clean("check_names")

    def test_a_function_that_hides_one_of_a_header(self):
        self.write("src/trammel/core/names.h",
                   "#pragma once\nnamespace trammel::core {\n\nvoid print(int i);\n\n}  // namespace trammel::core\n")
        self.hide("src/trammel/core/crank.cpp", "void print(double x) {\n}")
        self.assert_finds("'print' hides that of src/trammel/core/names.h:4", "check_names")

    def test_a_class_instantiated_after_its_members(self):
        self.write("src/trammel/core/crank.cpp", "template class Crank<Planar>;\n")
        self.write("src/trammel/core/crank_start.cpp", "template void Crank<Planar>::start(\n    int i) const;\n")
        self.assert_clean("check_names")
        self.write("src/trammel/core/arm.cpp", "template std::vector<int> Crank<Planar>::arms() const;\n")
        self.assert_finds("crank.cpp:1: Crank<Planar> is instantiated after members of it in src/trammel/core/arm.cpp",
                          "check_names")
        self.write("src/trammel/CMakeLists.txt", "trammel_folder(core LINKS fmt::fmt\n  ALONE crank.cpp rod.cpp)\n")
        self.assert_clean("check_names")


class Links(ToolTest):
    def test_good_links(self):
        self.write("docs/b.md", "# Two `words` here\n")
        self.write("docs/a.md", "[x](b.md) [y](b.md#two-words-here) [z](https://example.org) `[n](no.md)`\n"
                                "```\n[n](no.md)\n```\n# Own\n[o](#own)\n")
        self.assert_clean("check_links")

    def test_broken_links(self):
        self.write("docs/a.md", "# A\n\n![picture](missing.svg)\n")
        self.assert_finds("docs/a.md:3: missing.svg leads nowhere", "check_links")
        self.write("docs/a.md", "# A\n[x](#b)\n")
        self.assert_finds("no heading 'b'", "check_links")


class Site(ToolTest):
    def check(self):
        run = subprocess.run(["/usr/bin/python3", TOOLS / "check_site", self.root / "site"], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_good_site(self):
        self.write("site/a.html", '<h1 id="top">A</h1><a href="b/c.html#there">c</a> <a href="#top">up</a>'
                                  '<a href="https://example.org">out</a><img src="p.svg">')
        self.write("site/b/c.html", '<p id="there"></p><a href="../a.html">a</a>')
        self.write("site/p.svg", "")
        self.assertEqual(self.check()[0], 0, self.check()[1])

    def test_dead_link_and_anchor(self):
        self.write("site/a.html", '\n<a href="gone.html">x</a><a href="#nowhere">y</a>')
        code, output = self.check()
        self.assertEqual(code, 1)
        self.assertIn("a.html:2: gone.html leads nowhere", output)
        self.assertIn("has no place 'nowhere'", output)

    def test_what_is_loaded_comes_from_the_site(self):
        self.write("site/a.html", '<script src="https://example.org/x.js"></script>')
        self.write("site/s.css", "@import url(/javascript/x.css);")
        code, output = self.check()
        self.assertEqual(code, 1)
        self.assertIn("is loaded from a network", output)
        self.assertIn("s.css: /javascript/x.css leads nowhere", output)


class Sample(ToolTest):
    """The programs it calls are scripts here, which write down how they were called."""

    def setUp(self):
        super().setUp()
        self.log = self.root / "log"
        self.program("ninja", "printf 'test_core: phony\\ntest_linear: phony\\ntests/test_core: LINK\\ntrammel: phony\\n'")
        self.program("cmake", f'echo "build $4" >> {self.log}')
        self.program("ctest", f'echo "run $7" >> {self.log}')

    def program(self, name, text):
        self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n").chmod(0o755)

    def sample(self, *words, budget="60"):
        run = subprocess.run(["/usr/bin/python3", TOOLS / "run_sample", "--root", self.root, "--build", self.root,
                              "--jobs", "1", "--budget", budget, *words],
                             capture_output=True, text=True, env={"PATH": f"{self.root}/bin:/usr/bin:/bin"})
        return run.returncode, run.stdout + run.stderr

    def test_builds_and_runs_all(self):
        self.assertEqual(self.sample()[0], 0)
        lines = self.log.read_text().splitlines()
        self.assertEqual(sorted(lines), ["build test_core", "build test_linear", r"run ^core\.", r"run ^linear\."])

    def test_only_those_named(self):
        self.assertEqual(self.sample("--only", "linear")[0], 0)
        self.assertEqual(self.log.read_text().splitlines(), ["build test_linear", r"run ^linear\."])
        code, output = self.sample("--only", "wheels")
        self.assertNotEqual(code, 0)
        self.assertIn("no test program wheels", output)

    def test_failures_are_told_and_the_others_run(self):
        self.program("ctest", f'echo "run" >> {self.log}; [ "$7" != "^core\\\\." ]')
        code, output = self.sample()
        self.assertEqual(code, 1, output)
        self.assertIn("failed: core;", output)
        self.assertIn("passed: linear;", output)

    def test_stops_when_the_time_is_up(self):
        self.program("cmake", f'echo "build $4" >> {self.log}; case $4 in test_core) ;; *) sleep 30 ;; esac')
        code, output = self.sample("--only", "linear", budget="0.5")
        self.assertEqual(code, 0, output)
        self.assertIn("passed: none; failed: none; no time left for: linear", output)

    def test_what_does_not_compile_has_failed(self):
        self.program("cmake", "exit 1")
        code, output = self.sample("--only", "linear")
        self.assertEqual(code, 1, output)
        self.assertIn("failed: linear;", output)


class Tutorial(ToolTest):
    def follow(self, text):
        page = self.write("page.md", text)
        run = subprocess.run(["/usr/bin/python3", TOOLS / "follow_tutorial", page, self.root / "bin" / "none"],
                             capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def test_kept_promises(self):
        code, output = self.follow("Write `a.yaml`:\n\n```yaml\nx: 1\ny: 2\n```\n```console\n$ cat a.yaml\nx: 1\n...\n"
                                   "$ echo one two\none ...\n$ false || echo no >&2\nno\n```\n```sh\nexit 1\n```\n")
        self.assertEqual(code, 0, output)
        self.assertIn("4 steps", output)

    def test_broken_promise(self):
        code, output = self.follow("```console\n$ echo two\none\n```\n")
        self.assertEqual(code, 1)
        self.assertIn("line 2: $ echo two", output)

    def test_output_that_was_not_promised(self):
        self.assertEqual(self.follow("```console\n$ echo one\n```\n")[0], 1)

    def test_page_without_steps(self):
        self.assertEqual(self.follow("Nothing to do.\n")[0], 1)


class Equations(unittest.TestCase):
    """Plain text of pages as formulas of the site."""

    def formula(self, *lines):
        sys.path.insert(0, str(TOOLS.parent / "docs" / "site"))
        import equations
        return equations.formula(list(lines))

    def test_symbols_products_and_powers(self):
        self.assertEqual(self.formula("r = M v' + G^T lambda - f = 0"),
                         r"r = M \, \dot{v} + G^{T} \, \lambda - f = 0")
        self.assertEqual(self.formula("u_{n+1} = u_n + k1 L2W2 da"),
                         r"u_{n + 1} = u_{n} + k_{1} \, L_{2}W_{2} \, \mathrm{d}a")

    def test_fractions_take_the_factors_beside_the_stroke(self):
        self.assertEqual(self.formula("a = (2 rho - 1)/(rho + 1) b"),
                         r"a = \frac{2 \, \rho - 1}{\rho + 1} \, b")
        self.assertIn(r"\frac{\mathrm{d}^2g}{\mathrm{d}c_{i}\,\mathrm{d}c_{j}}", self.formula("h = d2g/dc_i dc_j"))

    def test_signs_that_look_alike(self):
        self.assertEqual(self.formula("n = A' x B"), r"n = \dot{A} \times B")
        self.assertEqual(self.formula("F = -K x - C x'"), r"F = - K \, x - C \, \dot{x}")
        self.assertEqual(self.formula("q = u+ a . b"), r"q = u^{+} \, a \cdot b")
        self.assertEqual(self.formula("s = |u| u"), r"s = \left|u\right| u")

    def test_words_stay_words(self):
        self.assertEqual(self.formula("g = 0        holonomic rows"), r"g = 0 \qquad \text{holonomic rows}")
        self.assertIn(r"\text{moved by}", self.formula("q_1 = q moved by h v"))

    def test_what_is_no_formula_stays(self):
        for text in ("trammel run pendulum.yaml -o a.h5", "freedoms        1 (3 velocities, 2 rows of rank 2)",
                     "[ M  G^T ] [x]   [ 0 ]", "time,crank.position.x", "x = (1 + 2", "note t = 0.5 s: 'd' strikes"):
            self.assertIsNone(self.formula(text), text)

    def test_only_blocks_of_their_own(self):
        sys.path.insert(0, str(TOOLS.parent / "docs" / "site"))
        import equations
        page = "Text\n\n    a = b\n    c = d\n\nmore\n\n```\n\n    e = f\n\n```\n\n- list\n    g = h\n"
        made = equations.typeset(page)
        self.assertEqual(made.count("```{math}"), 1)
        self.assertIn("    e = f", made)
        self.assertIn("    g = h", made)


if __name__ == "__main__":
    unittest.main()
