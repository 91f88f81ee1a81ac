// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/UnitTree.h"
#include "views/canvas/GraphCanvas.h"
#include "views/selection/SelectionModel.h"

#include <optional>

namespace laggard {

/// The call tree of a unit beside the model's, on the screen; a node selects its call path.
class UnitTreeView : public GraphCanvas {
    Q_OBJECT

  public:
    explicit UnitTreeView(SelectionModel &selection, QWidget *parent = nullptr);

    void setTree(TracePtr trace, const JudgedUnit &unit, UnitTree tree);
    /// Shows `sentence` instead.
    void clear(const QString &sentence);
    [[nodiscard]] const std::optional<UnitTree> &tree() const { return m_tree; }
    /// Which unit it is of, and what stands below the picture in a file.
    [[nodiscard]] const QString &caption() const { return m_caption; }

    /// The picture for a file: SVG, PNG, PDF or DOT by the ending of `path`. Throws PictureError.
    [[nodiscard]] QByteArray file(const QString &path) const;

  signals:
    /// A call was chosen here; the selection has it already.
    void chosen();

  protected:
    void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) override;
    void chooseEdge(std::uint32_t, Qt::KeyboardModifiers) override {}
    void chooseNothing() override {}
    void updateEmphasis() override;
    [[nodiscard]] QString emptyText() const override { return m_tree ? QString() : m_sentence; }

  private:
    SelectionModel &m_selection;
    TracePtr m_trace;
    JudgedUnit m_unit;
    std::optional<UnitTree> m_tree;
    QString m_sentence;
    QString m_caption;
};

} // namespace laggard
