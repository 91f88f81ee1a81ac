// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/ItemView.h"

#include "views/kit/ExportDialog.h"
#include "views/kit/RoomyDelegate.h"
#include "views/kit/TableText.h"
#include "views/theme/Tone.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QScopedValueRollback>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace laggard {

namespace {

constexpr int mostMeasuredRows = 200; ///< around those in sight; all of a long list would take too long

/// Draws the frame of a view, in the colour of the selection while it has the keyboard. Around header, rows and scroll bars: what
/// is drawn on the rows would be scrolled with them.
class FocusFrame : public QObject {
  public:
    explicit FocusFrame(ItemView &view) : QObject(&view), m_view(view) {}

    bool eventFilter(QObject *, QEvent *event) override {
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
            m_view.update();
        if (event->type() != QEvent::Paint)
            return false;
        QPainter painter(&m_view);
        painter.setPen(m_view.palette().color(m_view.hasFocus() ? QPalette::Highlight : QPalette::Base));
        painter.drawRect(m_view.rect().adjusted(0, 0, -1, -1));
        return true;
    }

  private:
    ItemView &m_view;
};

} // namespace

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
    setTextElideMode(Qt::ElideRight);
    setAllColumnsShowFocus(true);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    header()->setResizeContentsPrecision(mostMeasuredRows);
    setExpandsOnDoubleClick(false);
    setFrameStyle(QFrame::Box | QFrame::Plain);
    setLineWidth(1);
    installEventFilter(new FocusFrame(*this));
    header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header()->setHighlightSections(false);
    setIndentation(fontMetrics().height());
    // Headers also change widths by themselves; only what the mouse does is the user's will.
    connect(header(), &QHeaderView::sectionResized, this, [this] {
        m_isUserSized = m_isUserSized || (!m_isSharing && QGuiApplication::mouseButtons().testFlag(Qt::LeftButton));
    });
    // The arrow needs room in another column now.
    connect(header(), &QHeaderView::sortIndicatorChanged, this, &ItemView::measureAnew);
    connect(this, &QTreeView::expanded, this, [this] { m_content.clear(); });
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
    m_wideColumn = wide;
    m_widest = widest;
    m_isUserSized = false;
    m_content.clear();
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(fontMetrics().averageCharWidth() * 4);
    header()->setSectionResizeMode(QHeaderView::Interactive);
    shareWidth();
}

int ItemView::headerWidth(int column) const {
    const QString text = model()->headerData(column, Qt::Horizontal).toString();
    const int margin = style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
    const bool isSorted = isSortingEnabled() && header()->sortIndicatorSection() == column;
    const int arrow = isSorted ? style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this) + margin : 0;
    return header()->fontMetrics().horizontalAdvance(text) + 2 * margin + 4 + arrow;
}

std::vector<int> ItemView::sharedWidths() const {
    const int character = fontMetrics().averageCharWidth();
    const auto count = static_cast<std::size_t>(header()->count());
    std::vector<int> wanted(count);
    std::vector<int> least(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int column = static_cast<int>(i);
        if (isColumnHidden(column))
            continue;
        const bool isNumber = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
        const bool isWide = column == m_wideColumn;
        const int content = m_content[i];
        wanted[i] = std::max(headerWidth(column), isWide ? content : std::min(content, character * m_widest));
        least[i] = isNumber ? wanted[i] : std::min(wanted[i], std::max(headerWidth(column), character * (isWide ? 20 : 14)));
    }
    const int room = viewport()->width();
    const auto wide = static_cast<std::size_t>(m_wideColumn);
    const auto sum = [](const std::vector<int> &widths) { return std::accumulate(widths.begin(), widths.end(), 0); };
    if (sum(least) > room) // what it holds can be read without the whole of its own header
        least[wide] = std::min(least[wide], std::max(std::min(m_content[wide], character * 20), character * 8));
    if (sum(least) > room) { // shortened everywhere and still too wide: better whole, and the view scrolls
        wanted[wide] = std::min(wanted[wide], std::max(least[wide], character * 26));
        return wanted;
    }
    // The widest give way first.
    std::vector<int> shared = wanted;
    for (int cap = *std::max_element(wanted.begin(), wanted.end()); sum(shared) > room; --cap)
        for (std::size_t i = 0; i < count; ++i)
            shared[i] = std::clamp(cap, least[i], wanted[i]);
    // What is left goes first where it lets more be read: to columns that hold more than they may ask for.
    for (std::size_t i = 0; i < count; ++i)
        if (i != wide && !isColumnHidden(static_cast<int>(i)))
            shared[i] += std::clamp(m_content[i] - shared[i], 0, std::max(0, room - sum(shared)));
    shared[wide] += room - sum(shared);
    return shared;
}

void ItemView::shareWidth() {
    if (m_wideColumn < 0 || m_wideColumn >= header()->count() || m_isUserSized)
        return;
    if (!isVisible())
        return; // to measure what nobody sees took a tenth of a second while a trace was opened
    const QScopedValueRollback<bool> guard(m_isSharing, true);
    if (m_content.size() != static_cast<std::size_t>(header()->count())) {
        m_content.clear();
        for (int column = 0; column < header()->count(); ++column)
            m_content.push_back(sizeHintForColumn(column)); // of a hidden one as well: it may be shown later
    }
    const std::vector<int> widths = sharedWidths();
    for (std::size_t i = 0; i < widths.size(); ++i)
        if (const int column = static_cast<int>(i); !isColumnHidden(column))
            header()->resizeSection(column, widths[i]);
}

void ItemView::measureAnew() {
    m_content.clear();
    shareWidth();
}

void ItemView::showEvent(QShowEvent *event) {
    QTreeView::showEvent(event);
    shareWidth();
}

void ItemView::reset() {
    m_content.clear();
    QTreeView::reset();
}

void ItemView::dataChanged(const QModelIndex &topLeft, const QModelIndex &bottomRight, const QList<int> &roles) {
    m_content.clear();
    QTreeView::dataChanged(topLeft, bottomRight, roles);
}

void ItemView::rowsInserted(const QModelIndex &parent, int start, int end) {
    m_content.clear();
    QTreeView::rowsInserted(parent, start, end);
}

void ItemView::resizeEvent(QResizeEvent *event) {
    QTreeView::resizeEvent(event);
    if (event->size().height() < event->oldSize().height() && currentIndex().isValid())
        scrollTo(currentIndex()); // what is chosen stays in view where the room gets less
    shareWidth();
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
    exportToFile(this, tr("Export as CSV"), accessibleName().toLower().replace(' ', '-') + ".csv", {QStringLiteral("csv")},
                 [this](const QString &path) {
                     QSaveFile file(path);
                     const QByteArray bytes = csv();
                     if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
                         throw std::runtime_error(tr("%1 could not be written: %2.").arg(path, file.errorString()).toStdString());
                 });
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
