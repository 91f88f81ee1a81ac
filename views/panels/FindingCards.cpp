// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingCards.h"

#include "views/kit/Text.h"
#include "views/panels/FindingsModel.h"
#include "views/theme/Contrast.h"
#include "views/theme/Hues.h"
#include "views/theme/Theme.h"
#include "views/theme/Tone.h"

#include <QApplication>
#include <QPainter>
#include <QTextLayout>
#include <QTreeView>

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr int cardMargin = 9;           ///< pixels around the words
constexpr int barWidth = 46;            ///< pixels of the bar that shows the strength
constexpr int mostSentenceLines = 4;    ///< lines on a card of several; the tooltip has the rest
constexpr int mostLinesAlone = 8;       ///< lines of the only card: nothing below it is pushed out of sight
constexpr qsizetype mostMeasured = 600; ///< characters: a sentence may hold a name of any length

QFont titleFont(const QFont &font) {
    QFont bold = font;
    bold.setBold(true);
    bold.setPointSizeF(font.pointSizeF() * 1.05);
    return bold;
}

QFont smallFont(const QFont &font) {
    QFont small = font;
    small.setPointSizeF(std::max(7.5, font.pointSizeF() * 0.9));
    return small;
}

/// The lines of a text at this width, the last one elided where there are more.
QStringList wrappedLines(const QString &text, const QFont &font, int width, int most) {
    QString measured = shortened(text, mostMeasured);
    measured.replace('\n', QChar::LineSeparator);
    QTextLayout layout(measured, font);
    layout.beginLayout();
    QStringList lines;
    while (true) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(std::max(40, width));
        const bool last = lines.size() + 1 == most;
        if (last) {
            lines << QFontMetrics(font).elidedText(measured.mid(line.textStart()).replace(QChar::LineSeparator, ' '),
                                                   Qt::ElideRight, std::max(40, width));
            break;
        }
        lines << measured.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

int mostLines(const QModelIndex &index) {
    return !index.parent().isValid() && index.model()->rowCount() == 1 ? mostLinesAlone : mostSentenceLines;
}

void paintStrength(QPainter &painter, QRect at, double strength, const QPalette &palette, bool dark) {
    const QColor text = palette.color(QPalette::Text);
    QColor ground = text;
    ground.setAlphaF(0.16F);
    const QRect bar(at.right() - barWidth, at.center().y() - 3, barWidth, 7);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(bar, 3, 3);
    QRect filled = bar;
    filled.setWidth(std::max(3, static_cast<int>(std::lround(bar.width() * std::clamp(strength, 0.0, 1.0)))));
    painter.setBrush(dark ? QColor::fromRgb(hue::vermilion).lighter(115) : QColor::fromRgb(hue::vermilion));
    painter.drawRoundedRect(filled, 3, 3);
    painter.setPen(text);
    painter.drawText(at.adjusted(0, 0, -barWidth - 6, 0), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(std::floor(strength * 100) / 100, 'f', 2));
}

} // namespace

FindingCards::FindingCards(QTreeView &view) : QStyledItemDelegate(&view), m_view(view) {}

int FindingCards::roomOf(const QModelIndex &index) const {
    const int indents = (index.parent().isValid() ? 1 : 0) + (m_view.rootIsDecorated() ? 1 : 0);
    return std::max(60, m_view.viewport()->width() - indents * m_view.indentation() - 2 * cardMargin);
}

QSize FindingCards::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const auto *model = qobject_cast<const FindingsModel *>(index.model());
    const int line = QFontMetrics(option.font).lineSpacing();
    if (model == nullptr || model->finding(index) == nullptr || (index.parent().isValid() && !model->isGroupedByHost()))
        return {roomOf(index), line + 8};
    const FindingsModel::Card card = model->card(index);
    const auto lines = static_cast<int>(wrappedLines(card.sentence, option.font, roomOf(index), mostLines(index)).size());
    return {roomOf(index), QFontMetrics(titleFont(option.font)).lineSpacing() +
                               QFontMetrics(smallFont(option.font)).lineSpacing() + lines * line + 2 * cardMargin};
}

void FindingCards::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const {
    const auto *model = qobject_cast<const FindingsModel *>(index.model());
    if (index.column() != 0 || model == nullptr)
        return;
    if (model->finding(index) == nullptr) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem empty = option;
    initStyleOption(&empty, index);
    empty.text.clear();
    const QStyle *style = option.widget != nullptr ? option.widget->style() : QApplication::style();
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool dark = isDark(option.palette);
    const QPalette &palette = option.palette;
    QColor ground = palette.color(QPalette::Base);
    if (selected) { // a tint: words and bar stay as they are
        const QColor accent = palette.color(QPalette::Highlight);
        ground = mixed(ground, accent, dark ? 0.35 : 0.18);
        painter->fillRect(option.rect, ground);
        painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), accent);
    } else {
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &empty, painter, option.widget);
    }
    const FindingsModel::Card card = model->card(index);
    // A row that spans all columns may reach beyond what is in sight.
    QRect room = option.rect.adjusted(cardMargin, 0, -cardMargin, 0);
    room.setRight(std::min(room.right(), m_view.viewport()->width() - cardMargin));
    painter->setPen(palette.color(QPalette::Text));
    if (index.parent().isValid() && !model->isGroupedByHost()) {
        painter->setFont(option.font);
        const bool similar = model->finding(index)->ranks != model->finding(index.parent())->ranks;
        const QString lead = similar ? card.title : plainMethodName(model->finding(index)->method);
        painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft,
                          QFontMetrics(option.font)
                              .elidedText(lead + QStringLiteral(": ") + QString(card.sentence).replace('\n', ' '), Qt::ElideRight,
                                          room.width()));
        painter->restore();
        return;
    }
    int y = room.top() + cardMargin;
    const QFont bold = titleFont(option.font);
    const QFontMetrics boldMetrics(bold);
    painter->setFont(option.font);
    painter->setRenderHint(QPainter::Antialiasing);
    paintStrength(*painter, QRect(room.left(), y, room.width(), boldMetrics.height()), card.strength, palette, dark);
    painter->setFont(bold);
    painter->drawText(room.left(), y + boldMetrics.ascent(),
                      boldMetrics.elidedText(card.title, Qt::ElideRight, room.width() - barWidth - 44));
    y += boldMetrics.lineSpacing();
    const QFont small = smallFont(option.font);
    painter->setFont(small);
    painter->setPen(withContrast(toneColour(Tone::Faint, palette), ground));
    painter->drawText(room.left(), y + QFontMetrics(small).ascent(),
                      QFontMetrics(small).elidedText(card.methods, Qt::ElideRight, room.width()));
    y += QFontMetrics(small).lineSpacing();
    painter->setFont(option.font);
    painter->setPen(palette.color(QPalette::Text));
    for (const QString &line : wrappedLines(card.sentence, option.font, roomOf(index), mostLines(index))) {
        painter->drawText(room.left(), y + QFontMetrics(option.font).ascent(), line);
        y += QFontMetrics(option.font).lineSpacing();
    }
    painter->setPen(mixed(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.18));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

} // namespace laggard
