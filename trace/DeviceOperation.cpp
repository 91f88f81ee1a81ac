// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/DeviceOperation.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace laggard {
namespace {

using Operation = CollectiveOperation;

/// Beginnings of names, longest first where one begins another: PyTorch adds "_base", "_coalesced", "_into_tensor" and the like.
constexpr std::pair<std::string_view, Operation> collectives[] = {
    {"all_reduce", Operation::Allreduce},
    {"allreduce", Operation::Allreduce},
    {"all_gather", Operation::Allgather},
    {"allgather", Operation::Allgather},
    {"all_to_all", Operation::Alltoallv},
    {"alltoall", Operation::Alltoallv},
    {"reduce_scatter", Operation::ReduceScatter},
    {"barrier", Operation::Barrier},
    {"monitored_barrier", Operation::Barrier},
    {"broadcast", Operation::Bcast},
    {"reduce", Operation::Reduce},
    {"gather", Operation::Gather},
    {"scatter", Operation::Scatter},
};

/// Cuts a number off; `none` if there is none.
std::uint32_t takeNumber(std::string_view &text) {
    std::uint32_t number = none;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return none;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view &text, std::string_view beginning) {
    if (!text.starts_with(beginning))
        return false;
    text.remove_prefix(beginning.size());
    return true;
}

/// Ranks behind "send " and "recv ": "0->3", "3<-0".
void readRanks(std::string_view text, DeviceOperation &operation) {
    operation.own = takeNumber(text);
    if (take(text, "->") || take(text, "<-"))
        operation.peer = takeNumber(text);
}

} // namespace

std::optional<DeviceOperation> deviceOperation(std::string_view name) {
    const std::size_t colon = name.find(':');
    const auto isWord = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (colon == std::string_view::npos || colon == 0 || !std::ranges::all_of(name.substr(0, colon), isWord))
        return std::nullopt;
    std::string_view rest = name.substr(colon + 1);
    if (rest.starts_with(':')) // a function of C++
        return std::nullopt;
    DeviceOperation result;
    const std::size_t space = rest.find(' ');
    result.name = space == std::string_view::npos ? name : name.substr(0, colon + 1 + space);
    const std::string_view ranks = space == std::string_view::npos ? std::string_view() : rest.substr(space + 1);
    rest = rest.substr(0, space);
    if (rest == "send" || rest == "isend" || rest == "recv" || rest == "irecv" || rest == "recvAnySource") {
        result.kind = rest.find("send") != std::string_view::npos ? DeviceOperation::Kind::Send : DeviceOperation::Kind::Receive;
        readRanks(ranks, result);
        return result;
    }
    if (rest == "coalesced") {
        result.kind = DeviceOperation::Kind::Batch;
        return result;
    }
    while (take(rest, "_")) {
    }
    for (const auto &[beginning, operation] : collectives)
        if (rest.starts_with(beginning)) {
            result.operation = operation;
            break;
        }
    return result;
}

} // namespace laggard
