// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/open/EmptyRead.h"

#include <algorithm>
#include <memory>
#include <otf2/otf2.h>
#include <span>
#include <stdexcept>
#include <vector>

namespace laggard::bench {
namespace {

struct CloseReader {
    void operator()(OTF2_Reader *reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, CloseReader>;

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string("libotf2: ") + OTF2_Error_GetDescription(code));
}

Reader open(const std::string &anchor) {
    Reader reader(OTF2_Reader_Open(anchor.c_str()));
    if (!reader)
        throw std::runtime_error(anchor + " is not an OTF2 anchor file");
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()));
    return reader;
}

std::vector<OTF2_LocationRef> readLocations(OTF2_Reader *reader) {
    std::vector<OTF2_LocationRef> locations;
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)> callbacks(
        OTF2_GlobalDefReaderCallbacks_New(), &OTF2_GlobalDefReaderCallbacks_Delete);
    check(OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
        callbacks.get(),
        [](void *list, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType, uint64_t, OTF2_LocationGroupRef) {
            static_cast<std::vector<OTF2_LocationRef> *>(list)->push_back(self);
            return OTF2_CallbackCode{OTF2_CALLBACK_SUCCESS};
        }));
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), &locations));
    std::uint64_t count = 0;
    check(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
    check(OTF2_Reader_CloseGlobalDefReader(reader, definitions));
    return locations;
}

template <typename... Fields>
OTF2_CallbackCode ignore(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void *, OTF2_AttributeList *, Fields...) {
    return OTF2_CALLBACK_SUCCESS;
}

using EventCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)>;

EventCallbacks emptyCallbacks() {
    EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
    OTF2_EvtReaderCallbacks *all = callbacks.get();
    OTF2_EvtReaderCallbacks_SetUnknownCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetEnterCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetMetricCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetCommCreateCallback(all, ignore);
    OTF2_EvtReaderCallbacks_SetCommDestroyCallback(all, ignore);
    return callbacks;
}

std::uint64_t readBlock(OTF2_Reader *reader, std::span<const OTF2_LocationRef> locations,
                        const OTF2_EvtReaderCallbacks *callbacks) {
    for (const OTF2_LocationRef location : locations)
        check(OTF2_Reader_SelectLocation(reader, location));
    check(OTF2_Reader_OpenEvtFiles(reader));
    const bool hasDefinitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    std::uint64_t sum = 0;
    for (const OTF2_LocationRef location : locations) {
        std::uint64_t count = 0;
        if (OTF2_DefReader *definitions = hasDefinitions ? OTF2_Reader_GetDefReader(reader, location) : nullptr) {
            check(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count));
            check(OTF2_Reader_CloseDefReader(reader, definitions));
        }
        OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
        if (events == nullptr)
            throw std::runtime_error("location " + std::to_string(location) + " has no event file");
        check(OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, nullptr));
        check(OTF2_Reader_ReadAllLocalEvents(reader, events, &count));
        check(OTF2_Reader_CloseEvtReader(reader, events));
        sum += count;
    }
    if (hasDefinitions)
        check(OTF2_Reader_CloseDefFiles(reader));
    check(OTF2_Reader_CloseEvtFiles(reader));
    return sum;
}

} // namespace

EmptyReadResult emptyRead(const std::string &anchor, std::size_t locationsPerHandle) {
    Reader reader = open(anchor);
    const std::vector<OTF2_LocationRef> locations = readLocations(reader.get());
    const EventCallbacks callbacks = emptyCallbacks();
    EmptyReadResult result{.locations = locations.size()};
    for (std::size_t first = 0; first < locations.size(); first += locationsPerHandle) {
        if (first != 0)
            reader = open(anchor);
        const std::size_t count = std::min(locationsPerHandle, locations.size() - first);
        result.events += readBlock(reader.get(), std::span(locations).subspan(first, count), callbacks.get());
    }
    return result;
}

} // namespace laggard::bench
