// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of a workspace's trace that could have taken another message.
#include "app/window/RacesJob.h"
#include "app/window/Workspace.h"
#include "views/kit/ItemView.h"
#include "views/races/RacesPanel.h"
#include "views/timeline/TimelineWidget.h"

#include <algorithm>

namespace laggard {
namespace {

/// More pinned rows than this would leave no room for the others.
constexpr std::size_t mostPinnedOfRace = 6;

/// From the first of the messages to the call, with some room at both ends.
TimeRange timeOf(const Race &race, TimeRange whole) {
    TimeRange time{race.time, race.time};
    for (const RacingMessage &message : race.messages)
        time = {std::min(time.begin, message.sent), std::max(time.end, message.sent)};
    const Tick room = std::max<Tick>(1, time.length() / 4);
    return {time.begin - std::min(room, time.begin - whole.begin), std::min(time.end + room, whole.end)};
}

} // namespace

void Workspace::connectRaces() {
    connect(m_races, &RacesPanel::wanted, this, &Workspace::lookForRaces);
    connect(m_races, &RacesPanel::currentChanged, this, [this] { m_timeline->setPossibleMessages(m_races->arrows()); });
    connect(m_races, &RacesPanel::chosen, this, &Workspace::showRace);
    connect(m_races, &RacesPanel::exchangeRequested, this, &Workspace::replayRequested);
    connect(m_racesJob, &RacesJob::finished, this, [this](const std::shared_ptr<const RaceReport> &races) {
        const TracePtr &trace = m_document->report->trace;
        m_races->setReport(trace, races, {}, trace->format == "recording");
        emit racesEnded({});
    });
    connect(m_racesJob, &RacesJob::failed, this, [this](const QString &sentence) {
        m_races->setReport(nullptr, nullptr, sentence);
        emit racesEnded(sentence);
    });
}

void Workspace::lookForRaces() {
    if (!m_document || m_document->report->dump)
        return m_races->setReport(nullptr, nullptr);
    m_races->races()->setEmptyText(tr("Races are being looked for …"));
    m_racesJob->start(m_document->report->trace);
}

bool Workspace::isLookingForRaces() const { return m_racesJob->isRunning(); }

void Workspace::showRaces() {
    m_docks->show(m_races);
    m_races->want();
}

void Workspace::showRace() {
    showSelected();
    const Race *race = m_races->current();
    if (race == nullptr)
        return;
    RankSet ranks{race->rank};
    for (const RacingMessage &message : race->messages)
        ranks.push_back(message.from);
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    if (ranks.size() <= mostPinnedOfRace) // both ends of all arrows are in sight
        m_timeline->setPinned(ranks);
    const TimeRange zoom = m_zoomFilter.zoom();
    const TimeRange time = timeOf(*race, m_zoomFilter.whole());
    // Arrows that are a few pixels long, or begin outside, show nothing.
    if (time.begin < zoom.begin || time.end > zoom.end || time.length() < zoom.length() / 20)
        m_zoomFilter.setZoom(time);
}

} // namespace laggard
