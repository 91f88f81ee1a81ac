// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommonCourse.h"

#include <algorithm>
#include <span>
#include <vector>

namespace laggard {
namespace {

constexpr std::size_t mostRanks = 1024;           ///< each costs its calls
constexpr std::size_t fewestAlike = 2;            ///< others that went the same way: one other may as well be the odd one
constexpr std::size_t shortestCourse = 12;        ///< assumed: equal calls before the parting; ranks with other parts part sooner
constexpr std::uint64_t mostCourseRows = 4000000; ///< for all ranks together
constexpr std::uint64_t mostCompared = 400000000; ///< assumed: of these by all ranks that are asked about

/// The outermost MPI calls of a rank's main thread up to a moment, in order: rows of its track.
std::vector<std::uint32_t> rowsOf(const JobView &job, Rank rank) {
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
    std::vector<CallPathId> paths; ///< of the calls, in order
    std::vector<CallPathId> kinds; ///< the same, sorted, each once
    CallPathId awaited = none;     ///< the call that began what the rank waits for
    [[nodiscard]] bool makes(CallPathId path) const { return std::ranges::binary_search(kinds, path); }
};

Course courseOf(const JobView &job, const std::vector<Wait> &waits, Rank rank) {
    Course course{.rank = rank, .rows = rowsOf(job, rank), .paths = {}, .kinds = {}};
    const auto wait = std::ranges::find_if(waits, [rank](const Wait &each) {
        return each.kind == Wait::Kind::PointToPoint && !each.isSend && each.startedBy != none && each.waiters.front() == rank;
    });
    for (const std::uint32_t row : course.rows)
        course.paths.push_back(job.trace.mainEvents(rank)->track.callPath[row]);
    // What it began once before, and came back from, is a habit: then the partner is as likely to be wrong.
    if (wait != waits.end() && std::ranges::count(course.paths, wait->startedBy) == 1)
        course.awaited = wait->startedBy;
    course.kinds = course.paths;
    std::ranges::sort(course.kinds);
    course.kinds.erase(std::unique(course.kinds.begin(), course.kinds.end()), course.kinds.end());
    return course;
}

/// Where two ranks part, each by its own count of calls.
struct Divergence {
    bool isOne = false;     ///< otherwise one has come to the end of its calls
    bool isOwnPart = false; ///< it is a part of its own, of which what it waits for is left
    std::size_t own = 0;
    std::size_t other = 0;
    std::size_t together = 0; ///< calls that both made until then
};

/// Position behind calls from `at` on that `other` never makes: a part of its own, files that one rank alone writes, say.
std::size_t behindDetour(const Course &course, std::size_t at, const Course &other) {
    while (at < course.paths.size() && !other.makes(course.paths[at]))
        ++at;
    return at;
}

std::uint32_t timesBefore(const Course &course, CallPathId path, std::size_t before) {
    return static_cast<std::uint32_t>(
        std::count(course.paths.begin(), course.paths.begin() + static_cast<std::ptrdiff_t>(before), path));
}

/// How far two ranks made the same calls. Who makes calls of its own in between, and then goes on where the other one does, has
/// left nothing out, and has not parted; with `partsCount` it has if it waits for what one of them began.
Divergence divergenceOf(const Course &own, const Course &other, bool partsCount = false) {
    Divergence found;
    while (found.own < own.paths.size() && found.other < other.paths.size()) {
        if (own.paths[found.own] == other.paths[found.other]) {
            ++found.own, ++found.other, ++found.together;
            continue;
        }
        const std::size_t ownNext = behindDetour(own, found.own, other);
        if (partsCount) {
            const auto detour = std::span(own.paths).subspan(found.own, ownNext - found.own);
            if (const auto begun = std::ranges::find(detour, own.awaited); begun != detour.end()) {
                found.own += static_cast<std::size_t>(begun - detour.begin());
                found.isOne = found.isOwnPart = true;
                return found;
            }
        }
        const std::size_t otherNext = behindDetour(other, found.other, own);
        if (ownNext == own.paths.size() && ownNext != found.own && timesBefore(own, own.paths[found.own], found.own) != 0)
            return found; // it has come back from there before, and may again
        if (ownNext < own.paths.size() && own.paths[ownNext] == other.paths[found.other])
            found.own = ownNext;
        else if (otherNext == other.paths.size()) // it may come back
            return found;
        else if (own.paths[found.own] == other.paths[otherNext])
            found.other = otherNext;
        else {
            found.isOne = true;
            return found;
        }
    }
    return found;
}

/// Calls of the whole job: where they are too many, nothing is compared.
bool isTooMuch(const JobView &job, std::size_t asked) {
    std::uint64_t rows = 0;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (const LocationEvents *events = job.trace.mainEvents(rank); events != nullptr)
            rows += events->track.size();
    return rows > mostCourseRows || rows * asked > mostCompared;
}

/// True if some of the rank's earlier calls are not there: then places in the row of calls say nothing.
bool isCut(const Trace &trace, Rank rank) { return trace.processes[rank].eventsFrom != 0 || trace.isDamaged(rank); }

/// Where `own` left the course of the others that went with it for long, and not to its end. With `partsCount`: where it began a
/// part of its own, if nobody else did.
std::optional<CourseLeft> courseLeftBy(const Course &own, const std::vector<Course> &courses, bool partsCount) {
    std::vector<const Course *> left;
    std::size_t with = 0;
    Divergence parting; // the latest
    const Course *there = nullptr;
    for (const Course &other : courses) {
        if (other.rank == own.rank)
            continue;
        const Divergence one = divergenceOf(own, other, partsCount);
        if (!one.isOne || one.isOwnPart != partsCount) {
            ++with;
        } else if (one.together >= shortestCourse) {
            left.push_back(&other);
            if (there == nullptr || one.own > parting.own) {
                parting = one;
                there = &other;
            }
        }
    }
    if (left.size() < fewestAlike || with >= left.size() || (partsCount && with != 0) ||
        !std::ranges::all_of(left, [&](const Course *each) { return !divergenceOf(*left.front(), *each).isOne; }))
        return std::nullopt;
    CourseLeft found;
    found.rank = own.rank;
    found.row = own.rows[parting.own];
    found.isOwnPart = partsCount;
    found.expected = there->paths[parting.other];
    found.times = timesBefore(own, found.expected, parting.own);
    found.alike = left.size();
    const auto n = static_cast<double>(left.size());
    found.confidence = (n + 1) / (n + 2); // the rule of succession: of so many, none went another way
    return found;
}

} // namespace

std::optional<CourseLeft> onlyOneOffCourse(const JobView &job, const std::vector<Wait> &waits, const RankSet &among) {
    if (!job.trace.tellsOpenCalls || job.trace.isSummary || job.trace.isPartial() || job.size() > mostRanks ||
        isTooMuch(job, among.size()))
        return std::nullopt;
    std::vector<Course> courses;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (!isCut(job.trace, rank))
            courses.push_back(courseOf(job, waits, rank));
    std::optional<CourseLeft> only;
    for (const bool partsCount : {false, true}) { // who left the course says more than who has a part of its own
        for (const Course &own : courses) {
            if (!std::ranges::binary_search(among, own.rank) || (partsCount && own.awaited == none))
                continue;
            const std::optional<CourseLeft> found = courseLeftBy(own, courses, partsCount);
            if (found && only)
                return std::nullopt;
            if (found)
                only = found;
        }
        if (only)
            break;
    }
    return only;
}

} // namespace laggard
