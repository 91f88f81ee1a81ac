// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string_view>
#include <vector>

namespace laggard {

/// Functions that are told apart one by one, in whatever language and spelling; all others are Other.
enum class MpiFunction : std::uint8_t {
    Other,
    Abort,
    Finalize,
    Init, ///< MPI_Init, MPI_Init_thread
    Isend,
    Issend,
    Pcontrol,
    PsendInit,
    RequestGetStatus,
    WinComplete,
    WinPost,
    WinStart,
    WinSync,
    WinTest,
    WinUnlock, ///< MPI_Win_unlock, MPI_Win_unlock_all
    WinWait,
};

/// What an MPI function may wait for, by its name (MPI 3.1), and what else the analyses ask of a name.
struct MpiCall {
    enum class Kind : std::uint8_t {
        NotMpi,
        Other, ///< waits for nobody, or for what is not modelled (one-sided locks and epochs)
        Post,  ///< starts a non-blocking operation
        Init,  ///< MPI_Init, MPI_Init_thread
        Finalize,
        Collective, ///< waits for members of a communicator
        Create,     ///< a collective that makes or frees a communicator, window or file, or works on one
        Send,
        Receive,
        SendReceive,
        WaitOne, ///< MPI_Wait
        WaitAll,
        WaitAny, ///< MPI_Waitany, MPI_Waitsome: for one of its requests
        Test,    ///< returns at once; called again and again it is a wait
        TestAny,
        Probe,     ///< for a message that a later call receives
        ProbeOnce, ///< MPI_Iprobe, MPI_Improbe
        Flush,     ///< MPI_Buffer_detach: until the messages in the caller's own buffer are taken
    };
    Kind kind = Kind::NotMpi;
    CollectiveOperation operation = CollectiveOperation::Unknown; ///< for Kind::Collective
    bool neighbours = false;                                      ///< a neighbourhood collective: not all members take part
    bool buffered = false;                                        ///< MPI_Bsend, MPI_Ibsend: copies into the caller's own buffer
    MpiFunction function = MpiFunction::Other;
    bool ofWindow = false;        ///< MPI_Win_…
    bool ofFile = false;          ///< MPI_File_…
    bool accessesWindow = false;  ///< MPI_Put, MPI_Fetch_and_op and their like
    bool onlyWrites = false;      ///< of these: MPI_Put, MPI_Accumulate, which bring nothing back
    bool asks = false;            ///< for a state or a property: MPI_Comm_…, MPI_Win_…, MPI_Get_…, MPI_Status_…
    bool makesRequest = false;    ///< a persistent or partitioned one: MPI_Send_init, MPI_Psend_init, …
    bool startsRequest = false;   ///< MPI_Start, MPI_Startall (MPI 4.0 §3.9, §4.2)
    bool marksPartitions = false; ///< MPI_Pready, MPI_Pready_range, MPI_Pready_list (MPI 4.0 §4.2.1)
    bool withoutParent = false;   ///< makes a communicator without being a collective of the one that it is made from

    [[nodiscard]] bool isMpi() const { return kind != Kind::NotMpi; }
    [[nodiscard]] bool isCollective() const { return kind == Kind::Collective || kind == Kind::Create; }
    [[nodiscard]] bool isWait() const { return kind == Kind::WaitOne || kind == Kind::WaitAll || kind == Kind::WaitAny; }
    [[nodiscard]] bool isPoll() const { return kind == Kind::Test || kind == Kind::TestAny || kind == Kind::ProbeOnce; }
    [[nodiscard]] bool isPointToPoint() const { return kind >= Kind::Send; }
};

/// The call of a function name: MPI_Send, PMPI_Send and Fortran's mpi_send_, MPI_SEND and mpi_send_f08_ are the same.
/// Kind::Other for names that do not begin with any of these.
[[nodiscard]] MpiCall classifyMpiCall(std::string_view function);

/// The call that a region is, by the name that the linker knows or the one for people; Kind::NotMpi of other regions.
[[nodiscard]] MpiCall mpiCallOf(const Region &region);

/// True for an MPI call that was not made by another MPI function.
[[nodiscard]] bool isOutermostMpi(const Trace &trace, const Track &track, std::uint32_t row);

/// The calls of all regions of a trace, looked up by call path.
class MpiCallTable {
  public:
    explicit MpiCallTable(const Trace &trace);
    [[nodiscard]] const MpiCall &operator[](CallPathId path) const { return m_calls[m_trace.callPaths[path].region]; }

  private:
    const Trace &m_trace;
    std::vector<MpiCall> m_calls; // by region
};

} // namespace laggard
