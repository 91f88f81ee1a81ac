// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/CrashReason.h"

#include "trace/Quantity.h"
#include "trace/SourceFile.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <vector>

namespace laggard {
namespace {

/// What a function of a library, called where the signal struck, tells of its reason; empty: nothing.
std::string reasonOfCall(std::string_view called, std::int32_t signal) {
    struct Reason {
        std::string_view function;
        const char *text;
    };
    static constexpr auto reasons = std::to_array<Reason>({
        {"__assert_fail", "an assertion does not hold"},
        {"__assert_perror_fail", "an assertion does not hold"},
        {"__cxa_throw", "an exception is thrown that nobody catches"},
        {"__cxa_rethrow", "an exception is thrown again that nobody catches"},
        {"std::terminate", "the program calls std::terminate, as for an exception that nobody catches"},
        {"__cxa_call_terminate", "an exception leaves a function that must not throw"},
        {"__clang_call_terminate", "an exception leaves a function that must not throw"},
        {"__cxa_pure_virtual", "a pure virtual function is called"},
        {"libstdc++", "the C++ library ends it, most likely for an exception that nobody catches"},
        {"libc++abi", "the C++ library ends it, most likely for an exception that nobody catches"},
        {"std::__throw_", "the C++ library throws an exception that nobody catches"},
        {"operator new", "memory is asked for that is not there, and nobody catches std::bad_alloc"},
        {"__stack_chk_fail", "the stack of the function was overwritten"},
        {"__fortify_fail", "more is written than fits"},
        {"__chk_fail", "more is written than fits"},
        {"free", "the C library finds its memory management damaged"},
        {"malloc", "the C library finds its memory management damaged"},
        {"realloc", "the C library finds its memory management damaged"},
        {"operator delete", "the C library finds its memory management damaged"},
    });
    if (signal != SIGABRT)
        return {};
    const bool isName = called.ends_with(")") || called.find('(') == std::string_view::npos;
    for (const Reason &reason : reasons)
        if (isName && called.starts_with(reason.function) &&
            (called.size() == reason.function.size() || reason.function.ends_with("_") || reason.function.starts_with("lib") ||
             called[reason.function.size()] == '(' || called[reason.function.size()] == '[' ||
             called[reason.function.size()] == ' '))
            return reason.text;
    return {};
}

/// Calls of the innermost function within itself, at the innermost end of the stack: of one function, or of a few in turn.
std::size_t depthOfRecursion(const std::vector<Frame> &stack) {
    constexpr std::size_t longestTurn = 4; // functions that call each other in turn
    std::size_t deepest = 0;
    for (std::size_t turn = 1; turn <= longestTurn; ++turn) {
        std::size_t depth = 0;
        while (depth + turn < stack.size() && stack[depth].function == stack[depth + turn].function)
            ++depth;
        deepest = std::max(deepest, depth == 0 ? 0 : depth + turn);
    }
    return deepest;
}

/// Where a function calls itself again and again, a segmentation fault is the end of the stack, most likely. The recorder keeps
/// the innermost 128 KiB of a stack (docs/recording-format.md): fewer calls than this in it are no deep recursion.
std::string reasonOfDepth(const ProcessEnd &end) {
    constexpr std::size_t deep = 16; // assumed: of frames of 8 KiB, as many fit
    // What was kept reaches the beginning: the recursion has an end, and the stack room for more.
    if (std::ranges::find(end.stack, "main", &Frame::function) != end.stack.end())
        return {};
    if ((end.value != SIGSEGV && end.value != SIGBUS) || end.stack.empty() || depthOfRecursion(end.stack) < deep)
        return {};
    return "most likely a stack overflow: it calls itself, " + plural(depthOfRecursion(end.stack), "time") + " and more";
}

} // namespace

std::string reasonOfCrash(const ProcessEnd &end, std::string_view called) {
    for (const Frame &frame : end.stack) {
        if (frame.line != 0 && !isSystemHeader(frame.file))
            break; // the program's own code
        if (std::string reason = reasonOfCall(frame.function, end.value); !reason.empty())
            return reason;
    }
    std::string reason = reasonOfCall(called, end.value);
    return reason.empty() ? reasonOfDepth(end) : reason;
}

} // namespace laggard
