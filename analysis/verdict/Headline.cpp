// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Headline.h"

#include <algorithm>
#include <array>
#include <utility>

namespace laggard {
namespace {

using Say = HeadlineFacts::Kind;

constexpr std::array kindNames{
    std::pair(Say::Unknown, std::string_view("unknown")),
    std::pair(Say::Running, std::string_view("running")),
    std::pair(Say::Finished, std::string_view("finished")),
    std::pair(Say::Crashed, std::string_view("crashed")),
    std::pair(Say::Computing, std::string_view("computing")),
    std::pair(Say::Spinning, std::string_view("spinning")),
    std::pair(Say::Stuck, std::string_view("stuck")),
    std::pair(Say::Halted, std::string_view("halted")),
    std::pair(Say::LeftEarly, std::string_view("left_early")),
    std::pair(Say::MissingSend, std::string_view("missing_send")),
    std::pair(Say::LostMessage, std::string_view("lost_message")),
    std::pair(Say::Deadlock, std::string_view("deadlock")),
    std::pair(Say::Mismatch, std::string_view("mismatch")),
    std::pair(Say::Untaken, std::string_view("untaken_message")),
    std::pair(Say::Misfit, std::string_view("misfit")),
    std::pair(Say::HoldsLock, std::string_view("holds_lock")),
    std::pair(Say::HabitBreak, std::string_view("habit_break")),
    std::pair(Say::OddReceive, std::string_view("odd_receive")),
    std::pair(Say::NoSender, std::string_view("no_sender")),
    std::pair(Say::LeftOut, std::string_view("left_out")),
    std::pair(Say::NoDump, std::string_view("no_dump")),
    std::pair(Say::Behind, std::string_view("behind")),
    std::pair(Say::Standing, std::string_view("standing")),
    std::pair(Say::Delayed, std::string_view("delayed")),
    std::pair(Say::DelayedOnce, std::string_view("delayed_once")),
    std::pair(Say::Slower, std::string_view("slower")),
    std::pair(Say::Exception, std::string_view("exception")),
    std::pair(Say::Stopped, std::string_view("stopped")),
    std::pair(Say::Unlike, std::string_view("unlike")),
    std::pair(Say::RepeatedMessage, std::string_view("repeated_message")),
    std::pair(Say::Disagreed, std::string_view("disagreed")),
    std::pair(Say::Unreceived, std::string_view("unreceived")),
    std::pair(Say::Unwaited, std::string_view("unwaited")),
    std::pair(Say::OtherType, std::string_view("other_type")),
};

} // namespace

std::string_view name(HeadlineFacts::Kind kind) {
    const auto *found = std::ranges::find(kindNames, kind, [](const auto &entry) { return entry.first; });
    return found == kindNames.end() ? kindNames.front().second : found->second;
}

bool isSlow(HeadlineFacts::Kind kind) {
    return kind == Say::Delayed || kind == Say::DelayedOnce || kind == Say::Slower || kind == Say::Exception;
}

} // namespace laggard
