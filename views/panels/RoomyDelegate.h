// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/Text.h"

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
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(8, 6);
    }
};

} // namespace laggard
