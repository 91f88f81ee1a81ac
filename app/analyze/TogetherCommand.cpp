// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/TogetherCommand.h"

#include "analysis/answer/Analyse.h"
#include "app/across/Agreement.h"
#include "app/across/MpiTransport.h"
#include "app/across/Together.h"
#include "trace/Quantity.h"

#include <array>
#include <iomanip>
#include <iostream>
#include <stdexcept>

namespace laggard {
namespace {

/// Thrown where nothing can be begun; the sentence is for process 0 to say.
class CannotShare : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

TogetherAsked askedBy(const AnalyzeOptions &options) {
    return {options.trace, options.summary, options.choosesAll}; // onlyForOne refuses all other choices
}

std::string started(const Launch &launch) {
    return plural(launch.size, "process") + " were started together (" + launch.launcher + ')';
}

/// The library for the MPI that is asked for, or the launcher's MPI, or, where that does not tell, the only one there is.
std::string libraryFor(const AnalyzeOptions &options, const Launch &launch) {
    using Across = AnalyzeOptions::Across;
    std::optional<MpiFlavour> flavour = launch.flavour;
    if (options.across == Across::Mpich)
        flavour = MpiFlavour::Mpich;
    else if (options.across == Across::OpenMpi)
        flavour = MpiFlavour::OpenMpi;
    if (flavour) {
        const std::string library = acrossLibrary(*flavour);
        if (library.empty())
            throw CannotShare(started(launch) + ", and liblaggard-across-" + name(*flavour) +
                              ".so, by which they would share the work, is not installed: start one process");
        return library;
    }
    std::string found;
    for (const MpiFlavour each : {MpiFlavour::Mpich, MpiFlavour::OpenMpi})
        if (const std::string library = acrossLibrary(each); !library.empty()) {
            if (!found.empty())
                throw CannotShare(started(launch) + ", and the launcher does not say for which MPI: --across mpich or --across "
                                                    "openmpi says it");
            found = library;
        }
    if (found.empty())
        throw CannotShare(started(launch) +
                          ", and there is no library of an MPI by which they would share the work: start one process");
    return found;
}

void checkAsked(const AnalyzeOptions &options, const Launch &launch) {
    if (const std::string what = onlyForOne(options); !what.empty())
        throw CannotShare(what + " is done by one process, and " + started(launch) +
                          ": start it without mpiexec, or with --across no");
}

void sayCounts(const std::vector<ShareCounts> &counts) {
    std::cerr << "process     parts       events  event bytes     messages   bytes sent  of them content    peak MB\n";
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const ShareCounts &each = counts[i];
        std::cerr << std::setw(7) << i << std::setw(10) << each.parts << std::setw(13) << each.events << std::setw(13)
                  << each.eventBytes << std::setw(13) << each.sent.messages << std::setw(13) << each.sent.bytes << std::setw(17)
                  << each.contentBytes << std::setw(11) << each.peakBytes / 1'000'000 << '\n';
    }
}

ReportPtr reportOn(const TogetherMade &made, const AnalyzeOptions &options, const Work &work) {
    if (options.shareCounts)
        sayCounts(made.counts);
    AnalysisOptions analyses = options.analyses;
    analyses.choice = AnalysisChoice::progressOnly();
    return analyse(made.dump, analyses, work);
}

} // namespace

std::string onlyForOne(const AnalyzeOptions &options) {
    const AnalysisChoice &choice = options.analyses.choice;
    const std::array refused{
        std::pair(options.isConversion(), "--to-otf2 or --to-model"),
        std::pair(!options.train.empty(), "--train"),
        std::pair(options.follow, "--follow"),
        std::pair(!options.model.empty(), "--model"),
        std::pair(!options.references.empty(), "--reference"),
        std::pair(!options.diverges.empty(), "--diverges"),
        std::pair(options.corrected, "--corrected"),
        std::pair(options.keepSymbols, "--keep-symbols"),
        std::pair(options.atSeconds.has_value(), "--at"),
        std::pair(options.part.ranks.has_value(), "--ranks"),
        std::pair(options.part.time.has_value(), "--window"),
        std::pair(!options.smm.empty(), "--smm"),
        std::pair(options.slice.steps.has_value(), "--slice"),
        std::pair(!options.choosesAll &&
                      (!choice.progress || choice.semiMarkov() || choice.failStop || choice.outliers || choice.races),
                  "--only with another analysis than progress"),
    };
    for (const auto &[isAsked, what] : refused)
        if (isAsked)
            return what;
    return {};
}

ReportPtr analyseSummary(const AnalyzeOptions &options, const Work &work) {
    if (const std::string what = onlyForOne(options); !what.empty())
        throw std::invalid_argument("--summary: " + what + " does not go with it, as a summary has no events");
    AloneTransport alone;
    try {
        return reportOn(summariseTogether(alone, askedBy(options), work), options, work);
    } catch (const TogetherError &error) {
        if (error.isOfInput())
            throw ReadError(error.what());
        throw std::invalid_argument(error.what());
    }
}

TogetherReport analyseTogether(const AnalyzeOptions &options, const Launch &launch, const Work &work,
                               const std::function<void(const std::string &)> &complain) {
    // The first process says it, and has the status. A launcher that sees another one end with a status ends the job at once, and
    // the sentence is lost.
    const auto failed = [&](const std::string &sentence, int status) {
        if (launch.rank == 0)
            complain(sentence);
        return TogetherReport{nullptr, launch.rank == 0 ? status : exitAnalysed};
    };
    std::optional<MpiTransport> transport;
    try {
        checkAsked(options, launch);
        transport.emplace(libraryFor(options, launch), launch);
    } catch (const CannotShare &error) {
        return failed(error.what(), exitUsage);
    } catch (const TransportError &error) {
        return failed(error.what(), exitUsage);
    }
    const std::string self = "process " + std::to_string(transport->rank()) + " of " + std::to_string(transport->size()) + ": ";
    try {
        const TogetherMade made = summariseTogether(*transport, askedBy(options), work);
        transport->finish();
        return {made.dump == nullptr ? nullptr : reportOn(made, options, work), exitAnalysed};
    } catch (const TogetherError &error) {
        transport->finish();
        return failed(error.what(), error.isOfInput() ? exitUnreadable : exitUsage);
    } catch (const Cancelled &) {
        return failed("interrupted", exitInterrupted); // the others are ended with this one
    } catch (const std::bad_alloc &) {
        complain(self + "not enough memory");
    } catch (const std::exception &error) {
        complain(self + error.what());
    }
    return {nullptr, exitUnreadable};
}

} // namespace laggard
