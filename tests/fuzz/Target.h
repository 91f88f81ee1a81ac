// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::test {

/// A reader of bytes that others have written, to be fed with any: it may refuse with ReadError, and do nothing else that is
/// wrong.
struct FuzzTarget {
    std::string_view name;
    void (*take)(std::string_view bytes);
    std::vector<std::string> (*seeds)(); ///< inputs in order, small, that the search begins with
};

/// All of them.
[[nodiscard]] std::span<const FuzzTarget> fuzzTargets();

/// Stops the program: the reader did not keep `promise`, a sentence.
[[noreturn]] void breakOff(std::string_view promise);

// Recordings.
void takeRecordingFile(std::string_view bytes);    ///< the file of rank 0 beside a healthy one; most changes fail a check
void takeRecordingRecords(std::string_view bytes); ///< how records are to be made, see RecordScript.h; all checks are right
void takeSymbolFile(std::string_view bytes);       ///< symbols.txt beside a recording
std::vector<std::string> recordingFileSeeds();
std::vector<std::string> recordingRecordSeeds();
std::vector<std::string> symbolFileSeeds();

// Replays.
void takeReplayPlan(std::string_view bytes);        ///< what a process of the job reads
void takeReplayedRecording(std::string_view bytes); ///< an exchange, then how records are to be made: plans are made of them
std::vector<std::string> replayPlanSeeds();
std::vector<std::string> replayedRecordingSeeds();

// Processes that nobody recorded.
void takeCoreFile(std::string_view bytes);
void takePythonLines(std::string_view bytes); ///< version, first line and offset, then the line table of a function
std::vector<std::string> coreFileSeeds();
std::vector<std::string> pythonLineSeeds();

// Other formats of traces.
void takeArchive(std::string_view bytes);       ///< an OTF2 archive: its first byte says which of its files the others replace
void takeCallTrace(std::string_view bytes);     ///< one file of calls
void takeModelDump(std::string_view bytes);     ///< as it is, and with a check that fits
void takeAutomadedDump(std::string_view bytes); ///< .dump
void takeCallModel(std::string_view bytes);     ///< JSON
void takeFlightDump(std::string_view bytes);    ///< pickle or JSON, of rank 0 beside a healthy one
void takeRasSnapshot(std::string_view bytes);   ///< what ncclras writes, as text or JSON
std::vector<std::string> archiveSeeds();
std::vector<std::string> callTraceSeeds();
std::vector<std::string> modelDumpSeeds();
std::vector<std::string> automadedDumpSeeds();
std::vector<std::string> callModelSeeds();
std::vector<std::string> flightDumpSeeds();
std::vector<std::string> rasSnapshotSeeds();

// What the programs and the window read.
void takeSession(std::string_view bytes);     ///< JSON
void takeLayoutGraph(std::string_view bytes); ///< what laggard-layout reads
void takeLayoutReply(std::string_view bytes); ///< what it answers
void takeName(std::string_view bytes);        ///< a name that is shown (trace/Printable.h)
void takeSlice(std::string_view bytes);       ///< what laggard-slice answers
std::vector<std::string> sessionSeeds();
std::vector<std::string> layoutGraphSeeds();
std::vector<std::string> layoutReplySeeds();
std::vector<std::string> nameSeeds();
std::vector<std::string> sliceSeeds();

// What the slicer reads; bitcode is read by LLVM, debug information by elfutils.
void takeStackFile(std::string_view bytes);
void takeMessagesFile(std::string_view bytes);
void takeCompileDatabase(std::string_view bytes);
std::vector<std::string> stackFileSeeds();
std::vector<std::string> messagesFileSeeds();
std::vector<std::string> compileDatabaseSeeds();

} // namespace laggard::test
