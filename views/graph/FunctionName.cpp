// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/FunctionName.h"

#include <algorithm>
#include <string>

namespace laggard {
namespace {

const QChar ellipsis(0x2026);

/// True if the character at `at` belongs to the name of an operator, as in "operator<" and "operator()".
bool inOperatorName(const QString &name, qsizetype at) {
    static const QLatin1String word("operator");
    constexpr qsizetype longestSymbol = 3;
    static const char *const symbols[] = {
        "()", "->*", "->", "<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "<", ">"}; // longest first
    // Looked for only as far back as it can matter: names may have thousands of brackets.
    const qsizetype first = std::max<qsizetype>(0, at - word.size() - longestSymbol);
    const qsizetype found = QStringView(name).mid(first, at - first).lastIndexOf(word);
    if (found < 0)
        return false;
    const qsizetype begin = first + found;
    const QStringView rest = QStringView(name).mid(begin + word.size());
    for (const char *symbol : symbols) {
        if (rest.startsWith(QLatin1String(symbol)))
            return at < begin + word.size() + static_cast<qsizetype>(std::char_traits<char>::length(symbol));
    }
    return false;
}

/// `name` with what stands between outermost `open` and `close` replaced by "…"; unchanged if they do not pair.
QString collapsed(const QString &name, QChar open, QChar close) {
    QString out;
    int depth = 0;
    for (qsizetype i = 0; i < name.size(); ++i) {
        const QChar c = name[i];
        const bool bracket = (c == open || c == close) && !inOperatorName(name, i);
        const bool arrow = bracket && c == QLatin1Char('>') && i > 0 && name[i - 1] == QLatin1Char('-');
        const bool anonymous =
            depth == 0 && c == open && QStringView(name).mid(i).startsWith(QLatin1String("(anonymous namespace)"));
        if (!bracket || arrow || anonymous) {
            if (anonymous) {
                out += QStringLiteral("(anonymous namespace)");
                i += 20;
            } else if (depth == 0) {
                out += c;
            }
            continue;
        }
        if (c == open && depth++ == 0) {
            const bool empty = i + 1 < name.size() && name[i + 1] == close;
            out += open;
            if (!empty)
                out += ellipsis;
        }
        if (c == close) {
            if (--depth < 0)
                return name;
            if (depth == 0)
                out += close;
        }
    }
    return depth == 0 ? out : name;
}

/// The last `scopes` + 1 parts of a qualified name, behind "…::"; parts within brackets do not count.
QString lastScopes(const QString &name, int scopes) {
    int depth = 0;
    for (qsizetype i = name.size() - 1; i > 0; --i) {
        const QChar c = name[i];
        if (c == QLatin1Char(')') || c == QLatin1Char('>'))
            ++depth;
        if (c == QLatin1Char('(') || c == QLatin1Char('<'))
            --depth;
        if (depth == 0 && c == QLatin1Char(':') && name[i - 1] == QLatin1Char(':') && scopes-- == 0)
            return ellipsis + name.mid(i - 1);
    }
    return name;
}

} // namespace

QString shortenFunctionName(const QString &name, const std::function<bool(const QString &)> &fits) {
    QString shorter = name;
    if (fits(shorter))
        return shorter;
    shorter = collapsed(shorter, QLatin1Char('('), QLatin1Char(')'));
    if (fits(shorter))
        return shorter;
    shorter = collapsed(shorter, QLatin1Char('<'), QLatin1Char('>'));
    for (const int scopes : {1, 0}) {
        if (fits(shorter))
            return shorter;
        shorter = lastScopes(shorter, scopes);
    }
    return shorter;
}

QString withoutProfilingPrefix(const QString &name) {
    return name.startsWith(QLatin1String("PMPI_")) || name.startsWith(QLatin1String("pmpi_")) ? name.mid(1) : name;
}

} // namespace laggard
