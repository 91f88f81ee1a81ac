// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/JudgeUnits.h"

#include "analysis/units/ProcessJudge.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

/// nullptr: they are too many.
std::shared_ptr<const UnitSpans> spansOf(const Trace &trace, std::vector<ProcessReport> &reports) {
    std::uint64_t count = 0;
    for (const ProcessReport &process : reports)
        count += process.spans.size();
    if (count > UnitSpans::most)
        return nullptr;
    auto spans = std::make_shared<UnitSpans>();
    spans->threads.resize(trace.locations.size());
    for (ProcessReport &process : reports) {
        std::ranges::stable_sort(process.spans, {}, &UnitSpan::start);
        for (const UnitSpan &span : process.spans) {
            UnitSpans::Thread &thread = spans->threads[span.location];
            if (span.score >= usualUnitThreshold)
                thread.suspicious.push_back(static_cast<std::uint32_t>(thread.start.size()));
            thread.start.push_back(span.start);
            thread.finish.push_back(span.finish);
            thread.score.push_back(span.score);
            thread.kind.push_back(span.kind);
        }
        process.spans = {};
    }
    return spans;
}

} // namespace

UnitReport judgeUnits(const Trace &trace, const CallModel &model, const UnitsWanted &wanted, const Work &work) {
    const UnitTerms terms(trace, model, wanted);
    std::vector<ProcessReport> reports(trace.processes.size());
    forEachParallel(reports.size(), work, [&](std::size_t rank, unsigned) {
        if (trace.isRead(static_cast<Rank>(rank)) && trace.processes[rank].mainLocation != none)
            reports[rank] = ProcessJudge(terms, static_cast<Rank>(rank), work).judge();
    });
    UnitReport report;
    report.spans = wanted.isFurtherLook() ? nullptr : spansOf(trace, reports);
    report.nextFrom = wanted.startedFrom;
    report.signatures.resize(wanted.isFurtherLook() ? reports.size() : 0);
    using State = ProcessReport::State;
    for (Rank rank = 0; rank < reports.size(); ++rank) {
        ProcessReport &process = reports[rank];
        if (process.state == State::NotRead)
            continue;
        if (wanted.isFurtherLook())
            report.signatures[rank] = std::move(process.signature);
        for (const auto &[location, start] : process.judgedUpTo)
            report.nextFrom[location] = std::max(report.nextFrom[location], start + 1);
        report.judged += process.judged;
        report.suspicious += process.suspicious;
        report.incomplete += process.incomplete;
        report.unplaced += process.unplaced;
        report.processes += process.state == State::Undecided ? 0 : 1;
        if (process.state == State::Unknown)
            report.unknown.push_back(rank);
        else if (process.state == State::Undecided)
            report.undecided.push_back(rank);
        else if (!process.hasLoop)
            report.withoutLoop.push_back(rank);
        std::move(process.units.begin(), process.units.end(), std::back_inserter(report.units));
        process.units.clear();
    }
    std::sort(report.units.begin(), report.units.end(), ranksBefore);
    if (report.units.size() > UnitReport::listed)
        report.units.resize(UnitReport::listed);
    return report;
}

std::optional<UnitTree> unitTree(const Trace &trace, const CallModel &model, const JudgedUnit &unit, const Work &work) {
    const UnitsWanted all;
    const UnitTerms terms(trace, model, all);
    return ProcessJudge(terms, unit.rank, work).tree(unit);
}

} // namespace laggard
