// SPDX-License-Identifier: GPL-3.0-or-later
// What a session keeps of a workspace.
#include "app/window/RunComparison.h"
#include "app/window/Workspace.h"
#include "views/pdg/PdgView.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <stdexcept>
#include <utility>

namespace laggard {
namespace {

QStringList namesOf(const Trace &trace, const std::vector<RegionId> &regions) {
    QStringList names;
    for (const RegionId region : regions)
        names.append(QString::fromStdString(trace.regions[region].name));
    return names;
}

std::vector<RegionId> regionsNamed(const Trace &trace, const QStringList &names) {
    std::vector<RegionId> regions;
    for (RegionId region = 0; region < trace.regions.size(); ++region)
        if (names.contains(QString::fromStdString(trace.regions[region].name)))
            regions.push_back(region);
    return regions;
}

} // namespace

void Workspace::storeIn(Session &session) const {
    session.comparison = m_comparison;
    session.comparedRun = m_runs->compared();
    session.slice = m_slice->choice();
    session.compileCommands = m_sliceSettings.compileCommands;
    for (const auto &[key, note] : m_graph->notes())
        session.notes[key] = note;
    session.colours = m_timeline->colours().own();
    session.pathMap.clear();
    for (const PathMap::Rule &rule : m_source->pathMap().rules())
        session.pathMap.append({rule.from, rule.to});
    session.sourceFolders = m_source->pathMap().folders();
    if (!m_document)
        return;
    const Trace &trace = *m_document->report->trace;
    const Filter &filter = m_zoomFilter.filter();
    session.hiddenFunctions = namesOf(trace, filter.hiddenRegions);
    session.onlyFunctions = namesOf(trace, filter.onlyRegions);
    session.onlyRanks = filter.ranks ? QString::fromStdString(formatRanges(*filter.ranks)) : QString();
    session.minimumDuration = static_cast<double>(filter.minimumDuration) / static_cast<double>(trace.clock.ticksPerSecond);
    if (filter.time)
        session.onlyTime = std::pair(trace.seconds(filter.time->begin), trace.seconds(filter.time->end));
    session.zoom = std::pair(trace.seconds(m_zoomFilter.zoom().begin), trace.seconds(m_zoomFilter.zoom().end));
}

void Workspace::restoreFrom(const Session &session) {
    if (isAnalysing() || m_analysed)
        compare(session.comparison);
    else
        m_comparison = session.comparison; // for a trace whose analyses have not begun
    std::map<QString, QString> notes;
    for (auto note = session.notes.begin(); note != session.notes.end(); ++note)
        notes[note.key()] = note.value();
    m_graph->setNotes(std::move(notes));
    RegionColours colours = m_timeline->colours();
    colours.setOwn(session.colours);
    m_timeline->setColours(colours);
    m_legend->coloursChanged();
    PathMap paths;
    for (const auto &[from, to] : session.pathMap)
        paths.addRule({from, to});
    for (const QString &folder : session.sourceFolders)
        paths.addFolder(folder);
    m_source->setPathMap(paths);
    m_slice->setChoice(session.slice);
    m_source->setDimming(session.slice.dims);
    m_sliceSettings.depth = session.slice.depth;
    m_sliceSettings.thin = session.slice.thin;
    m_sliceSettings.compileCommands = session.compileCommands;
    if (!m_document)
        return;
    startSlice(false);
    const Trace &trace = *m_document->report->trace;
    Filter filter;
    filter.hiddenRegions = regionsNamed(trace, session.hiddenFunctions);
    filter.onlyRegions = regionsNamed(trace, session.onlyFunctions);
    try {
        if (!session.onlyRanks.isEmpty())
            filter.ranks = parseRanges(session.onlyRanks.toStdString());
        if (filter.ranks) // they may be from a larger run
            std::erase_if(*filter.ranks, [&trace](Rank rank) { return rank >= trace.processes.size(); });
    } catch (const std::invalid_argument &) {
        emit message(tr("The session's filter of ranks was left out: \"%1\" is not a range of ranks").arg(session.onlyRanks));
    }
    filter.minimumDuration = trace.tickAt(session.minimumDuration) - trace.range.begin; // no call is longer than the trace
    if (session.onlyTime)
        filter.time = TimeRange{trace.tickAt(session.onlyTime->first), trace.tickAt(session.onlyTime->second)};
    m_zoomFilter.setFilter(filter);
    m_runs->start(session.comparedRun);
    if (session.zoom)
        m_zoomFilter.setZoom({trace.tickAt(session.zoom->first), trace.tickAt(session.zoom->second)});
}

} // namespace laggard
