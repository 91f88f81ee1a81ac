// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Thread.h"

#include "collect/store/HandledCrash.h"
#include "collect/store/LeftFrame.h"
#include "collect/store/Pages.h"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" [[gnu::weak]] void *__libc_stack_end; // NOLINT: the C library's name

namespace laggard::collect {

using namespace recording;

namespace {

/// What a group takes at most.
constexpr std::size_t mostParts = 256;
constexpr std::size_t mostAwaited = 8 * (maxRecordWords - 1);
constexpr std::size_t mostPartWords = 1 + std::size(Part{}.words);
static_assert(2 * mostPartWords * mostParts + mostAwaited + 8 + 5 <= EventRing::mostWords);

template <typename T> std::span<const T> firstOf(std::span<const T> all, std::size_t most) {
    return all.first(std::min(all.size(), most));
}

/// Handlers of the program run there as well, written for a whole stack; what is not touched takes no memory.
constexpr std::size_t alternateStackBytes = std::size_t{256} << 10U;

std::uint32_t cost(Ticks from, Ticks until) {
    return static_cast<std::uint32_t>(std::min<Ticks>(until - std::min(from, until), 0xFFFFFFFF));
}

} // namespace

/// True while the thread is in the recorder for the first time; false when a signal handler, or what the recorder itself calls,
/// comes in again.
class Thread::Inside {
  public:
    explicit Inside(Thread &thread) : m_thread(thread) {
        HandledCrash::settle();
        // A handler may have left the recorder by longjmp(), and the thread may have been cancelled in it.
        m_isFirst = m_thread.m_inside == nullptr || isLeft(m_thread.m_inside);
        if (m_isFirst)
            m_thread.m_inside = this;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~Inside() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (m_isFirst)
            m_thread.m_inside = nullptr;
    }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    explicit operator bool() {
        if (!m_isFirst)
            m_thread.m_store.file.countDropped();
        return m_isFirst;
    }

  private:
    Thread &m_thread;
    bool m_isFirst = false;
};

Thread::Thread(Store &store) : m_store(store) {}

void Thread::begin(std::uint32_t number) {
    m_inside = nullptr; // whoever had this memory has ended
    const Undisturbed undisturbed;
    const Inside inside(*this);
    const bool isNew = !m_begun;
    m_begun = true;
    m_number = number;
    m_keepsEvents = m_store.settings.keepsEvents();
    m_keepsModel = m_store.settings.keepsModel();
    if (isNew) {
        m_ring.begin(m_store.file, m_store.pool, m_store.settings, number);
        m_model.begin(m_store.model, m_store.file, number);
        m_counts.begin(m_store.counts, m_store.file);
        m_kept.begin(m_store.file, number);
        if (m_store.hasUnwinder)
            m_stacks.begin(m_store.definitions, m_store.unwinder);
        m_functions = static_cast<KnownFunction *>(newPages(knownFunctions * sizeof(KnownFunction)));
        m_state = m_store.threads.take();
        if (m_state == nullptr)
            m_state = &m_noState;
    } else {
        m_ring.restart(number);
        m_model.restart(number);
        m_kept.restart(number);
        m_modelState = startState;
        m_path = m_openCollective = nothing;
        m_pollPathCount = 0;
        m_validPaths = 0;
        m_times.clear();
    }
    findStack();
    const SlotWriting writing(*m_state);
    m_state->thread = number;
    m_state->tid = static_cast<std::int32_t>(syscall(SYS_gettid));
    show(m_state->isMain, m_state->tid == getpid() ? 1U : 0U);
    setDepth(*m_state, 0);
    m_computeFrom = now();
    show(m_state->since, std::uint64_t{m_computeFrom});
    show(m_state->callPath, std::uint32_t{nothing});
    m_state->lastCallPath = nothing;
    setEvents(*m_state, 0);
}

void Thread::end() {
    const Undisturbed undisturbed;
    const Inside inside(*this);
    m_ring.end();
    {
        const SlotWriting writing(*m_state);
        m_state->tid = -m_state->tid;
    }
    stack_t current{};
    if (m_alternateStack != nullptr && sigaltstack(nullptr, &current) == 0 && current.ss_sp == m_alternateStack) {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
    }
}

/// Where the stack ends, and one for signal handlers, should this one overflow.
void Thread::findStack() {
    m_stackEnd = 0;
    if (syscall(SYS_gettid) == getpid()) {
        if (&__libc_stack_end != nullptr)
            m_stackEnd = reinterpret_cast<std::uintptr_t>(__libc_stack_end) + 64;
    } else if (pthread_attr_t attributes; pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *low = nullptr;
        std::size_t bytes = 0;
        if (pthread_attr_getstack(&attributes, &low, &bytes) == 0)
            m_stackEnd = reinterpret_cast<std::uintptr_t>(low) + bytes;
        pthread_attr_destroy(&attributes);
    }
    stack_t current{};
    if (sigaltstack(nullptr, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0)
        return;
    if (m_alternateStack == nullptr)
        m_alternateStack = newPages(alternateStackBytes);
    if (m_alternateStack == nullptr)
        return;
    stack_t own{};
    own.ss_sp = m_alternateStack;
    own.ss_size = alternateStackBytes;
    sigaltstack(&own, nullptr);
}

// ---- Records -------------------------------------------------------------------------------------------------------------

std::span<const std::uint32_t> Thread::openFunctions() const {
    return {m_state->functions, std::min<std::size_t>(m_state->depth, maxLiveDepth)};
}

bool Thread::reserve(std::size_t words) {
    if (!m_keepsEvents)
        return false;
    if (m_ring.reserve(words, openFunctions(), m_state->depth))
        return true;
    m_store.file.countDropped();
    return false;
}

void Thread::commit(RecordGroup &group) {
    m_ring.commit(group);
    setEvents(*m_state, m_state->events + group.records());
}

/// Parts that were too many for one group, in further ones.
void Thread::addRest(std::span<const Part> parts, std::span<const std::uint64_t> awaited) {
    while (!parts.empty() || !awaited.empty()) {
        const auto someParts = firstOf(parts, mostParts);
        const auto someAwaited = firstOf(awaited, mostAwaited);
        parts = parts.subspan(someParts.size());
        awaited = awaited.subspan(someAwaited.size());
        if (!reserve(RecordGroup::wordsOf(someParts) + RecordGroup::wordsOfAwaited(someAwaited.size())))
            continue;
        RecordGroup group = m_ring.group();
        for (const Part &part : someParts)
            group.add(part);
        group.addAwaited(someAwaited);
        commit(group);
    }
}

void Thread::addCallBegin(RecordGroup &group) {
    const std::uint32_t line = scriptLine == nullptr ? 0 : scriptLine();
    if (line == 0)
        group.add(RecordKind::CallBegin, m_path, {m_entered});
    else
        group.add(RecordKind::CallBegin, m_path, {m_entered, line});
}

void Thread::addCallEnd(RecordGroup &group, Ticks returned, std::uint32_t flags, std::span<const Part> completions) {
    m_computeFrom = std::max(now(), returned);
    const std::uint64_t costs = pair(cost(m_entered, m_beganAt), cost(returned, m_computeFrom));
    group.add(RecordKind::CallEnd, flags, {returned, costs});
    for (const Part &part : completions)
        group.add(part);
    if (m_isKept)
        m_kept.close(returned, flags, costs);
}

void Thread::setLive(std::uint32_t path, std::uint32_t last, Ticks since) {
    const SlotWriting writing(*m_state);
    show(m_state->callPath, path);
    m_state->lastCallPath = last;
    show(m_state->since, std::uint64_t{since});
}

// ---- Functions -----------------------------------------------------------------------------------------------------------

std::uint32_t Thread::functionNumber(const void *address) {
    if (m_functions == nullptr)
        return m_store.definitions.function(address);
    // A handler may leave this by longjmp() anywhere: an address stands here only while its number is right.
    if (const std::uint32_t generation = m_store.definitions.generation(); m_generation != generation) {
        for (std::size_t i = 0; i < knownFunctions; ++i)
            m_functions[i].address = nullptr;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        m_generation = generation;
    }
    const auto code = reinterpret_cast<std::uintptr_t>(address);
    KnownFunction &known = m_functions[(code >> 4U ^ code >> 14U) % knownFunctions];
    if (known.address != address) {
        const std::uint32_t number = m_store.definitions.function(address);
        known.address = nullptr;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        known.number = number;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        known.address = address;
    }
    return known.number;
}

void Thread::enterNumber(std::uint32_t number, Ticks time, std::uint32_t line) {
    if (reserve(3)) {
        RecordGroup group = m_ring.group();
        if (line == 0)
            group.add(RecordKind::Enter, number, {time});
        else
            group.add(RecordKind::Enter, number, {time, line});
        commit(group);
    }
    const std::uint32_t depth = m_state->depth;
    if (depth < maxLiveDepth) {
        m_state->functions[depth] = number;
        m_state->functionChecks[depth] = functionCheck(number, depth);
    }
    setDepth(*m_state, depth + 1);
}

void Thread::leaveNumber(std::uint32_t number, Ticks time) {
    if (reserve(2)) {
        RecordGroup group = m_ring.group();
        group.add(RecordKind::Leave, number, {time});
        commit(group);
    }
    std::uint32_t depth = m_state->depth;
    if (depth > maxLiveDepth) {
        setDepth(*m_state, depth - 1);
        return;
    }
    // Functions that longjmp has left are not left one by one: look further out.
    while (depth > 0 && m_state->functions[depth - 1] != number)
        --depth;
    if (depth == 0)
        return;
    m_validPaths = std::min(m_validPaths, depth - 1); // first: too few of them are made anew
    setDepth(*m_state, depth - 1);
}

void Thread::enter(const void *address) {
    Inside inside(*this);
    if (!inside)
        return;
    const Ticks time = now();
    enterNumber(functionNumber(address), time, 0);
}

void Thread::leave(const void *address) {
    Inside inside(*this);
    if (!inside)
        return;
    const Ticks time = now();
    leaveNumber(functionNumber(address), time);
}

void Thread::enterScript(std::uint32_t number, std::uint32_t line) {
    Inside inside(*this);
    if (inside)
        enterNumber(number, now(), line);
}

void Thread::leaveScript(std::uint32_t number) {
    Inside inside(*this);
    if (inside)
        leaveNumber(number, now());
}

bool Thread::isBusy() const { return m_inside != nullptr && !isLeft(m_inside); }

void Thread::takeOpenFunctions(const Thread &parent) {
    for (const std::uint32_t number : parent.openFunctions()) {
        const std::uint32_t script = scriptInChild == nullptr ? nothing : scriptInChild(number);
        if (script != nothing)
            enterScript(script, 0);
        else if (const void *address = parent.addressOf(number))
            enter(address);
    }
}

const void *Thread::addressOf(std::uint32_t number) const {
    for (std::size_t i = 0; m_functions != nullptr && i < knownFunctions; ++i)
        if (m_functions[i].address != nullptr && m_functions[i].number == number)
            return m_functions[i].address;
    return nullptr;
}

/// Path of the open instrumented functions.
std::uint32_t Thread::functionPath() {
    const auto functions = openFunctions();
    for (; m_validPaths < functions.size(); ++m_validPaths) {
        const std::uint32_t parent = m_validPaths == 0 ? nothing : m_functionPaths[m_validPaths - 1];
        m_functionPaths[m_validPaths] = m_store.definitions.childPath(parent, functions[m_validPaths]);
    }
    return functions.empty() ? nothing : m_functionPaths[functions.size() - 1];
}

std::uint32_t Thread::callPath(std::uint32_t operation, std::uint32_t datatype) {
    Inside inside(*this);
    if (!inside)
        return nothing;
    if (m_store.hasUnwinder)
        return m_stacks.find(operation, datatype);
    const std::uint32_t parent = functionPath();
    const IndexKey key{pair(operation, datatype), parent, 0};
    if (const std::uint32_t *known = m_pathIndex.find(key))
        return *known;
    const std::uint32_t path = m_store.definitions.callPath(parent, operation, datatype);
    if (path != nothing)
        m_pathIndex.insert(key, path);
    return path;
}

// ---- Calls ---------------------------------------------------------------------------------------------------------------

void Thread::step(std::uint32_t to, Ticks from, Ticks until) {
    const auto ticks = static_cast<double>(until > from ? until - from : 0);
    if (m_keepsModel)
        m_model.step(m_modelState, to, ticks);
    m_times.add(ticks);
    m_modelState = to;
}

/// The run of unsuccessful polls ends: in the model it was one call, from its first poll to its last.
void Thread::closePollRun(Ticks until) {
    if (m_pollPathCount == 0)
        return;
    step(2 * m_pollPaths[0] + 1, m_pollsFrom, until);
    m_computeFrom = until;
    m_pollPathCount = 0;
}

void Thread::countBegun(std::uint32_t path, std::span<const Part> parts) {
    const std::uint32_t operation = m_store.definitions.operationOf(path);
    const std::uint8_t traits = m_store.definitions.traitsOf(operation);
    m_isKept = (traits & isKept) != 0;
    m_openCollective = nothing;
    if ((traits & initialisesOnly) != 0)
        return;
    for (const Part &part : parts) {
        if (part.kind == RecordKind::SendPart) {
            m_counts.message(CountKind::Sends, high(part.words[0]), part.argument, static_cast<std::int32_t>(low(part.words[0])),
                             part.words[1]);
        } else if (part.kind == RecordKind::CollectivePart) {
            m_counts.collectiveBegun(low(part.words[0]), part.argument, operation, part.words[1]);
            if (part.words[3] == 0)
                m_openCollective = low(part.words[0]);
        }
    }
}

void Thread::countCompletions(std::span<const Part> completions) {
    for (const Part &part : completions)
        if (part.kind == RecordKind::CompletedReceive)
            m_counts.message(CountKind::Receives, high(part.words[0]), part.argument,
                             static_cast<std::int32_t>(low(part.words[0])), part.words[1]);
}

void Thread::collectiveCompleted(std::uint32_t communicator) {
    Inside inside(*this);
    if (inside)
        m_counts.collectiveCompleted(communicator);
}

void Thread::beginCall(std::uint32_t path, Ticks entered, std::span<const Part> parts, std::span<const std::uint64_t> awaited) {
    Inside inside(*this);
    if (!inside)
        return;
    closePollRun(m_lastPoll);
    m_path = path;
    m_entered = entered;
    const auto someParts = firstOf(parts, mostParts);
    const auto someAwaited = firstOf(awaited, mostAwaited);
    if (reserve(3 + RecordGroup::wordsOf(someParts) + RecordGroup::wordsOfAwaited(someAwaited.size()))) {
        RecordGroup group = m_ring.group();
        addCallBegin(group);
        for (const Part &part : someParts)
            group.add(part);
        group.addAwaited(someAwaited);
        commit(group);
        addRest(parts.subspan(someParts.size()), awaited.subspan(someAwaited.size()));
    }
    setLive(path, m_state->lastCallPath, entered);
    countBegun(path, parts);
    if (m_isKept)
        m_kept.open(path, entered, parts);
    if (path != nothing)
        step(2 * path, m_computeFrom, entered);
    m_beganAt = now();
}

void Thread::endCall(Ticks returned, std::uint32_t flags, std::span<const Part> completions) {
    Inside inside(*this);
    if (!inside)
        return;
    if (m_path != nothing)
        step(2 * m_path + 1, m_beganAt, returned);
    if (m_openCollective != nothing && (flags & callFailed) == 0)
        m_counts.collectiveCompleted(m_openCollective);
    m_openCollective = nothing;
    countCompletions(completions);
    const auto some = firstOf(completions, mostParts);
    if (reserve(3 + RecordGroup::wordsOf(some))) {
        RecordGroup group = m_ring.group();
        addCallEnd(group, returned, flags, some);
        commit(group);
        addRest(completions.subspan(some.size()), {});
    } else {
        m_computeFrom = std::max(now(), returned);
        if (m_isKept)
            m_kept.close(returned, flags, pair(cost(m_entered, m_beganAt), cost(returned, m_computeFrom)));
    }
    m_isKept = false;
    setLive(nothing, m_path, returned);
}

void Thread::resumeCall(const OpenCall &call) {
    Inside inside(*this);
    if (!inside)
        return;
    m_path = call.path;
    m_entered = call.entered;
    m_beganAt = call.began;
    const SlotWriting writing(*m_state);
    m_state->callPath = call.path;
}

void Thread::beginPoll(std::uint32_t path, Ticks entered) {
    Inside inside(*this);
    if (!inside)
        return;
    m_path = path;
    m_entered = entered;
    const SlotWriting writing(*m_state);
    show(m_state->callPath, path);
}

void Thread::endPollUnsuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited) {
    Inside inside(*this);
    if (!inside)
        return;
    const std::uint64_t key = PollRun::keyOf(m_path, parts, awaited);
    const auto someParts = firstOf(parts, mostParts);
    const auto someAwaited = firstOf(awaited, mostAwaited);
    if (!m_polls.add(key, m_entered, m_ring.position()) &&
        reserve(4 + RecordGroup::wordsOf(someParts) + RecordGroup::wordsOfAwaited(someAwaited.size()))) {
        RecordGroup group = m_ring.group();
        std::uint64_t *record = group.position();
        const std::uint64_t chunk = m_ring.sequence();
        group.add(RecordKind::Polls, m_path, {m_entered, sealedPoll(0, 1, m_entered), sealedPoll(1, 2, m_entered)});
        for (const Part &part : someParts)
            group.add(part);
        group.addAwaited(someAwaited);
        commit(group);
        addRest(parts.subspan(someParts.size()), awaited.subspan(someAwaited.size()));
        // A record that so many others follow may be gone when the next poll comes.
        if (m_ring.sequence() == chunk)
            m_polls.begin(key, record, record, m_ring.position());
    }
    m_lastPoll = returned;
    // A poll of a run that goes on is no transition: else who polls for ever would never count as hanging.
    const auto *end = m_pollPaths + m_pollPathCount;
    bool isTransition = false;
    if (m_path != nothing && std::find<const std::uint32_t *>(m_pollPaths, end, m_path) == end &&
        m_pollPathCount < std::size(m_pollPaths)) {
        isTransition = m_pollPathCount == 0;
        if (isTransition) {
            step(2 * m_path, m_computeFrom, m_entered);
            m_pollsFrom = m_entered;
        }
        m_pollPaths[m_pollPathCount++] = m_path;
    }
    setLive(nothing, m_path, isTransition ? m_entered : m_state->since);
}

void Thread::endPollSuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited,
                               std::span<const Part> completions) {
    Inside inside(*this);
    if (!inside)
        return;
    if (m_pollPathCount > 0 && m_pollPaths[0] == m_path) {
        closePollRun(returned);
    } else {
        closePollRun(m_lastPoll);
        if (m_path != nothing) {
            step(2 * m_path, m_computeFrom, m_entered);
            step(2 * m_path + 1, m_entered, returned);
        }
    }
    countBegun(m_path, parts);
    countCompletions(completions);
    const auto someParts = firstOf(parts, mostParts);
    const auto someAwaited = firstOf(awaited, mostAwaited);
    const bool isShort = someParts.size() == parts.size() && someAwaited.size() == awaited.size();
    const auto someCompletions = firstOf(completions, isShort ? mostParts : 0);
    m_beganAt = m_entered;
    m_computeFrom = returned;
    if (reserve(6 + RecordGroup::wordsOf(someParts) + RecordGroup::wordsOfAwaited(someAwaited.size()) +
                RecordGroup::wordsOf(someCompletions))) {
        RecordGroup group = m_ring.group();
        addCallBegin(group);
        for (const Part &part : someParts)
            group.add(part);
        group.addAwaited(someAwaited);
        if (isShort) {
            addCallEnd(group, returned, 0, someCompletions);
            commit(group);
        } else {
            commit(group);
            addRest(parts.subspan(someParts.size()), awaited.subspan(someAwaited.size()));
            if (reserve(3)) {
                RecordGroup last = m_ring.group();
                addCallEnd(last, returned, 0, {});
                commit(last);
            }
        }
        addRest(completions.subspan(someCompletions.size()), {});
    }
    setLive(nothing, m_path, returned);
}

void Thread::phase(std::int32_t level) {
    const Undisturbed undisturbed;
    Inside inside(*this);
    if (!inside)
        return;
    m_model.nextPhase();
    const Ticks time = now();
    if (m_keepsEvents)
        m_kept.mark(level, time);
    if (reserve(2)) {
        RecordGroup group = m_ring.group();
        group.add(RecordKind::Phase, static_cast<std::uint32_t>(level), {time});
        commit(group);
    }
}

} // namespace laggard::collect
