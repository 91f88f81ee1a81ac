// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Agreement.h"

#include "app/across/Tree.h"
#include "trace/Work.h"

#include <new>

namespace laggard {
namespace {

/// What went wrong where; empty sentence: nothing.
struct Failure {
    std::string sentence;
    unsigned process = 0;
    bool isOfInput = false;
    bool isOfAll = false; ///< all processes that were asked say the same
};

template <typename A> void packFields(A &a, Failure &v) { a(v.sentence, v.process, v.isOfInput, v.isOfAll); }

void joinFailures(Failure &own, const Failure &other) {
    const bool isSame = own.isOfAll && other.isOfAll && own.sentence == other.sentence;
    if (own.sentence.empty())
        own = other;
    own.isOfAll = isSame;
}

} // namespace

void doTogether(Transport &transport, const std::function<void()> &work) {
    Failure failure{{}, transport.rank(), false, true};
    try {
        work();
    } catch (const ReadError &error) {
        failure.sentence = error.what();
        failure.isOfInput = true;
    } catch (const std::invalid_argument &error) {
        failure.sentence = error.what();
    } catch (const std::bad_alloc &) {
        if (transport.size() == 1)
            throw; // no share, but all of it
        failure.sentence = "not enough memory for its share";
        failure.isOfInput = true;
    }
    failure = reduceForAll(transport, std::move(failure), joinFailures);
    if (failure.sentence.empty())
        return;
    const std::string who =
        failure.isOfAll ? "" : "process " + std::to_string(failure.process) + " of " + std::to_string(transport.size()) + ": ";
    throw TogetherError(who + failure.sentence, failure.isOfInput);
}

} // namespace laggard
