// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/QuestionBar.h"

#include "views/theme/Contrast.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace laggard {
namespace {

QString translated(const char *text) { return QCoreApplication::translate("Question", text); }

/// One segment: the one that is on has the colour of what is selected, and a line below it.
class Segment : public QToolButton {
  public:
    using QToolButton::QToolButton;

    [[nodiscard]] QSize sizeHint() const override {
        QFont bold = font();
        bold.setBold(true);
        return {QFontMetrics(bold).horizontalAdvance(text()) + 24, fontMetrics().height() + 10};
    }

  protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool isHot = underMouse() && isEnabled();
        const QRectF box = QRectF(rect()).adjusted(1, 2, -1, -2);
        const QColor frame = mixed(palette().color(QPalette::Window), palette().color(QPalette::WindowText), 0.3);
        painter.setPen(hasFocus() ? palette().color(QPalette::WindowText) : frame);
        painter.setBrush(isChecked() ? palette().color(QPalette::Highlight)
                         : isHot     ? palette().color(QPalette::Button)
                                     : palette().color(QPalette::Base));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        QFont shown = font();
        shown.setBold(isChecked());
        painter.setFont(shown);
        painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled,
                                       isChecked() ? QPalette::HighlightedText : QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignCenter, text());
    }
};

} // namespace

QString questionText(Question question) {
    switch (question) {
    case Question::Hang:
        return translated("Hang");
    case Question::Slow:
        return translated("Slow");
    case Question::Behaviour:
        return translated("Behaviour");
    case Question::Explore:
        break;
    }
    return translated("Explore");
}

QString questionTip(Question question) {
    switch (question) {
    case Question::Hang:
        return translated("Who waits for whom, and where do they stand?");
    case Question::Slow:
        return translated("When did ranks wait, for whom, and what did it do then?");
    case Question::Behaviour:
        return translated("What do ranks do in a phase, and which of them something else?");
    case Question::Explore:
        break;
    }
    return translated("Where did the time go?");
}

QuestionBar::QuestionBar(const QList<QAction *> &actions, QWidget *parent) : QWidget(parent) {
    setAccessibleName(tr("Layout"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(0);
    for (QAction *action : actions) {
        auto *segment = new Segment(this);
        segment->setFocusPolicy(Qt::TabFocus);
        segment->setDefaultAction(action);
        segment->setText(action->iconText());
        row->addWidget(segment);
    }
}

} // namespace laggard
