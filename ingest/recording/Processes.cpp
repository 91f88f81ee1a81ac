// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Processes.h"

#include "ingest/recording/LiveProcess.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

namespace laggard::recording {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t second = 1'000'000'000;
constexpr std::uint64_t day = 86'400 * second;
constexpr std::int32_t mostRanks = 1 << 20; ///< a larger world is damage

std::uint64_t toNanoseconds(std::uint64_t ticks, std::uint64_t ticksPerSecond) {
    const auto product = static_cast<unsigned __int128>(ticks) * second / ticksPerSecond;
    return product > openEnd - 1 ? openEnd - 1 : static_cast<std::uint64_t>(product);
}

/// When ticks 0 of the process's clock was, in nanoseconds since 1970; may be negative.
std::int64_t zeroOf(const FileHeader &header) {
    return static_cast<std::int64_t>(header.startUtc - toNanoseconds(header.startTicks, header.ticksPerSecond));
}

std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
}

/// One machine's clock, as its processes have measured it.
struct HostClock {
    std::vector<std::int64_t> zeros; ///< sorted
    std::vector<std::int64_t> utc;   ///< starts by the date; sorted
    std::vector<std::int64_t> ticks; ///< starts by the clock that never steps, in nanoseconds; sorted

    static std::int64_t median(const std::vector<std::int64_t> &sorted) { return sorted[sorted.size() / 2]; }

    /// The date was set between the start of this process and that of the others. One that is on another machine of the same name
    /// began when they did by the date, and any time by that machine's clock.
    [[nodiscard]] bool isSetFor(const FileHeader &header, std::int64_t ownTicks) const {
        return distance(ownTicks, median(ticks)) < distance(static_cast<std::int64_t>(header.startUtc), median(utc));
    }
};

/// All processes of a host share its clock; what each has measured of it differs a little, or by as much as the date was set
/// meanwhile. One that is far off the others and did not begin when they did is on another machine of the same name.
std::vector<std::int64_t> zeros(JobFiles &job) {
    std::map<std::pair<std::string, std::uint64_t>, HostClock> byHost;
    const auto hostOf = [](const FileHeader &h) { return std::pair(std::string(h.host), h.ticksPerSecond); };
    const auto ticksOf = [](const FileHeader &h) {
        return static_cast<std::int64_t>(toNanoseconds(h.startTicks, h.ticksPerSecond));
    };
    for (const JobFiles::File &file : job.files) {
        HostClock &host = byHost[hostOf(file.header)];
        host.zeros.push_back(zeroOf(file.header));
        host.utc.push_back(static_cast<std::int64_t>(file.header.startUtc));
        host.ticks.push_back(ticksOf(file.header));
    }
    for (auto &[name, host] : byHost)
        for (std::vector<std::int64_t> *all : {&host.zeros, &host.utc, &host.ticks})
            std::ranges::sort(*all);
    std::vector<std::int64_t> result;
    std::map<std::string, std::uint64_t> wasSet; // by host: nanoseconds at most
    for (const JobFiles::File &file : job.files) {
        const HostClock &host = byHost[hostOf(file.header)];
        const std::int64_t common = HostClock::median(host.zeros);
        const std::int64_t own = zeroOf(file.header);
        const std::uint64_t apart = distance(own, common);
        const bool isSet = apart > second && host.isSetFor(file.header, ticksOf(file.header));
        if (isSet)
            wasSet[file.header.host] = std::max(wasSet[file.header.host], apart);
        result.push_back(apart > second && !isSet ? own : common);
    }
    for (const auto &[host, apart] : wasSet)
        job.warnings.push_back({WarningId::DateSet,
                                Warning::Severity::Note,
                                std::nullopt,
                                job.folder,
                                "The date of " + host + " was set by " + describeDuration(static_cast<double>(apart) * 1e-9) +
                                    " while the job began: times are those of the clock that does not step.",
                                {{"host", host}}});
    return result;
}

/// Where the recorder has measured how far ahead the clock of rank 0's machine was, times go by that clock. `zero` is what the
/// dates say. Rank 0's stays, and that of all others that were measured becomes the same.
std::vector<ClockOffsets> measuredOffsets(const JobFiles &job, std::vector<std::int64_t> &zero) {
    std::vector<ClockOffsets> offsets(job.files.size());
    std::optional<std::int64_t> common;
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        const FileHeader &header = job.files[i].header;
        std::vector<ClockOffsets::Measured> measured;
        for (const FileDefinitions::Offset &each : job.files[i].clockOffsets)
            if (header.ticksPerSecond == second) // the recorder's clock; no other one was measured
                measured.push_back({each.time, each.offset, each.roundTrip});
        offsets[i] = ClockOffsets(std::move(measured));
        if (header.rank == 0 && header.ticksPerSecond == second)
            common = zero[i];
    }
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        if (offsets[i].empty())
            continue;
        const std::uint64_t start = job.files[i].header.startTicks;
        if (!common) // rank 0 has left nothing: the first of the others says when that was
            common = zero[i] + static_cast<std::int64_t>(start) - static_cast<std::int64_t>(offsets[i](start));
        zero[i] = *common;
    }
    return offsets;
}

void setClocks(JobFiles &job) {
    std::vector<std::int64_t> zero = zeros(job);
    std::vector<ClockOffsets> offsets = measuredOffsets(job, zero);
    const auto startOf = [&](std::size_t i) { return offsets[i](job.files[i].header.startTicks); };
    std::vector<std::uint64_t> starts; // nanoseconds since 1970
    for (std::size_t i = 0; i < job.files.size(); ++i)
        starts.push_back(static_cast<std::uint64_t>(zero[i]) + toNanoseconds(startOf(i), job.files[i].header.ticksPerSecond));
    job.startUtc = *std::min_element(starts.begin(), starts.end());
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        const FileHeader &header = job.files[i].header;
        ClockMap &clock = job.files[i].clock;
        clock = {startOf(i), std::min(starts[i] - job.startUtc, openEnd / 2), header.ticksPerSecond, openEnd - 1, {}};
        clock.offsets = std::move(offsets[i]);
        const Tick lastSign = std::max(clock(header.aliveTicks), clock(header.endTicks));
        job.lastSign = std::max(job.lastSign, lastSign);
        clock.latest = std::min(lastSign, openEnd - 1 - day) + day;
    }
}

/// The rank that a file claims; -1 if none.
std::int64_t claimedRank(const FileHeader &header) { return header.rank >= 0 ? header.rank : header.environmentRank; }

/// Files with one name of a job.
struct JobPart {
    std::set<std::string> names;
    std::set<std::string> hosts;
    std::set<std::int64_t> ranks;
    std::uint64_t start = 0; ///< start of its latest process, nanoseconds since 1970
    std::int32_t worldSize = -1;
};

template <typename T> bool areDisjoint(const std::set<T> &a, const std::set<T> &b) {
    return std::none_of(a.begin(), a.end(), [&](const T &element) { return b.contains(element); });
}

/// Without a batch system, each host has a name of its own for the job: parts belong together if they have other hosts and other
/// ranks of as many, and began at about the same time.
bool isSameJob(const JobPart &a, const JobPart &b) {
    constexpr std::uint64_t together = 60 * second;
    return areDisjoint(a.hosts, b.hosts) && areDisjoint(a.ranks, b.ranks) &&
           (a.worldSize == b.worldSize || a.worldSize < 0 || b.worldSize < 0) &&
           std::max(a.start, b.start) - std::min(a.start, b.start) < together;
}

/// The jobs that the files with ranks are of, by their start.
std::vector<JobPart> jobsOf(const std::vector<JobFiles::File> &files) {
    std::map<std::string, JobPart> parts;
    for (const JobFiles::File &file : files) {
        if (claimedRank(file.header) < 0)
            continue;
        JobPart &part = parts[file.header.jobId];
        part.names.insert(file.header.jobId);
        part.hosts.insert(file.header.host);
        part.ranks.insert(claimedRank(file.header));
        part.start = std::max(part.start, file.header.startUtc);
        part.worldSize = std::max(part.worldSize, file.header.worldSize);
    }
    std::vector<JobPart> sorted;
    for (auto &[name, part] : parts)
        sorted.push_back(std::move(part));
    std::stable_sort(sorted.begin(), sorted.end(), [](const JobPart &a, const JobPart &b) {
        return std::pair(a.start, a.ranks.size()) < std::pair(b.start, b.ranks.size());
    });
    std::vector<JobPart> jobs;
    for (JobPart &part : sorted) {
        const auto other = std::find_if(jobs.rbegin(), jobs.rend(), [&](const JobPart &job) { return isSameJob(job, part); });
        if (other == jobs.rend()) {
            jobs.push_back(std::move(part));
            continue;
        }
        other->names.merge(part.names);
        other->hosts.merge(part.hosts);
        other->ranks.merge(part.ranks);
        other->start = part.start;
        other->worldSize = std::max(other->worldSize, part.worldSize);
    }
    return jobs;
}

/// A folder may hold several jobs: keeps the one that the named file belongs to; if a folder is named, the one that began last.
void chooseJob(JobFiles &job, const std::string &path) {
    const std::vector<JobPart> jobs = jobsOf(job.files);
    if (jobs.size() < 2)
        return;
    const auto file = std::find_if(job.files.begin(), job.files.end(), [&](const auto &f) { return f.path == path; });
    auto chosen =
        std::max_element(jobs.begin(), jobs.end(), [](const JobPart &a, const JobPart &b) { return a.start < b.start; });
    std::set<std::string> names = chosen->names;
    if (file != job.files.end()) {
        names = {file->header.jobId};
        for (const JobPart &part : jobs)
            if (part.names.contains(file->header.jobId))
                names = part.names;
    }
    const std::string &name = *names.begin();
    job.warnings.push_back({WarningId::SeveralJobs,
                            Warning::Severity::Note,
                            std::nullopt,
                            job.folder,
                            "The folder has recordings of " + plural(jobs.size(), "job") + "; shown is " +
                                (file != job.files.end() ? "the one of the file that was named" : "the one that began last") +
                                (name.empty() ? "." : " (" + name + ")."),
                            {{"jobs", jobs.size()}}});
    std::erase_if(job.files, [&](const JobFiles::File &other) { return !names.contains(other.header.jobId); });
}

/// Where one rank has two files (the program that became the rank's, or one that it has started, was recorded as well): the one
/// that ran MPI, then the later.
bool isBetter(const JobFiles::File &a, const JobFiles::File &b) {
    return std::tuple(a.header.rank >= 0, a.header.startUtc, b.path) > std::tuple(b.header.rank >= 0, b.header.startUtc, a.path);
}

bool isAlone(const FileHeader &header) { return header.rank == 0 && header.worldSize == 1; }

void assignRanks(JobFiles &job) {
    const bool isMpi = std::any_of(job.files.begin(), job.files.end(), [](const auto &f) { return claimedRank(f.header) >= 0; });
    std::map<std::int64_t, std::size_t> byRank;
    std::vector<bool> isLeftOut(job.files.size(), false);
    if (!isMpi) {
        std::stable_sort(job.files.begin(), job.files.end(), [](const auto &a, const auto &b) {
            return std::pair(a.clock.toTick, a.path) < std::pair(b.clock.toTick, b.path);
        });
        for (std::size_t i = 0; i < job.files.size(); ++i)
            job.files[i].rank = static_cast<Rank>(i);
        job.processCount = job.files.size();
        return;
    }
    std::size_t strangers = 0;
    std::size_t alone = 0; // besides the one that is shown
    for (std::size_t i = 0; i < job.files.size(); ++i) {
        const std::int64_t rank = claimedRank(job.files[i].header);
        if (rank < 0 || rank >= mostRanks) {
            isLeftOut[i] = true;
            ++strangers;
            continue;
        }
        const auto [entry, isNew] = byRank.try_emplace(rank, i);
        if (isNew)
            continue;
        const bool replaces = isBetter(job.files[i], job.files[entry->second]);
        const std::size_t loser = replaces ? std::exchange(entry->second, i) : i;
        isLeftOut[loser] = true;
        if (isAlone(job.files[loser].header) && isAlone(job.files[entry->second].header)) {
            ++alone;
            continue;
        }
        job.warnings.push_back({WarningId::SeveralRecordings,
                                Warning::Severity::Note,
                                std::nullopt,
                                job.files[loser].path,
                                "Rank " + std::to_string(rank) + " has several recordings; of these, only \"" +
                                    fs::path(job.files[entry->second].path).filename().string() + "\" is shown.",
                                {{"rank", static_cast<std::uint64_t>(rank)}}});
    }
    if (alone != 0 && isAlone(job.files[byRank.at(0)].header))
        job.warnings.push_back(
            {WarningId::SeveralRecordings,
             Warning::Severity::Note,
             std::nullopt,
             job.folder,
             describeCount(alone + 1) +
                 " processes of this job were each the only rank of MPI_COMM_WORLD, as happens "
                 "where mpiexec is of another MPI library than the program, or where the program was run several times; only \"" +
                 fs::path(job.files[byRank.at(0)].path).filename().string() + "\" is shown.",
             {{"processes", alone + 1}}});
    if (strangers != 0)
        job.warnings.push_back(
            {WarningId::WithoutRank,
             Warning::Severity::Note,
             std::nullopt,
             job.folder,
             plural(strangers, "recording") + (strangers == 1 ? " is of a process without a rank; it is not shown."
                                                              : " are of processes without a rank; they are not shown."),
             {{"recordings", strangers}}});
    std::vector<JobFiles::File> kept;
    std::int32_t worldSize = 0;
    for (const auto &[rank, file] : byRank) {
        job.files[file].rank = static_cast<Rank>(rank);
        worldSize = std::max(worldSize, job.files[file].header.worldSize);
        kept.push_back(std::move(job.files[file]));
    }
    job.files = std::move(kept);
    if (job.files.empty())
        return;
    const std::size_t named = job.files.back().rank + std::size_t{1};
    job.processCount =
        worldSize <= mostRanks ? std::max<std::size_t>(static_cast<std::size_t>(std::max(worldSize, 0)), named) : named;
    std::size_t next = 0;
    for (Rank rank = 0; rank < job.processCount; ++rank)
        if (next < job.files.size() && job.files[next].rank == rank)
            ++next;
        else
            job.missing.push_back(rank);
    if (!job.missing.empty())
        job.warnings.push_back({WarningId::MissingRecordings,
                                Warning::Severity::DataLoss,
                                std::nullopt,
                                job.folder,
                                "The job has " + plural(job.processCount, "rank") + "; there is no recording of " +
                                    (job.missing.size() == 1 ? "rank " : "ranks ") + describeRanges(job.missing) + ".",
                                {{"ranks", formatRanges(job.missing)}}});
}

} // namespace

std::vector<std::string> recordingFilesAt(const std::string &path) {
    std::error_code error;
    const fs::path folder = fs::is_directory(path, error) ? fs::path(path) : fs::path(path).parent_path();
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder.empty() ? fs::path(".") : folder, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == fileSuffix)
            files.push_back(entry->path().string());
    std::sort(files.begin(), files.end());
    return files;
}

JobFiles surveyJob(const std::string &path, const Work &work) {
    JobFiles job;
    std::error_code error;
    job.folder = fs::is_directory(path, error) ? path : fs::path(path).parent_path().string();
    std::vector<std::string> paths = recordingFilesAt(path);
    if (paths.empty())
        paths.push_back(path);
    std::vector<std::optional<JobFiles::File>> found(paths.size());
    std::vector<std::string> complaints(paths.size());
    forEachParallel(paths.size(), work, [&](std::size_t i, unsigned) {
        try {
            const RecordingFile file(paths[i], RecordingFile::Depth::Definitions);
            found[i] = JobFiles::File{paths[i], file.header(), file.definitions().communicators, file.eventBytes(), none, {}};
            found[i]->windows = file.definitions().windows;
            found[i]->clockOffsets = file.definitions().clockOffsets;
            found[i]->commandLine = file.definitions().commandLine;
        } catch (const ReadError &failure) {
            complaints[i] = failure.what();
        }
    });
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (found[i])
            job.files.push_back(std::move(*found[i]));
        else
            job.warnings.push_back(
                {WarningId::UnreadableRecording, Warning::Severity::DataLoss, std::nullopt, paths[i], complaints[i]});
    }
    if (job.files.empty())
        throw ReadError(complaints.front());
    chooseJob(job, path);
    setClocks(job);
    assignRanks(job);
    if (job.files.empty())
        throw ReadError("The recordings in \"" + job.folder + "\" are of processes without a rank.");
    return job;
}

JoinedCommunicators joinCommunicators(const JobFiles &job, std::vector<Warning> &warnings) {
    JoinedCommunicators joined;
    joined.numberOf.resize(job.files.size());
    std::map<std::uint64_t, CommunicatorId> byKey;
    CommunicatorId self = none;
    std::size_t contradictions = 0;
    const auto expand = [&](const FileDefinitions::Communicator &definition, std::vector<Rank> &members) {
        for (const FileDefinitions::Run &run : definition.members)
            for (std::uint64_t rank = run.first; rank < std::uint64_t{run.first} + run.length && rank < job.processCount; ++rank)
                members.push_back(static_cast<Rank>(rank));
    };
    for (std::size_t f = 0; f < job.files.size(); ++f) {
        for (const FileDefinitions::Communicator &definition : job.files[f].communicators) {
            CommunicatorId &number = joined.numberOf[f].emplace_back(none);
            if (!definition.isDefined)
                continue;
            const bool isSelfLike = (definition.flags & isSelf) != 0;
            if (isSelfLike && self != none) {
                number = self;
                continue;
            }
            const auto [entry, isNew] = byKey.try_emplace(definition.key, static_cast<CommunicatorId>(joined.all.size()));
            number = entry->second;
            if (isNew || isSelfLike) {
                number = static_cast<CommunicatorId>(joined.all.size());
                Communicator communicator;
                communicator.isSelf = isSelfLike;
                if (!isSelfLike)
                    expand(definition, communicator.members.edit());
                joined.all.push_back(std::move(communicator));
                joined.keys.push_back(isSelfLike ? 0 : definition.key);
            }
            Communicator &communicator = joined.all[number];
            if (!definition.name.empty())
                communicator.name = definition.name;
            if (definition.parent < joined.numberOf[f].size() - 1 && communicator.parent == none &&
                joined.numberOf[f][definition.parent] < number)
                communicator.parent = joined.numberOf[f][definition.parent];
            if (isSelfLike) {
                self = number;
            } else if ((definition.flags & isWorld) != 0) {
                joined.world = number;
            } else if ((definition.flags & isIntercommunicator) != 0) {
                communicator.isIntercommunicator = true;
                // Each side names the other: together they are all.
                std::vector<Rank> &members = communicator.members.edit();
                expand(definition, members);
                std::sort(members.begin(), members.end());
                members.erase(std::unique(members.begin(), members.end()), members.end());
            }
            if (!isNew && !isSelfLike && (definition.flags & (isWorld | isIntercommunicator)) == 0 &&
                definition.size != communicator.members.size()) {
                ++contradictions;
                if (definition.known > communicator.members.size()) {
                    communicator.members = {};
                    expand(definition, communicator.members.edit());
                }
            }
        }
    }
    if (joined.world != none) {
        Communicator &world = joined.all[joined.world];
        world.name = world.name.empty() ? "MPI_COMM_WORLD" : world.name;
        std::vector<Rank> all(job.processCount);
        std::iota(all.begin(), all.end(), Rank{0});
        world.members = std::move(all);
    }
    if (contradictions != 0)
        warnings.push_back({WarningId::ContradictingMembers,
                            Warning::Severity::Note,
                            std::nullopt,
                            job.folder,
                            plural(contradictions, "communicator") + (contradictions == 1 ? " has" : " have") +
                                " other members by one recording than by another; the larger group is shown.",
                            {{"communicators", contradictions}}});
    return joined;
}

void stopTheClock(JobFiles &job) {
    const auto runsHere = [](const JobFiles::File &file) {
        return file.header.endKind == static_cast<std::uint32_t>(EndKind::StillOpen) && file.header.ticksPerSecond == second &&
               isThisHost(file.header) && liveProcess(file.header, file.path).exists;
    };
    const auto running = std::ranges::find_if(job.files, runsHere);
    if (running == job.files.end())
        return;
    const Tick now = running->clock(monotonicNow());
    for (JobFiles::File &file : job.files)
        file.until = now;
    job.lastSign = std::min(job.lastSign, now);
}

ProcessEnd endOf(const JobFiles::File &file) {
    const FileHeader &header = file.header;
    ProcessEnd end;
    end.finalized = header.finalized != 0;
    end.time = std::max(file.clock(header.aliveTicks), file.clock(header.endTicks));
    if (header.endKind == unknownEnd)
        return end;
    switch (static_cast<EndKind>(header.endKind)) {
    case EndKind::Exited:
        end.kind = ProcessEnd::Kind::Exited;
        if (header.exitKind == static_cast<std::uint32_t>(ExitKind::Normal))
            end.exit = ProcessEnd::Exit::Normal;
        else if (header.exitKind == static_cast<std::uint32_t>(ExitKind::AtOnce))
            end.exit = ProcessEnd::Exit::AtOnce;
        break;
    case EndKind::Signalled:
        end.kind = ProcessEnd::Kind::Signalled;
        break;
    case EndKind::Replaced:
        end.kind = ProcessEnd::Kind::Replaced;
        break;
    default: {
        // A process that is stopped or under a debugger gives no sign, but is there; elsewhere the last sign has to do.
        constexpr std::uint64_t recent = 15 * second;
        const auto now = static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
        const std::uint64_t sign =
            header.startUtc +
            toNanoseconds(header.aliveTicks - std::min(header.aliveTicks, header.startTicks), header.ticksPerSecond);
        const bool isHere = isThisHost(header);
        const LiveProcess live = isHere ? liveProcess(header, file.path) : LiveProcess{};
        end.isStopped = live.isStopped;
        end.kind = live.exists || (!isHere && sign + recent > now) ? ProcessEnd::Kind::Running : ProcessEnd::Kind::Killed;
        end.time = std::min(end.time, file.until);
        return end;
    }
    }
    end.value = header.endValue;
    if (header.endTicks != 0)
        end.time = file.clock(header.endTicks);
    return end;
}

} // namespace laggard::recording
