// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/CollapsedGraph.h"
#include "analysis/verdict/Verdict.h"
#include "trace/Trace.h"
#include "views/canvas/GraphCanvas.h"
#include "views/pdg/PdgPicture.h"

#include <QSizeF>

#include <map>
#include <memory>

namespace laggard {

class SelectionModel;
struct Selection;

/// The progress-dependence graph on the screen: choosing a node selects its ranks and call path. Typed notes hang on nodes. In a
/// large graph, chains and sub-trees of waits are one node each, which a double click or Enter opens.
class PdgView : public GraphCanvas {
    Q_OBJECT

  public:
    explicit PdgView(SelectionModel &selection, QWidget *parent = nullptr);

    /// Null: nothing is loaded. The graph appears when it has been laid out.
    void setGraph(TracePtr trace, std::shared_ptr<const ProgressGraph> graph);

    /// What else was found, for `explain`: where nobody is least progressed it is the answer. May be null.
    void setVerdict(std::shared_ptr<const Verdict> verdict) { m_verdict = std::move(verdict); }

    /// Notes by node as `noteKey` names it.
    [[nodiscard]] const std::map<QString, QString> &notes() const { return m_notes; }
    void setNotes(std::map<QString, QString> notes);
    /// A name for a node that holds when the trace is opened again: rank ranges and functions.
    [[nodiscard]] static QString noteKey(const ProgressNode &node);

    /// Whether waits are drawn that follow from others.
    [[nodiscard]] bool showsAllEdges() const { return m_allEdges; }

    /// The whole graph is drawn up to so many nodes.
    static constexpr std::size_t mostNodes = 200;
    /// What is drawn, once it has been laid out: which nodes of the graph are one.
    [[nodiscard]] const CollapsedGraph &shown() const { return m_shown; }
    /// Whether some nodes stand for several.
    [[nodiscard]] bool isCollapsed() const { return m_graph && m_shown.nodes.size() < m_graph->nodes.size(); }
    /// The picture of the whole graph, for export.
    [[nodiscard]] GraphPicture wholePicture() const;

  public slots:
    void setAllEdgesShown(bool all);
    /// Draws one by one what the chosen node stands for.
    void openGroup();
    /// Draws as one node what waits for the chosen node alone.
    void closeGroup();
    /// Why the selected edge is there, or the selected group is where it is: the evidence in words.
    void explain();
    /// Asks for the note of the selected node.
    void editNote();

  signals:
    void notesChanged();

  protected:
    void chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) override;
    void chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers modifiers) override;
    void chooseNothing() override;
    void updateEmphasis() override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    [[nodiscard]] QString emptyText() const override;
    /// The least progressed.
    [[nodiscard]] std::uint32_t firstNode() const override;
    bool activate() override;
    void addMenuActions(QMenu &menu) override;

  private:
    void layOutAgain();
    /// Whether there is more to be read of the graph from left to right than from below to above.
    [[nodiscard]] bool fitsSideways() const;
    [[nodiscard]] PictureContext context() const;
    /// The node of the graph that is chosen; nothing if it is none or several.
    [[nodiscard]] std::optional<std::uint32_t> chosenNode() const;
    /// The drawn node that stands for `m_lost`, and for none of the graph's.
    [[nodiscard]] bool isLost(std::uint32_t drawn) const { return drawn >= m_shown.nodes.size(); }
    [[nodiscard]] bool canClose(std::uint32_t node) const;
    [[nodiscard]] std::optional<std::uint32_t> drawnEdge(std::uint32_t edge) const;
    void showSelection(const Selection &selection);
    void describeSelection(); ///< to those who do not see

    SelectionModel &m_selection;
    TracePtr m_trace;
    std::shared_ptr<const ProgressGraph> m_graph;
    std::shared_ptr<const Verdict> m_verdict;
    CollapsedGraph m_shown;            ///< what scene() shows
    CollapsedGraph m_next;             ///< what is being laid out
    RankSet m_lost;                    ///< of what is shown: lostRanks
    std::vector<LegendEntry> m_legend; ///< of what is shown: compactLegend
    OpenedNodes m_opened;
    std::map<QString, QString> m_notes;
    bool m_sideways = false;  ///< the picture that was asked for last
    QSizeF m_downwardsExtent; ///< about how large it is from below to above, in pixels at scale 1
    QSizeF m_sidewaysExtent;  ///< and from left to right
    bool m_allEdges = false;
};

} // namespace laggard
