// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommonCourse.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

constexpr std::size_t mostRanks = 1024;           ///< each costs its calls
constexpr std::size_t fewestAlike = 2;            ///< others that went the same way: one other may as well be the odd one
constexpr std::size_t shortestCourse = 12;        ///< assumed: equal calls before the parting; ranks with other parts part sooner
constexpr std::uint32_t mostCourseRows = 4000000; ///< for all ranks together

/// The outermost MPI calls of a rank's main thread up to a moment, in order: rows of its track.
std::vector<std::uint32_t> courseOf(const JobView &job, Rank rank) {
    std::vector<std::uint32_t> rows;
    const LocationEvents *events = job.trace.mainEvents(rank);
    if (events == nullptr)
        return rows;
    const Track &track = events->track;
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= job.state.at; ++row) {
        const MpiCall &call = job.calls[track.callPath[row]];
        const std::uint32_t parent = track.parent[row];
        if (call.isMpi() && !call.isPoll() && (parent == none || !job.calls[track.callPath[parent]].isMpi()))
            rows.push_back(row);
    }
    return rows;
}

struct Course {
    Rank rank = none;
    std::vector<std::uint32_t> rows;
};

CallPathId pathAt(const JobView &job, const Course &course, std::size_t i) {
    return job.trace.mainEvents(course.rank)->track.callPath[course.rows[i]];
}

/// How many calls two ranks made alike from the beginning.
std::size_t commonLength(const JobView &job, const Course &a, const Course &b) {
    const std::size_t shorter = std::min(a.rows.size(), b.rows.size());
    std::size_t length = 0;
    while (length < shorter && pathAt(job, a, length) == pathAt(job, b, length))
        ++length;
    return length;
}

bool isAlike(const JobView &job, const Course &a, const Course &b) {
    return commonLength(job, a, b) == std::min(a.rows.size(), b.rows.size());
}

/// Calls of the whole job: where they are too many, nothing is compared.
bool isTooMuch(const JobView &job) {
    std::uint64_t rows = 0;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (const LocationEvents *events = job.trace.mainEvents(rank); events != nullptr)
            rows += events->track.size();
    return rows > mostCourseRows;
}

/// True if some of the rank's earlier calls are not there: then places in the row of calls say nothing.
bool isCut(const Trace &trace, Rank rank) { return trace.processes[rank].eventsFrom != 0 || trace.isDamaged(rank); }

std::uint32_t timesBefore(const JobView &job, const Course &course, CallPathId path, std::size_t before) {
    std::uint32_t times = 0;
    for (std::size_t i = 0; i < before; ++i)
        times += pathAt(job, course, i) == path ? 1 : 0;
    return times;
}

} // namespace

std::optional<CourseLeft> onlyOneOffCourse(const JobView &job, const RankSet &among) {
    if (!job.trace.tellsOpenCalls || job.trace.isSummary || job.trace.isPartial() || job.size() > mostRanks || isTooMuch(job))
        return std::nullopt;
    std::vector<Course> courses;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (!isCut(job.trace, rank))
            courses.push_back({rank, courseOf(job, rank)});
    std::optional<CourseLeft> only;
    for (const Course &own : courses) {
        if (!std::ranges::binary_search(among, own.rank))
            continue;
        // The others that went with it for long, and not to its end.
        std::vector<const Course *> left;
        std::size_t with = 0;
        std::size_t parting = 0;
        for (const Course &other : courses) {
            if (other.rank == own.rank)
                continue;
            const std::size_t length = commonLength(job, own, other);
            if (length == std::min(own.rows.size(), other.rows.size()))
                ++with;
            else if (length >= shortestCourse)
                left.push_back(&other), parting = std::max(parting, length);
        }
        if (left.size() < fewestAlike || with >= left.size())
            continue;
        const bool areAlike = std::ranges::all_of(left, [&](const Course *each) { return isAlike(job, *left.front(), *each); });
        const auto there = std::ranges::find_if(left, [&](const Course *each) { return each->rows.size() > parting; });
        if (!areAlike || there == left.end())
            continue;
        if (only)
            return std::nullopt;
        CourseLeft found;
        found.rank = own.rank;
        found.row = own.rows[parting];
        found.expected = pathAt(job, **there, parting);
        found.times = timesBefore(job, own, found.expected, parting);
        found.alike = left.size();
        const auto n = static_cast<double>(left.size());
        found.confidence = (n + 1) / (n + 2); // the rule of succession: of so many, none went another way
        only = found;
    }
    return only;
}

} // namespace laggard
