// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/BothModels.h"

#include <QAbstractTableModel>

#include <memory>

namespace laggard {

/// The transitions of two runs' models as a list, in the order of BothModels.
class TransitionsModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column { Transition, MeanHere, MeanThere, Ratio, ShareHere, ShareThere, TimesHere, TimesThere, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setModels(std::shared_ptr<const BothModels> models);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    std::shared_ptr<const BothModels> m_models;
};

} // namespace laggard
