// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/FindBar.h"

#include "views/source/SourceEditor.h"
#include "views/theme/Tone.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace laggard {

FindBar::FindBar(SourceEditor &editor, QWidget *parent)
    : QWidget(parent), m_editor(editor), m_line(new QLineEdit), m_result(new QLabel) {
    m_line->setPlaceholderText(tr("Find in this file"));
    m_line->setAccessibleName(tr("Find in this file"));
    m_line->setClearButtonEnabled(true);
    m_result->setAccessibleName(tr("Result of the search"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_line, 1);
    layout->addWidget(m_result);
    const auto addButton = [&](Qt::ArrowType arrow, const QString &what, bool forward) {
        auto *button = new QToolButton;
        button->setArrowType(arrow);
        button->setToolTip(what);
        button->setAccessibleName(what);
        layout->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, forward] { findNext(forward); });
    };
    addButton(Qt::UpArrow, tr("Find previous (Shift+Enter)"), false);
    addButton(Qt::DownArrow, tr("Find next (Enter)"), true);
    connect(m_line, &QLineEdit::textChanged, this, [this] { find(true, true); });
    hide();
}

void FindBar::popUp() {
    show();
    if (m_editor.hasSelectedText() && !m_editor.selectedText().contains('\n'))
        m_line->setText(m_editor.selectedText());
    m_line->selectAll();
    m_line->setFocus();
}

void FindBar::findNext(bool forward) { find(forward, false); }

void FindBar::find(bool forward, bool fromStart) {
    const bool found = m_line->text().isEmpty() || m_editor.findText(m_line->text(), forward, fromStart);
    m_result->setText(found ? QString() : tr("Not found"));
    QPalette palette;
    palette.setColor(QPalette::WindowText, toneColour(Tone::Bad, this->palette()));
    m_result->setPalette(palette);
}

void FindBar::keyPressEvent(QKeyEvent *event) {
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        findNext(!(event->modifiers() & Qt::ShiftModifier));
        return;
    case Qt::Key_Escape:
        hide();
        m_editor.setFocus();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace laggard
