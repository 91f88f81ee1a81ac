// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <QStyledItemDelegate>

namespace laggard {

/// Gives the rows of a list some air, and their texts an end: names in traces may be longer than any screen.
class RoomyDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QString displayText(const QVariant &value, const QLocale &locale) const override {
        constexpr qsizetype mostCharacters = 500;
        return shortened(QStyledItemDelegate::displayText(value, locale), mostCharacters);
    }
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (const QVariant elide = index.data(ElideRole); elide.isValid())
            option->textElideMode = static_cast<Qt::TextElideMode>(elide.toInt());
        if (option->displayAlignment & Qt::AlignRight && !option->text.isEmpty())
            option->text += QChar(0x2002); // or a number and the text of the next column would read as one
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(8, 6);
    }
};

} // namespace laggard
