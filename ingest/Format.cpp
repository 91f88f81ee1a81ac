// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"

#include "ingest/MemoryEstimate.h"
#include "ingest/automaded/AutomadedDump.h"
#include "ingest/calltrace/CallTrace.h"
#include "ingest/flightrecorder/FlightRecorder.h"
#include "ingest/modeldump/ModelDumpReader.h"
#include "ingest/otf2/Otf2.h"
#include "ingest/recording/Recording.h"
#include "trace/Quantity.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace laggard {
namespace {

namespace fs = std::filesystem;

constexpr std::array allFormats = {
    Format{"OTF2", otf2::find, otf2::open, otf2::outline},
    Format{"recording", recording::find, recording::open, recording::outline},
    Format{"call trace", calltrace::find, calltrace::open, calltrace::outline},
    Format{"model dump", modeldump::find, nullptr, nullptr, modeldump::open},
    Format{"Flight Recorder", flightrecorder::find, flightrecorder::open, flightrecorder::outline},
    Format{"AutomaDeD dump", automaded::find, nullptr, nullptr, automaded::open},
};

std::string quoted(const std::string &path) { return '"' + path + '"'; }

/// Throws unless the path exists and may be read.
void checkReadable(const std::string &path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        const int error = errno;
        if (error == ENOENT || error == ENOTDIR)
            throw ReadError(quoted(path) + " does not exist.");
        if (error == EACCES || error == EPERM)
            throw ReadError(quoted(path) + " cannot be read: you have no permission.");
        throw ReadError(quoted(path) + " cannot be read: " + std::strerror(error) + '.');
    }
    ::close(file);
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (!fs::is_directory(status) && !fs::is_regular_file(status))
        throw ReadError(quoted(path) + " is neither a file nor a folder.");
}

bool looksLikeText(const std::string &path) {
    std::array<char, 512> head{};
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : ::read(file, head.data(), head.size());
    if (file >= 0)
        ::close(file);
    for (ssize_t i = 0; i < size; ++i) {
        const auto c = static_cast<unsigned char>(head[static_cast<std::size_t>(i)]);
        if (c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B)
            return false;
    }
    return size > 0;
}

std::string formatNames() {
    std::string names;
    for (const Format &format : allFormats)
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    return names;
}

[[noreturn]] void throwNotATrace(const std::string &path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        throw ReadError("The folder " + quoted(path) + " does not contain a trace (known formats: " + formatNames() + ").");
    if (fs::file_size(path, ignored) == 0)
        throw ReadError(quoted(path) + " is empty.");
    if (looksLikeText(path))
        throw ReadError(quoted(path) + " is a text file, not a trace (known formats: " + formatNames() + ").");
    throw ReadError(quoted(path) + " is not a trace of a known format (" + formatNames() + ").");
}

struct Candidate {
    std::string file;
    const Format *format = nullptr;
};

/// Why it cannot be opened; empty if nothing speaks against it.
std::string complaintOf(const Candidate &candidate, const Work &work) {
    try {
        checkReadable(candidate.file);
        if (candidate.format->outline != nullptr)
            static_cast<void>(candidate.format->outline(candidate.file, work));
        return {};
    } catch (const ReadError &failure) {
        return failure.what();
    }
}

/// What to write to name it: a folder's own files have no name but the folder's.
std::string nameOf(const Candidate &candidate, const std::string &path) {
    return candidate.file == path ? "a file of its " + std::string(candidate.format->name)
                                  : fs::path(candidate.file).filename().string();
}

} // namespace

/// If there are several, the one that can be opened.
Located locateInput(const std::string &path, const Work &work) {
    checkReadable(path);
    std::vector<Candidate> found;
    for (const Format &format : allFormats)
        for (std::string &file : format.find(path))
            found.push_back({std::move(file), &format});
    if (found.empty())
        throwNotATrace(path);
    std::vector<Warning> others;
    if (found.size() > 1) {
        std::string list;
        std::vector<Candidate> healthy;
        for (const Candidate &candidate : found) {
            list += (list.empty() ? "" : ", ") + nameOf(candidate, path);
            if (const std::string complaint = complaintOf(candidate, work); complaint.empty())
                healthy.push_back(candidate);
            else
                others.push_back({WarningId::TraceLeftOut, Warning::Severity::DataLoss, std::nullopt, candidate.file,
                                  complaint + " It was left out: another trace of the folder is shown."});
        }
        if (healthy.size() != 1)
            throw ReadError(quoted(path) + " contains " + plural(found.size(), "trace") + ": name one of " + list + '.');
        found = std::move(healthy);
    }
    checkReadable(found.front().file);
    return {found.front().file, found.front().format, std::move(others)};
}

namespace {

/// Adds warnings to a trace that was just read, which nobody else has yet.
TracePtr withWarnings(TracePtr trace, const std::vector<Warning> &others) {
    std::vector<Warning> &warnings = std::const_pointer_cast<Trace>(trace)->warnings;
    warnings.insert(warnings.end(), others.begin(), others.end());
    return trace;
}

} // namespace

std::span<const Format> formats() { return allFormats; }

TracePtr openTrace(const std::string &path, const OpenOptions &options, const Work &work) {
    const auto [file, format, others] = locateInput(path, work);
    if (format->open == nullptr)
        throw ReadError(quoted(path) + " is a " + std::string(format->name) + ", which has no events: a trace is needed here.");
    return withWarnings(format->open(file, options, work), others);
}

Opened openInput(const std::string &path, const OpenOptions &options, const Work &work) {
    const auto [file, format, others] = locateInput(path, work);
    if (format->openDump == nullptr)
        return {withWarnings(format->open(file, options, work), others), nullptr};
    const ModelDumpPtr dump = format->openDump(file, work);
    return {withWarnings(dump->job, others), dump};
}

TraceOutline outlineTrace(const std::string &path, const Work &work) {
    const auto [file, format, others] = locateInput(path, work);
    return format->outline == nullptr ? TraceOutline() : format->outline(file, work);
}

} // namespace laggard
