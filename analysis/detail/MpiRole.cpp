// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/MpiRole.h"

#include "trace/MpiCall.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <array>

namespace laggard {
namespace {

template <std::size_t Count> bool holds(std::string_view name, const std::array<std::string_view, Count> &words) {
    return std::any_of(words.begin(), words.end(),
                       [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

/// The role of calls for which MpiCall knows no wait.
MpiRole roleOfOther(const MpiCall &call, std::string_view name) {
    static constexpr std::array<std::string_view, 3> locks = {"fence", "lock", "flush"};
    static constexpr std::array<std::string_view, 1> packing = {"pack"};
    switch (call.function) {
    case MpiFunction::WinComplete:
    case MpiFunction::WinPost:
    case MpiFunction::WinStart:
    case MpiFunction::WinTest:
    case MpiFunction::WinUnlock:
    case MpiFunction::WinWait:
        return MpiRole::Wait;
    default:
        break;
    }
    if (call.ofWindow && holds(name, locks))
        return MpiRole::Wait;
    return call.accessesWindow || call.startsRequest || call.marksPartitions || holds(name, packing) ? MpiRole::Transfer
                                                                                                     : MpiRole::SetUp;
}

} // namespace

std::string plainMpiName(std::string_view function) {
    std::string name = mpiBaseName(function);
    return name.empty() ? std::string(function) : name;
}

MpiRole mpiRoleOf(std::string_view function) {
    using Kind = MpiCall::Kind;
    const std::string name = mpiBaseName(function);
    if (name.empty()) // another library's call: only its messages and collectives are recorded
        return function.find("send") != std::string_view::npos ? MpiRole::Transfer : MpiRole::Wait;
    const MpiCall call = classifyMpiCall(function);
    if (call.makesRequest)
        return MpiRole::SetUp;
    switch (call.kind) {
    case Kind::Init:
    case Kind::Finalize:
        return MpiRole::Bracket;
    case Kind::Send:
    case Kind::Post:
        return MpiRole::Transfer;
    case Kind::NotMpi:
    case Kind::Other:
    case Kind::Create:
        return roleOfOther(call, name);
    default:
        return MpiRole::Wait;
    }
}

} // namespace laggard
