// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/BothModelsView.h"

namespace laggard {

BothModelsView::BothModelsView(QWidget *parent) : GraphCanvas(parent) {
    setAccessibleName(tr("State models of both runs"));
    setAccessibleDescription(tr("States of the ranks and how they follow each other in both runs; the list below says the same"));
}

void BothModelsView::setModels(TracePtr here, std::shared_ptr<const BothModels> models) {
    m_here = std::move(here);
    m_models = std::move(models);
    m_row.reset();
    startAnew();
    draw();
}

void BothModelsView::draw() {
    m_shown = {};
    if (!m_models || m_models->transitions.empty()) {
        clearPicture();
        return;
    }
    m_shown = makeBothModelsPicture(*m_here, *m_models, isWide());
    setPicture(m_shown.picture);
}

bool BothModelsView::isWide() const {
    // Between the two the flow stays: a splitter that is dragged must not turn the graph to and fro.
    constexpr double wide = 1.35;
    constexpr double narrow = 1.1;
    return width() > (m_shown.picture.sideways ? narrow : wide) * height();
}

void BothModelsView::resizeEvent(QResizeEvent *event) {
    GraphCanvas::resizeEvent(event);
    if (!m_shown.states.empty() && isWide() != m_shown.picture.sideways)
        draw();
}

void BothModelsView::showRow(std::optional<std::size_t> row) {
    m_row = row;
    updateEmphasis();
}

void BothModelsView::updateEmphasis() {
    emphasis().selectedNodes.clear();
    emphasis().selectedEdge = m_row && scene() != nullptr ? m_shown.edgeOf(*m_row) : std::nullopt;
    if (emphasis().selectedEdge)
        ensureEdgeVisible(*emphasis().selectedEdge);
    update();
}

void BothModelsView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers) {
    emphasis().selectedNodes = {node};
    ensureVisible(node);
    update();
}

void BothModelsView::chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers) {
    if (edge < m_shown.rows.size())
        emit chosen(m_shown.rows[edge]);
}

void BothModelsView::chooseNothing() { showRow(std::nullopt); }

QString BothModelsView::emptyText() const {
    return m_models && m_models->transitions.empty() ? tr("Neither run has made calls of MPI that could be compared.")
                                                     : QString();
}

std::uint32_t BothModelsView::firstNode() const {
    if (m_shown.rows.empty())
        return 0;
    // Rows are in order of how much the runs differ.
    const auto most = std::min_element(m_shown.rows.begin(), m_shown.rows.end());
    return m_shown.picture.edges[static_cast<std::size_t>(most - m_shown.rows.begin())].from;
}

} // namespace laggard
