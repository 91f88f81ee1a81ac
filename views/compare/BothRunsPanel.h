// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/compare/DeparturesModel.h"
#include "views/compare/FunctionsModel.h"
#include "views/compare/TransitionsModel.h"

#include <QSortFilterProxyModel>
#include <QTabWidget>

class QLabel;

namespace laggard {

class BothModelsView;
class ItemView;

/// What two runs have in common and what not: where each rank departs, the functions with the times of both, and the state models
/// of both as one.
class BothRunsPanel : public QTabWidget {
    Q_OBJECT

  public:
    explicit BothRunsPanel(QWidget *parent = nullptr);

    void setRuns(TracePtr here, TracePtr there, std::shared_ptr<const DivergenceReport> divergence,
                 std::vector<FunctionTimes> functions, std::shared_ptr<const BothModels> models);
    void setColours(std::function<QColor(const FunctionTimes &)> colourOf) { m_functionsModel.setColours(std::move(colourOf)); }
    [[nodiscard]] ItemView *departures() const { return m_departures; }
    [[nodiscard]] ItemView *functions() const { return m_functions; }
    [[nodiscard]] BothModelsView *graph() const { return m_graph; }
    [[nodiscard]] ItemView *transitions() const { return m_transitions; }
    /// The answer, above the list of departures.
    [[nodiscard]] QString answer() const;

  signals:
    /// A rank's departure, by its position in DivergenceReport::departures.
    void departureChosen(std::size_t departure);
    void functionChosen(const laggard::FunctionTimes &function);

  private:
    [[nodiscard]] QWidget *makeModels();

    DeparturesModel m_departuresModel;
    FunctionsModel m_functionsModel;
    QSortFilterProxyModel m_sorted; ///< the functions, sorted
    QLabel *m_answer;
    ItemView *m_departures;
    ItemView *m_functions;
    TransitionsModel m_transitionsModel;
    BothModelsView *m_graph;
    ItemView *m_transitions;
};

} // namespace laggard
