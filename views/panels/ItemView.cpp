// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/ItemView.h"

#include "views/panels/RoomyDelegate.h"
#include "views/panels/TableText.h"
#include "views/panels/Tone.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>

#include <algorithm>

namespace laggard {

SelectMode selectMode(Qt::KeyboardModifiers modifiers) {
    if (modifiers & Qt::ControlModifier)
        return SelectMode::Add;
    return modifiers & Qt::ShiftModifier ? SelectMode::Extend : SelectMode::Replace;
}

ItemView::ItemView(const QString &what, QWidget *parent) : QTreeView(parent) {
    setAccessibleName(what);
    setObjectName(what);
    setSelectionMode(ExtendedSelection);
    setSelectionBehavior(SelectRows);
    setUniformRowHeights(true);
    setItemDelegate(new RoomyDelegate(this));
    setTextElideMode(Qt::ElideMiddle);
    setAllColumnsShowFocus(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setExpandsOnDoubleClick(false);
    setFrameShape(QFrame::NoFrame);
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setHighlightSections(false);
}

QString ItemView::selectedText() const {
    if (model() == nullptr)
        return {};
    QModelIndexList rows;
    for (const QModelIndex &row : allRows(*model()))
        if (selectionModel()->isSelected(row))
            rows << row;
    if (rows.isEmpty())
        rows = allRows(*model());
    return toPlainText(*model(), rows, [this](int column) { return isColumnHidden(column); });
}

QByteArray ItemView::csv() const {
    const auto *proxy = qobject_cast<const QAbstractProxyModel *>(model());
    const QAbstractItemModel *shown = proxy != nullptr ? proxy->sourceModel() : model();
    return shown == nullptr ? QByteArray() : toCsv(*shown);
}

void ItemView::fitColumns(int wide, int widest) {
    header()->setStretchLastSection(false);
    const int most = fontMetrics().averageCharWidth() * widest;
    for (int column = 0; column < header()->count(); ++column) {
        if (column == wide)
            continue;
        header()->setSectionResizeMode(column, QHeaderView::Interactive);
        header()->resizeSection(column, std::min(most, std::max(sizeHintForColumn(column), header()->sectionSizeHint(column))));
    }
    header()->setSectionResizeMode(wide, QHeaderView::Interactive);
    header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 5);
    m_wideColumn = wide;
    stretchWideColumn();
}

void ItemView::stretchWideColumn() {
    if (m_wideColumn < 0 || m_wideColumn >= header()->count())
        return;
    // Unlike a stretched section it never gets narrower than can be read: then the view scrolls.
    const int character = fontMetrics().averageCharWidth();
    const int least = std::clamp(sizeHintForColumn(m_wideColumn), character * 12, character * 26);
    const int others = header()->length() - header()->sectionSize(m_wideColumn);
    header()->resizeSection(m_wideColumn, std::max(least, viewport()->width() - others));
}

void ItemView::resizeEvent(QResizeEvent *event) {
    QTreeView::resizeEvent(event);
    stretchWideColumn();
}

void ItemView::mark(const QModelIndexList &rows) {
    QItemSelection selection;
    for (const QModelIndex &row : rows)
        selection.select(row, row);
    selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (rows.isEmpty())
        return;
    selectionModel()->setCurrentIndex(rows.first(), QItemSelectionModel::NoUpdate);
    scrollTo(rows.first());
}

void ItemView::setEmptyText(const QString &text) {
    m_emptyText = text;
    viewport()->update();
}

void ItemView::copy() const { QApplication::clipboard()->setText(selectedText()); }

void ItemView::exportCsv() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export as CSV"), accessibleName().toLower().replace(' ', '-') + ".csv", tr("Comma separated values (*.csv)"));
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray bytes = csv();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        QMessageBox::warning(this, tr("Export as CSV"), tr("%1 could not be written: %2.").arg(path, file.errorString()));
}

void ItemView::keyPressEvent(QKeyEvent *event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isSpace =
        event->key() == Qt::Key_Space && !(model() != nullptr && (model()->flags(currentIndex()) & Qt::ItemIsUserCheckable));
    if ((isEnter || isSpace) && currentIndex().isValid()) {
        emit chosen(currentIndex(), selectMode(event->modifiers()));
        return;
    }
    QTreeView::keyPressEvent(event);
}

void ItemView::mouseReleaseEvent(QMouseEvent *event) {
    // Which row was clicked is known before the base class handles the click: it may expand or check something.
    const QModelIndex index = indexAt(event->pos());
    const bool isItem = index.isValid() && visualRect(index).contains(event->pos());
    QTreeView::mouseReleaseEvent(event);
    if (isItem && event->button() == Qt::LeftButton && selectionModel()->isSelected(index))
        emit chosen(index, selectMode(event->modifiers()));
    else if (isItem && event->button() == Qt::LeftButton && (event->modifiers() & Qt::ControlModifier))
        emit chosen(index, SelectMode::Add);
}

void ItemView::contextMenuEvent(QContextMenuEvent *event) {
    QMenu menu(this);
    menu.addActions(m_rowActions);
    if (!m_rowActions.isEmpty())
        menu.addSeparator();
    menu.addAction(tr("Copy"), QKeySequence::Copy, this, &ItemView::copy);
    menu.addAction(tr("Copy all"), this,
                   [this] { QApplication::clipboard()->setText(toPlainText(*model(), allRows(*model()))); });
    menu.addAction(tr("Export as CSV…"), this, &ItemView::exportCsv);
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    menu.exec(byKey ? viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()) : event->globalPos());
}

void ItemView::paintEvent(QPaintEvent *event) {
    QTreeView::paintEvent(event);
    if (model() == nullptr || model()->rowCount() > 0 || m_emptyText.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setPen(toneColour(Tone::Faint, palette()));
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

} // namespace laggard
