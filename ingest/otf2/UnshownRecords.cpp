// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/UnshownRecords.h"

#include "ingest/otf2/EventSink.h"

namespace laggard::otf2 {
namespace {

// The record kinds of libotf2 3.0 that are counted and not kept, by the names that otf2-print gives them.
enum UnshownKind : std::size_t {
    BufferFlush,
    MeasurementOnOff,
    MpiRequestTest,
    OmpFork,
    OmpJoin,
    OmpAcquireLock,
    OmpReleaseLock,
    OmpTaskCreate,
    OmpTaskSwitch,
    OmpTaskComplete,
    Metric,
    ParameterString,
    ParameterInt,
    ParameterUnsignedInt,
    RmaWinCreate,
    RmaWinDestroy,
    RmaCollectiveBegin,
    RmaCollectiveEnd,
    RmaGroupSync,
    RmaRequestLock,
    RmaAcquireLock,
    RmaTryLock,
    RmaReleaseLock,
    RmaSync,
    RmaWaitChange,
    RmaPut,
    RmaGet,
    RmaAtomic,
    RmaOpCompleteBlocking,
    RmaOpCompleteNonBlocking,
    RmaOpTest,
    RmaOpCompleteRemote,
    ThreadFork,
    ThreadJoin,
    ThreadTeamBegin,
    ThreadTeamEnd,
    ThreadAcquireLock,
    ThreadReleaseLock,
    ThreadTaskCreate,
    ThreadTaskSwitch,
    ThreadTaskComplete,
    ThreadCreate,
    ThreadBegin,
    ThreadWait,
    ThreadEnd,
    CallingContextSample,
    IoCreateHandle,
    IoDestroyHandle,
    IoDuplicateHandle,
    IoSeek,
    IoChangeStatusFlags,
    IoDeleteFile,
    IoOperationBegin,
    IoOperationTest,
    IoOperationIssued,
    IoOperationComplete,
    IoOperationCancelled,
    IoAcquireLock,
    IoReleaseLock,
    IoTryLock,
    ProgramBegin,
    ProgramEnd,
    CommCreate,
    CommDestroy
};

constexpr std::array<std::string_view, unshownKinds> names = {"BUFFER_FLUSH",
                                                              "MEASUREMENT_ON_OFF",
                                                              "MPI_REQUEST_TEST",
                                                              "OMP_FORK",
                                                              "OMP_JOIN",
                                                              "OMP_ACQUIRE_LOCK",
                                                              "OMP_RELEASE_LOCK",
                                                              "OMP_TASK_CREATE",
                                                              "OMP_TASK_SWITCH",
                                                              "OMP_TASK_COMPLETE",
                                                              "METRIC",
                                                              "PARAMETER_STRING",
                                                              "PARAMETER_INT",
                                                              "PARAMETER_UNSIGNED_INT",
                                                              "RMA_WIN_CREATE",
                                                              "RMA_WIN_DESTROY",
                                                              "RMA_COLLECTIVE_BEGIN",
                                                              "RMA_COLLECTIVE_END",
                                                              "RMA_GROUP_SYNC",
                                                              "RMA_REQUEST_LOCK",
                                                              "RMA_ACQUIRE_LOCK",
                                                              "RMA_TRY_LOCK",
                                                              "RMA_RELEASE_LOCK",
                                                              "RMA_SYNC",
                                                              "RMA_WAIT_CHANGE",
                                                              "RMA_PUT",
                                                              "RMA_GET",
                                                              "RMA_ATOMIC",
                                                              "RMA_OP_COMPLETE_BLOCKING",
                                                              "RMA_OP_COMPLETE_NON_BLOCKING",
                                                              "RMA_OP_TEST",
                                                              "RMA_OP_COMPLETE_REMOTE",
                                                              "THREAD_FORK",
                                                              "THREAD_JOIN",
                                                              "THREAD_TEAM_BEGIN",
                                                              "THREAD_TEAM_END",
                                                              "THREAD_ACQUIRE_LOCK",
                                                              "THREAD_RELEASE_LOCK",
                                                              "THREAD_TASK_CREATE",
                                                              "THREAD_TASK_SWITCH",
                                                              "THREAD_TASK_COMPLETE",
                                                              "THREAD_CREATE",
                                                              "THREAD_BEGIN",
                                                              "THREAD_WAIT",
                                                              "THREAD_END",
                                                              "CALLING_CONTEXT_SAMPLE",
                                                              "IO_CREATE_HANDLE",
                                                              "IO_DESTROY_HANDLE",
                                                              "IO_DUPLICATE_HANDLE",
                                                              "IO_SEEK",
                                                              "IO_CHANGE_STATUS_FLAGS",
                                                              "IO_DELETE_FILE",
                                                              "IO_OPERATION_BEGIN",
                                                              "IO_OPERATION_TEST",
                                                              "IO_OPERATION_ISSUED",
                                                              "IO_OPERATION_COMPLETE",
                                                              "IO_OPERATION_CANCELLED",
                                                              "IO_ACQUIRE_LOCK",
                                                              "IO_RELEASE_LOCK",
                                                              "IO_TRY_LOCK",
                                                              "PROGRAM_BEGIN",
                                                              "PROGRAM_END",
                                                              "COMM_CREATE",
                                                              "COMM_DESTROY"};

template <std::size_t kind, typename... Arguments>
OTF2_CallbackCode countOnly(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *sink, OTF2_AttributeList *,
                            Arguments...) {
    return static_cast<EventSink *>(sink)->unshown(time, kind) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

} // namespace

std::string_view unshownName(std::size_t kind) { return names[kind]; }

void registerUnshown(OTF2_EvtReaderCallbacks *callbacks) {
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, countOnly<BufferFlush>);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, countOnly<MeasurementOnOff>);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, countOnly<MpiRequestTest>);
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(callbacks, countOnly<OmpFork>);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(callbacks, countOnly<OmpJoin>);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(callbacks, countOnly<OmpAcquireLock>);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(callbacks, countOnly<OmpReleaseLock>);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(callbacks, countOnly<OmpTaskCreate>);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(callbacks, countOnly<OmpTaskSwitch>);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(callbacks, countOnly<OmpTaskComplete>);
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, countOnly<Metric>);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, countOnly<ParameterString>);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(callbacks, countOnly<ParameterInt>);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, countOnly<ParameterUnsignedInt>);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, countOnly<RmaWinCreate>);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, countOnly<RmaWinDestroy>);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, countOnly<RmaCollectiveBegin>);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, countOnly<RmaCollectiveEnd>);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, countOnly<RmaGroupSync>);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, countOnly<RmaRequestLock>);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, countOnly<RmaAcquireLock>);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(callbacks, countOnly<RmaTryLock>);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, countOnly<RmaReleaseLock>);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(callbacks, countOnly<RmaSync>);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(callbacks, countOnly<RmaWaitChange>);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, countOnly<RmaPut>);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, countOnly<RmaGet>);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, countOnly<RmaAtomic>);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, countOnly<RmaOpCompleteBlocking>);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, countOnly<RmaOpCompleteNonBlocking>);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(callbacks, countOnly<RmaOpTest>);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, countOnly<RmaOpCompleteRemote>);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, countOnly<ThreadFork>);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, countOnly<ThreadJoin>);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, countOnly<ThreadTeamBegin>);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, countOnly<ThreadTeamEnd>);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, countOnly<ThreadAcquireLock>);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, countOnly<ThreadReleaseLock>);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, countOnly<ThreadTaskCreate>);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, countOnly<ThreadTaskSwitch>);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, countOnly<ThreadTaskComplete>);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(callbacks, countOnly<ThreadCreate>);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, countOnly<ThreadBegin>);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(callbacks, countOnly<ThreadWait>);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(callbacks, countOnly<ThreadEnd>);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, countOnly<CallingContextSample>);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, countOnly<IoCreateHandle>);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, countOnly<IoDestroyHandle>);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(callbacks, countOnly<IoDuplicateHandle>);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(callbacks, countOnly<IoSeek>);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(callbacks, countOnly<IoChangeStatusFlags>);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, countOnly<IoDeleteFile>);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, countOnly<IoOperationBegin>);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(callbacks, countOnly<IoOperationTest>);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, countOnly<IoOperationIssued>);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, countOnly<IoOperationComplete>);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, countOnly<IoOperationCancelled>);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(callbacks, countOnly<IoAcquireLock>);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(callbacks, countOnly<IoReleaseLock>);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(callbacks, countOnly<IoTryLock>);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, countOnly<ProgramBegin>);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, countOnly<ProgramEnd>);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(callbacks, countOnly<CommCreate>);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(callbacks, countOnly<CommDestroy>);
}

} // namespace laggard::otf2
