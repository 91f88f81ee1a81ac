// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Load.h"

#include "slice/program/Lower.h"
#include "slice/program/Probe.h"
#include "trace/Parallel.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace laggard::slice {

namespace {

constexpr int llvmVersion = 14;

/// LLVM prints what it has to say of a unit, or ends the process, unless it is given to somebody.
void keepDiagnostics(const llvm::DiagnosticInfo &, void *) {}

/// The version in "LLVM15.0.7"; nothing for other producers.
std::optional<int> versionOf(llvm::StringRef producer) {
    int version = 0;
    if (!producer.consume_front("LLVM") || std::from_chars(producer.begin(), producer.end(), version).ec != std::errc())
        return std::nullopt;
    return version;
}

std::string firstLine(std::string text) { return text.substr(0, text.find('\n')); }

/// Debug information that contradicts itself is left out; a module that is broken otherwise is not used.
bool isSound(Modules::Unit &unit, std::vector<std::string> &warnings) {
    std::string why;
    llvm::raw_string_ostream stream(why);
    bool brokenDebugInformation = false;
    if (llvm::verifyModule(*unit.module, &stream, &brokenDebugInformation)) {
        warnings.push_back(unit.file + " holds code that contradicts itself, and is not used: " + firstLine(stream.str()));
        return false;
    }
    if (brokenDebugInformation) {
        llvm::StripDebugInfo(*unit.module);
        warnings.push_back(unit.file +
                           ": its debug information contradicts itself and is not used, so nothing of it can be shown.");
    } else if (unit.module->debug_compile_units().empty()) {
        warnings.push_back(unit.file + " has no debug information (compile with -g): nothing of it can be shown.");
    }
    return true;
}

struct Read {
    Modules::Unit unit; ///< without a module if it cannot be used
    std::vector<std::string> warnings;
};

Read read(const std::string &file, bool isKnownToBeSound) {
    Read made;
    const auto fail = [&](const std::string &why) {
        made.warnings.push_back(file + why);
        made.unit.module.reset();
        return std::move(made);
    };
    std::error_code error;
    if (const auto status = std::filesystem::status(file, error);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return fail(" is no plain file, and is not opened."); // a pipe nobody may ever write to
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
        return fail(" cannot be read: " + buffer.getError().message());
    const auto reference = (*buffer)->getMemBufferRef();
    auto producer = llvm::getBitcodeProducerString(reference);
    if (!producer)
        return fail(" is not LLVM bitcode: " + firstLine(llvm::toString(producer.takeError())));
    if (const auto version = versionOf(*producer); version && *version > llvmVersion)
        return fail(" was written by " + *producer + "; the slicer reads what LLVM 14 and older ones write.");
    made.unit = {file, std::make_unique<llvm::LLVMContext>(), nullptr};
    made.unit.context->setDiagnosticHandlerCallBack(keepDiagnostics, nullptr);
    auto module = llvm::parseBitcodeFile(reference, *made.unit.context);
    if (!module)
        return fail(" cannot be read as bitcode: " + firstLine(llvm::toString(module.takeError())));
    made.unit.module = std::move(*module);
    if (!isKnownToBeSound && !isSound(made.unit, made.warnings))
        made.unit.module.reset();
    return made;
}

/// Whether a file can be read and lowered, and nothing is to be said of it.
bool isWell(const std::string &file) {
    Modules alone;
    auto made = read(file, false);
    if (made.unit.module)
        alone.units.push_back(std::move(made.unit));
    (void)lower(alone, made.warnings);
    return !alone.units.empty() && made.warnings.empty();
}

} // namespace

LoadedProgram::LoadedProgram() : modules(std::make_unique<Modules>()) {}
LoadedProgram::~LoadedProgram() = default;
LoadedProgram::LoadedProgram(LoadedProgram &&) noexcept = default;

LoadedProgram loadProgram(const std::vector<std::string> &bitcodeFiles, std::size_t doubtful,
                          std::vector<std::string> &warnings) {
    LoadedProgram loaded;
    std::vector<Read> units(bitcodeFiles.size());
    doubtful = std::min(doubtful, units.size());
    {
        Probe probe(bitcodeFiles, doubtful, Work().threadCount(), isWell);
        for (std::size_t i = 0; i < doubtful; ++i) {
            const auto result = probe.resultOf(i);
            if (result != Probe::Result::Crashed)
                units[i] = read(bitcodeFiles[i], result == Probe::Result::Well);
            else
                units[i].warnings.push_back(bitcodeFiles[i] + " is damaged: LLVM's reader broke down over it.");
        }
    }
    forEachParallel(units.size() - doubtful, {},
                    [&](std::size_t i, unsigned) { units[doubtful + i] = read(bitcodeFiles[doubtful + i], true); });
    for (auto &made : units) {
        warnings.insert(warnings.end(), made.warnings.begin(), made.warnings.end());
        if (made.unit.module)
            loaded.modules->units.push_back(std::move(made.unit));
    }
    loaded.program = lower(*loaded.modules, warnings);
    return loaded;
}

} // namespace laggard::slice
