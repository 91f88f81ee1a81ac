// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/LeftFrame.h"

#include "collect/store/Undisturbed.h"

#include <csignal>
#include <cstdint>
#include <unwind.h>

// Where this library lies in memory; the linker knows.
extern "C" [[gnu::visibility("hidden")]] const char __ehdr_start; // NOLINT: the linker's names
extern "C" [[gnu::visibility("hidden")]] const char _etext;       // NOLINT

namespace laggard::collect {

namespace {

enum class Found { Nothing, Open, Left };

struct Search {
    std::uintptr_t wanted;
    std::uintptr_t visitor;
    bool isOnOtherStack;      ///< the one for signal handlers
    std::uintptr_t begin = 0; ///< lowest address of the frame before the one that is visited
    bool isOwn = true;        ///< that frame belongs to the recorder …
    bool isThisVisit = true;  ///< … and to the call that asks: what stood there is overwritten
    Found found = Found::Nothing;
};

_Unwind_Reason_Code visit(_Unwind_Context *context, void *argument) {
    auto &search = *static_cast<Search *>(argument);
    const auto begin = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
    const bool isFirst = search.begin == 0;
    // Stacks grow downwards: what is below the innermost frame is nobody's any more.
    if (isFirst && search.wanted < begin && !search.isOnOtherStack)
        search.found = Found::Left;
    if (!isFirst && search.wanted >= search.begin && search.wanted < begin)
        search.found = search.isOwn && !search.isThisVisit ? Found::Open : Found::Left;
    if (search.found != Found::Nothing)
        return _URC_NORMAL_STOP;
    if (!isFirst && search.visitor >= search.begin && search.visitor < begin)
        search.isThisVisit = false;
    search.begin = begin;
    search.isOwn = isOwnCode(static_cast<std::uintptr_t>(_Unwind_GetIP(context)));
    search.isThisVisit = search.isThisVisit && search.isOwn;
    return _URC_NO_REASON;
}

} // namespace

bool isOwnCode(std::uintptr_t address) {
    return address >= reinterpret_cast<std::uintptr_t>(&__ehdr_start) && address < reinterpret_cast<std::uintptr_t>(&_etext);
}

bool isLeft(const void *frame, const void *visitor) {
    // The unwinder begins with something that is done once, and for which other threads wait.
    const Undisturbed undisturbed;
    stack_t other{};
    const bool isKnown = sigaltstack(nullptr, &other) == 0;
    Search search{reinterpret_cast<std::uintptr_t>(frame), reinterpret_cast<std::uintptr_t>(visitor),
                  isKnown && (other.ss_flags & SS_ONSTACK) != 0};
    _Unwind_Backtrace(visit, &search);
    if (search.found != Found::Nothing)
        return search.found == Found::Left;
    // A handler has left the stack that it had for itself.
    const auto low = reinterpret_cast<std::uintptr_t>(other.ss_sp);
    return isKnown && !search.isOnOtherStack && search.wanted >= low && search.wanted - low < other.ss_size;
}

} // namespace laggard::collect
