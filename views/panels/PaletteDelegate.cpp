// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/PaletteDelegate.h"

#include "views/panels/CommandPalette.h"
#include "views/theme/Tone.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>

namespace laggard {
namespace {

constexpr int margin = 8;

QList<QTextLayout::FormatRange> boldAt(const QList<int> &positions) {
    QList<QTextLayout::FormatRange> formats;
    QTextCharFormat bold;
    bold.setFontWeight(QFont::Bold);
    for (const int position : positions)
        formats << QTextLayout::FormatRange{position, 1, bold};
    return formats;
}

} // namespace

void PaletteDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    const QStyle *style = item.widget == nullptr ? QApplication::style() : item.widget->style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const bool isSelected = item.state & QStyle::State_Selected;
    const QColor ink = item.palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QRect inside = item.rect.adjusted(margin, 0, -margin, 0);
    const QString detail = index.data(PaletteModel::DetailRole).toString();
    const int detailWidth = std::min(item.fontMetrics.horizontalAdvance(detail), inside.width() / 2);
    painter->save();
    painter->setPen(isSelected ? ink : toneColour(Tone::Faint, item.palette));
    painter->drawText(inside, Qt::AlignRight | Qt::AlignVCenter,
                      item.fontMetrics.elidedText(detail, Qt::ElideMiddle, inside.width() / 2));

    constexpr qsizetype mostCharacters = 500; // more is never to be seen
    QTextLayout layout(index.data().toString().left(mostCharacters), item.font);
    layout.setFormats(boldAt(index.data(PaletteModel::PositionsRole).value<QList<int>>()));
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(1e6);
    layout.endLayout();
    const QRect room = inside.adjusted(0, 0, detailWidth == 0 ? 0 : -detailWidth - 2 * margin, 0);
    painter->setClipRect(room);
    painter->setPen(ink);
    layout.draw(painter, QPointF(room.left(), room.center().y() - line.height() / 2));
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const {
    return {0, option.fontMetrics.height() + 10};
}

} // namespace laggard
