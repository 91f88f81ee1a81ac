// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/Dependence.h"

namespace laggard {

Dependence dependence(Reach rowToColumn, Reach columnToRow) {
    if (rowToColumn == Reach::Certain)
        return columnToRow == Reach::Certain ? Dependence::Undefined : Dependence::ColumnWaits;
    if (columnToRow == Reach::Certain)
        return Dependence::RowWaits;
    if (rowToColumn == Reach::Unseen || columnToRow == Reach::Unseen)
        return Dependence::None;
    if (rowToColumn == Reach::Possible)
        return columnToRow == Reach::Possible ? Dependence::Undefined : Dependence::ColumnWaits;
    return columnToRow == Reach::Possible ? Dependence::RowWaits : Dependence::None;
}

} // namespace laggard
