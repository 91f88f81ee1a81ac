// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/DotText.h"

#include "trace/Printable.h"
#include "views/graph/GraphPainter.h"
#include "views/picture/PictureText.h"

namespace laggard {
namespace {

/// A quoted string: dot reads backslash sequences and HTML entities in labels.
QString quoted(const QString &unsafe) {
    QString text = QString::fromStdString(printableLines(unsafe.toStdString()));
    text.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    text.replace(QLatin1Char('"'), QLatin1String("\\\""));
    text.replace(QLatin1Char('&'), QLatin1String("&amp;"));
    text.replace(QLatin1Char('\n'), QLatin1String("\\n"));
    return QLatin1Char('"') + text + QLatin1Char('"');
}

QString attribute(const char *name, const QString &value) { return QLatin1String(name) + QLatin1Char('=') + quoted(value); }

QString labelOf(const PictureNode &node) {
    QStringList lines;
    for (const TextRow &row : node.rows) {
        QString line;
        for (const PictureText &piece : row)
            line += piece.text;
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

QString nodeLine(std::size_t number, const PictureNode &node, const GraphTheme &theme) {
    const QColor fill = node.leastProgressed ? theme.leastProgressedFill
                        : node.computing     ? theme.computationFill
                                             : theme.communicationFill;
    QStringList attributes{attribute("label", labelOf(node)), attribute("tooltip", node.fullText),
                           attribute("fillcolor", fill.name()),
                           attribute("style", node.absent      ? QStringLiteral("dashed")
                                              : node.computing ? QStringLiteral("filled")
                                                               : QStringLiteral("filled,rounded"))};
    if (node.leastProgressed)
        attributes << QStringLiteral("peripheries=2") << attribute("color", theme.leastProgressed.name());
    return QStringLiteral("  n%1 [%2];\n").arg(QString::number(number), attributes.join(QStringLiteral(", ")));
}

QString dashName(EdgeStyle style) {
    switch (style) {
    case EdgeStyle::Collective:
        return QStringLiteral("solid");
    case EdgeStyle::PointToPoint:
    case EdgeStyle::Loop: // DOT has no dash-dot; colour and name tell them apart
        return QStringLiteral("dashed");
    case EdgeStyle::Undefined:
        return QStringLiteral("dotted");
    }
    return QStringLiteral("solid");
}

/// DOT knows three patterns; labels tell apart what looks alike.
QString dashName(const EdgeLook &look) {
    if (look.dashes.empty())
        return QStringLiteral("solid");
    return look.dashes.front() <= 3 ? QStringLiteral("dotted") : QStringLiteral("dashed");
}

QString edgeLine(const PictureEdge &edge, const GraphTheme &theme) {
    const bool directed = edge.style != EdgeStyle::Undefined;
    const qreal width = edge.look ? edge.look->width : directed ? edgeWidth(edge.confidence) : 1.2;
    QStringList attributes{attribute("style", edge.look ? dashName(*edge.look) : dashName(edge.style)),
                           attribute("color", (edge.look ? colourOf(*edge.look, theme) : colourOf(edge.style, theme)).name()),
                           attribute("penwidth", QString::number(width, 'f', 1)), attribute("edgetooltip", edge.fullText)};
    if (!edge.label.isEmpty() || edge.style == EdgeStyle::Loop)
        attributes << attribute("label", edge.style == EdgeStyle::Loop ? QStringLiteral("loop ") + edge.label : edge.label);
    if (!directed)
        attributes << QStringLiteral("dir=none") << QStringLiteral("constraint=false");
    else if (!edge.observed)
        attributes << QStringLiteral("arrowhead=empty");
    return QStringLiteral("  n%1 -> n%2 [%3];\n")
        .arg(QString::number(edge.from), QString::number(edge.to), attributes.join(QStringLiteral(", ")));
}

QString legendLabel(const GraphPicture &picture) {
    QStringList lines;
    for (const LegendEntry &entry : picture.legend) {
        QString text = entry.text;
        if (entry.look)
            text = dashName(*entry.look) + QStringLiteral(": ") + text;
        else if (entry.sample == LegendEntry::Sample::Edge)
            text = dashName(entry.style) + (entry.style == EdgeStyle::Loop ? QStringLiteral(", \"loop\"") : QString()) +
                   QStringLiteral(": ") + text;
        lines << text;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QByteArray dotText(const GraphPicture &picture, const GraphTheme &theme) {
    QStringList head;
    for (const PictureText &paragraph : picture.head)
        head << paragraph.text;
    for (const PictureText &remark : picture.remarks)
        head << remark.text;
    QString out = QStringLiteral("digraph %1 {\n").arg(quoted(picture.title));
    out += QStringLiteral("  graph [rankdir=%1, labelloc=t, fontname=\"sans-serif\", nodesep=0.4, ranksep=0.7, nslimit=2, "
                          "nslimit1=2,\n")
               .arg(picture.sideways    ? QStringLiteral("LR")
                    : picture.downwards ? QStringLiteral("TB")
                                        : QStringLiteral("BT"));
    out += QStringLiteral("    %1];\n").arg(attribute("label", head.join(QLatin1Char('\n'))));
    out += QStringLiteral("  node [shape=box, fontname=\"sans-serif\", fontsize=12, margin=\"0.2,0.12\"];\n");
    out += QStringLiteral("  edge [fontname=\"sans-serif\", fontsize=11];\n");
    for (std::size_t i = 0; i < picture.nodes.size(); ++i)
        out += nodeLine(i, picture.nodes[i], theme);
    for (const PictureEdge &edge : picture.edges)
        out += edgeLine(edge, theme);
    if (!picture.legend.empty())
        out += QStringLiteral("  legend [shape=plaintext, %1];\n").arg(attribute("label", legendLabel(picture)));
    return (out + QStringLiteral("}\n")).toUtf8();
}

} // namespace laggard
