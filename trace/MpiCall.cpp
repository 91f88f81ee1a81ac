// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/MpiCall.h"

#include "trace/MpiName.h"

#include "trace/DeviceOperation.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

namespace laggard {
namespace {

using CallKind = MpiCall::Kind;
using Operation = CollectiveOperation;
using CallsByName = std::unordered_map<std::string_view, MpiCall>;

constexpr std::pair<std::string_view, Operation> dataCollectives[] = {
    {"barrier", Operation::Barrier},
    {"bcast", Operation::Bcast},
    {"gather", Operation::Gather},
    {"gatherv", Operation::Gatherv},
    {"scatter", Operation::Scatter},
    {"scatterv", Operation::Scatterv},
    {"allgather", Operation::Allgather},
    {"allgatherv", Operation::Allgatherv},
    {"alltoall", Operation::Alltoall},
    {"alltoallv", Operation::Alltoallv},
    {"alltoallw", Operation::Alltoallw},
    {"allreduce", Operation::Allreduce},
    {"reduce", Operation::Reduce},
    {"reduce_scatter", Operation::ReduceScatter},
    {"reduce_scatter_block", Operation::ReduceScatterBlock},
    {"scan", Operation::Scan},
    {"exscan", Operation::Exscan},
};

constexpr std::pair<std::string_view, Operation> neighbourCollectives[] = {
    {"neighbor_allgather", Operation::Allgather}, {"neighbor_allgatherv", Operation::Allgatherv},
    {"neighbor_alltoall", Operation::Alltoall},   {"neighbor_alltoallv", Operation::Alltoallv},
    {"neighbor_alltoallw", Operation::Alltoallw},
};

constexpr std::pair<std::string_view, CallKind> others[] = {
    {"init", CallKind::Init},
    {"init_thread", CallKind::Init},
    {"finalize", CallKind::Finalize},
    // Point to point, blocking.
    {"send", CallKind::Send},
    {"bsend", CallKind::Other}, // complete once the message is in the caller's own buffer
    {"ssend", CallKind::Send},
    {"rsend", CallKind::Send},
    {"recv", CallKind::Receive},
    {"mrecv", CallKind::Receive},
    {"sendrecv", CallKind::SendReceive},
    {"sendrecv_replace", CallKind::SendReceive},
    {"probe", CallKind::Probe},
    {"mprobe", CallKind::Probe},
    {"iprobe", CallKind::ProbeOnce},
    {"improbe", CallKind::ProbeOnce},
    {"buffer_detach", CallKind::Flush},
    {"buffer_flush", CallKind::Flush},
    {"comm_detach_buffer", CallKind::Flush},
    {"comm_flush_buffer", CallKind::Flush},
    // Completion.
    {"wait", CallKind::WaitOne},
    {"waitall", CallKind::WaitAll},
    {"waitany", CallKind::WaitAny},
    {"waitsome", CallKind::WaitAny},
    {"test", CallKind::Test},
    {"testall", CallKind::Test},
    {"parrived", CallKind::Test}, // of a part of its request
    {"testany", CallKind::TestAny},
    {"testsome", CallKind::TestAny},
    // Posting.
    {"isend", CallKind::Post},
    {"ibsend", CallKind::Post},
    {"issend", CallKind::Post},
    {"irsend", CallKind::Post},
    {"irecv", CallKind::Post},
    {"imrecv", CallKind::Post},
    {"start", CallKind::Post},
    {"startall", CallKind::Post},
    {"comm_idup", CallKind::Post},
    {"file_iread", CallKind::Post},
    {"file_iread_all", CallKind::Post},
    {"file_iread_at", CallKind::Post},
    {"file_iread_at_all", CallKind::Post},
    {"file_iread_shared", CallKind::Post},
    {"file_iwrite", CallKind::Post},
    {"file_iwrite_all", CallKind::Post},
    {"file_iwrite_at", CallKind::Post},
    {"file_iwrite_at_all", CallKind::Post},
    {"file_iwrite_shared", CallKind::Post},
    // Collectives on communicators, topologies, processes, windows and files.
    {"comm_dup", CallKind::Create},
    {"comm_dup_with_info", CallKind::Create},
    {"comm_create", CallKind::Create},
    {"comm_create_group", CallKind::Create},
    {"comm_split", CallKind::Create},
    {"comm_split_type", CallKind::Create},
    {"comm_free", CallKind::Other}, // collective by the standard, but waits for nobody in practice
    {"comm_disconnect", CallKind::Create},
    {"comm_accept", CallKind::Create},
    {"comm_connect", CallKind::Create},
    {"comm_join", CallKind::Create},
    {"comm_spawn", CallKind::Create},
    {"comm_spawn_multiple", CallKind::Create},
    {"intercomm_create", CallKind::Create},
    {"intercomm_merge", CallKind::Create},
    {"cart_create", CallKind::Create},
    {"cart_sub", CallKind::Create},
    {"graph_create", CallKind::Create},
    {"dist_graph_create", CallKind::Create},
    {"dist_graph_create_adjacent", CallKind::Create},
    {"win_create", CallKind::Create},
    {"win_create_dynamic", CallKind::Create},
    {"win_allocate", CallKind::Create},
    {"win_allocate_shared", CallKind::Create},
    {"win_free", CallKind::Create},
    {"win_fence", CallKind::Create},
    {"file_open", CallKind::Create},
    {"file_close", CallKind::Create},
    {"file_sync", CallKind::Create},
    {"file_set_view", CallKind::Create},
    {"file_set_size", CallKind::Create},
    {"file_set_atomicity", CallKind::Create},
    {"file_preallocate", CallKind::Create},
    {"file_seek_shared", CallKind::Create},
    {"file_read_all", CallKind::Create},
    {"file_read_all_begin", CallKind::Create},
    {"file_read_all_end", CallKind::Create},
    {"file_read_at_all", CallKind::Create},
    {"file_read_at_all_begin", CallKind::Create},
    {"file_read_at_all_end", CallKind::Create},
    {"file_read_ordered", CallKind::Create},
    {"file_read_ordered_begin", CallKind::Create},
    {"file_read_ordered_end", CallKind::Create},
    {"file_write_all", CallKind::Create},
    {"file_write_all_begin", CallKind::Create},
    {"file_write_all_end", CallKind::Create},
    {"file_write_at_all", CallKind::Create},
    {"file_write_at_all_begin", CallKind::Create},
    {"file_write_at_all_end", CallKind::Create},
    {"file_write_ordered", CallKind::Create},
    {"file_write_ordered_begin", CallKind::Create},
    {"file_write_ordered_end", CallKind::Create},
};

constexpr std::pair<std::string_view, MpiFunction> functions[] = {
    {"abort", MpiFunction::Abort},
    {"finalize", MpiFunction::Finalize},
    {"init", MpiFunction::Init},
    {"init_thread", MpiFunction::Init},
    {"isend", MpiFunction::Isend},
    {"issend", MpiFunction::Issend},
    {"pcontrol", MpiFunction::Pcontrol},
    {"psend_init", MpiFunction::PsendInit},
    {"request_get_status", MpiFunction::RequestGetStatus},
    {"win_complete", MpiFunction::WinComplete},
    {"win_post", MpiFunction::WinPost},
    {"win_start", MpiFunction::WinStart},
    {"win_sync", MpiFunction::WinSync},
    {"win_test", MpiFunction::WinTest},
    {"win_unlock", MpiFunction::WinUnlock},
    {"win_unlock_all", MpiFunction::WinUnlock},
    {"win_wait", MpiFunction::WinWait},
};

constexpr std::string_view windowAccesses[] = {
    "put",  "get",  "accumulate",  "get_accumulate", "fetch_and_op", "compare_and_swap",
    "rput", "rget", "raccumulate", "rget_accumulate"};

CallsByName makeTable() {
    CallsByName calls;
    for (const auto &[name, operation] : dataCollectives)
        calls[name] = {CallKind::Collective, operation, false};
    for (const auto &[name, operation] : neighbourCollectives)
        calls[name] = {CallKind::Collective, operation, true};
    for (const auto &[name, kind] : others)
        calls[name] = {kind, kind == CallKind::Create ? Operation::Other : Operation::Unknown, false};
    for (const std::string_view name : {"bsend", "ibsend"})
        calls[name].buffered = true;
    for (const std::string_view name : windowAccesses)
        calls.try_emplace(name, MpiCall{CallKind::Other}).first->second.accessesWindow = true;
    for (const std::string_view name : {"put", "accumulate", "rput", "raccumulate"})
        calls[name].onlyWrites = true;
    for (const auto &[name, function] : functions)
        calls.try_emplace(name, MpiCall{CallKind::Other}).first->second.function = function;
    return calls;
}

/// True for the name of a collective with an "i" before it (or, in a neighbourhood, as the standard has it).
bool isNonBlockingCollective(const std::string &name, const CallsByName &calls) {
    if (!name.starts_with('i'))
        return false;
    const auto blocking = calls.find(std::string_view(name).substr(1));
    return blocking != calls.end() && blocking->second.kind == CallKind::Collective;
}

MpiCall callOf(const DeviceOperation &operation) {
    using Kind = DeviceOperation::Kind;
    return {operation.kind == Kind::Collective ? CallKind::Collective
            : operation.kind == Kind::Send     ? CallKind::Send
            : operation.kind == Kind::Receive  ? CallKind::Receive
                                               : CallKind::SendReceive,
            operation.kind == Kind::Collective ? operation.operation : Operation::Unknown, false};
}

} // namespace

MpiCall classifyMpiCall(std::string_view function) {
    if (const std::optional<DeviceOperation> operation = deviceOperation(function))
        return callOf(*operation);
    static const CallsByName calls = makeTable();
    const std::string name = mpiBaseName(function);
    const auto entry = calls.find(name);
    MpiCall call =
        entry != calls.end() ? entry->second : MpiCall{isNonBlockingCollective(name, calls) ? CallKind::Post : CallKind::Other};
    const auto isAnyOf = [&name](std::initializer_list<std::string_view> beginnings) {
        return std::ranges::any_of(beginnings, [&](std::string_view each) { return name.starts_with(each); });
    };
    call.ofWindow = isAnyOf({"win_"});
    call.ofFile = isAnyOf({"file_"});
    call.asks = call.function == MpiFunction::RequestGetStatus || isAnyOf({"win_", "comm_", "get_", "status_"});
    call.makesRequest = name.ends_with("_init") && !isAnyOf({"t_", "session_"});
    call.startsRequest = name == "start" || name == "startall";
    call.marksPartitions = isAnyOf({"pready"});
    call.withoutParent = isAnyOf({"comm_create_group", "comm_create_from_group", "intercomm_create"});
    return call;
}

MpiCall mpiCallOf(const Region &region) {
    if (!region.isMpi())
        return {};
    const MpiCall call = classifyMpiCall(region.canonicalName);
    return call.kind == CallKind::Other && call.function == MpiFunction::Other ? classifyMpiCall(region.name) : call;
}

bool isOutermostMpi(const Trace &trace, const Track &track, std::uint32_t row) {
    return trace.region(track.callPath[row]).isMpi() &&
           (track.parent[row] == none || !trace.region(track.callPath[track.parent[row]]).isMpi());
}

MpiCallTable::MpiCallTable(const Trace &trace) : m_trace(trace) {
    for (const Region &region : trace.regions)
        m_calls.push_back(mpiCallOf(region));
}

} // namespace laggard
