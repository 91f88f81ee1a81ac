// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/Text.h"

#include "analysis/verdict/Describe.h"

namespace laggard {

QString toText(std::string_view utf8) { return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())); }

QString toLine(std::string_view utf8) { return toText(utf8).simplified(); }

QString rankText(const RankSet &ranks) { return toText(describeRanges(ranks)); }

QString rankPhrase(const RankSet &ranks) { return toText(describeRankSet(ranks)); }

QString countText(std::uint64_t count, std::string_view singular) { return toText(plural(count, singular)); }

QString placeText(std::string_view file, std::uint32_t line) {
    if (file.empty())
        return {};
    const QString name = toLine(file.substr(file.find_last_of('/') + 1));
    return line == 0 ? name : name + ':' + QString::number(line);
}

QString toolTipText(const QString &plain) {
    if (plain.isEmpty())
        return {};
    return "<qt>" + plain.toHtmlEscaped().replace('\n', "<br>") + "</qt>";
}

} // namespace laggard
