// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace laggard {

/// What the window shows without a trace: how to open one, the traces opened before, and the bundled example.
class StartPage : public QWidget {
    Q_OBJECT

  public:
    explicit StartPage(QWidget *parent = nullptr);

    void setRecent(const QStringList &files);
    /// Folder of the bundled example; empty where it is not installed.
    void setExample(const QString &folder);
    /// Why the last trace could not be opened; empty for none.
    void setError(const QString &sentence);

  signals:
    void openRequested();
    void openFolderRequested();
    void fileChosen(const QString &file);

  private:
    QLabel *m_error;
    QVBoxLayout *m_recent;
    QLabel *m_recentTitle;
    QWidget *m_example;
    QString m_exampleFolder;
};

} // namespace laggard
