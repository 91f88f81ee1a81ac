// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace laggard {

/// What is shown in place of a source text: a line that says why there is none, and what can be done. What is known, and where it
/// was looked for, unfolds below.
class NotFoundPage : public QWidget {
    Q_OBJECT

  public:
    explicit NotFoundPage(QWidget *parent = nullptr);

    /// No state is selected.
    void showNothing();
    /// The trace does not say where the function is.
    /// `hasCallers`: one of them can be chosen instead.
    void showUnknown(const Frame &frame, bool hasCallers);
    /// The file was not found at any of the paths that were tried.
    void showMissing(const Frame &frame, const QStringList &tried);
    /// The file was found and cannot be shown; `problem` is a sentence.
    void showProblem(const Frame &frame, const QString &problem);

    /// What the page says, as plain text.
    [[nodiscard]] QString text() const;

  signals:
    void locateRequested();
    void mappingRequested();

  private:
    void show(const QString &title, const QStringList &facts, bool canLocate);
    void showFold();

    QLabel *m_title;
    QLabel *m_facts;
    QToolButton *m_fold;
    QPushButton *m_locate;
    QPushButton *m_map;
};

} // namespace laggard
