// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ChartExport.h"

#include "views/charts/ChartPlot.h"
#include "views/picture/PictureText.h"

#include <qcustomplot.h>

namespace laggard {
namespace {

constexpr double margin = 16;
constexpr double width = 960;
constexpr double scatterHeight = 420;
constexpr double exportedRowHeight = 26;
constexpr double axisHeight = 90; ///< axis and legend of a chart of rows

struct HeadLine {
    QString text;
    TextRole role;
};

std::vector<HeadLine> headOf(const Chart &chart) {
    std::vector<HeadLine> head{{chart.title, TextRole::Title}, {chart.subject, TextRole::Subtitle}};
    const auto add = [&head](const QString &text, TextRole role) {
        for (const QString &line : wrapped(text, role, width - 2 * margin, 4))
            head.push_back({line, role});
    };
    for (const QString &remark : chart.remarks)
        add(remark, TextRole::Remark);
    if (!chart.loss.isEmpty())
        add(chart.loss, TextRole::Loss);
    return head;
}

double heightOf(const HeadLine &line) { return metricsOf(line.role).height() + 3; }

} // namespace

QByteArray renderChart(const Chart &chart, PictureFormat format) {
    const Theme theme = Theme::light();
    const std::vector<HeadLine> head = headOf(chart);
    double headHeight = margin;
    for (const HeadLine &line : head)
        headHeight += heightOf(line);
    const double plotHeight =
        chart.form == Chart::Form::Scatter
            ? scatterHeight
            : axisHeight + exportedRowHeight * static_cast<double>(std::max<std::size_t>(3, chart.items.size()));

    QCustomPlot plot; // never shown
    preparePlot(plot);
    fillPlot(plot, chart, theme, fontOf(TextRole::Legend));
    const auto paint = [&](QPaintDevice &device, qreal scale) {
        QCPPainter painter;
        if (!painter.begin(&device))
            throw PictureError("The picture could not be painted.");
        painter.setMode(QCPPainter::pmVectorized);
        painter.scale(scale, scale);
        painter.fillRect(QRectF(0, 0, width, headHeight + plotHeight + margin), theme.background);
        double y = margin;
        for (const HeadLine &line : head) {
            painter.setFont(fontOf(line.role));
            painter.setPen(line.role == TextRole::Loss ? theme.warning
                                                       : (line.role == TextRole::Title ? theme.text : theme.faintText));
            painter.drawText(QRectF(margin, y, width - 2 * margin, heightOf(line)), Qt::AlignLeft | Qt::AlignVCenter, line.text);
            y += heightOf(line);
        }
        painter.translate(margin, headHeight);
        plot.toPainter(&painter, static_cast<int>(width - 2 * margin), static_cast<int>(plotHeight));
    };
    QStringList description{chart.subject};
    description << chart.remarks;
    if (!chart.loss.isEmpty())
        description << chart.loss;
    return renderPage({QSizeF(width, headHeight + plotHeight + margin), chart.title, description.join(QLatin1Char('\n')), paint},
                      format);
}

} // namespace laggard
