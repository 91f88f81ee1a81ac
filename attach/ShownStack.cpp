// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/ShownStack.h"

#include "ingest/recording/UserCode.h"
#include "trace/MpiName.h"

#include <algorithm>

namespace laggard::attach {
namespace {

using recording::CodeFrame;
using Place = recording::CodeFrames;

/// "MPI_Comm_split" for PMPI_Comm_split, mpi_comm_split_ and MPI_COMM_SPLIT.
std::string mpiNameOf(const std::string &function) {
    std::string name = mpiBaseName(function);
    if (name.empty())
        return function;
    name.front() = static_cast<char>(name.front() >= 'a' && name.front() <= 'z' ? name.front() - 'a' + 'A' : name.front());
    return "MPI_" + name;
}

bool isNamedMpi(const CodeFrame &frame) { return isMpiName(frame.function) || isMpiName(frame.linkage); }

/// A function of an MPI library, if only its inside: what has left itself by a tail call is on no stack.
bool isMpiPlace(const Place &place) {
    const std::string module = recording::moduleName(place.back().module);
    return isNamedMpi(place.back()) || module.starts_with("libmpi") || module.starts_with("libpmpi");
}

ShownFrame shownFrame(const CodeFrame &frame, const std::string &module, bool isOutermostMpi) {
    ShownFrame shown{.function = frame.function,
                     .symbol = frame.linkage,
                     .file = frame.file,
                     .line = frame.line,
                     .atFile = frame.atFile,
                     .atLine = frame.atLine,
                     .module = module,
                     .isMpi = false};
    if (isOutermostMpi) {
        shown.isMpi = true;
        shown.function = isNamedMpi(frame) ? mpiNameOf(isMpiName(frame.linkage) ? frame.linkage : frame.function)
                                           : "a call of MPI without a name";
        shown.symbol = shown.function;
        shown.file.clear(); // where it lies in MPI's own source is its inside
        shown.atFile.clear();
        shown.line = shown.atLine = 0;
    }
    return shown;
}

/// A place of the native stack, or the functions of Python that ran there.
struct NumberedPlace {
    Place place;
    std::size_t frame = 0;      ///< position of the walked frame, innermost first
    bool isInterpreter = false; ///< nobody wants to see it
    bool isPython = false;
};

bool isInterpreterLoop(const Place &place) {
    constexpr std::string_view name = "_PyEval_EvalFrameDefault"; // compilers add to it: ".cold"
    return place.back().function.starts_with(name) || place.back().linkage.starts_with(name);
}

bool isExtension(const Place &place) {
    const std::string module = recording::moduleName(place.back().module);
    return (module.find(".cpython-3") != std::string::npos || module.find(".abi3.so") != std::string::npos) &&
           place.front().atLine == 0;
}

CodeFrame codeFrame(const PythonFrame &frame) {
    CodeFrame code;
    code.function = code.linkage = frame.function;
    code.file = frame.file;
    code.line = frame.firstLine;
    code.atFile = frame.line == 0 ? std::string() : frame.file;
    code.atLine = frame.line;
    return code;
}

/// Puts the functions of Python where the interpreter's loop is on the stack: one loop runs a function and those of Python that
/// it calls, up to one that another loop was entered for. What is left at the end ran in the innermost loop.
void putPython(const PythonThread &python, std::vector<NumberedPlace> &places) {
    std::vector<Place> runs; // outermost first; each innermost first
    for (auto frame = python.frames.rbegin(); frame != python.frames.rend(); ++frame) {
        if (runs.empty() || frame->isEntry)
            runs.emplace_back();
        runs.back().insert(runs.back().begin(), codeFrame(*frame));
    }
    std::vector<NumberedPlace *> loops; // outermost first
    for (auto place = places.rbegin(); place != places.rend(); ++place)
        if (isInterpreterLoop(place->place))
            loops.push_back(&*place);
    // If a stack was not unwound to its end, or a list was cut, the inner ones are there.
    const std::size_t pairs = std::min(loops.size(), runs.size());
    for (std::size_t i = 0; i < pairs; ++i) {
        NumberedPlace &loop = *loops[loops.size() - 1 - i];
        loop.place = std::move(runs[runs.size() - 1 - i]);
        loop.isPython = true;
        loop.isInterpreter = false;
    }
}

std::vector<NumberedPlace> placesOf(const std::vector<WalkedFrame> &frames, const PythonThread *python,
                                    const ShownProcess &process) {
    std::vector<NumberedPlace> places; // innermost first
    for (const WalkedFrame &frame : frames) {
        const LoadedModule *module = process.modules.at(frame.counter - (frame.isReturnAddress ? 1 : 0));
        const auto kind = frame.isReturnAddress ? recording::PlaceKind::ReturnAddress : recording::PlaceKind::Instruction;
        const recording::ModuleKey key = module == nullptr ? recording::ModuleKey() : module->key;
        NumberedPlace place{*process.symbols.find(key, frame.counter - (module == nullptr ? 0 : module->bias), kind),
                            places.size()};
        if (module != nullptr && module->shownPath == "[vdso]")
            for (CodeFrame &each : place.place)
                each.module = module->shownPath;
        place.isInterpreter =
            module != nullptr && !process.interpreter.empty() &&
            (module->shownPath == process.interpreter || recording::moduleName(module->shownPath).starts_with("python3"));
        places.push_back(std::move(place));
    }
    while (places.size() > 1 && recording::isRuntimeStart(places.back().place.back().function))
        places.pop_back();
    if (python != nullptr && !python->frames.empty()) {
        putPython(*python, places);
        bool hasPython = false; // further out
        for (auto place = places.rbegin(); place != places.rend(); ++place) {
            hasPython |= place->isPython;
            place->isInterpreter |= hasPython && !place->isPython && isExtension(place->place);
        }
        std::erase_if(places, [](const NumberedPlace &each) { return each.isInterpreter; });
    }
    return places;
}

/// The name by which the caller has called a function inside MPI's library.
void nameMpi(CodeFrame &call, const std::vector<WalkedFrame> &frames, std::size_t frame, CalledFunctions &called) {
    if (isNamedMpi(call) || frame + 1 >= frames.size() || !frames[frame + 1].isReturnAddress)
        return;
    if (const std::string &name = called.mpiNameOf(frames[frame + 1].counter); !name.empty())
        call.function = call.linkage = name;
}

} // namespace

ShownStack shownStack(const std::vector<WalkedFrame> &frames, std::size_t notLeft, const PythonThread *python,
                      const ShownProcess &process) {
    const std::vector<NumberedPlace> numbered = placesOf(frames, python, process);
    std::vector<Place> places;
    for (const NumberedPlace &each : numbered)
        places.push_back(each.place);
    const recording::UserCode userCode(process.modules.program(), {});
    const std::size_t all = places.size();
    ShownStack stack;
    const auto mpi = std::ranges::find_if(places.rbegin(), places.rend(), isMpiPlace);
    std::vector<Place> kept;
    std::size_t mpiAt = places.size(); // in `kept`; none
    if (mpi != places.rend()) {
        const std::size_t inside = static_cast<std::size_t>(places.rend() - mpi) - 1; // places that MPI has called
        CodeFrame &call = places[inside].back();
        stack.mpiCall = numbered[inside].frame;
        nameMpi(call, frames, numbered[inside].frame, process.called);
        kept = recording::calledBack(places, inside, userCode);
        mpiAt = kept.size();
        kept.insert(kept.end(), places.begin() + static_cast<std::ptrdiff_t>(inside), places.end());
        stack.mpiSymbol = isMpiName(call.linkage) ? call.linkage : call.function;
    } else {
        kept = places;
        recording::cutLibraryInsides(kept, userCode);
    }
    // What MPI has called back is not joined to the rest: MPI's inside lies between them.
    std::size_t firstKept = 0;
    while (firstKept < all && mpiAt != 0 && mpiAt != all && !userCode.contains(places[firstKept]))
        ++firstKept;
    if (firstKept != 0 && mpiAt != 0 && mpiAt != all && !userCode.contains(kept.front()))
        --firstKept;
    const auto frameOf = [&](std::size_t position) { // in `kept`, innermost first
        const bool isCalledBack = stack.mpiCall && position < mpiAt;
        return numbered[isCalledBack ? firstKept + position : all - kept.size() + position].frame;
    };
    std::size_t count = 0;
    for (auto place = kept.rbegin(); place != kept.rend(); ++place) {
        ++count;
        const LoadedModule *module = nullptr;
        for (const LoadedModule &each : process.modules.all())
            if (each.key.path == place->back().module)
                module = &each;
        for (auto frame = place->rbegin(); frame != place->rend(); ++frame)
            stack.frames.push_back(shownFrame(*frame, module == nullptr ? place->back().module : module->shownPath,
                                              kept.size() - count == mpiAt && &*frame == &place->back()));
        // What was inlined into a frame that moves, or run by it, may have been left.
        const std::size_t fromOutermost = frames.size() - frameOf(kept.size() - count);
        if (fromOutermost < notLeft)
            stack.notLeft = stack.frames.size();
        else if (fromOutermost == notLeft)
            stack.notLeft = stack.frames.size() - place->size() + 1;
    }
    if (notLeft >= frames.size())
        stack.notLeft = stack.frames.size();
    return stack;
}

} // namespace laggard::attach
