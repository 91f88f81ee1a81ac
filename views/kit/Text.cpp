// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/Text.h"

#include "analysis/verdict/Describe.h"
#include "trace/ModelSet.h"
#include "trace/Printable.h"

#include <QObject>
#include <QStringList>

namespace laggard {

QString toText(std::string_view utf8) { return QString::fromStdString(printableLines(utf8)); }

QString toLine(std::string_view utf8) { return toText(utf8).simplified(); }

QString shortened(const QString &text, qsizetype most) {
    if (text.size() <= most)
        return text;
    const qsizetype end = (most - 1) / 2;
    return text.left(most - 1 - end) + QChar(0x2026) + text.right(end);
}

QString rankText(const RankSet &ranks) { return toText(describeRanges(ranks)); }

QString rankPhrase(const RankSet &ranks) { return toText(describeRankSet(ranks)); }

QString countText(std::uint64_t count, std::string_view singular) { return toText(plural(count, singular)); }

QString placeText(std::string_view file, std::uint32_t line) {
    if (file.empty())
        return {};
    const QString name = toLine(file.substr(file.find_last_of('/') + 1));
    return line == 0 ? name : name + ':' + QString::number(line);
}

QString placeText(std::string_view file, std::uint32_t line, bool isDefinition) {
    const QString place = placeText(file, line);
    return isDefinition && line != 0 && !place.isEmpty() ? QObject::tr("defined at %1").arg(place) : place;
}

QString placeText(const Frame &frame) { return placeText(frame.file, frame.line, frame.isDefinition); }

QString toolTipText(const QString &plain) {
    if (plain.isEmpty())
        return {};
    constexpr qsizetype mostOfLine = 2000;
    constexpr qsizetype mostLines = 60;
    QStringList lines;
    for (const QString &line : plain.split('\n')) {
        if (lines.size() == mostLines) {
            lines << QChar(0x2026);
            break;
        }
        lines << shortened(line, mostOfLine).toHtmlEscaped();
    }
    return "<qt>" + lines.join("<br>") + "</qt>";
}

} // namespace laggard
