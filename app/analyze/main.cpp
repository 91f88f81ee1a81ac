// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Options.h"
#include "app/analyze/ProgressLine.h"
#include "app/convert/DumpText.h"
#include "app/convert/Otf2Export.h"
#include "app/convert/TraceDump.h"
#include "app/report/HtmlReport.h"
#include "app/report/Report.h"
#include "app/report/ReportPictures.h"
#include "app/report/SemiMarkovPictures.h"
#include "app/report/TextLines.h"
#include "app/report/WriteFile.h"
#include "ingest/Format.h"
#include "ingest/recording/Recording.h"

#include <QApplication>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <sstream>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace laggard;

namespace {

/// Turns SIGINT and SIGTERM into a request to stop, so that no half-written file is left. A second one kills as usual.
class StopOnSignal {
  public:
    StopOnSignal() {
        sigemptyset(&m_signals);
        sigaddset(&m_signals, SIGINT);
        sigaddset(&m_signals, SIGTERM);
        sigaddset(&m_signals, SIGUSR1); // ends the waiting thread
        pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
        try {
            m_waiter = std::thread([this] { wait(); });
        } catch (const std::system_error &) {
            // Without a thread that waits for them, signals kill as usual.
            pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
        }
    }
    ~StopOnSignal() {
        if (!m_waiter.joinable())
            return;
        pthread_kill(m_waiter.native_handle(), SIGUSR1);
        m_waiter.join();
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr); // for this thread and the programs it starts
    }
    StopOnSignal(const StopOnSignal &) = delete;
    StopOnSignal &operator=(const StopOnSignal &) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

  private:
    void wait() {
        int signal = 0;
        sigwait(&m_signals, &signal);
        if (signal != SIGUSR1)
            m_stop.request_stop();
        sigset_t again = m_signals;
        sigdelset(&again, SIGUSR1);
        pthread_sigmask(SIG_UNBLOCK, &again, nullptr);
    }

    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_stop;
    std::thread m_waiter;
};

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
    const auto warn = [](const std::string &what) { std::cerr << "laggard-analyze: " << what << '\n'; };
    if (trace.hasDataLoss())
        warn("what could not be read of the trace is not in the archive");
    std::uint64_t unshown = 0;
    for (const auto &[kind, count] : trace.unshown)
        unshown += count;
    if (unshown != 0)
        warn(std::to_string(unshown) + " events of kinds that Laggard does not keep are not in the archive");
    if (std::any_of(trace.processes.begin(), trace.processes.end(), [](const Process &p) { return !p.model.empty(); }))
        warn("the recording does not have all events; the archive has those that are there");
    if (leftovers.messages + leftovers.collectives != 0)
        warn(std::to_string(leftovers.messages + leftovers.collectives) +
             " messages and collectives are not in the archive: whom they concern is not known");
    std::cout << folder << ": OTF2, written\n";
}

void convertToModel(const TracePtr &trace, const AnalyzeOptions &options, ProgressLine &line, const Work &work) {
    const std::string &file = options.toModel;
    const ModelDump dump = summarise(trace, options.analyses.semiMarkov.phase, work);
    const std::string text = dumpText(dump);
    throwIfCancelled(work);
    writeFile(file, text);
    line.clear();
    if (!dump.phaseModels->note.empty())
        std::cerr << "laggard-analyze: " << dump.phaseModels->note << '\n';
    std::cout << file << ": model dump, written\n";
}

void keepRecordingSymbols(const std::string &path, const Work &work) {
    if (recording::find(path).empty())
        throw std::invalid_argument("--keep-symbols is for recordings, and \"" + path + "\" is none");
    try {
        recording::keepSymbols(path, work);
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
    std::cerr << "laggard-analyze: a model dump has no events, so that "
              << (phases ? "without models by phase, phases, clusters and transitions" : "")
              << (phases && suspects ? ", and " : "") << (suspects ? "suspects" : "") << " cannot be told from it"
              << (leavesNothing ? "; this is its progress\n" : "\n");
}

/// The report, unless the trace was only to be converted.
ReportPtr readAndAnalyse(const AnalyzeOptions &options, std::stop_token stop) {
    ProgressLine line;
    const Work work{std::move(stop), [&line](const Progress &progress) { line.show(progress); }, options.threads};
    if (options.keepSymbols)
        keepRecordingSymbols(options.trace, work);
    auto [trace, dump] = openInput(options.trace, options.part, work);
    if (dump && options.isConversion())
        throw std::invalid_argument("\"" + options.trace +
                                    "\" is a dump: it has no events that could be written in another form");
    if (!options.toOtf2.empty())
        convertToOtf2(*trace, options.toOtf2, line, work);
    if (!options.toModel.empty())
        convertToModel(trace, options, line, work);
    if (options.isConversion() && !options.wantsReport())
        return nullptr;
    AnalysisOptions analyses = options.analyses;
    for (const std::string &reference : options.references) {
        analyses.references.push_back(openInput(reference, {}, work).trace);
        if (analyses.references.back()->isSummary && analyses.choice.outliers && !dump) {
            line.clear();
            std::cerr << "laggard-analyze: the reference " << reference
                      << " is a model dump, which has no events: suspects are not compared with it\n";
        }
    }
    if (dump) {
        noteWhatADumpCannotTell(analyses.choice, *dump);
        analyses.at = options.atSeconds ? dump->job->tickAt(*options.atSeconds) : openEnd;
        return analyse(std::move(dump), analyses, work);
    }
    const Tick at = options.atSeconds ? trace->tickAt(*options.atSeconds) : openEnd;
    if (options.atSeconds && *options.atSeconds > trace->durationSeconds()) {
        line.clear();
        std::cerr << "laggard-analyze: the trace ends at " << trace->durationSeconds() << " s; showing its end\n";
    }
    analyses.at = at;
    return analyse(std::move(trace), analyses, work);
}

void drawPictures(const AnalyzeOptions &options, const Report &report, int &argc, char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen"); // pictures need fonts, not a display
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
        if (type == QtCriticalMsg || type == QtFatalMsg) // the rest is about desktops that a login node does not have
            std::cerr << "laggard-analyze: " << text.toStdString() << '\n';
    });
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // Qt has set the user's; numbers look alike in all outputs
    if (!options.pdg.empty())
        drawProgressGraph(report, options.pdg, options.pdgFull);
    if (!options.smm.empty())
        drawSemiMarkovModel(report, options.smm);
    if (!options.html.empty()) {
        std::ostringstream page;
        writeHtml(page, report, drawReportPictures(report, {{}, {}, options.threads}));
        writeFile(options.html, page.str());
    }
}

void writeOutputs(const AnalyzeOptions &options, const Report &report, int &argc, char **argv) {
    writeText(options.json == "-" ? std::cerr : std::cout, report);
    if (options.json == "-")
        writeJson(std::cout, report);
    finishStandardOutput();
    if (!options.json.empty() && options.json != "-") {
        std::ostringstream json;
        writeJson(json, report);
        writeFile(options.json, json.str());
    }
    if (!options.pdg.empty() || !options.smm.empty() || !options.html.empty())
        drawPictures(options, report, argc, argv);
}

} // namespace

int main(int argc, char **argv) {
    openClosedStandardStreams();
    const ParsedOptions parsed = parseAnalyzeOptions(argc, argv);
    if (!parsed.options)
        return parsed.status;
    try {
        ReportPtr report;
        {
            const StopOnSignal interruption;
            report = readAndAnalyse(*parsed.options, interruption.token());
        }
        if (report)
            writeOutputs(*parsed.options, *report, argc, argv);
        finishStandardOutput();
        return exitAnalysed;
    } catch (const Cancelled &) {
        std::cerr << "laggard-analyze: interrupted\n";
        return exitInterrupted;
    } catch (const ReadError &error) {
        std::cerr << "laggard-analyze: " << printable(error.what()) << '\n';
        return exitUnreadable;
    } catch (const WriteError &error) {
        std::cerr << "laggard-analyze: " << error.what() << '\n';
        return exitUsage;
    } catch (const std::invalid_argument &mistake) {
        std::cerr << "laggard-analyze: " << mistake.what() << '\n';
        return exitUsage;
    } catch (const std::bad_alloc &) {
        std::cerr << "laggard-analyze: not enough memory to read \"" << parsed.options->trace << "\"\n";
        return exitUnreadable;
    } catch (const std::exception &error) {
        std::cerr << "laggard-analyze: \"" << parsed.options->trace << "\" could not be analysed: " << printable(error.what())
                  << '\n';
        return exitUnreadable;
    }
}
