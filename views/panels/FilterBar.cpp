// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FilterBar.h"

#include "views/kit/ChipButton.h"
#include "views/kit/FlowLayout.h"
#include "views/kit/Text.h"
#include "views/panels/FilterChips.h"
#include "views/panels/FilterEditor.h"

#include <QLabel>
#include <QToolButton>

#include <algorithm>

namespace laggard {
namespace {

QToolButton *button(const QString &text, const QString &toolTip) {
    auto *made = new QToolButton;
    made->setText(text);
    made->setToolTip(toolTip);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

} // namespace

FilterBar::FilterBar(ZoomFilterStack &stack, QWidget *parent)
    : QWidget(parent),
      m_stack(stack),
      m_title(new QLabel(tr("Filter:"))),
      m_add(button(tr("Add a filter…"), tr("Filter by ranks, duration or time"))),
      m_undo(button(tr("Undo"), tr("Undo the last step of filter or zoom"))),
      m_clear(button(tr("Clear all"), tr("Show everything again"))) {
    setAccessibleName(tr("Filter"));
    auto *layout = new FlowLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    for (QWidget *widget : {static_cast<QWidget *>(m_title), static_cast<QWidget *>(m_add), static_cast<QWidget *>(m_undo),
                            static_cast<QWidget *>(m_clear)})
        layout->addWidget(widget);
    m_title->setFixedHeight(m_add->sizeHint().height());
    connect(m_add, &QToolButton::clicked, this, &FilterBar::edit);
    connect(m_undo, &QToolButton::clicked, &m_stack, &ZoomFilterStack::undo);
    connect(m_clear, &QToolButton::clicked, this, &FilterBar::clearAll);
    connect(&m_stack, &ZoomFilterStack::filterChanged, this, &FilterBar::showFilter);
    connect(&m_stack, &ZoomFilterStack::zoomChanged, this, &FilterBar::showButtons);
    showFilter();
}

void FilterBar::setTrace(TracePtr trace) {
    m_trace = std::move(trace);
    showFilter();
}

void FilterBar::clearAll() { m_stack.setFilter({}); }

void FilterBar::edit() {
    if (!m_trace)
        return;
    auto *editor = new FilterEditor(m_trace, m_stack.filter(), this);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &QDialog::accepted, this, [this, editor] { m_stack.setFilter(editor->filter()); });
    editor->open();
}

void FilterBar::showFilter() {
    // The chip that was removed may hold the keyboard: hand it on to its neighbour.
    qsizetype focused = -1;
    for (qsizetype i = 0; i < m_chips.size(); ++i)
        if (m_chips[i]->hasFocus())
            focused = i;
    for (QWidget *chip : m_chips) {
        layout()->removeWidget(chip);
        chip->hide();
        chip->deleteLater();
    }
    m_chips.clear();
    // Chips stand between the title and the buttons: those move behind them.
    for (QWidget *last : {m_add, m_undo, m_clear})
        layout()->removeWidget(last);
    QWidget *before = m_title;
    for (const FilterChip &part : m_trace ? filterChips(m_stack.filter(), *m_trace) : std::vector<FilterChip>()) {
        auto *chip = new ChipButton(part.text, this);
        chip->setToolTip(toolTipText(part.toolTip + '\n' + tr("Click to remove")));
        layout()->addWidget(chip);
        chip->show();
        setTabOrder(before, chip);
        before = chip;
        m_chips << chip;
        // Queued: the chip is destroyed by what it starts.
        connect(
            chip, &ChipButton::clicked, this, [this, without = part.without] { m_stack.setFilter(without); },
            Qt::QueuedConnection);
    }
    for (QWidget *last : {m_add, m_undo, m_clear}) {
        layout()->addWidget(last);
        setTabOrder(before, last);
        before = last;
    }
    showButtons();
    if (focused >= 0 && !m_chips.isEmpty())
        m_chips[std::min(focused, m_chips.size() - 1)]->setFocus();
    setVisible(!m_chips.isEmpty()); // without a filter there is nothing to say, and the toolbar has the command
    updateGeometry();
}

void FilterBar::showButtons() {
    m_add->setEnabled(m_trace != nullptr);
    m_undo->setEnabled(m_trace != nullptr && m_stack.canUndo());
    m_clear->setVisible(!m_chips.isEmpty());
}

} // namespace laggard
