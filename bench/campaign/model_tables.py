# SPDX-License-Identifier: GPL-3.0-or-later
"""The accuracy of semi-Markov models as Markdown, one table for each of AutomaDeD's Figures 6 to 10."""
import collections

import model_cases

MODES = ["NoSample", "NoFault", "Fault10"]
KINDS = ["gaussian", "histogram"]
COLUMNS = [(mode, kind) for mode in MODES for kind in KINDS]
SMM = "SMM metric"
HEADER = [f"{mode}, {kind[0].upper()}" for mode, kind in COLUMNS]


def percent(values):
    values = list(values)
    return f"{100 * sum(map(bool, values)) / len(values):.0f} %" if values else "–"


def print_table(first, header, rows):
    print("| " + " | ".join([first] + header) + " |")
    print("|" + "---|" * (len(header) + 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def cells(lines, value):
    """One cell for each column, of the verdicts for which value is not None."""
    result = []
    for mode, kind in COLUMNS:
        values = [value(line) for line in lines if (line["mode"], line["distribution"]) == (mode, kind)]
        result.append(percent(v for v in values if v is not None))
    return result


def by_fault(faults, lines, value, name=""):
    return [[fault + name] + cells([line for line in lines if line["fault"] == fault], value) for fault in faults]


def given_phase(line, value):
    return value if line["phase_right"] else None


def methods_of(lines, key):
    return sorted({method for line in lines for method in line[key]})


def by_method(faults, lines, methods, value):
    """`value` of a line and a method."""
    return [row for fault in faults for method in methods
            for row in by_fault([fault], lines, lambda v, m=method: value(v, m), f", {method}")]


def given_cluster(line, value):
    """The methods that compare clusters know the cluster by the SMM metric; nothing here knows the verdict."""
    return value if line["cluster_methods"].get(SMM) else None


def by_program(lines, faults, value, name=""):
    """Rows: programs; columns: faults; Fault10 with Gaussians, as the paper's figures by application have Fault10."""
    rows = []
    for program in sorted({line["program"] for line in lines}):
        row = [program + name]
        for fault in faults:
            values = [value(line) for line in lines
                      if (line["program"], line["fault"], line["mode"], line["distribution"]) == (program, fault, "Fault10", "gaussian")]
            row.append(percent(v for v in values if v is not None))
        rows.append(row)
    return rows


def usable(line):
    """AutomaDeD §5.2: without samples a fault in the first phase is left out; so is one outside of all phases."""
    return "error" not in line and line["true_phase"] is not None and (line["mode"] != "NoSample" or line["true_phase"] > 0)


def print_clusters(lines, faults):
    """Figures 8 and 9. "Cut alone": the cluster as it was cut that has the verdict's rank; "with the verdict": the ranks that the
    verdict sets apart in it, which repeats what the verdict says."""
    sets = [("cut alone", "cut_right", "cut_alone"), ("with the verdict", "cluster_right", "alone")]
    methods = methods_of(lines, "cluster_methods")
    print("**Figure 8, faulty cluster, given the phase, each method of the paper**\n")
    print_table("fault, method", HEADER,
                by_method(faults, lines, methods, lambda v, m: given_phase(v, v["cluster_methods"].get(m))))
    print("By program (Fault10, Gaussian):\n")
    print_table("program, method", faults,
                [row for m in methods
                 for row in by_program(lines, faults, lambda v, m=m: given_phase(v, v["cluster_methods"].get(m)), f", {m}")])
    print("**The cluster that has the verdict's rank, given the phase**\n")
    print_table("fault", HEADER, [row for name, right, _ in sets
                                  for row in by_fault(faults, lines, lambda v, r=right: given_phase(v, v.get(r)), f", {name}")])
    print("Whatever the phase, and the rank of the combined answer:\n")
    print_table("fault", HEADER, [row for name, right, _ in sets
                                  for row in by_fault(faults, lines, lambda v, r=right: v.get(r), f", {name}")]
                + by_fault(faults, lines, lambda v: v["rank_right"], ", rank"))
    print("By program (Fault10, Gaussian), given the phase:\n")
    print_table("program", faults,
                [row for name, right, _ in sets
                 for row in by_program(lines, faults, lambda v, r=right: given_phase(v, v.get(r)), f", {name}")])
    print("**Figure 9, the cluster is the faulty rank alone, given that it is right**\n")
    print_table("fault", HEADER, [row for name, right, alone in sets for row in
                                  by_fault(faults, lines, lambda v, r=right, a=alone: v[a] if v.get(r) else None, f", {name}")]
                + by_method(faults, lines, methods,
                            lambda v, m: v["cluster_methods_alone"][m] if v["cluster_methods"].get(m) else None))
    print("Of all runs whose phase was right:\n")
    print_table("fault", HEADER, [row for name, _, alone in sets for row in
                                  by_fault(faults, lines, lambda v, a=alone: given_phase(v, v.get(a)), f", {name}")])


def print_transitions(lines, faults):
    """Figure 10."""
    methods = methods_of(lines, "transition_methods")
    five = lambda v, m: v["transition_methods"].get(m, 0) > 0  # noqa: E731
    first = lambda v, m: v["transition_methods"].get(m, 0) == 1  # noqa: E731
    print("**Figure 10, transition among the first five of each method of the paper, given the cluster (SMM metric)**\n")
    print_table("fault, method", HEADER, by_method(faults, lines, methods, lambda v, m: given_cluster(v, five(v, m))))
    print("First:\n")
    print_table("fault, method", HEADER, by_method(faults, lines, methods, lambda v, m: given_cluster(v, first(v, m))))
    print("Among the first five, whatever the cluster:\n")
    print_table("fault, method", HEADER, by_method(faults, lines, methods, five))
    print("By program (Fault10, Gaussian), among the first five, given the cluster (SMM metric):\n")
    print_table("program, method", faults,
                [row for m in methods
                 for row in by_program(lines, faults, lambda v, m=m: given_cluster(v, five(v, m)), f", {m}")])
    print("**Transition of the combined answer, given its cluster with the verdict**\n")
    print_table("fault", HEADER, by_fault(faults, lines, lambda v: v["place"] > 0 if v["cluster_right"] else None)
                + by_fault(faults, lines, lambda v: v["place"] == 1 if v["cluster_right"] else None, ", first")
                + by_fault(faults, lines, lambda v: v["place"] > 0, ", whatever the cluster"))


def print_tables(lines, loads):
    errors = [line for line in lines if "error" in line]
    free = [line for line in lines if line["fault"] == model_cases.NO_FAULT and "error" not in line]
    lines = [line for line in lines if line["fault"] != model_cases.NO_FAULT and usable(line)]
    faults = [fault for fault in model_cases.FAULTS if any(line["fault"] == fault for line in lines)]
    runs = collections.Counter(line["fault"] for line in lines if (line["mode"], line["distribution"]) == ("NoFault", "gaussian"))
    print("Runs: " + ", ".join(f"{fault} {runs[fault]}" for fault in faults) + f"; {len(errors)} without a report.")
    if loads:
        print(f"Load of the machine while recording: median {sorted(loads)[len(loads) // 2]:.1f}.")
    print("\n**Figure 6, faulty phase, combined**\n")
    print_table("fault", HEADER, by_fault(faults, lines, lambda v: v["phase_right"]))
    print("Within one phase:\n")
    print_table("fault", HEADER, by_fault(faults, lines, lambda v: v["phase_near"]))
    print("**Figure 6, each method of the paper**\n")
    print_table("fault, method", HEADER,
                by_method(faults, lines, methods_of(lines, "phase_methods"), lambda v, m: v["phase_methods"].get(m)))
    print("**Figure 7, faulty phase by program (Fault10, Gaussian)**\n")
    print_table("program", faults, by_program(lines, faults, lambda v: v["phase_right"]))
    print_clusters(lines, faults)
    print_transitions(lines, faults)
    print("**Runs without a fault: something was said to be unusual**\n")
    print_table("", HEADER[:4], [["alarms"] + cells(free, lambda v: v["phase"] is not None)[:4]])
    print_errors(errors)


def print_errors(errors):
    for line in errors:
        print(f"* {line['case']}, {line['mode']}, {line['distribution']}: {line['error']}")


def print_misses(lines):
    """What was wrong with the samples that the paper's goals are about."""
    for line in lines:
        if line["fault"] == model_cases.NO_FAULT or "error" in line or not usable(line):
            continue
        wrong = [word for word in ("phase", "cluster") if not line[word + "_right"]] + ["transition"] * (line["place"] == 0)
        if wrong:
            print(f"* {line['case']}, {line['mode']}, {line['distribution']}: {', '.join(wrong)}; phase {line['phase']} for "
                  f"{line['true_phase']}, named {line['named']}, cluster {line['cluster']}: {line['why']}")
