// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PanelPlaces.h"

namespace laggard {
namespace {

using Form = PanelPlaces::Form;

PanelPlaces tabs(int share, QStringList names, int least = 0) { return {Form::Tabs, std::move(names), {}, share, least}; }
PanelPlaces row(int share, std::vector<PanelPlaces> parts) { return {Form::Row, {}, std::move(parts), share, 0}; }
PanelPlaces column(int share, std::vector<PanelPlaces> parts, int least = 0) {
    return {Form::Column, {}, std::move(parts), share, least};
}

constexpr int leastLeft = 320;  ///< pixels: ranks, method and function of a finding
constexpr int leastRight = 400; ///< pixels: 50 columns of source

PanelPlaces hangPlaces() {
    return column(1, {row(54, {column(27, {tabs(45, {"findings"}), tabs(55, {"stack", "details", "groups", "tree"})}, leastLeft),
                               tabs(41, {"graph"}), tabs(32, {"source", "slice", "transition"}, leastRight)}),
                      tabs(46, {"timeline", "suspects", "records", "phases", "legend", "warnings", "info"})});
}

/// Below each other what belongs together: the graph above the phases, source above profile.
PanelPlaces slowPlaces() {
    return column(1,
                  {row(68, {column(27, {tabs(44, {"findings"}), tabs(56, {"stack", "details", "groups", "tree"})}, leastLeft),
                            column(43, {tabs(54, {"graph"}), tabs(46, {"phases", "waiting", "lateness", "suspects"})}),
                            column(30, {tabs(54, {"source", "transition"}), tabs(46, {"profile", "contributions", "functions"})},
                                   leastRight)}),
                   tabs(32, {"timeline", "legend", "warnings", "info"})});
}

/// The model has the middle, and half of the width: with less, a model of five states is cut off in a window of 1280 pixels.
PanelPlaces behaviourPlaces() {
    constexpr int leastChart = 365; // pixels: the legend of the times, and the columns of the list below
    return column(1, {row(74, {column(25, {tabs(60, {"clusters"}), tabs(40, {"findings"})}, leastLeft), tabs(50, {"statemodel"}),
                               column(25, {tabs(66, {"transition"}), tabs(34, {"source", "stack", "details"})}, leastChart)}),
                      tabs(26, {"timeline", "phases", "legend", "warnings", "info"})});
}

PanelPlaces explorePlaces() {
    return column(
        1, {row(52, {column(24, {tabs(40, {"findings"}), tabs(60, {"legend", "stack", "details", "groups", "tree"})}, leastLeft),
                     tabs(26, {"functions", "graph", "statemodel"}),
                     tabs(28, {"waiting", "lateness", "suspects", "records", "units"}),
                     tabs(22, {"source", "profile", "contributions", "transition", "slice"})}),
            tabs(48, {"timeline", "phases", "clusters", "warnings", "info"})});
}

} // namespace

PanelPlaces placesFor(Question question, int height) {
    PanelPlaces places = question == Question::Hang        ? hangPlaces()
                         : question == Question::Slow      ? slowPlaces()
                         : question == Question::Behaviour ? behaviourPlaces()
                                                           : explorePlaces();
    // In a low window the phases have no row of their own: their axis alone would fill it.
    constexpr int low = 560;
    if (question == Question::Slow && height < low) {
        PanelPlaces &upper = places.parts[0];
        places.parts[1].tabs << upper.parts[1].parts[1].tabs;
        upper.parts[2].parts[0].tabs << upper.parts[2].parts[1].tabs;
        for (PanelPlaces *part : {&upper.parts[1], &upper.parts[2]})
            part->parts.pop_back();
    }
    return places;
}

QStringList namesIn(const PanelPlaces &places) {
    QStringList names = places.tabs;
    for (const PanelPlaces &part : places.parts)
        names << namesIn(part);
    return names;
}

} // namespace laggard
