// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/Messages.h"
#include "slice/Options.h"
#include "slice/Slice.h"
#include "slice/SliceJson.h"
#include "slice/SourceLines.h"
#include "slice/Stacks.h"
#include "slice/units/ProgramUnits.h"
#include "slice/units/UnitCompiler.h"
#include "slice/units/WholeFile.h"
#include "trace/Printable.h"
#include "trace/Work.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

using namespace laggard;

namespace {

using Clock = std::chrono::steady_clock;

/// Output that could not be written.
class OutputError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// In one write: a launcher's own lines and other processes' sentences come between writes.
void complain(const std::string &what) { std::cerr << "laggard-slice: " + printable(what) + '\n'; }

/// A file opened later must not become standard output because that was closed.
void openClosedStandardStreams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", O_RDWR)); // takes the lowest free number: this one
}

/// If there are several files, those that can be read count. Throws ReadError if none can.
std::vector<TaskStack> readStacks(const std::vector<std::string> &files, std::vector<std::string> &warnings) {
    std::vector<TaskStack> stacks;
    for (const std::string &file : files) {
        try {
            StackFile read = readStackFile(file);
            stacks.push_back(std::move(read.stack));
            warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
        } catch (const ReadError &error) {
            warnings.emplace_back(error.what());
        }
    }
    if (stacks.empty())
        throw ReadError(warnings.empty() ? "There is no stack file." : warnings.front());
    return stacks;
}

std::vector<MatchedMessage> readMessages(const std::string &file, std::vector<std::string> &warnings) {
    if (file.empty())
        return {};
    try {
        MessagesFile read = readMessagesFile(file);
        warnings.insert(warnings.end(), read.warnings.begin(), read.warnings.end());
        return std::move(read.messages);
    } catch (const ReadError &error) {
        warnings.push_back(std::string(error.what()) + " The slice does not go on at senders.");
        return {};
    }
}

UnitRequest requestFor(const SliceCommand &command, const std::vector<TaskStack> &stacks, Clock::time_point start) {
    const char *path = std::getenv("PATH");
    UnitRequest request;
    request.stacks = stacks;
    request.compileCommands = command.compileCommands;
    request.binaries = command.binaries;
    request.sources = command.sources;
    request.bitcode = command.bitcode;
    request.paths = command.paths;
    request.cache = command.cache;
    request.searchPath = path == nullptr ? "/usr/bin:/bin" : path;
    request.compiler = findClang(request.searchPath);
    request.until = start + command.slice.limit * 3 / 4; // the rest is for the slice
    return request;
}

SliceResult slice(const SliceCommand &command, Clock::time_point start) {
    std::vector<std::string> warnings;
    const std::vector<TaskStack> stacks = readStacks(command.stacks, warnings);
    const std::vector<MatchedMessage> messages = readMessages(command.messages, warnings);
    const ProgramUnits units = prepareUnits(requestFor(command, stacks, start), {});
    warnings.insert(warnings.end(), units.warnings.begin(), units.warnings.end());
    for (const std::string &sentence : linesBehindTheEnd(stacks, units.sources))
        warnings.push_back(sentence);
    SliceResult result;
    if (units.bitcode.empty())
        warnings.emplace_back(
            "There is no source of the program to make a slice of: --compile-commands, --binary or --source says "
            "where it is.");
    else {
        SliceOptions options = command.slice;
        options.doubtful = command.bitcode.size(); // the first of the units
        const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        options.limit = std::max(options.limit - used, std::chrono::milliseconds(1));
        result = sliceBackward(units.bitcode, stacks, messages, options);
    }
    result.truncated |= units.truncated;
    result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
    fillInCode(result.steps);
    return result;
}

void writeJson(const std::string &file, const std::string &json) {
    struct stat status {};
    const bool isReplaceable = (::stat(file.c_str(), &status) != 0 && errno == ENOENT) || S_ISREG(status.st_mode);
    int error = 0;
    if (isReplaceable)
        error = writeWhole(file, json, 0666);
    else if (!(std::ofstream(file, std::ios::binary) << json << std::flush)) // devices and pipes
        error = errno == 0 ? EIO : errno;
    if (error != 0)
        throw OutputError("cannot write \"" + file + "\": " + std::strerror(error));
}

void write(const SliceCommand &command, const SliceResult &result) {
    for (const std::string &warning : result.warnings)
        complain(warning);
    (command.json == "-" ? std::cerr : std::cout) << sliceText(result);
    if (command.json == "-")
        std::cout << sliceJson(result);
    else if (!command.json.empty())
        writeJson(command.json, sliceJson(result));
    if (!std::cout.flush())
        throw OutputError(std::string("cannot write to standard output: ") + std::strerror(errno));
}

} // namespace

int main(int argc, char **argv) {
    const Clock::time_point start = Clock::now();
    openClosedStandardStreams();
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error that is told
    const ParsedSliceCommand parsed = parseSliceCommand(argc, argv);
    if (!parsed.command)
        return parsed.status;
    try {
        const SliceResult result = slice(*parsed.command, start);
        write(*parsed.command, result);
        return result.steps.empty() ? sliceUnreadable : sliceDone;
    } catch (const OutputError &error) {
        complain(error.what());
        return sliceUsage;
    } catch (const std::bad_alloc &) {
        complain("not enough memory");
        return sliceUnreadable;
    } catch (const std::exception &error) {
        complain(error.what());
        return sliceUnreadable;
    }
}
