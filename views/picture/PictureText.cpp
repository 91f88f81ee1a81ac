// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/picture/PictureText.h"

#include "trace/Printable.h"

#include <QFontInfo>

#include <algorithm>

namespace laggard {
namespace {

struct Style {
    int pixels;
    QFont::Weight weight;
    bool italic;
};

Style styleOf(TextRole role) {
    switch (role) {
    case TextRole::Title:
        return {18, QFont::Bold, false};
    case TextRole::Verdict:
        return {14, QFont::Bold, false};
    case TextRole::Ranks:
        return {14, QFont::Bold, false};
    case TextRole::Function:
        return {13, QFont::Normal, false};
    case TextRole::LeastProgressed:
    case TextRole::Damaged:
    case TextRole::Loss:
        return {12, QFont::Bold, false};
    case TextRole::Note:
        return {12, QFont::Normal, true};
    case TextRole::Subtitle:
    case TextRole::Remark:
    case TextRole::Count:
    case TextRole::Activity:
    case TextRole::Place:
    case TextRole::Legend:
        return {12, QFont::Normal, false};
    case TextRole::EdgeLabel:
        return {11, QFont::Normal, false};
    }
    return {12, QFont::Normal, false};
}

} // namespace

QFont fontOf(TextRole role) {
    const Style style = styleOf(role);
    QFont font;
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(style.pixels);
    font.setWeight(style.weight);
    font.setItalic(style.italic);
    // Widths must not depend on the zoom: what was measured on screen is painted on paper too.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QFontMetricsF metricsOf(TextRole role) { return QFontMetricsF(fontOf(role)); }

QSizeF sizeOfText(const PictureText &text) {
    const QFontMetricsF metrics = metricsOf(text.role);
    const QStringList lines = text.text.split(QLatin1Char('\n'));
    qreal width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    return {width, metrics.height() * static_cast<qreal>(lines.size())};
}

QString showable(const std::string &text) { return QString::fromStdString(printable(text)); }

QString elided(const QString &text, TextRole role, qreal width) {
    const QFontMetricsF metrics = metricsOf(role);
    // Measuring takes time with the length, and names have any length: no letter is narrower than a pixel.
    const auto most = static_cast<qsizetype>(std::max(width, 2.0));
    const bool isLong = text.size() > most;
    if (!isLong && metrics.horizontalAdvance(text) <= width)
        return text;
    // Cut by hand: QFontMetricsF::elidedText may come out a little wider than asked for.
    qsizetype kept = std::min(text.size(), most);
    QString shorter;
    do {
        kept -= std::max<qsizetype>(1, kept / 50);
        shorter = text.left((kept + 1) / 2) + QChar(0x2026) + text.right(kept / 2);
    } while (kept > 0 && metrics.horizontalAdvance(shorter) > width);
    return shorter;
}

QStringList wrapped(const QString &text, TextRole role, qreal width, int most) {
    const QFontMetricsF metrics = metricsOf(role);
    QStringList lines;
    QString line;
    QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString word = elided(words[i], role, width);
        const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
        if (metrics.horizontalAdvance(longer) <= width) {
            line = longer;
            continue;
        }
        if (lines.size() + 1 == most) {
            while (!line.isEmpty() && metrics.horizontalAdvance(line + QStringLiteral(" …")) > width)
                line.chop(1);
            lines << line + QStringLiteral(" …");
            return lines;
        }
        lines << line;
        line = word;
    }
    if (!line.isEmpty())
        lines << line;
    return lines;
}

} // namespace laggard
