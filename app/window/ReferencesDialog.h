// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QStringList>

class QListWidget;
class QPushButton;

namespace laggard {

/// Which reference traces to compare with: sample runs of the same program in which nothing was wrong.
class ReferencesDialog : public QDialog {
    Q_OBJECT

  public:
    /// `startFolder` is where file dialogs begin.
    ReferencesDialog(const QStringList &references, const QString &startFolder, QWidget *parent = nullptr);

    [[nodiscard]] QStringList references() const;
    /// Those that are listed already are not listed twice.
    void add(const QStringList &paths);

  private:
    void removeSelected();

    QString m_folder;
    QListWidget *m_list;
    QPushButton *m_remove;
};

} // namespace laggard
