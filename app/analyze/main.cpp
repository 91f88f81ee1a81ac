// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/Correction.h"
#include "app/analyze/AttachedCommand.h"
#include "app/analyze/CallModelCommand.h"
#include "app/analyze/FollowCommand.h"
#include "app/analyze/Options.h"
#include "app/analyze/Pictures.h"
#include "app/analyze/ProgressLine.h"
#include "app/analyze/SliceCommand.h"
#include "app/analyze/StopOnSignal.h"
#include "app/analyze/TogetherCommand.h"
#include "app/convert/DumpText.h"
#include "app/convert/Otf2Export.h"
#include "app/convert/TraceDump.h"
#include "app/report/Report.h"
#include "app/report/TextLines.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "ingest/callmodel/CallModelReader.h"
#include "ingest/recording/Recording.h"
#include "trace/Printable.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace laggard;

namespace {

/// In one write: a launcher's own lines and other processes' sentences come between writes.
void complain(const std::string &what) { std::cerr << "laggard-analyze: " + printable(what) + '\n'; }

/// A file opened later must not become standard output because that was closed.
void openClosedStandardStreams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", O_RDWR)); // takes the lowest free number: this one
}

/// Text that does not reach its reader (the disk is full) must not look like success.
void finishStandardOutput() {
    if (!std::cout.flush())
        throw WriteError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

/// Writes the archive, and says what of the trace is not in it.
void convertToOtf2(const Trace &trace, const std::string &folder, ProgressLine &line, const Work &work) {
    const Otf2Leftovers leftovers = writeOtf2(trace, folder, work);
    line.clear();
    if (trace.hasDataLoss())
        complain("what could not be read of the trace is not in the archive");
    std::uint64_t unshown = 0;
    for (const auto &[kind, count] : trace.unshown)
        unshown += count;
    if (unshown != 0)
        complain(plural(unshown, "event") + " of kinds that Laggard does not keep " + (unshown == 1 ? "is" : "are") +
                 " not in the archive");
    if (std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process &p) { return !p.model.empty(); }))
        complain("the recording does not have all events; the archive has those that are there");
    if (leftovers.messages + leftovers.collectives != 0)
        complain(plural(leftovers.messages, "message") + " and " + plural(leftovers.collectives, "collective") +
                 " are not in the archive: whom they concern is not known");
    std::cout << printable(folder) << ": OTF2, written\n";
}

void convertToModel(const TracePtr &trace, const AnalyzeOptions &options, ProgressLine &line, const Work &work) {
    const std::string &file = options.toModel;
    const ModelDump dump = summarise(trace, options.analyses.semiMarkov.phase, work);
    const std::string text = dumpText(dump);
    throwIfCancelled(work);
    writeFile(file, text);
    line.clear();
    if (!dump.phaseModels->note.empty())
        complain(dump.phaseModels->note);
    std::cout << printable(file) << ": model dump, written\n";
}

void keepRecordingSymbols(const std::string &path, bool askDebugServers, const Work &work) {
    if (recording::find(path).empty())
        throw std::invalid_argument("--keep-symbols is for recordings, and \"" + path + "\" is none");
    try {
        recording::keepSymbols(path, askDebugServers, work);
    } catch (const std::system_error &error) {
        throw WriteError(error.what());
    }
}

/// Says which of the analyses that were chosen cannot be had.
void noteWhatADumpCannotTell(const AnalysisChoice &asked, const ModelDump &dump) {
    const bool choseNone = asked.progress && asked.semiMarkov() && asked.outliers;
    const bool phases = asked.semiMarkov() && !dump.job->phaseModels;
    const bool suspects = asked.failStop || asked.outliers;
    if (choseNone || (!phases && !suspects))
        return;
    const bool leavesNothing = !asked.progress && (phases || !asked.semiMarkov());
    std::string missing = phases ? "without models by phase, phases, clusters and transitions" : "";
    missing += phases && suspects ? ", and " : "";
    missing += suspects ? "suspects" : "";
    complain("a model dump has no events, so that " + missing + " cannot be told from it" +
             (leavesNothing ? "; this is its progress" : ""));
}

/// The report, unless the trace was only to be converted.
ReportPtr readAndAnalyse(const AnalyzeOptions &options, std::stop_token stop) {
    ProgressLine line;
    const Work work{std::move(stop), [&line](const Progress &progress) { line.show(progress); }, options.threads};
    if (options.keepSymbols)
        keepRecordingSymbols(options.trace, options.part.askDebugServers, work);
    if (!options.train.empty()) {
        const std::string learnt = train(options, work);
        line.clear();
        std::cout << printable(learnt) << '\n';
        return nullptr;
    }
    if (options.follow) {
        follow(options, work);
        return nullptr;
    }
    if (options.summary && locateInput(options.trace, work).format->openDump == nullptr)
        return analyseSummary(options, work); // a dump is its summary
    auto [trace, dump] = openInput(options.trace, options.part, work);
    if (dump && options.isConversion())
        throw std::invalid_argument("\"" + options.trace +
                                    "\" is a dump: it has no events that could be written in another form");
    AnalysisOptions analyses = options.analyses;
    if (dump && options.corrected)
        throw std::invalid_argument("--corrected: \"" + options.trace + "\" is a dump, which has no times of events");
    if (dump && analyses.choice.races)
        throw std::invalid_argument("--only races: \"" + options.trace + "\" is a dump, which has no messages over time");
    if (options.corrected) {
        auto [times, report] = corrected(trace, work);
        trace = times;
        analyses.corrected = report;
    }
    if (!options.toOtf2.empty())
        convertToOtf2(*trace, options.toOtf2, line, work);
    if (!options.toModel.empty())
        convertToModel(trace, options, line, work);
    if (options.isConversion() && !options.wantsReport())
        return nullptr;
    if (!options.model.empty())
        analyses.callModel = std::make_shared<const CallModel>(callmodel::read(options.model));
    OpenOptions whole;
    whole.askDebugServers = options.part.askDebugServers;
    for (const std::string &reference : options.references) {
        analyses.references.push_back(openInput(reference, whole, work).trace);
        if (analyses.references.back()->isSummary && analyses.choice.outliers && !dump) {
            line.clear();
            complain("the reference " + reference + " is a model dump, which has no events: suspects are not compared with it");
        }
    }
    if (!options.diverges.empty()) {
        analyses.other = openInput(options.diverges, whole, work).trace;
        if (analyses.other->isSummary)
            throw std::invalid_argument("--diverges: \"" + options.diverges +
                                        "\" is a model dump, which has no calls that could be compared");
    }
    if (dump) {
        noteWhatADumpCannotTell(analyses.choice, *dump);
        analyses.at = options.atSeconds ? dump->job->tickAt(*options.atSeconds) : openEnd;
        return analyse(std::move(dump), analyses, work);
    }
    const Tick at = options.atSeconds ? trace->tickAt(*options.atSeconds) : openEnd;
    if (options.atSeconds && *options.atSeconds > trace->durationSeconds()) {
        line.clear();
        std::ostringstream sentence;
        sentence << "the trace ends at " << trace->durationSeconds() << " s; showing its end";
        complain(sentence.str());
    }
    analyses.at = at;
    return analyse(std::move(trace), analyses, work);
}

/// Several processes that read the same words would all find the same mistake: the first says it.
class QuietUnlessFirst {
  public:
    explicit QuietUnlessFirst(const std::optional<Launch> &launch) : m_isQuiet(launch && launch->rank != 0) {
        if (m_isQuiet) {
            m_output = std::cout.rdbuf(nullptr);
            m_errors = std::cerr.rdbuf(nullptr);
        }
    }
    ~QuietUnlessFirst() { speak(); }
    QuietUnlessFirst(const QuietUnlessFirst &) = delete;
    QuietUnlessFirst &operator=(const QuietUnlessFirst &) = delete;
    void speak() {
        if (!std::exchange(m_isQuiet, false))
            return;
        std::cout.rdbuf(m_output);
        std::cerr.rdbuf(m_errors);
    }

  private:
    bool m_isQuiet;
    std::streambuf *m_output = nullptr;
    std::streambuf *m_errors = nullptr;
};

/// One of several processes that were started together, each on a core of its own: one thread, unless more are asked for.
TogetherReport readAndAnalyseTogether(const AnalyzeOptions &options, const Launch &launch, std::stop_token stop) {
    ProgressLine line;
    Work work{std::move(stop), {}, options.threads == 0 ? 1 : options.threads};
    if (launch.rank == 0)
        work.report = [&line](const Progress &progress) { line.show(progress); };
    return analyseTogether(options, launch, work, [&line](const std::string &sentence) {
        line.clear();
        complain(sentence);
    });
}

void writeOutputs(const AnalyzeOptions &options, const Report &report, const Work &work, int &argc, char **argv) {
    const std::optional<ReportSlice> asked = askedSlice(report, options, work, argc, argv);
    const ReportSlice *slice = asked ? &*asked : nullptr;
    throwIfCancelled(work);
    writeText(options.json == "-" ? std::cerr : std::cout, report, slice);
    if (options.json == "-")
        writeJson(std::cout, report, slice);
    finishStandardOutput();
    if (!options.json.empty() && options.json != "-") {
        std::ostringstream json;
        writeJson(json, report, slice);
        throwIfCancelled(work);
        writeFile(options.json, json.str());
    }
    if (!options.pdg.empty() || !options.smm.empty() || !options.html.empty())
        drawPictures(options, report, slice, work, argc, argv);
}

} // namespace

int main(int argc, char **argv) {
    openClosedStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error that is told
    AttachedCommand attached(argc, argv);
    if (!attached.prepare())
        return exitUnreadable;
    const std::optional<Launch> launch = launchedTogether([](const char *name) { return std::getenv(name); });
    QuietUnlessFirst quiet(launch);
    const ParsedOptions parsed = parseAnalyzeOptions(attached.count(), attached.words());
    quiet.speak();
    if (!parsed.options) // as what is said of it, the status is the first process's: another one's would end the job before
        return launch && launch->rank != 0 ? exitAnalysed : parsed.status;
    try {
        const StopOnSignal interruption(exitInterrupted);
        ReportPtr report;
        if (launch && parsed.options->across != AnalyzeOptions::Across::No) {
            if (attached.isAsked()) {
                if (launch->rank != 0)
                    return exitAnalysed;
                complain("--attach is done by one process: start it without mpiexec, or with --across no");
                return exitUsage;
            }
            TogetherReport together = readAndAnalyseTogether(*parsed.options, *launch, interruption.token());
            if (together.report == nullptr)
                return together.status;
            report = std::move(together.report);
        } else {
            attached.run(interruption.token());
            report = readAndAnalyse(*parsed.options, interruption.token());
        }
        const Work work{interruption.token(), {}, parsed.options->threads};
        if (report)
            writeOutputs(*parsed.options, *report, work, argc, argv);
        finishStandardOutput();
        throwIfCancelled(work);
        return exitAnalysed;
    } catch (const Cancelled &) {
        complain("interrupted");
        return exitInterrupted;
    } catch (const ReadError &error) {
        complain(error.what());
        return exitUnreadable;
    } catch (const WriteError &error) {
        complain(error.what());
        return exitUsage;
    } catch (const std::invalid_argument &mistake) {
        complain(mistake.what());
        return exitUsage;
    } catch (const std::bad_alloc &) {
        complain("not enough memory to read \"" + parsed.options->trace + '"');
        return exitUnreadable;
    } catch (const std::exception &error) {
        complain('"' + parsed.options->trace + "\" could not be analysed: " + error.what());
        return exitUnreadable;
    }
}
