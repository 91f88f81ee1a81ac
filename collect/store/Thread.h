// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Counts.h"
#include "collect/store/Definitions.h"
#include "collect/store/EventRing.h"
#include "collect/store/KeptCalls.h"
#include "collect/store/Model.h"
#include "collect/store/OpenRequests.h"
#include "collect/store/StackCache.h"

namespace laggard::collect {

/// What all threads of the process share.
struct Store {
    explicit Store(const Settings &given) : settings(given) {}
    Settings settings;
    MappedFile file;
    BufferPool pool; ///< used if the settings say so
    Definitions definitions{file};
    OpenRequests requests{file};
    SlotArray<recording::ThreadState> threads{file, recording::ChunkKind::Threads};
    SlotArray<recording::CountSlot> counts{file, recording::ChunkKind::Counts};
    ModelSlots model{file};
    Unwinder unwinder;
    bool hasUnwinder = false;
};

/// The polls of one run: equal ones add to the record that is there already, also when several take turns.
class PollRun {
  public:
    /// Adds to the record of equal polls, if `position`, the ring's, says that only polls came since.
    bool add(std::uint64_t key, Ticks when, const std::uint64_t *position);
    /// A record of polls was written from `record` on.
    void begin(std::uint64_t key, std::uint64_t *record, const std::uint64_t *before, const std::uint64_t *position);
    [[nodiscard]] static std::uint64_t keyOf(std::uint32_t path, std::span<const Part> parts,
                                             std::span<const std::uint64_t> awaited);

  private:
    static constexpr std::size_t most = 8;
    std::uint64_t m_keys[most] = {};
    std::uint64_t *m_records[most] = {};
    std::size_t m_count = 0;
    const std::uint64_t *m_position = nullptr;
};

/// Mean and deviation of the times between transitions, for the hang threshold (PDI §4.1).
struct TransitionTimes {
    std::uint64_t count = 0;
    double mean = 0;
    double squares = 0;
    void add(double ticks) {
        show(count, count + 1);
        const double deviation = ticks - mean;
        show(mean, mean + deviation / static_cast<double>(count));
        show(squares, squares + deviation * (ticks - mean));
    }
    void clear() {
        show(count, std::uint64_t{0});
        show(mean, 0.0);
        show(squares, 0.0);
    }
    /// The monitor thread calls this while the thread itself adds: what belongs to different transitions may stand side by side.
    [[nodiscard]] TransitionTimes atThisMoment() const { return {shown(count), shown(mean), shown(squares)}; }
};

/// The log of one thread: see ThreadLog.h.
class Thread final : public ThreadLog {
  public:
    explicit Thread(Store &store);
    ~Thread() override = default;
    /// A new thread uses this one, or the memory of one that has ended.
    void begin(std::uint32_t number);
    /// The thread ends.
    void end();

    std::uint32_t callPath(std::uint32_t operation, std::uint32_t datatype) override;
    void beginCall(std::uint32_t path, Ticks entered, std::span<const Part> parts,
                   std::span<const std::uint64_t> awaited) override;
    void endCall(Ticks returned, std::uint32_t flags, std::span<const Part> completions) override;
    OpenCall openCall() const override { return {m_state->callPath, m_entered, m_beganAt}; }
    void resumeCall(const OpenCall &call) override;
    bool isBusy() const override;
    void missed() override { m_store.file.countDropped(); }
    void beginPoll(std::uint32_t path, Ticks entered) override;
    void endPollUnsuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited) override;
    void endPollSuccessful(Ticks returned, std::span<const Part> parts, std::span<const std::uint64_t> awaited,
                           std::span<const Part> completions) override;
    void enter(const void *address) override;
    void leave(const void *address) override;
    void enterScript(std::uint32_t number, std::uint32_t line) override;
    void leaveScript(std::uint32_t number) override;
    void phase(std::int32_t level) override;

    void collectiveCompleted(std::uint32_t communicator);

    /// Enters what is open in the log of the thread that forked this process. The functions of which the address is not known any
    /// more are left out.
    void takeOpenFunctions(const Thread &parent);

    [[nodiscard]] std::uint32_t number() const { return m_number; }
    [[nodiscard]] const recording::ThreadState &state() const { return *m_state; }
    /// From any thread.
    [[nodiscard]] TransitionTimes times() const { return m_times.atThisMoment(); }
    /// Highest address of the thread's stack; 0 if not known.
    [[nodiscard]] std::uintptr_t stackEnd() const { return m_stackEnd; }
    Thread *next = nullptr; ///< in the process's list of all threads

  private:
    class Inside;
    friend class Inside;

    /// The address of an instrumented function, if it is still known.
    [[nodiscard]] const void *addressOf(std::uint32_t number) const;
    void addCallBegin(RecordGroup &group);
    void enterNumber(std::uint32_t number, Ticks time, std::uint32_t line);
    void leaveNumber(std::uint32_t number, Ticks time);
    [[nodiscard]] std::uint32_t functionNumber(const void *address);
    [[nodiscard]] std::uint32_t functionPath();
    [[nodiscard]] std::span<const std::uint32_t> openFunctions() const;
    bool reserve(std::size_t words);
    void commit(RecordGroup &group);
    void addCallEnd(RecordGroup &group, Ticks returned, std::uint32_t flags, std::span<const Part> completions);
    void addRest(std::span<const Part> parts, std::span<const std::uint64_t> awaited);
    void setLive(std::uint32_t path, std::uint32_t last, Ticks since);
    void countBegun(std::uint32_t path, std::span<const Part> parts);
    void countCompletions(std::span<const Part> completions);
    void step(std::uint32_t to, Ticks from, Ticks until);
    void closePollRun(Ticks until);
    void findStack();

    Store &m_store;
    recording::ThreadState *m_state = nullptr;
    EventRing m_ring;
    const void *volatile m_inside = nullptr; ///< where it is in the recorder: a handler that comes in between records nothing
    bool m_keepsEvents = false;
    bool m_keepsModel = false;
    std::uint32_t m_number = 0;
    std::uint32_t m_generation = 0;

    std::uint32_t m_modelState = recording::startState;
    std::uint32_t m_path = recording::nothing;           ///< path of the open call or poll
    std::uint32_t m_openCollective = recording::nothing; ///< communicator of the open blocking collective
    bool m_isKept = false;
    Ticks m_entered = 0;     ///< for the open call or poll: when its wrapper was entered …
    Ticks m_beganAt = 0;     ///< … and when its record was written
    Ticks m_computeFrom = 0; ///< the last call's record was written, or the thread began
    std::uint32_t m_pollPaths[8] =
        {}; ///< paths in the run of unsuccessful polls that goes on; the model has it as one call at the first one
    std::size_t m_pollPathCount = 0;
    Ticks m_pollsFrom = 0;
    Ticks m_lastPoll = 0;
    PollRun m_polls;

    struct KnownFunction {
        const void *address;
        std::uint32_t number;
    };
    static constexpr std::size_t knownFunctions = 1024;
    KnownFunction *m_functions = nullptr;
    std::uint32_t m_functionPaths[recording::maxLiveDepth] = {}; ///< path up to each open function
    std::uint32_t m_validPaths = 0;
    HashIndex<std::uint32_t> m_pathIndex; ///< without stacks: by path of the functions, operation, datatype

    StackCache m_stacks;
    Model m_model;
    Counts m_counts;
    KeptCalls m_kept;
    TransitionTimes m_times;
    recording::ThreadState m_noState = {}; ///< used when the file has no room for one
    std::uintptr_t m_stackEnd = 0;
    void *m_alternateStack = nullptr;
    bool m_begun = false;
};

} // namespace laggard::collect
