// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/charts/Chart.h"
#include "views/theme/Hues.h"

#include <cmath>

namespace laggard::test {

/// Ranks 0 … `ranks` − 1 with score 0.1; rank 2 has 0.9, above the threshold of 0.5; rank 1 has no value.
inline Chart scores(std::uint32_t ranks = 5) {
    Chart chart;
    chart.title = "Suspect scores";
    chart.subject = "run/traces.otf2, 5 ranks";
    chart.remarks = {"Distance to neighbour 4 of 5 ranks."};
    chart.loss = "Some events could not be read.";
    chart.itemAxis = "rank";
    chart.valueAxis = "score";
    ChartSeries series;
    series.name = "against each other";
    series.hue = hue::blue;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        chart.items.push_back({"rank " + QString::number(rank), "more in busy", static_cast<double>(rank), rank});
        series.values.push_back(rank == 2 ? 0.9 : (rank == 1 ? NAN : 0.1));
        series.emphasised.push_back(rank == 2);
    }
    ChartSeries second = series;
    second.name = "against references";
    second.look = ChartSeries::Look::Rings;
    chart.series = {series, second};
    chart.lines = {{"threshold 0.50", 0.5}};
    return chart;
}

/// Three functions with +12, −7.5 and 1 %.
inline Chart contributions() {
    Chart chart;
    chart.form = Chart::Form::Rows;
    chart.title = "What sets rank 2 apart";
    chart.subject = "run/traces.otf2, 5 ranks";
    chart.itemAxis = "function";
    chart.valueAxis = "more of its time than rank 3";
    chart.unit = "%";
    chart.items = {{"busy < compute", "kernel.c:12"}, {"pack", {}}, {"a<b> & \"c\"", {}}};
    ChartSeries series;
    series.name = "difference";
    series.look = ChartSeries::Look::HatchedBars;
    series.hue = hue::vermilion;
    series.values = {12, -7.5, 1};
    chart.series = {series};
    return chart;
}

} // namespace laggard::test
