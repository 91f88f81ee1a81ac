#!/usr/bin/env python3
"""check-includes must accept what the arrows allow, and name every include against them."""
import os
import subprocess
import sys
import tempfile
import unittest

CHECK = sys.argv.pop(1)

# file, its text, what the complaint must contain
VIOLATIONS = [
    ("trace/A.h", '#include "analysis/B.h"', "trace/ must not include from analysis/"),
    ("trace/A.h", '#include "ingest/B.h"', "trace/ must not include from ingest/"),
    ("ingest/otf2/A.cpp", '#include "analysis/B.h"', "ingest/ must not include from analysis/"),
    ("analysis/progress/A.cpp", '#include "ingest/B.h"', "analysis/ must not include from ingest/"),
    ("analysis/A.cpp", '#include "views/B.h"', "analysis/ must not include from views/"),
    ("views/A.cpp", '#include "ingest/B.h"', "views/ must not include from ingest/"),
    ("views/A.cpp", '#include "app/B.h"', "views/ must not include from app/"),
    ("views/A.cpp", '#include "layout/B.h"', "views/ must not include from layout/"),
    ("layout/A.cpp", '#include "trace/B.h"', "layout/ must not include from trace/"),
    ("collect/A.c", '#include "ingest/B.h"', "collect/ must not include from ingest/"),
    ("app/A.cpp", '#include "tests/B.h"', "app/ must not include from tests/"),
    ("app/A.cpp", "#include <bench/B.h>", "app/ must not include from bench/"),
    ("trace/A.h", "#include <QString>", "trace/ must not include Qt"),
    ("trace/A.h", "  #  include <QtCore/QString>", "trace/ must not include Qt"),
    ("ingest/A.h", '#include "QtGlobal"', "ingest/ must not include Qt"),
    ("analysis/A.h", "#include <qglobal.h>", "analysis/ must not include Qt"),
    ("collect/A.h", "#include <QFile>", "collect/ must not include Qt"),
    ("slice/A.h", "#include <QFile>", "slice/ must not include Qt"),
    ("trace/CMakeLists.txt", "target_link_libraries(trace PUBLIC Qt6::Core)", "trace/ must not link Qt"),
    ("views/A.cpp", "#include <graphviz/gvc.h>", "Graphviz (EPL-1.0) is used in layout/ only"),
    ("app/A.cpp", "#include <cgraph.h>", "Graphviz (EPL-1.0) is used in layout/ only"),
    ("app/A.cpp", "#include <llvm/IR/Module.h>", "LLVM is used in slice/ only"),
    ("analysis/automaded/A.h", '#include "analysis/behaviour/B.h"', "analysis/automaded/ must not include from analysis/behaviour/"),
    ("analysis/semimarkov/A.h", '#include "analysis/automaded/B.h"', "analysis/semimarkov/ must not include from analysis/automaded/"),
    ("analysis/verdict/A.cpp", '#include "analysis/words/B.h"', "analysis/verdict/ must not include from analysis/words/, which stands above it"),
    ("analysis/words/A.cpp", '#include "analysis/answer/B.h"', "analysis/words/ must not include from analysis/answer/"),
    ("views/kit/A.cpp", '#include "views/panels/B.h"', "views/kit/ must not include from views/panels/"),
    ("analysis/A.cpp", "#include <otf2/otf2.h>", "libotf2 is used in ingest/ and app/ only"),
]

ALLOWED = [
    ("trace/A.h", '#include "trace/B.h"\n#include <vector>\n#include <queue>'),
    ("ingest/otf2/A.cpp", '#include "trace/B.h"\n#include "ingest/B.h"\n#include <otf2/otf2.h>'),
    ("analysis/A.cpp", '#include "trace/B.h"\n#include <boost/graph/dominator_tree.hpp>'),
    ("views/A.cpp", '#include "analysis/B.h"\n#include "trace/B.h"\n#include <QPainter>\n#include "A.moc"'),
    ("app/A.cpp", '#include "ingest/B.h"\n#include "views/B.h"\n#include "analysis/B.h"\n#include "trace/B.h"'),
    ("analysis/behaviour/A.cpp", '#include "analysis/automaded/B.h"\n#include "analysis/semimarkov/B.h"'),
    ("analysis/answer/A.cpp", '#include "analysis/words/B.h"\n#include "analysis/verdict/B.h"'),
    ("views/panels/A.cpp", '#include "analysis/words/B.h"'),
    ("views/kit/A.cpp", '#include "views/theme/B.h"\n#include "analysis/verdict/B.h"'),
    ("layout/A.cpp", "#include <graphviz/gvc.h>"),
    ("views/CMakeLists.txt", "target_link_libraries(views PUBLIC Qt6::Gui)"),
    ("trace/CMakeLists.txt", "# no Qt6::Core here"),
    ("tests/A.cpp", '#include "app/B.h"\n#include <QTest>'),
    ("analysis/A.cpp", '// #include "views/B.h"'),
]


class CheckIncludes(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in [("trace/B.h", "")] + files:
                os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            return subprocess.run([sys.executable, "-B", CHECK, root], capture_output=True, text=True, check=False)

    def test_violations_are_named(self):
        for name, text, complaint in VIOLATIONS:
            with self.subTest(f"{name}: {text}"):
                result = self.run_on([(name, text)])
                self.assertEqual(result.returncode, 1, "the check passed, but this include goes against the arrow")
                self.assertIn(f"{name}:1: {complaint}", result.stderr)

    def test_a_path_upwards_is_no_way_around(self):
        result = self.run_on([("analysis/B.h", ""), ("trace/A.h", '#include "../analysis/B.h"')])
        self.assertEqual(result.returncode, 1)
        self.assertIn("trace/ must not include from analysis/", result.stderr)

    def test_what_the_arrows_allow_passes(self):
        result = self.run_on(ALLOWED[:-1])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.run_on(ALLOWED[-1:]).returncode, 0, "an include in a comment is no include")

    def test_every_violation_is_reported_at_once(self):
        result = self.run_on([("trace/A.h", "#include <QString>\n#include <QFile>")])
        self.assertEqual(len(result.stderr.splitlines()), 2)

    def test_a_folder_without_the_tree_is_an_error(self):
        with tempfile.TemporaryDirectory() as root:
            result = subprocess.run([sys.executable, "-B", CHECK, root], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn("none of the project's folders", result.stderr)


if __name__ == "__main__":
    unittest.main()
