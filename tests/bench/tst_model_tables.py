#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The campaign must tell clusters as they were cut from those that the verdict set apart: the latter are right where the verdict is."""
import contextlib
import io
import sys
import unittest

sys.path.insert(0, sys.argv.pop(1))
import model_judge  # noqa: E402
import model_tables  # noqa: E402

RUN = {"case": "models/FIN_LOOP/stencil/8/1", "fault": "FIN_LOOP", "program": "stencil", "ranks": 8,
       "truth": {"rank": 3, "phases": 5, "operation": "MPI_Send", "function": "exchange", "place": "inside"}}


def report(clusters, faulty, apart, smm):
    return {"phases": {"kind": "temporary", "faulty": 4, "scores": [0] * 24, "found_by": "MPI_Pcontrol", "confidence": 0.9, "why": "",
                       "ranks": "3", "methods": []},
            "clusters": {"all": [{"id": i, "ranks": ranks} for i, ranks in enumerate(clusters)], "faulty": faulty,
                         "set_apart": {"ranks": apart} if apart else None, "methods": [{"method": "SMM metric", "faulty": smm}]},
            "transitions": [], "transition_methods": [
                {"method": "characteristic transitions",
                 "transitions": [{"from": "MPI_Send in exchange", "to": "after MPI_Send in exchange", "function": ""}]}]}


# clusters, that of the verdict's rank, set apart in it, that of the SMM metric; right and alone: cut, with the verdict, SMM metric
CASES = {
    "the cut has the rank by itself": (["0-2,4-7", "3"], 1, "", 1, (True, True), (True, True), (True, True)),
    "one cluster": (["0-7"], 0, "3", None, (False, False), (True, True), (False, False)),
    "with another rank": (["0-2,5-7", "3-4"], 1, "3", 1, (True, False), (True, True), (True, False)),
    "with most": (["0", "1-7"], 1, "3", 0, (False, False), (True, True), (False, False)),
}


def line_of(case):
    clusters, faulty, apart, smm = CASES[case][:4]
    return model_judge.judged(RUN, "NoFault", "gaussian", report(clusters, faulty, apart, smm), "")


def tables_of(lines):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        model_tables.print_tables(lines, [])
    return out.getvalue()


class ModelTables(unittest.TestCase):
    def test_cut_and_verdict(self):
        for case, (*_, cut, verdict, smm) in CASES.items():
            with self.subTest(case):
                line = line_of(case)
                self.assertEqual((line["cut_right"], line["cut_alone"]), cut)
                self.assertEqual((line["cluster_right"], line["alone"]), verdict)
                self.assertEqual((line["cluster_methods"]["SMM metric"], line["cluster_methods_alone"]["SMM metric"]), smm)

    def test_tables_have_both(self):
        text = tables_of([line_of(case) for case in CASES])
        column = 2 + model_tables.COLUMNS.index(("NoFault", "gaussian"))
        cells = {}
        for row in text.splitlines():
            if row.startswith("| FIN_LOOP"):
                name, cell = row.split(" | ")[0], row.split("|")[column].strip()
                cells.setdefault(name[2:], []).append(cell)
        self.assertEqual(cells["FIN_LOOP, cut alone"], ["50 %", "50 %", "50 %", "25 %"])  # Figure 8 twice, Figure 9 given and of all
        self.assertEqual(cells["FIN_LOOP, with the verdict"], ["100 %"] * 4)
        self.assertEqual(cells["FIN_LOOP, SMM metric"], ["50 %", "50 %"])
        self.assertEqual(cells["FIN_LOOP, characteristic transitions"], ["100 %"] * 3)


if __name__ == "__main__":
    unittest.main()
