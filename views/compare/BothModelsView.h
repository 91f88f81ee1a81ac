// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/canvas/GraphCanvas.h"
#include "views/compare/BothModelsPicture.h"

#include <memory>

namespace laggard {

/// The models of two runs on the screen.
class BothModelsView : public GraphCanvas {
    Q_OBJECT

  public:
    explicit BothModelsView(QWidget *parent = nullptr);

    void setModels(TracePtr here, std::shared_ptr<const BothModels> models);
    /// Marks a transition, by its position in BothModels::transitions, and brings it into view.
    void showRow(std::optional<std::size_t> row);
    [[nodiscard]] const BothModelsPicture &shown() const { return m_shown; }

  signals:
    /// A transition, by its position in BothModels::transitions.
    void chosen(std::size_t row);

  protected:
    void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) override;
    void chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers modifiers) override;
    void chooseNothing() override;
    void updateEmphasis() override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] std::uint32_t firstNode() const override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    void draw();
    [[nodiscard]] bool isWide() const;

    TracePtr m_here;
    std::shared_ptr<const BothModels> m_models;
    BothModelsPicture m_shown;
    std::optional<std::size_t> m_row;
};

} // namespace laggard
