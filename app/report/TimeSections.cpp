// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/TimeSections.h"

#include "analysis/clocks/LogicalClock.h"
#include "analysis/intrusion/Correction.h"
#include "analysis/races/Races.h"
#include "analysis/verdict/Describe.h"
#include "app/report/TextLines.h"
#include "trace/Quantity.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostRacesShown = 6;
constexpr std::size_t mostMessagesShown = 4; // messages of a race

double secondsOf(const Trace &trace, Tick ticks) {
    return static_cast<double>(ticks) / static_cast<double>(trace.clock.ticksPerSecond);
}

std::string violationText(const ClockViolations &violations) {
    std::string text;
    if (violations.messages != 0)
        text = plural(violations.messages, "message") + " received before being sent";
    if (violations.collectives != 0)
        text += (text.empty() ? "" : ", ") + plural(violations.collectives, "collective") + " left before all had come";
    return text.empty() ? "none" : text;
}

/// What is known of the clocks that a report or its corrected trace is about.
const ClockReport *clocksOf(const Report &report) {
    if (report.corrected && report.corrected->clocks)
        return report.corrected->clocks.get();
    return report.clocks.get();
}

std::string correctionText(const CorrectionReport &correction) {
    if (!correction.problem.empty())
        return correction.problem + " What is said here is about the times as recorded.";
    const double most =
        correction.recorder.empty() ? 0 : *std::max_element(correction.recorder.begin(), correction.recorder.end());
    return "All times are without the recorder's own: the run took " + describeDuration(correction.correctedSeconds) + ", not " +
           describeDuration(correction.recordedSeconds) + " as recorded. The recorder took up to " + describeDuration(most) +
           " of a rank, in " + plural(correction.calls, "call") + " altogether.";
}

std::string callText(const Trace &trace, CallPathId path) {
    if (path == none)
        return "a call that is not known";
    const std::string place = sourcePlace(placeOf(trace, path));
    return place.empty() ? trace.region(path).name : trace.region(path).name + " (" + place + ")";
}

/// "that of rank 1 (tag 5), that of rank 2 (tag 5) and 3 more".
std::string messagesText(const Race &race, bool taken) {
    std::string text;
    std::size_t count = 0;
    for (const RacingMessage &message : race.messages) {
        if (message.isTaken != taken || ++count > mostMessagesShown)
            continue;
        text += (text.empty() ? "" : ", ") + std::string("that of rank ") + std::to_string(message.from) + " (tag " +
                std::to_string(message.tag) + (message.call == 0 ? "" : ", its call " + std::to_string(message.call)) + ")";
    }
    return count > mostMessagesShown ? text + " and " + describeCount(count - mostMessagesShown) + " more" : text;
}

void writeRace(std::ostream &out, const Trace &trace, const Race &race) {
    std::string text = "rank " + std::to_string(race.rank) + ", " + callText(trace, race.callPath) +
                       (race.call == 0 ? "" : ", its call " + std::to_string(race.call) + ",") + " at " +
                       describeDuration(trace.seconds(race.time)) + ": took " + messagesText(race, true) + "; could have taken " +
                       messagesText(race, false) + "; " + describeDuration(secondsOf(trace, race.apart)) + " apart";
    if (race.isChanged)
        text += "; without the recorder another one would have come first";
    writeWrapped(out, "  ", text);
}

Json violationsOf(const Trace &trace, const ClockViolations &violations) {
    return {{"messages", violations.messages},
            {"collectives", violations.collectives},
            {"largest_s", secondsOf(trace, violations.largest)}};
}

Json clocksJson(const Trace &trace, const ClockReport &clocks) {
    Json section{{"before", violationsOf(trace, clocks.before)}};
    if (clocks.problem.empty()) {
        section["after"] = violationsOf(trace, clocks.after);
        section["largest_shift_s"] = secondsOf(trace, clocks.largestShift);
    } else {
        section["problem"] = clocks.problem;
    }
    return section;
}

Json messageJson(const Trace &trace, const RacingMessage &message, bool knowsRecorder) {
    Json entry{{"from", message.from},
               {"call", message.call},
               {"tag", message.tag},
               {"taken", message.isTaken},
               {"sent_s", trace.seconds(message.sent)},
               {"function", message.callPath == none ? std::string() : trace.region(message.callPath).name},
               {"arrival_s", trace.seconds(message.arrival)}};
    if (knowsRecorder)
        entry["corrected_arrival_s"] = trace.seconds(message.arrivalCorrected);
    return entry;
}

Json racesJson(const Trace &trace, const RaceReport &races) {
    Json list = Json::array();
    for (const Race &race : races.races) {
        Json messages = Json::array();
        for (const RacingMessage &message : race.messages)
            messages.push_back(messageJson(trace, message, races.knowsRecorder));
        Json entry{{"kind", name(race.kind)},
                   {"rank", race.rank},
                   {"call", race.call},
                   {"at_s", trace.seconds(race.time)},
                   {"function", race.callPath == none ? std::string() : trace.region(race.callPath).name}};
        if (const Frame place = race.callPath == none ? Frame{} : placeOf(trace, race.callPath); !place.file.empty()) {
            entry["file"] = place.file;
            entry["line"] = place.line;
        }
        entry["apart_s"] = secondsOf(trace, race.apart);
        entry["changed"] = race.isChanged;
        entry["messages"] = std::move(messages);
        list.push_back(std::move(entry));
    }
    Json section{{"examined", races.examined},
                 {"count", races.count},
                 {"changed", races.changed},
                 {"knows_recorder", races.knowsRecorder},
                 {"list", list}};
    if (!races.note.empty())
        section["note"] = races.note;
    return section;
}

} // namespace

void writeClocks(std::ostream &out, const Report &report) {
    const ClockReport *clocks = clocksOf(report);
    if (clocks == nullptr && !report.corrected)
        return;
    out << "Times\n";
    if (clocks != nullptr) {
        writeWrapped(out, "  ",
                     "Clocks disagree: " + violationText(clocks->before) + ", by up to " +
                         describeDuration(secondsOf(*report.trace, clocks->before.largest)) + ".");
        if (!clocks->problem.empty())
            writeWrapped(out, "  ", clocks->problem);
        else
            writeWrapped(out, "  ",
                         std::string(report.corrected ? "They were put right" : "Put right") +
                             " by the controlled logical clock, which moves events by up to " +
                             describeDuration(secondsOf(*report.trace, clocks->largestShift)) +
                             ", what is left: " + violationText(clocks->after) + "." +
                             (report.corrected ? "" : " Times here are as recorded (--corrected puts them right)."));
    }
    if (report.corrected)
        writeWrapped(out, "  ", correctionText(*report.corrected));
    out << '\n';
}

void writeRaces(std::ostream &out, const Report &report) {
    if (!report.races)
        return;
    const RaceReport &races = *report.races;
    out << "Races\n";
    if (races.count == 0) {
        writeWrapped(out, "  ",
                     races.examined == 0 ? "No call takes messages from any source, or waits for one of several."
                                         : "None of " + plural(races.examined, "call") + " could have taken another message.");
    } else {
        std::string text = "Of " + plural(races.examined, "call") + " that take what comes first, " + describeCount(races.count) +
                           " could have taken another message";
        if (races.changed != 0)
            text += "; of " + describeCount(races.changed) + " another one would have come first without the recorder";
        writeWrapped(out, "  ", text + ".");
        for (std::size_t i = 0; i < std::min(mostRacesShown, races.races.size()); ++i)
            writeRace(out, *report.trace, races.races[i]);
        if (races.races.size() > mostRacesShown)
            out << "  … and " << describeCount(races.count - mostRacesShown) << " more (--json)\n";
    }
    if (!races.note.empty())
        writeWrapped(out, "  ", races.note);
    out << '\n';
}

void addTimeSections(Json &document, const Report &report) {
    const Trace &trace = *report.trace;
    if (const ClockReport *clocks = clocksOf(report); clocks != nullptr)
        document["clocks"] = clocksJson(trace, *clocks);
    if (report.corrected) {
        const CorrectionReport &correction = *report.corrected;
        Json section{{"recorded_s", correction.recordedSeconds}, {"corrected_s", correction.correctedSeconds}};
        if (correction.problem.empty()) {
            section["recorder_s"] = correction.recorder;
            section["calls"] = correction.calls;
            section["messages_waited_for"] = correction.waited;
        } else {
            section["problem"] = correction.problem;
        }
        document["corrected"] = std::move(section);
    }
    if (report.races)
        document["races"] = racesJson(trace, *report.races);
}

} // namespace laggard
