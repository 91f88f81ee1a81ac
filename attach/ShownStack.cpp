// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/ShownStack.h"

#include "ingest/recording/UserCode.h"
#include "trace/MpiName.h"

#include <algorithm>

namespace laggard::attach {
namespace {

using recording::CodeFrame;
using Place = recording::CodePlace;

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

} // namespace

ShownStack shownStack(const std::vector<WalkedFrame> &frames, std::size_t notLeft, const LoadedModules &modules,
                      const std::string &program, recording::Symbols &symbols) {
    std::vector<Place> places; // innermost first
    for (const WalkedFrame &frame : frames) {
        const LoadedModule *module = modules.at(frame.counter - (frame.isReturnAddress ? 1 : 0));
        const auto kind = frame.isReturnAddress ? recording::PlaceKind::ReturnAddress : recording::PlaceKind::Instruction;
        const recording::ModuleKey key = module == nullptr ? recording::ModuleKey() : module->key;
        places.push_back(*symbols.find(key, frame.counter - (module == nullptr ? 0 : module->bias), kind));
        if (module != nullptr && module->shownPath == "[vdso]")
            for (CodeFrame &each : places.back())
                each.module = module->shownPath;
    }
    std::size_t hidden = 0; // outermost
    while (places.size() > 1 && recording::isRuntimeStart(places.back().back().function)) {
        places.pop_back();
        ++hidden;
    }
    const recording::UserCode userCode(program, {});
    const std::size_t all = places.size();
    const auto mpi = std::ranges::find_if(places.rbegin(), places.rend(), isMpiPlace);
    std::vector<Place> kept;
    std::size_t mpiAt = places.size(); // in `kept`; none
    if (mpi != places.rend()) {
        const std::size_t inside = static_cast<std::size_t>(places.rend() - mpi) - 1; // places that MPI has called
        kept = recording::calledBack(places, inside, userCode);
        mpiAt = kept.size();
        kept.insert(kept.end(), places.begin() + static_cast<std::ptrdiff_t>(inside), places.end());
    } else {
        kept = places;
        recording::cutLibraryInsides(kept, userCode);
    }
    ShownStack stack;
    const std::size_t placesNotLeft = notLeft > hidden ? notLeft - hidden : 0;
    std::size_t count = 0;
    for (auto place = kept.rbegin(); place != kept.rend(); ++place) {
        ++count;
        const LoadedModule *module = nullptr;
        for (const LoadedModule &each : modules.all())
            if (each.key.path == place->back().module)
                module = &each;
        for (auto frame = place->rbegin(); frame != place->rend(); ++frame)
            stack.frames.push_back(shownFrame(*frame, module == nullptr ? place->back().module : module->shownPath,
                                              kept.size() - count == mpiAt && &*frame == &place->back()));
        // What was inlined into a frame that moves may have been left.
        if (count < placesNotLeft)
            stack.notLeft = stack.frames.size();
        else if (count == placesNotLeft)
            stack.notLeft = stack.frames.size() - place->size() + 1;
    }
    if (placesNotLeft >= all)
        stack.notLeft = stack.frames.size();
    return stack;
}

} // namespace laggard::attach
