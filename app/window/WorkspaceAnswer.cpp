// SPDX-License-Identifier: GPL-3.0-or-later
// How a workspace opens at the answer: the layout that the verdict asks for, and the moment at which it shows best.
#include "analysis/words/HeadlineWords.h"
#include "app/window/Workspace.h"

#include "trace/Quantity.h"
#include "views/kit/Text.h"
#include "views/panels/FindingsPanel.h"
#include "views/timeline/TimelineWidget.h"

#include <algorithm>

namespace laggard {
namespace {

Question questionOf(const Report &report) {
    const Verdict &verdict = report.verdict;
    const bool hasGraph = !report.progress.nodes.empty();
    if (isSlow(verdict.facts.kind))
        return verdict.moment || !report.models || report.models->empty() ? Question::Slow : Question::Behaviour;
    if (verdict.state == Verdict::State::Finished || !hasGraph)
        return Question::Explore;
    return Question::Hang;
}

/// The delay, with what led to it before it and what followed behind.
TimeRange aroundDelay(TimeRange delay, TimeRange whole) {
    const Tick length = std::max<Tick>(1, delay.length());
    const Tick before = std::min(2 * length, delay.begin - whole.begin);
    return {delay.begin - before, std::min(delay.end + length, whole.end)};
}

} // namespace

bool Workspace::wasTouched() const { return m_momentAsked || m_selection.canGoBack(); }

void Workspace::chooseLayout(Question question) {
    m_layoutChosen = m_document != nullptr;
    m_docks->setQuestion(question);
}

void Workspace::openAtAnswer() {
    const ReportPtr known = report();
    if (!known)
        return;
    const Question question = questionOf(*known);
    if (!wasTouched() && !m_layoutChosen)
        m_docks->setQuestion(question);
    if (!wasTouched() && question == Question::Slow && known->verdict.moment && known->index) {
        const auto finding = std::ranges::find_if(known->verdict.findings, [](const Finding &f) { return f.time.has_value(); });
        const bool isFirst = m_zoomFilter.zoom() == m_document->firstWindow; // else it is the one of the last time
        if (finding != known->verdict.findings.end() && isFirst)
            m_zoomFilter.setZoom(aroundDelay(*finding->time, m_zoomFilter.whole()));
        m_opensAtAnswer = true;
        showMoment(*known->verdict.moment);
        return;
    }
    if (m_analysed)
        chooseFirstFinding();
}

void Workspace::selectAnswer() {
    const ReportPtr known = report();
    const RankSet &named = known->verdict.facts.ranks;
    if (named.empty())
        return;
    Selection selection;
    selection.ranks = named;
    const std::vector<ProgressNode> &nodes = shown()->progress.nodes;
    for (std::uint32_t id = 0; id < nodes.size(); ++id)
        if (nodes[id].ranks == named) {
            selection.node = id;
            selection.callPath = nodes[id].callPath;
        }
    const LocationEvents *events = known->trace->mainEvents(named.front());
    const std::uint32_t row = events == nullptr || !m_momentAsked ? none : events->track.innermostAt(*m_momentAsked);
    if (selection.callPath == none && row != none)
        selection.callPath = events->track.callPath[row];
    m_selection.select(selection);
}

std::vector<KeyMoment> Workspace::keyMoments() const {
    const ReportPtr known = report();
    std::vector<KeyMoment> moments;
    if (!known || known->dump)
        return moments;
    const Trace &trace = *known->trace;
    const Tick near = std::max<Tick>(1, trace.range.length() / 1000); // what is nearer looks the same
    const auto add = [&](Tick time, const QString &what) {
        const bool isThere = std::ranges::any_of(
            moments, [&](const KeyMoment &other) { return std::max(other.time, time) - std::min(other.time, time) < near; });
        if (!isThere)
            moments.push_back({time, what});
    };
    if (known->since)
        add(*known->since, tr("from here on the least-progressed ranks are those of the end"));
    if (known->verdict.moment)
        add(*known->verdict.moment, toText(headlineOf(known->verdict.facts)));
    if (known->delays)
        for (const LongWait &wait : known->delays->longest)
            add(lateIn(wait.time), tr("rank %1 has waited %2 for rank %3")
                                       .arg(wait.rank)
                                       .arg(toText(describeDuration(static_cast<double>(wait.time.length()) /
                                                                    static_cast<double>(trace.clock.ticksPerSecond))))
                                       .arg(wait.cause));
    std::ranges::sort(moments, {}, &KeyMoment::time);
    return moments;
}

} // namespace laggard
