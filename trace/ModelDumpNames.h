// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/HeadlineFacts.h"
#include "trace/JobState.h"
#include "trace/Location.h"
#include "trace/ModelSet.h"
#include "trace/PhaseModels.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace laggard {

// The words of model dumps (docs/model-dump.md), for the writer and the reader.

template <typename Kind> struct DumpNames;

template <> struct DumpNames<ModelState::Kind> {
    using Kind = ModelState::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 3> all = {
        {{Kind::Start, "start"}, {Kind::Communication, "communication"}, {Kind::Computation, "computation"}}};
};
template <> struct DumpNames<Activity::Kind> {
    using Kind = Activity::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 8> all = {{{Kind::Unknown, "unknown"},
                                                                              {Kind::NotStarted, "not started"},
                                                                              {Kind::Finished, "finished"},
                                                                              {Kind::Finalizing, "finalizing"},
                                                                              {Kind::Computing, "computing"},
                                                                              {Kind::Collective, "collective"},
                                                                              {Kind::PointToPoint, "point-to-point"},
                                                                              {Kind::OtherMpi, "other MPI"}}};
};
template <> struct DumpNames<OpenCall::Source> {
    using Kind = OpenCall::Source;
    static constexpr std::array<std::pair<Kind, std::string_view>, 5> all = {{{Kind::Unclear, "unclear"},
                                                                              {Kind::Recorded, "recorded"},
                                                                              {Kind::Predicted, "predicted"},
                                                                              {Kind::OtherRanks, "other ranks"},
                                                                              {Kind::World, "world"}}};
};
template <> struct DumpNames<ProcessEnd::Kind> {
    using Kind = ProcessEnd::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 6> all = {{{Kind::Unknown, "unknown"},
                                                                              {Kind::Running, "running"},
                                                                              {Kind::Killed, "killed"},
                                                                              {Kind::Exited, "exited"},
                                                                              {Kind::Signalled, "signalled"},
                                                                              {Kind::Replaced, "replaced"}}};
};
template <> struct DumpNames<ProcessEnd::Exit> {
    using Kind = ProcessEnd::Exit;
    static constexpr std::array<std::pair<Kind, std::string_view>, 4> all = {
        {{Kind::Unknown, "unknown"}, {Kind::Normal, "normal"}, {Kind::AtOnce, "at once"}, {Kind::ByLibrary, "by a library"}}};
};
template <> struct DumpNames<ProcessEnd::Seen> {
    using Kind = ProcessEnd::Seen;
    static constexpr std::array<std::pair<Kind, std::string_view>, 3> all = {
        {{Kind::Nothing, "nothing"}, {Kind::Stopped, "stopped"}, {Kind::Gone, "gone"}}};
};
template <> struct DumpNames<PendingRequest::Kind> {
    using Kind = PendingRequest::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 3> all = {
        {{Kind::Send, "send"}, {Kind::Receive, "receive"}, {Kind::Collective, "collective"}}};
};

template <> struct DumpNames<PhaseSource> {
    using Kind = PhaseSource;
    static constexpr std::array<std::pair<Kind, std::string_view>, 6> all = {{{Kind::Chosen, "chosen"},
                                                                              {Kind::Pcontrol, "MPI_Pcontrol"},
                                                                              {Kind::Role, "role"},
                                                                              {Kind::Function, "function"},
                                                                              {Kind::MpiCall, "MPI call"},
                                                                              {Kind::WholeRun, "whole run"}}};
};
template <> struct DumpNames<PhaseState::Kind> {
    using Kind = PhaseState::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 6> all = {{{Kind::Start, "start"},
                                                                              {Kind::Communication, "communication"},
                                                                              {Kind::Computation, "computation"},
                                                                              {Kind::AfterMark, "after mark"},
                                                                              {Kind::Finished, "finished"},
                                                                              {Kind::NotReturned, "not returned"}}};
};

template <> struct DumpNames<HeadlineFacts::Kind> {
    using Kind = HeadlineFacts::Kind;
    static constexpr std::array<std::pair<Kind, std::string_view>, 34> all = {{{Kind::Unknown, "unknown"},
                                                                               {Kind::Running, "running"},
                                                                               {Kind::Finished, "finished"},
                                                                               {Kind::Crashed, "crashed"},
                                                                               {Kind::Computing, "computing"},
                                                                               {Kind::Spinning, "spinning"},
                                                                               {Kind::Stuck, "stuck"},
                                                                               {Kind::Halted, "halted"},
                                                                               {Kind::LeftEarly, "left_early"},
                                                                               {Kind::MissingSend, "missing_send"},
                                                                               {Kind::LostMessage, "lost_message"},
                                                                               {Kind::Deadlock, "deadlock"},
                                                                               {Kind::Mismatch, "mismatch"},
                                                                               {Kind::Untaken, "untaken_message"},
                                                                               {Kind::Misfit, "misfit"},
                                                                               {Kind::HoldsLock, "holds_lock"},
                                                                               {Kind::HabitBreak, "habit_break"},
                                                                               {Kind::OddReceive, "odd_receive"},
                                                                               {Kind::NoSender, "no_sender"},
                                                                               {Kind::LeftOut, "left_out"},
                                                                               {Kind::NoDump, "no_dump"},
                                                                               {Kind::Behind, "behind"},
                                                                               {Kind::Standing, "standing"},
                                                                               {Kind::Delayed, "delayed"},
                                                                               {Kind::DelayedOnce, "delayed_once"},
                                                                               {Kind::Slower, "slower"},
                                                                               {Kind::Exception, "exception"},
                                                                               {Kind::Stopped, "stopped"},
                                                                               {Kind::Unlike, "unlike"},
                                                                               {Kind::RepeatedMessage, "repeated_message"},
                                                                               {Kind::Disagreed, "disagreed"},
                                                                               {Kind::Unreceived, "unreceived"},
                                                                               {Kind::Unwaited, "unwaited"},
                                                                               {Kind::OtherType, "other_type"}}};
};
template <> struct DumpNames<HeadlineFacts::Ending> {
    using Kind = HeadlineFacts::Ending;
    static constexpr std::array<std::pair<Kind, std::string_view>, 7> all = {{{Kind::Unknown, "unknown"},
                                                                              {Kind::MpiError, "MPI error"},
                                                                              {Kind::Signal, "signal"},
                                                                              {Kind::OwnSignal, "own signal"},
                                                                              {Kind::Aborted, "aborted"},
                                                                              {Kind::ExitStatus, "exit status"},
                                                                              {Kind::Killed, "killed"}}};
};

template <typename Kind> [[nodiscard]] constexpr std::string_view dumpName(Kind kind) {
    for (const auto &[value, name] : DumpNames<Kind>::all)
        if (value == kind)
            return name;
    return {};
}

template <typename Kind> [[nodiscard]] constexpr std::optional<Kind> fromDumpName(std::string_view text) {
    for (const auto &[value, name] : DumpNames<Kind>::all)
        if (name == text)
            return value;
    return std::nullopt;
}

} // namespace laggard
