// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/CommandPalette.h"

#include "views/kit/FuzzyMatch.h"
#include "views/panels/PaletteDelegate.h"
#include "views/theme/Tone.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace laggard {

std::vector<PaletteEntry> matchingEntries(const std::vector<PaletteEntry> &entries, const QString &typed, std::size_t most) {
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const std::optional<FuzzyMatch> match = fuzzyMatch(typed, entries[i].text))
            found.emplace_back(match->score, i);
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    found.resize(std::min(found.size(), most));
    std::vector<PaletteEntry> result;
    for (const auto &[score, position] : found)
        result.push_back(entries[position]);
    return result;
}

std::vector<PaletteEntry> entriesOf(const QList<QAction *> &actions) {
    std::vector<PaletteEntry> entries;
    for (QAction *action : actions) {
        if (action->isSeparator() || !action->isEnabled() || !action->isVisible() || action->menu() != nullptr)
            continue;
        QString text = action->text();
        // A single "&" marks the access key.
        text.replace("&&", QChar(1)).remove('&').replace(QChar(1), '&');
        if (!text.isEmpty())
            entries.push_back({text, action->shortcut().toString(QKeySequence::NativeText), [action] { action->trigger(); }});
    }
    return entries;
}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries, const QString &typed) {
    beginResetModel();
    m_entries = std::move(entries);
    m_typed = typed;
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_entries.size()); }

QVariant PaletteModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const PaletteEntry &shown = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shown.text;
    case DetailRole:
        return shown.detail;
    case PositionsRole: {
        const std::optional<FuzzyMatch> match = fuzzyMatch(m_typed, shown.text);
        return match ? QVariant::fromValue(match->positions) : QVariant();
    }
    case Qt::AccessibleTextRole:
        return shown.detail.isEmpty() ? shown.text : shown.text + ", " + shown.detail;
    default:
        return {};
    }
}

CommandPalette::CommandPalette(const QString &hint, PaletteSource source, QWidget *parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint),
      m_source(std::move(source)),
      m_line(new QLineEdit),
      m_list(new QListView),
      m_nothing(new QLabel(tr("Nothing fits."))) {
    setModal(true);
    setWindowTitle(hint);
    m_line->setPlaceholderText(hint);
    m_line->setAccessibleName(hint);
    m_line->installEventFilter(this);
    QFont font = m_line->font();
    font.setPointSizeF(font.pointSizeF() * 1.15);
    m_line->setFont(font);
    m_line->setTextMargins(4, 4, 4, 4);
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new PaletteDelegate(this));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("What fits"));
    m_nothing->setMargin(8);
    QPalette faint;
    faint.setColor(QPalette::WindowText, toneColour(Tone::Faint, palette()));
    m_nothing->setPalette(faint);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(4);
    layout->addWidget(m_line);
    layout->addWidget(m_nothing);
    layout->addWidget(m_list, 1);
    resize(fontMetrics().averageCharWidth() * 75, fontMetrics().height() * 20);
    connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::refresh);
    connect(m_list, &QListView::clicked, this, &CommandPalette::runCurrent);
    refresh();
}

void CommandPalette::popUp() {
    m_line->clear();
    refresh();
    if (const QWidget *window = parentWidget() == nullptr ? nullptr : parentWidget()->window())
        move(window->geometry().center().x() - width() / 2, window->geometry().top() + window->height() / 8);
    open();
    m_line->setFocus();
}

void CommandPalette::refresh() {
    m_model.setEntries(m_source(m_line->text()), m_line->text());
    m_nothing->setVisible(m_model.rowCount() == 0);
    m_list->setCurrentIndex(m_model.index(0));
}

void CommandPalette::runCurrent() {
    const QModelIndex current = m_list->currentIndex();
    if (!current.isValid())
        return;
    // What runs may open a dialog of its own, or another palette: this one is closed first.
    const std::function<void()> run = m_model.entry(current.row()).run;
    accept();
    run();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto *key = static_cast<QKeyEvent *>(event);
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QCoreApplication::sendEvent(m_list, event);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        runCurrent();
        return true;
    default:
        return false;
    }
}

} // namespace laggard
