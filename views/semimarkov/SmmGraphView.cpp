// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/semimarkov/SmmGraphView.h"

#include "views/graph/ExportPicture.h"
#include "views/kit/ItemView.h"

#include <algorithm>

namespace laggard {
namespace {

/// The call path of a state, in the trace that is shown; `none` if it has no calls of its own.
CallPathId callPathOf(const Trace &trace, const SmmState &state) {
    if (state.path.empty())
        return none;
    for (CallPathId id = 0; id < trace.callPaths.size(); ++id)
        if (trace.region(id).name == state.path.back().function && framesOf(trace, id) == state.path)
            return id;
    return none;
}

} // namespace

SmmGraphView::SmmGraphView(SemiMarkovFocus &focus, QWidget *parent) : GraphCanvas(parent), m_focus(focus) {
    setAccessibleName(tr("Semi-Markov model"));
    setAccessibleDescription(
        tr("States of the ranks and how they follow each other, by cluster; the list beside it says the same"));
    connect(&m_focus, &SemiMarkovFocus::reportChanged, this, [this] {
        m_filter = {};
        m_filteredRanks.clear();
        startAnew();
        draw();
    });
    connect(&m_focus, &SemiMarkovFocus::cutChanged, this, &SmmGraphView::followCut);
    connect(&m_focus, &SemiMarkovFocus::transitionChanged, this, &SmmGraphView::followTransition);
    connect(&m_focus.selection(), &SelectionModel::changed, this, &SmmGraphView::markSelection);
    draw();
}

void SmmGraphView::setFilter(const SmmFilter &filter) {
    if (filter == m_filter)
        return;
    if (filter.cluster != m_filter.cluster)
        m_filteredRanks = filter.cluster ? m_focus.cut()->clusters[*filter.cluster].ranks : RankSet();
    m_filter = filter;
    draw();
}

void SmmGraphView::followCut() {
    if (m_filter.cluster) {
        const ClusterCut &cut = *m_focus.cut();
        std::vector<std::size_t> shared(cut.clusters.size(), 0);
        for (const Rank rank : m_filteredRanks)
            if (rank < cut.clusterOf.size() && cut.clusterOf[rank] != none)
                ++shared[cut.clusterOf[rank]];
        m_filter.cluster = static_cast<std::uint32_t>(std::max_element(shared.begin(), shared.end()) - shared.begin());
    }
    draw();
}

void SmmGraphView::draw() {
    const SemiMarkovReport *report = m_focus.report();
    m_smm = {};
    if (report == nullptr) {
        clearPicture();
    } else {
        m_smm = makeSmmPicture(*m_focus.trace(), *report, *m_focus.cut(), m_filter, flow());
        m_flow = flow();
        setPicture(m_smm.picture);
    }
    emit pictureChanged();
}

qreal SmmGraphView::firstScale() const {
    constexpr qreal leastPixels = 10; // height of the edges' labels
    return leastPixels / fontOf(TextRole::EdgeLabel).pixelSize();
}

SmmFlow SmmGraphView::flow() const {
    // Between the two the flow stays: a splitter that is dragged must not turn the graph to and fro.
    constexpr double wide = 1.35;
    constexpr double narrow = 1.1;
    if (m_flow == SmmFlow::Rightwards)
        return width() > narrow * height() ? SmmFlow::Rightwards : SmmFlow::Downwards;
    return width() > wide * height() ? SmmFlow::Rightwards : SmmFlow::Downwards;
}

void SmmGraphView::resizeEvent(QResizeEvent *event) {
    GraphCanvas::resizeEvent(event);
    if (m_focus.report() != nullptr && flow() != m_flow)
        draw();
}

void SmmGraphView::followTransition() {
    const auto transition = m_focus.transition();
    // A transition that is out of sight brings its neighbourhood into it.
    if (transition && m_smm.isNeighbourhood() && !m_smm.edgeOf(*transition)) {
        SmmFilter filter = m_filter;
        filter.centres = {*transition};
        setFilter(filter);
        return;
    }
    markSelection();
    if (emphasis().selectedEdge)
        ensureEdgeVisible(*emphasis().selectedEdge); // somebody has chosen it
}

bool SmmGraphView::isOfInterest() const {
    const SemiMarkovReport &report = *m_focus.report();
    return !m_focus.cut()->characteristic.empty() ||
           (report.verdict.occurrence && report.verdict.occurrence->phase == report.shownPhase);
}

void SmmGraphView::updateEmphasis() {
    markSelection();
    // Where nothing is unusual, a model is read from its beginning, whatever took most time.
    if (emphasis().selectedEdge && (isOfInterest() || m_smm.isNeighbourhood()))
        ensureEdgeVisible(*emphasis().selectedEdge);
}

void SmmGraphView::markSelection() {
    emphasis().selectedNodes.clear();
    emphasis().selectedEdge.reset();
    if (m_focus.report() != nullptr && scene() != nullptr && scene()->nodes.size() == m_smm.states.size()) {
        if (m_focus.transition())
            emphasis().selectedEdge = m_smm.edgeOf(*m_focus.transition());
        const Selection &selection = m_focus.selection().current();
        if (selection.callPath != none && selection.callPath < m_focus.trace()->callPaths.size()) {
            const std::vector<StateFrame> frames = framesOf(*m_focus.trace(), selection.callPath);
            const std::vector<SmmState> &states = m_focus.report()->histories.table.states;
            for (std::uint32_t node = 0; node < m_smm.states.size(); ++node) {
                const SmmState &state = states[m_smm.states[node]];
                if (state.kind == SmmState::Kind::Communication && state.path == frames)
                    emphasis().selectedNodes.insert(node);
            }
        }
    }
    update();
}

void SmmGraphView::chooseNode(std::uint32_t node, Qt::KeyboardModifiers modifiers) {
    if (node >= m_smm.states.size())
        return;
    const SmmState &state = m_focus.report()->histories.table.states[m_smm.states[node]];
    Selection selection = m_focus.selection().current();
    selection.node.reset();
    selection.edge.reset();
    selection.time.reset();
    selection.callPath = callPathOf(*m_focus.trace(), state);
    if (const RegionId function = m_smm.functions[node]; function != none) { // a part of the code between two calls
        selection.callPath = none;
        selection.region = function;
    }
    m_focus.selection().select(selection, selectMode(modifiers) == SelectMode::Extend ? SelectMode::Extend : SelectMode::Replace);
    // States without a call path of their own are marked all the same, so that the arrow keys can walk over them.
    emphasis().selectedNodes = {node};
    ensureVisible(node);
    update();
}

void SmmGraphView::chooseEdge(std::uint32_t edge, Qt::KeyboardModifiers) {
    if (edge >= m_smm.transitions.size())
        return;
    std::uint32_t transition = m_smm.transitions[edge];
    if (transition == none) // from part to part of a state: what comes of it most often
        transition = likeliestFrom(m_smm.states[scene()->edges[edge].from]);
    if (transition == none)
        return;
    m_focus.setTransition(transition);
    emit transitionChosen();
}

std::uint32_t SmmGraphView::likeliestFrom(std::uint32_t state) const {
    std::uint32_t likeliest = none;
    double most = 0;
    for (const TransitionUse &use : transitionUses(*m_focus.cut())) {
        double count = 0;
        for (const ClusterUse &each : use.uses)
            count += each.times.count;
        if (m_focus.report()->histories.table.transitions[use.transition].from == state && count > most) {
            likeliest = use.transition;
            most = count;
        }
    }
    return likeliest;
}

void SmmGraphView::chooseNothing() { m_focus.setTransition(std::nullopt); }

QString SmmGraphView::emptyText() const {
    if (m_focus.report() == nullptr)
        return m_focus.state();
    return m_smm.states.empty() ? tr("No transition passes the filter.") : QString();
}

std::uint32_t SmmGraphView::firstNode() const {
    const SemiMarkovReport *report = m_focus.report();
    if (report != nullptr && !m_focus.cut()->characteristic.empty()) {
        const std::uint32_t transition = m_focus.cut()->characteristic.front().transition;
        if (const auto node = m_smm.nodeOf(report->histories.table.transitions[transition].from))
            return *node;
    }
    // Where the run begins: nodes have the order of the states, and not of their places.
    const bool isRightwards = m_flow == SmmFlow::Rightwards;
    const auto place = [isRightwards](const SceneNode &node) { return isRightwards ? node.box.left() : node.box.top(); };
    const std::vector<SceneNode> &nodes = scene()->nodes;
    return static_cast<std::uint32_t>(std::ranges::min_element(nodes, {}, place) - nodes.begin());
}

QByteArray SmmGraphView::file(const QString &path) const {
    const std::optional<PictureFormat> format = pictureFormat(path.toStdString());
    if (!format)
        throw PictureError("The picture " + path.toStdString() + " must end in .svg, .png, .pdf or .dot.");
    if (m_smm.states.empty() || scene() == nullptr)
        throw PictureError(tr("There is no graph to draw.").toStdString());
    return renderPicture(*scene(), *format);
}

} // namespace laggard
