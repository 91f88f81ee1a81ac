// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace laggard {

class SourceEditor;

/// The search line of the source view: finds while typing, Enter and Shift+Enter go on and back, Escape closes it.
class FindBar : public QWidget {
    Q_OBJECT

  public:
    explicit FindBar(SourceEditor &editor, QWidget *parent = nullptr);

    /// Opens with the marked text of the editor.
    void popUp();
    void findNext(bool forward = true);
    [[nodiscard]] QLineEdit *line() const { return m_line; }

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void find(bool forward, bool fromStart);

    SourceEditor &m_editor;
    QLineEdit *m_line;
    QLabel *m_result;
};

} // namespace laggard
