// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
