// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/FollowCommand.h"

#include "analysis/units/UnitFollower.h"
#include "analysis/words/UnitWords.h"
#include "app/report/TextLines.h"
#include "app/report/UnitSections.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "ingest/callmodel/CallModelReader.h"
#include "trace/Phrases.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>

namespace laggard {
namespace {

/// What is read of each thread at each look. A recording that never overwrites would otherwise be read whole, and take memory
/// that grows with it. 32 MiB hold some 300,000 calls (about 100 bytes each), which two seconds seldom bring.
constexpr std::uint64_t newestEventBytes = 32ULL << 20;

/// Where lines go.
class Lines {
  public:
    explicit Lines(const std::string &json) : m_json(json) {
        if (!json.empty() && json != "-") {
            m_file.open(json, std::ios::trunc);
            check(m_file, json);
        }
    }
    void say(const std::string &text) {
        std::ostream &out = m_json == "-" ? std::cerr : std::cout;
        out << printable(text) << '\n';
        check(out.flush(), m_json == "-" ? "standard error" : "standard output");
    }
    void tell(const Trace &trace, const JudgedUnit &unit) {
        const std::string host = trace.hostOf(unit.rank);
        const Process &process = trace.processes[unit.rank];
        say(formatted(unit.score) + "  rank " + std::to_string(unit.rank) +
            (process.pid == 0 ? "" : " (pid " + std::to_string(process.pid) + (host.empty() ? "" : " on " + host) + ")") +
            ", at " + describeDuration(trace.seconds(unit.start)) + ": " + describeKind(trace, unit) + ". " + why(unit));
        if (m_json.empty())
            return;
        nlohmann::ordered_json entry = unitJson(trace, unit);
        entry["pid"] = process.pid;
        entry["host"] = host;
        std::ostream &out = m_json == "-" ? std::cout : m_file;
        out << entry.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        check(out.flush(), m_json == "-" ? "standard output" : m_json);
    }

  private:
    static void check(const std::ostream &out, const std::string &name) {
        if (!out)
            throw WriteError("cannot write to " + name + ": " + std::strerror(errno));
    }
    std::string m_json;
    std::ofstream m_file;
};

/// How much was judged, over all looks.
struct Sum {
    std::uint64_t units = 0;
    std::uint64_t told = 0;
    std::uint64_t unplaced = 0;
};

/// False if the work was asked to stop meanwhile.
bool wait(std::chrono::milliseconds time, const std::stop_token &stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

/// A recording may not have begun: then nothing is opened, and that is said once.
class Opener {
  public:
    explicit Opener(const AnalyzeOptions &options) : m_path(options.trace), m_part(options.part) {
        m_part.newestEventBytes = newestEventBytes;
    }
    TracePtr open(const Work &work) {
        try {
            Opened input = openInput(m_path, m_part, work);
            if (input.dump)
                throw std::invalid_argument("--follow: \"" + m_path + "\" is a dump, which does not grow");
            m_wasOpen = true;
            return input.trace;
        } catch (const ReadError &error) {
            std::error_code ignored;
            if (!m_wasOpen && std::filesystem::is_regular_file(m_path, ignored))
                throw;
            if (m_said != error.what())
                std::cerr << "laggard-analyze: waiting: " + printable(error.what()) + '\n';
            m_said = error.what();
            return nullptr;
        }
    }

  private:
    std::string m_path;
    OpenOptions m_part;
    std::string m_said;
    bool m_wasOpen = false;
};

void tellLook(const UnitFollower::Look &look, const Trace &trace, Lines &lines, Sum &sum) {
    for (const JudgedUnit &unit : look.report.units)
        lines.tell(trace, unit);
    if (look.report.suspicious > look.report.units.size())
        lines.say("and " + describeCount(look.report.suspicious - look.report.units.size()) + " more in this look");
    if (!look.overwritten.empty())
        lines.say(capitalised(describeRankSet(look.overwritten)) +
                  ": events were overwritten, or passed over, before they were looked at; look more often (--follow-interval)");
    sum.units += look.report.judged;
    sum.told += look.report.suspicious;
    sum.unplaced += look.report.unplaced;
}

} // namespace

void follow(const AnalyzeOptions &options, const Work &work) {
    const CallModel model = callmodel::read(options.model);
    UnitFollower follower(model, options.followAtLeast);
    Opener opener(options);
    Lines lines(options.json);
    Sum sum;
    bool hasEnded = false;
    try {
        do {
            if (const TracePtr trace = opener.open(work)) {
                const UnitFollower::Look look = follower.look(*trace, work);
                tellLook(look, *trace, lines, sum);
                hasEnded = look.hasEnded;
            }
        } while (!hasEnded && wait(options.followInterval, work.stop));
    } catch (const Cancelled &) { // that is how following ends while the processes go on
    }
    lines.say(plural(sum.units, "execution unit") + " judged, " + describeCount(sum.told) + " told" +
              (sum.unplaced == 0
                   ? ""
                   : ", " + describeCount(sum.unplaced) + " not judged, as how their connections were set up is not there") +
              (hasEnded ? "; all processes have ended." : "; the processes go on."));
}

} // namespace laggard
