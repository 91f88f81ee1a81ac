// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Load.h"

#include "slice/program/Lower.h"
#include "slice/program/Probe.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
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

void read(const std::string &file, Modules &modules, std::vector<std::string> &warnings) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
        warnings.push_back(file + " cannot be read: " + buffer.getError().message());
        return;
    }
    const auto reference = (*buffer)->getMemBufferRef();
    auto producer = llvm::getBitcodeProducerString(reference);
    if (!producer) {
        warnings.push_back(file + " is not LLVM bitcode: " + firstLine(llvm::toString(producer.takeError())));
        return;
    }
    if (const auto version = versionOf(*producer); version && *version > llvmVersion) {
        warnings.push_back(file + " was written by " + *producer + "; the slicer reads what LLVM 14 and older ones write.");
        return;
    }
    Modules::Unit unit{file, std::make_unique<llvm::LLVMContext>(), nullptr};
    unit.context->setDiagnosticHandlerCallBack(keepDiagnostics, nullptr);
    auto module = llvm::parseBitcodeFile(reference, *unit.context);
    if (!module) {
        warnings.push_back(file + " cannot be read as bitcode: " + firstLine(llvm::toString(module.takeError())));
        return;
    }
    unit.module = std::move(*module);
    if (isSound(unit, warnings))
        modules.units.push_back(std::move(unit));
}

} // namespace

LoadedProgram::LoadedProgram() : modules(std::make_unique<Modules>()) {}
LoadedProgram::~LoadedProgram() = default;
LoadedProgram::LoadedProgram(LoadedProgram &&) noexcept = default;

LoadedProgram loadProgram(const std::vector<std::string> &bitcodeFiles, std::vector<std::string> &warnings) {
    LoadedProgram loaded;
    Probe probe(bitcodeFiles, [](const std::string &file) {
        Modules alone;
        std::vector<std::string> unheard;
        read(file, alone, unheard);
        (void)lower(alone, unheard);
    });
    for (std::size_t i = 0; i < bitcodeFiles.size(); ++i) {
        if (probe.survives(i))
            read(bitcodeFiles[i], *loaded.modules, warnings);
        else
            warnings.push_back(bitcodeFiles[i] + " is damaged: LLVM's reader broke down over it.");
    }
    loaded.program = lower(*loaded.modules, warnings);
    return loaded;
}

} // namespace laggard::slice
