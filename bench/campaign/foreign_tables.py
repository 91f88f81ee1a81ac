# SPDX-License-Identifier: GPL-3.0-or-later
"""What became of the faulty programs, as Markdown."""
import collections

import tables

HEAD = ("| {} | runs | state | ranks | class | much like it | line | false | false at ≥ 0.5 |\n"
        "|---|---|---|---|---|---|---|---|---|")


def share(values):
    values = [value for value in values if value is not None]
    return f"{sum(values)}/{len(values)}" if values else "–"


def row(name, lines):
    cells = [name, str(len(lines))] + [share([line[key] for line in lines]) for key in ("state_right", "ranks_right", "class_right", "family_right", "line_right")]
    cells += [str(sum(bool(line["false"]) for line in lines)), str(sum(bool(line["false"]) and line["confidence"] >= 0.5 for line in lines))]
    return "| " + " | ".join(cells) + " |"


def table(lines, key, title):
    groups = collections.OrderedDict()
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    rows = [row(name, group) for name, group in groups.items()]
    return "\n".join([HEAD.format(title)] + rows + [row("**all**", lines)])


def is_right(line):
    return line["state_right"] and line["ranks_right"]


def calibration(lines):
    """Of what was said with a confidence, how much was right."""
    text = []
    for low, high in ((0.9, 1.01), (0.6, 0.9), (0.3, 0.6), (0.0, 0.3)):
        said = [line for line in lines if low <= line["confidence"] < high and line["truth"]["accept"]]
        text.append(f"confidence {low:.1f} to {min(high, 1.0):.1f}: {share([is_right(line) for line in said])} right")
    return "; ".join(text)


def wrong(line):
    names = [("state", "state_right"), ("ranks", "ranks_right"), ("class", "class_right"), ("line", "line_right")]
    return [word for word, key in names if line[key] is False]


def failures(lines, only=None):
    text = []
    for line in lines:
        bad = wrong(line)
        if bad and (not only or set(only) & set(bad)):
            truth = line["truth"]
            text.append(f"* {line['case']} ({line['source']}): wrong {', '.join(bad)}. Truth: {truth['state']}, {truth['class']}, ranks "
                        f"{truth['accept']}, {truth['file']}:{truth['lines']}. Said: {line['state']}, {line.get('kind', '')}, {line['named']}, "
                        f"{line['confidence']}: {line['summary']}")
    return "\n".join(text) or "None."


def print_tables(lines, sources):
    for source in sources:
        some = [line for line in lines if line["source"] == source]
        if not some:
            continue
        print(f"### From {tables.SOURCES[source]}\n")
        print(table(some, lambda line: line["program"], "program") + "\n")
        print(table(some, lambda line: f"{line['truth']['state']}: {line['truth']['class']}", "expected") + "\n")
        print(calibration(some) + ".\n")
