// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace laggard {

/// One line of text that is shortened to the width there is; then the tooltip and screen readers have all of it. Asks for no
/// width of its own.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(Qt::TextElideMode mode, QWidget *parent = nullptr);

    /// The text is wrapped into so many lines before it is elided, at its end. The room for them is always taken, so that what is
    /// beside them stays where it is.
    void setLines(int lines);
    /// The same, but takes no more lines than its text needs: for sentences that must be read, where what is below may move.
    void setMostLines(int lines);
    /// `toolTip`, if not empty, is shown in place of the whole text.
    void setFullText(const QString &text, const QString &toolTip = {});
    [[nodiscard]] const QString &fullText() const { return m_full; }

  protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void elide();
    [[nodiscard]] QString wrapped(const QString &text) const;

    Qt::TextElideMode m_mode;
    QString m_full;
    int m_lines = 1;
    bool m_isAsHighAsNeeded = false;
};

} // namespace laggard
