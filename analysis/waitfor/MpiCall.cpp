// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/MpiCall.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace laggard {
namespace {

using Kind = MpiCall::Kind;
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

constexpr std::pair<std::string_view, Kind> others[] = {
    {"init", Kind::Init},
    {"init_thread", Kind::Init},
    {"finalize", Kind::Finalize},
    // Point to point, blocking.
    {"send", Kind::Send},
    {"bsend", Kind::Other}, // complete once the message is in the caller's own buffer
    {"ssend", Kind::Send},
    {"rsend", Kind::Send},
    {"recv", Kind::Receive},
    {"mrecv", Kind::Receive},
    {"sendrecv", Kind::SendReceive},
    {"sendrecv_replace", Kind::SendReceive},
    {"probe", Kind::Probe},
    {"mprobe", Kind::Probe},
    {"iprobe", Kind::ProbeOnce},
    {"improbe", Kind::ProbeOnce},
    {"buffer_detach", Kind::Flush},
    {"buffer_flush", Kind::Flush},
    {"comm_detach_buffer", Kind::Flush},
    {"comm_flush_buffer", Kind::Flush},
    // Completion.
    {"wait", Kind::WaitOne},
    {"waitall", Kind::WaitAll},
    {"waitany", Kind::WaitAny},
    {"waitsome", Kind::WaitAny},
    {"test", Kind::Test},
    {"testall", Kind::Test},
    {"testany", Kind::TestAny},
    {"testsome", Kind::TestAny},
    // Posting.
    {"isend", Kind::Post},
    {"ibsend", Kind::Post},
    {"issend", Kind::Post},
    {"irsend", Kind::Post},
    {"irecv", Kind::Post},
    {"imrecv", Kind::Post},
    {"start", Kind::Post},
    {"startall", Kind::Post},
    {"comm_idup", Kind::Post},
    {"file_iread", Kind::Post},
    {"file_iread_all", Kind::Post},
    {"file_iread_at", Kind::Post},
    {"file_iread_at_all", Kind::Post},
    {"file_iread_shared", Kind::Post},
    {"file_iwrite", Kind::Post},
    {"file_iwrite_all", Kind::Post},
    {"file_iwrite_at", Kind::Post},
    {"file_iwrite_at_all", Kind::Post},
    {"file_iwrite_shared", Kind::Post},
    // Collectives on communicators, topologies, processes, windows and files.
    {"comm_dup", Kind::Create},
    {"comm_dup_with_info", Kind::Create},
    {"comm_create", Kind::Create},
    {"comm_create_group", Kind::Create},
    {"comm_split", Kind::Create},
    {"comm_split_type", Kind::Create},
    {"comm_free", Kind::Other}, // collective by the standard, but waits for nobody in practice
    {"comm_disconnect", Kind::Create},
    {"comm_accept", Kind::Create},
    {"comm_connect", Kind::Create},
    {"comm_join", Kind::Create},
    {"comm_spawn", Kind::Create},
    {"comm_spawn_multiple", Kind::Create},
    {"intercomm_create", Kind::Create},
    {"intercomm_merge", Kind::Create},
    {"cart_create", Kind::Create},
    {"cart_sub", Kind::Create},
    {"graph_create", Kind::Create},
    {"dist_graph_create", Kind::Create},
    {"dist_graph_create_adjacent", Kind::Create},
    {"win_create", Kind::Create},
    {"win_create_dynamic", Kind::Create},
    {"win_allocate", Kind::Create},
    {"win_allocate_shared", Kind::Create},
    {"win_free", Kind::Create},
    {"win_fence", Kind::Create},
    {"file_open", Kind::Create},
    {"file_close", Kind::Create},
    {"file_sync", Kind::Create},
    {"file_set_view", Kind::Create},
    {"file_set_size", Kind::Create},
    {"file_set_atomicity", Kind::Create},
    {"file_preallocate", Kind::Create},
    {"file_seek_shared", Kind::Create},
    {"file_read_all", Kind::Create},
    {"file_read_all_begin", Kind::Create},
    {"file_read_all_end", Kind::Create},
    {"file_read_at_all", Kind::Create},
    {"file_read_at_all_begin", Kind::Create},
    {"file_read_at_all_end", Kind::Create},
    {"file_read_ordered", Kind::Create},
    {"file_read_ordered_begin", Kind::Create},
    {"file_read_ordered_end", Kind::Create},
    {"file_write_all", Kind::Create},
    {"file_write_all_begin", Kind::Create},
    {"file_write_all_end", Kind::Create},
    {"file_write_at_all", Kind::Create},
    {"file_write_at_all_begin", Kind::Create},
    {"file_write_at_all_end", Kind::Create},
    {"file_write_ordered", Kind::Create},
    {"file_write_ordered_begin", Kind::Create},
    {"file_write_ordered_end", Kind::Create},
};

CallsByName makeTable() {
    CallsByName calls;
    for (const auto &[name, operation] : dataCollectives)
        calls[name] = {Kind::Collective, operation, false};
    for (const auto &[name, operation] : neighbourCollectives)
        calls[name] = {Kind::Collective, operation, true};
    for (const auto &[name, kind] : others)
        calls[name] = {kind, kind == Kind::Create ? Operation::Other : Operation::Unknown, false};
    for (const std::string_view name : {"bsend", "ibsend"})
        calls[name].buffered = true;
    return calls;
}

/// "send" for "MPI_Send", "PMPI_Send", "mpi_send__", "mpi_send_f08_"; empty if it is none of these.
std::string baseName(std::string_view function) {
    std::string name(function);
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name.starts_with("pmpi_"))
        name.erase(0, 1);
    if (!name.starts_with("mpi_"))
        return {};
    name.erase(0, 4);
    while (name.ends_with('_'))
        name.pop_back();
    for (const std::string_view suffix : {"_f08ts", "_f08"})
        if (name.ends_with(suffix))
            name.resize(name.size() - suffix.size());
    return name;
}

/// True for the name of a collective with an "i" before it (or, in a neighbourhood, as the standard has it).
bool isNonBlockingCollective(const std::string &name, const CallsByName &calls) {
    if (!name.starts_with('i'))
        return false;
    const auto blocking = calls.find(std::string_view(name).substr(1));
    return blocking != calls.end() && blocking->second.kind == Kind::Collective;
}

} // namespace

MpiCall classifyMpiCall(std::string_view function) {
    static const CallsByName calls = makeTable();
    const std::string name = baseName(function);
    if (const auto entry = calls.find(name); entry != calls.end())
        return entry->second;
    return {isNonBlockingCollective(name, calls) ? Kind::Post : Kind::Other, Operation::Unknown, false};
}

MpiCallTable::MpiCallTable(const Trace &trace) : m_trace(trace) {
    for (const Region &region : trace.regions) {
        MpiCall call;
        if (region.isMpi()) {
            call = classifyMpiCall(region.canonicalName);
            if (call.kind == Kind::Other)
                call = classifyMpiCall(region.name);
        }
        m_calls.push_back(call);
    }
}

} // namespace laggard
