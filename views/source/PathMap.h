// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace laggard {

/// Finds source files that lie elsewhere than where the program was built.
class PathMap {
  public:
    /// Paths that begin with the folder `from` begin with `to` here. `from` may also be a whole file.
    struct Rule {
        QString from;
        QString to;
        bool operator==(const Rule &) const = default;
    };
    /// What became of a search.
    struct Lookup {
        QString file;      ///< where the file is; empty if it was not found
        QStringList tried; ///< every path that was looked at, in order
    };

    [[nodiscard]] const std::vector<Rule> &rules() const { return m_rules; }
    /// Rules without a `from` or `to` are left out; of rules with the same `from` the last counts.
    void setRules(const std::vector<Rule> &rules);
    void addRule(const Rule &rule);

    /// Folders to search: below them, ever shorter ends of the recorded path.
    [[nodiscard]] const QStringList &folders() const { return m_folders; }
    void setFolders(const QStringList &folders) { m_folders = folders; }
    void addFolder(const QString &folder);

    /// The folder that the trace lies in; searched before the others.
    void setTraceFolder(const QString &folder) { m_traceFolder = folder; }

    /// Looks for a file by its recorded path: by the rules (longest `from` first), as recorded, beside the trace, in the folders.
    [[nodiscard]] Lookup find(const QString &recorded) const;

    /// The recorded path by the rule with the longest `from` that fits; nothing if none does.
    [[nodiscard]] std::optional<QString> mapped(const QString &recorded) const;

    /// The most general rule by which `recorded` is found at `actual`: what both paths end in alike is taken off.
    [[nodiscard]] static Rule ruleFor(const QString &recorded, const QString &actual);

    bool operator==(const PathMap &) const = default;

  private:
    std::vector<Rule> m_rules;
    QStringList m_folders;
    QString m_traceFolder;
};

/// The folder that a trace lies in; a recording is a folder itself.
[[nodiscard]] QString folderOfTrace(const QString &trace);

/// The path as a shell would have it typed: "~/job/main.c" for what lies in the home folder.
[[nodiscard]] QString fromHome(const QString &path);

} // namespace laggard
