// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <QAbstractItemModel>
#include <QString>

#include <vector>

namespace laggard {

/// What a trace is, as a tree of names and values: file, clock, hosts, communicators, kinds of events that are not shown.
class TraceInfoModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { Property, Value, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    /// Null: nothing is loaded.
    void setTrace(const TracePtr &trace);

    /// Ranks that a row about a host or a communicator stands for; empty for other rows.
    [[nodiscard]] RankSet ranks(const QModelIndex &index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    struct Row {
        QString property;
        QString value;
        QString toolTip;
        RankSet ranks;
        std::vector<Row> children;
    };
    void add(const QString &property, const QString &value, const QString &toolTip = {});
    void addCounts(const Trace &trace);
    void addHosts(const Trace &trace);
    void addCommunicators(const Trace &trace);
    void addUnshown(const Trace &trace);
    [[nodiscard]] const Row *row(const QModelIndex &index) const;

    std::vector<Row> m_rows;
};

} // namespace laggard
