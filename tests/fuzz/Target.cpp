// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/Target.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace laggard::test {

std::span<const FuzzTarget> fuzzTargets() {
    static constexpr std::array all = {
        FuzzTarget{"recording-file", takeRecordingFile, recordingFileSeeds},
        FuzzTarget{"recording-records", takeRecordingRecords, recordingRecordSeeds},
        FuzzTarget{"symbol-file", takeSymbolFile, symbolFileSeeds},
        FuzzTarget{"archive", takeArchive, archiveSeeds},
        FuzzTarget{"call-trace", takeCallTrace, callTraceSeeds},
        FuzzTarget{"model-dump", takeModelDump, modelDumpSeeds},
        FuzzTarget{"automaded-dump", takeAutomadedDump, automadedDumpSeeds},
        FuzzTarget{"call-model", takeCallModel, callModelSeeds},
        FuzzTarget{"flight-dump", takeFlightDump, flightDumpSeeds},
        FuzzTarget{"ras-snapshot", takeRasSnapshot, rasSnapshotSeeds},
        FuzzTarget{"replay-plan", takeReplayPlan, replayPlanSeeds},
        FuzzTarget{"replayed-recording", takeReplayedRecording, replayedRecordingSeeds},
        FuzzTarget{"core-file", takeCoreFile, coreFileSeeds},
        FuzzTarget{"python-lines", takePythonLines, pythonLineSeeds},
        FuzzTarget{"session", takeSession, sessionSeeds},
        FuzzTarget{"layout-graph", takeLayoutGraph, layoutGraphSeeds},
        FuzzTarget{"layout-reply", takeLayoutReply, layoutReplySeeds},
        FuzzTarget{"name", takeName, nameSeeds},
        FuzzTarget{"slice", takeSlice, sliceSeeds},
#ifdef LAGGARD_HAS_SLICER
        FuzzTarget{"stack-file", takeStackFile, stackFileSeeds},
        FuzzTarget{"messages-file", takeMessagesFile, messagesFileSeeds},
        FuzzTarget{"compile-database", takeCompileDatabase, compileDatabaseSeeds},
#endif
    };
    return all;
}

void breakOff(std::string_view promise) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(promise.size()), promise.data());
    std::abort();
}

} // namespace laggard::test
