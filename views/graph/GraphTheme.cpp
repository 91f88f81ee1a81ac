// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphTheme.h"

#include "views/theme/Hues.h"

namespace laggard {

GraphTheme GraphTheme::of(const Theme &theme) {
    constexpr double textContrast = 4.5;
    constexpr double lineContrast = 3.5; // thin and dashed: a little more than lines need
    const QColor paper = theme.background;
    const auto fill = [&](QRgb of, double amount) { return mixed(paper, of, amount); };
    const auto line = [&](QRgb of) { return withContrast(of, paper, lineContrast); };
    GraphTheme graph;
    graph.background = paper;
    graph.text = theme.text;
    graph.rule = theme.grid;
    graph.communicationFill = fill(hue::blue, theme.dark ? 0.12 : 0.05);
    graph.computationFill = fill(hue::orange, theme.dark ? 0.12 : 0.08);
    graph.leastProgressedFill = fill(hue::vermilion, theme.dark ? 0.18 : 0.10);
    graph.mutedText = withContrast(theme.faintText, graph.leastProgressedFill, textContrast);
    graph.nodeBorder = line(hue::grey);
    // Marks are also written: on the fill that takes away most of their contrast.
    const auto mark = [&](QRgb of) {
        return withContrast(withContrast(of, graph.leastProgressedFill, textContrast), graph.communicationFill, textContrast);
    };
    graph.leastProgressed = mark(hue::vermilion);
    graph.warning = mark(hue::orange);
    graph.selection = theme.accent;
    graph.collective = line(theme.dark ? hue::sky : hue::blue);
    graph.pointToPoint = line(hue::green);
    graph.loop = line(hue::purple);
    graph.undefined = line(hue::grey);
    return graph;
}

} // namespace laggard
