// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/PathMap.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace laggard {
namespace {

QString cleaned(const QString &path) { return path.trimmed().isEmpty() ? QString() : QDir::cleanPath(path.trimmed()); }

/// True if `path` is `folder` or lies below it: "/build" fits "/build/a.c", not "/builder/a.c".
bool isBelow(const QString &path, const QString &folder) {
    return path == folder || path.startsWith(folder.endsWith('/') ? folder : folder + '/');
}

/// Applies a rule that fits.
QString applied(const PathMap::Rule &rule, const QString &path) {
    return QDir::cleanPath(rule.to + '/' + path.mid(rule.from.size()));
}

/// Notes the path and says whether a file (not a folder, pipe or device) is there.
bool tryFile(const QString &path, PathMap::Lookup &lookup) {
    if (lookup.tried.contains(path))
        return false;
    lookup.tried << path;
    if (!QFileInfo(path).isFile())
        return false;
    lookup.file = path;
    return true;
}

/// "a/b/c.c", "b/c.c", "c.c" below `folder`.
bool tryBelow(const QString &folder, const QString &recorded, PathMap::Lookup &lookup) {
    QStringList parts = recorded.split('/', Qt::SkipEmptyParts);
    parts.removeAll("..");
    parts.removeAll(".");
    for (; !parts.isEmpty(); parts.removeFirst())
        if (tryFile(QDir::cleanPath(folder + '/' + parts.join('/')), lookup))
            return true;
    return false;
}

} // namespace

void PathMap::setRules(const std::vector<Rule> &rules) {
    m_rules.clear();
    for (const Rule &rule : rules)
        addRule(rule);
}

void PathMap::addRule(const Rule &rule) {
    const Rule clean{cleaned(rule.from), cleaned(rule.to)};
    if (clean.from.isEmpty() || clean.to.isEmpty())
        return;
    std::erase_if(m_rules, [&](const Rule &known) { return known.from == clean.from; });
    m_rules.push_back(clean);
}

void PathMap::addFolder(const QString &folder) {
    if (!folder.isEmpty() && !m_folders.contains(cleaned(folder)))
        m_folders << cleaned(folder);
}

std::optional<QString> PathMap::mapped(const QString &recorded) const {
    const QString path = cleaned(recorded);
    const Rule *best = nullptr;
    for (const Rule &rule : m_rules)
        if (isBelow(path, rule.from) && (best == nullptr || rule.from.size() > best->from.size()))
            best = &rule;
    if (best == nullptr)
        return {};
    return applied(*best, path);
}

PathMap::Lookup PathMap::find(const QString &recorded) const {
    Lookup lookup;
    const QString path = cleaned(recorded);
    if (path.isEmpty())
        return lookup;
    std::vector<Rule> fitting;
    std::copy_if(m_rules.begin(), m_rules.end(), std::back_inserter(fitting),
                 [&](const Rule &rule) { return isBelow(path, rule.from); });
    std::stable_sort(fitting.begin(), fitting.end(), [](const Rule &a, const Rule &b) { return a.from.size() > b.from.size(); });
    for (const Rule &rule : fitting)
        if (tryFile(applied(rule, path), lookup))
            return lookup;
    // A relative path means nothing against the folder that this program happens to run in.
    if (QDir::isAbsolutePath(path) && tryFile(path, lookup))
        return lookup;
    for (const QString &folder : QStringList(m_traceFolder) + m_folders)
        if (!folder.isEmpty() && tryBelow(folder, path, lookup))
            return lookup;
    return lookup;
}

PathMap::Rule PathMap::ruleFor(const QString &recorded, const QString &actual) {
    QStringList from = cleaned(recorded).split('/');
    QStringList to = cleaned(actual).split('/');
    // The last common part stays out of the rule; an empty side would mean the root.
    while (from.size() > 1 && to.size() > 1 && from.last() == to.last() && !(from.size() == 2 && from.first().isEmpty()) &&
           !(to.size() == 2 && to.first().isEmpty())) {
        from.removeLast();
        to.removeLast();
    }
    return {from.join('/'), to.join('/')};
}

QString folderOfTrace(const QString &trace) {
    const QFileInfo info(trace);
    return info.isDir() ? info.absoluteFilePath() : info.absolutePath();
}

QString fromHome(const QString &path) {
    const QString home = QDir::homePath() + QLatin1Char('/');
    return path.startsWith(home) && home.size() > 2 ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

} // namespace laggard
