// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/ReplayPlans.h"

#include "app/replay/ExchangePoint.h"
#include "ingest/Format.h"
#include "ingest/recording/DebugInformation.h"
#include "ingest/recording/Recording.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"
#include "trace/recording/ReplayPlan.h"

#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace laggard::replay {
namespace {

namespace plan = recording::replay;

/// A call of a replay may take so many times what the recorded run took in all, and so many seconds more: a machine may be that
/// much slower, and a launcher that late. Only then does a message that does not come count as missing.
constexpr std::uint64_t slower = 4;
constexpr std::uint64_t grace = 30;

std::string inQuotes(const std::string &path) { return '"' + path + '"'; }

/// The build id of the program that was recorded, in bytes; nothing where it is not known.
std::optional<std::string> recordedBinary(const recording::JobFiles::File &file) {
    const recording::RecordingFile recording(file.path, recording::RecordingFile::Depth::Definitions);
    for (const auto &module : recording.definitions().modules)
        if (module.isDefined && !module.buildId.empty() && module.path == recording.header().program)
            return module.buildId;
    return std::nullopt;
}

void checkBinary(const ReplayRequest &request, const recording::JobFiles &job) {
    if (request.program.empty())
        return;
    const int file = ::open(request.program.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return; // whoever starts it says so
    const std::optional<std::string> own = recording::buildIdOf(file);
    ::close(file);
    for (const auto &each : job.files)
        if (const auto recorded = recordedBinary(each); own && !own->empty() && recorded && *recorded != *own)
            throw ReplayError(inQuotes(request.recording) + " is of another binary than " + inQuotes(request.program) +
                              " (their build ids differ): its calls may be others. Record this binary first.");
}

void checkJob(const ReplayRequest &request, const recording::JobFiles &job) {
    const auto cannot = [&](const std::string &why) {
        throw ReplayError(inQuotes(request.recording) + " cannot be replayed: " + why);
    };
    if (job.files.front().header.rank < 0)
        cannot("it is of a program without MPI.");
    if (!job.missing.empty())
        cannot("there is no recording of " + plural(job.missing.size(), "rank") + " of " + std::to_string(job.processCount) +
               ".");
    for (const Warning &warning : job.warnings)
        if (warning.severity == Warning::Severity::DataLoss)
            cannot(warning.message);
    if (request.ranks && *request.ranks != job.processCount)
        throw ReplayError(inQuotes(request.recording) + " is of " + plural(job.processCount, "rank") + ", and this job has " +
                          std::to_string(*request.ranks) + ": it cannot be replayed.");
}

std::vector<RankPath> readPaths(const ReplayRequest &request, const recording::JobFiles &job, const Work &work) {
    std::vector<RankPath> paths(job.files.size());
    forEachParallel(job.files.size(), work, [&](std::size_t i, unsigned) {
        try {
            paths[i] = readPath(job.files[i]);
        } catch (const ReadError &failure) {
            paths[i].problem = failure.what();
        }
    });
    for (std::size_t rank = 0; rank < paths.size(); ++rank)
        if (!paths[rank].problem.empty())
            throw ReplayError(inQuotes(request.recording) + " cannot be replayed: of rank " + std::to_string(rank) + ", " +
                              paths[rank].problem);
    return paths;
}

void addLine(std::string &text, std::initializer_list<std::string> words) {
    const char *separator = "";
    for (const std::string &word : words) {
        text += separator + word;
        separator = " ";
    }
    text += '\n';
}

std::string number(auto value) { return std::to_string(value); }

void addOutcome(std::string &text, const Outcome &outcome) {
    const Asked &asked = outcome.asked;
    const std::string call = number(outcome.call);
    const std::string source = number(asked.source);
    const std::string tag = number(asked.tag);
    const std::string communicator = number(asked.communicator);
    if (asked.isCompletion && outcome.kind == Outcome::Kind::Completion) {
        addLine(text, {"C", call, asked.operation, number(plan::keyOf(asked.awaited))});
        text.pop_back();
        for (const std::uint64_t request : outcome.requests)
            text += ' ' + number(request);
        text += '\n';
    } else if (asked.isCompletion) {
        addLine(text, {"C", call, asked.operation, number(plan::keyOf(asked.awaited))}); // as it comes
    } else if (outcome.kind == Outcome::Kind::Message) {
        addLine(text, {"R", call, asked.operation, source, tag, communicator, number(outcome.source), number(outcome.tag)});
    } else {
        addLine(text, {outcome.kind == Outcome::Kind::Nothing ? "N" : "U", call, asked.operation, source, tag, communicator});
    }
}

std::string planOf(const RankPath &path, std::size_t rank, std::size_t size, const PathEnd &end, std::uint64_t waitSeconds) {
    std::string text = std::string(plan::magic) + '\n';
    addLine(text, {"rank", number(rank), "of", number(size)});
    addLine(text, {"wait", number(waitSeconds)});
    addLine(text, {"calls", number(end.calls)});
    addLine(text, {"ends", end.why});
    for (const Outcome &outcome : path.outcomes)
        addOutcome(text, outcome);
    for (const Misses &misses : path.misses) {
        const Asked &asked = misses.asked;
        if (asked.isCompletion)
            addLine(text, {"T", number(misses.call), asked.operation, number(plan::keyOf(asked.awaited)), number(misses.count)});
        else
            addLine(text, {"P", number(misses.call), asked.operation, number(asked.source), number(asked.tag),
                           number(asked.communicator), number(misses.count)});
    }
    return text;
}

template <typename Number> bool readNumber(std::string_view &text, char end, Number &value) {
    const auto [behind, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return false;
    text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
    if (end == '\0')
        return text.empty();
    if (text.empty() || text.front() != end)
        return false;
    text.remove_prefix(1);
    return true;
}

} // namespace

std::optional<Exchange> readExchange(const std::string &text) {
    Exchange exchange;
    std::string_view rest = text;
    const bool isRight = readNumber(rest, ':', exchange.rank) && readNumber(rest, '=', exchange.call) &&
                         readNumber(rest, ':', exchange.sender) && readNumber(rest, '\0', exchange.sendCall);
    return isRight ? std::optional(exchange) : std::nullopt;
}

std::string toText(const Exchange &exchange) {
    return number(exchange.rank) + ':' + number(exchange.call) + '=' + number(exchange.sender) + ':' + number(exchange.sendCall);
}

std::vector<std::string> makePlans(const ReplayRequest &request, const Work &work) {
    if (recording::find(request.recording).empty())
        throw ReplayError(inQuotes(request.recording) + " is no recording of laggard-record.");
    const recording::JobFiles job = recording::surveyJob(request.recording, work);
    checkJob(request, job);
    checkBinary(request, job);
    std::vector<RankPath> paths = readPaths(request, job, work);
    std::vector<PathEnd> ends;
    for (const RankPath &path : paths)
        ends.push_back({path.calls, "recording"});
    if (request.exchange)
        ends = applyExchange(*request.exchange, *openTrace(request.recording, {}, work), paths, work);
    const std::uint64_t wait = request.waitSeconds.value_or(grace + slower * (job.lastSign / 1'000'000'000 + 1));
    std::vector<std::string> plans;
    for (std::size_t rank = 0; rank < paths.size(); ++rank)
        plans.push_back(planOf(paths[rank], rank, paths.size(), ends[rank], wait));
    return plans;
}

} // namespace laggard::replay
