# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of a campaign as Markdown."""
import collections

SOURCES = {"recording": "recordings", "otf2": "their conversions to OTF2", "foreign": "OTF2 without what only Laggard writes"}


def share(values):
    values = [value for value in values if value is not None]
    return f"{sum(values)}/{len(values)}" if values else "–"


def row(name, lines):
    """Recall and the like of some verdicts; how they were reached, most frequent first."""
    sizes = [len(line["named"]) for line in lines]
    kinds = collections.Counter(line.get("kind") or line.get("state", "error") for line in lines)
    cells = [name, str(len(lines)), share([line["recall"] for line in lines]), share([line["alone"] for line in lines]),
             share([0 < size <= 2 for size in sizes]), f"{sum(sizes) / len(sizes):.2f}", share([line["function_right"] for line in lines]),
             share([line["pair_right"] for line in lines]), ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())]
    return "| " + " | ".join(cells) + " |"


HEAD = ("| {} | runs | recall | alone | at most two | mean size | function | pair | verdicts |\n"
        "|---|---|---|---|---|---|---|---|---|")


def table(runs, verdicts, source, by_program):
    """One row for each fault and, if wished, program; runs in which the fault did not strike are left out."""
    groups = collections.OrderedDict()
    for run in runs.values():
        verdict = verdicts.get((run["case"], source))
        if run["struck"] and verdict:
            key = f"{run['fault']}, {run['program']}" if by_program else run["fault"]
            groups.setdefault(key, []).append(verdict)
    return "\n".join([HEAD.format("fault, program" if by_program else "fault")] + [row(name, lines) for name, lines in groups.items()])


def is_miss(run, verdict):
    return not verdict["recall"] or verdict["pair_right"] is False or verdict["function_right"] is False


def misses(runs, verdicts, source):
    """What went wrong, with the command that repeats it."""
    text = []
    for run in runs.values():
        verdict = verdicts.get((run["case"], source))
        if not run["struck"]:
            text.append(f"* {run['case']}: the fault did not strike (status {run['status']})\n  `{run['command']}`")
        elif verdict and is_miss(run, verdict):
            truth = run["truth"]
            wrong = [word for word, bad in (("ranks", not verdict["recall"]), ("pair", verdict["pair_right"] is False),
                                            ("function", verdict["function_right"] is False)) if bad]
            said = verdict.get("summary") or verdict.get("error")
            text.append(f"* {run['case']}: wrong {', '.join(wrong)}. Truth: rank {truth['rank']}, {truth.get('operation') or ''} "
                        f"{truth.get('function')}, message {truth.get('message') or truth.get('peer')}. "
                        f"Named: {verdict['named']} {verdict.get('function', '')}. {said}\n  `{run['command']}`")
    return "\n".join(text) or "None."


def print_tables(runs, verdicts, sources):
    for source in sources:
        print(f"### From {SOURCES[source]}\n")
        print(table(runs, verdicts, source, False) + "\n")
        print(table(runs, verdicts, source, True) + "\n")
        print("Misses:\n\n" + misses(runs, verdicts, source) + "\n")
