// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"
#include "slice/dependence/Definitions.h"
#include "slice/program/Lookup.h"
#include "slice/program/Names.h"
#include "slice/walk/Nearest.h"
#include "slice/walk/Steps.h"
#include "slice/walk/Together.h"

#include <map>
#include <memory>
#include <set>
#include <unordered_set>

namespace laggard::slice {

/// What all parts of a slice look things up in.
struct Analysis {
    const Program &program;
    const Lookup &lookup;
    Flows &flows;
    Effects &effects;
    Definitions &definitions;
    const Names &names;
    const std::vector<MatchedMessage> &messages;
    const SliceOptions &options;
    Deadline &deadline;
};

/// How far a condition, or the call on the way, is from what it decides about, where a value is 1 from what uses it: values
/// first, as they explain more than why they were computed at all (Sridharan, Fink, Bodik: Thin slicing, PLDI 2007).
inline constexpr unsigned conditionDistance = 2;

/// The backward walk over dependences, nearest first. Functions are entered for one thing that is asked of them (their value,
/// what they write somewhere, why they threw), once for all calls that ask it; what they depend on is handed back to each of
/// those calls and to no other (Horwitz, Reps, Binkley, TOPLAS 1990, with the summaries made when they are needed). Copies of
/// values cost no distance.
class Walk {
  public:
    Walk(Analysis &analysis, Steps &steps) : a(analysis), steps(steps) {}

    using Entered = std::uint32_t; ///< index of a function that was entered

    /// A function on a call stack; `ranks` names whose.
    [[nodiscard]] Entered frame(std::uint32_t function, const std::string &ranks, std::uint32_t key);
    [[nodiscard]] std::uint32_t functionOf(Entered where) const { return activations[where].function; }
    void addCaller(Entered frame, Entered caller, Node call);
    /// Where a stack ends: in one of these instructions of the frame, or somewhere in it if there are none.
    void standAt(Entered frame, const std::vector<Node> &nodes);

    void value(Entered where, Node node, unsigned distance, Reason reason);
    void memory(Entered where, Node before, const LocationSet &what, unsigned distance, Reason reason);
    /// Why a node is executed at all.
    void execution(Entered where, Node node, unsigned distance);
    /// What decides at the end of a block where it goes on.
    /// @param sentence of Steps::sentence(), in place of the usual one
    void decision(Entered where, Node node, unsigned distance, Why why, std::uint32_t from, std::uint32_t sentence = none);
    void line(Entered where, Node node, unsigned distance, Reason reason);

    /// Until nothing is left, or the time or the depth is used up.
    void run();

  private:
    enum class Kind : std::uint8_t { Frame, Together, Value, Memory, MemoryThrown, Exception };
    struct Caller {
        Entered where = none;
        Node call = none;
        unsigned distance = 0;
    };
    /// What an entered function depends on that its caller knows: an argument, or memory as it is at the call.
    struct Fact {
        bool isArgument = false;
        std::uint32_t what = 0;
        unsigned distance = 0; ///< from where the function was entered
        Reason reason;
    };
    /// A call whose value has come by a message.
    struct Received {
        Node call = none;
        unsigned distance = 0;
        Reason reason;
    };
    struct Activation {
        std::uint32_t function = none;
        Kind kind = Kind::Frame;
        std::string ranks;
        unsigned start = 0;
        std::vector<Caller> callers;
        std::vector<Fact> facts;
        std::vector<Received> receives;                                    ///< which matches count depends on the callers
        std::set<std::tuple<Node, std::size_t, std::string>> knownSenders; ///< for a call: Sender::first and ::ranks
        std::unordered_set<std::uint64_t> knownCallers, knownFacts;
    };
    struct Item {
        enum Kind : std::uint8_t { Value, Memory, Execution, Thrown } kind = Value;
        Entered where = none;
        Node node = none;
        SetId what = 0;
        Reason reason;
    };

    using Key = Nearest::Key;
    /// Items about memory as it is when a function ends.
    static constexpr Node atReturn = none, atThrow = none - 1;

    [[nodiscard]] Key keyOf(const Item &item) const;
    void push(unsigned distance, const Item &item);
    void handle(const Item &item, unsigned distance);
    void address(Entered where, Node pointer, unsigned distance, Reason reason);
    void handleValue(const Item &item, unsigned distance);
    void handlePhi(const Item &item, unsigned distance);
    void handleMemory(const Item &item, unsigned distance);
    void handleExecution(const Item &item, unsigned distance);
    void handleThrown(const Item &item, unsigned distance);
    void callValue(const Item &item, unsigned distance);
    void definition(const Item &item, const Reaching::Definition &found, unsigned distance);
    void store(const Item &item, Node at, unsigned distance);
    void outsideCall(const Item &item, Node call, const LocationSet &what, unsigned distance);
    void outsideInputs(Entered where, Node call, const LocationSet *what, unsigned distance, Reason reason);
    void copiedMemory(Entered where, Node call, unsigned to, const LocationSet &what, unsigned distance, Reason reason);
    void restOfArguments(Entered where, Node call, unsigned distance, Reason reason);
    [[nodiscard]] bool isWritten(std::uint32_t function, std::uint32_t number) const;
    void jumpAfter(Entered where, Node node, unsigned distance);
    void returnLines(Entered where, std::uint32_t function, unsigned distance, Reason reason);
    [[nodiscard]] bool returnsStruct(std::uint32_t function, SetId what) const;
    void jumpsBehind(Entered where, Node branch, unsigned distance);
    void jumpedHere(Entered where, Node call, const LocationSet *what, unsigned distance, Reason reason);
    [[nodiscard]] Entered jumpingFrame(Entered where, std::uint32_t target, std::uint32_t function);
    void initialValues(const LocationSet &what, unsigned distance, Entered where, Reason reason);
    void enter(std::uint32_t function, Kind kind, SetId what, unsigned distance, const Caller &caller, Reason reason);
    void ask(Entered where, std::uint32_t function, Kind kind, SetId what, unsigned distance, std::uint32_t from, Reason reason);
    void addFact(Entered where, bool isArgument, std::uint32_t what, unsigned distance, Reason reason);
    void handOut(const Caller &caller, const Fact &fact, std::uint32_t function);
    void argument(Entered where, Node call, std::uint32_t function, std::uint32_t number, unsigned distance, Reason reason);
    [[nodiscard]] bool isPlainCopy(Node stored) const;
    [[nodiscard]] bool isDirect(Node call, std::uint32_t function) const;
    [[nodiscard]] bool outsideJoins(const CallRule &rule) const;
    [[nodiscard]] Node terminator(std::uint32_t function, std::uint32_t block) const;
    [[nodiscard]] std::uint32_t ranksIdOf(const std::string &ranks);

    // WalkMessages.cpp
    void overMessages(Entered where, Node call, unsigned distance, Reason reason);
    void sentFrom(Entered where, Node send, unsigned distance, Reason reason, const std::string &ranks);
    void matchesAlong(Entered where, unsigned distance);

    // WalkTogether.cpp
    void beginTogether();
    void pushTogether(unsigned distance, const Item &item);
    [[nodiscard]] bool isOwn(const Item &item) const;
    void handleTogether(const Item &item, unsigned distance);
    void writersTogether(const Item &item, unsigned distance);
    void enterTogether(std::uint32_t function, Kind kind, SetId what, unsigned distance, const Caller &caller, Reason reason);
    void comeTo(Entered where, std::uint32_t function, unsigned distance, Reason reason);
    void comeBy(Entered where, Node call, std::uint32_t function, unsigned distance, Reason reason);
    void allowed(const std::vector<std::uint32_t> &blocks);
    [[nodiscard]] Entered togetherFor(const std::string &ranks);

    Analysis &a;
    Steps &steps;
    std::deque<Activation> activations;
    std::map<std::tuple<std::uint32_t, std::string, std::uint32_t>, Entered> frames;
    std::unordered_map<Key, Entered, Nearest::Hash> entered;
    std::unordered_map<std::string, std::uint32_t> ranksIds;
    Nearest nearest;                     ///< distance of what has been or will be handled
    std::vector<std::vector<Item>> open; ///< by distance
    std::size_t current = 0;
    std::vector<Node> standing;                            ///< where stacks stand, and the calls on the way to there
    std::vector<std::uint32_t> standingIn;                 ///< functions of which no more is known
    std::unique_ptr<Together> together;                    ///< once too much was asked to keep callers apart
    std::unordered_map<std::uint32_t, Entered> inTogether; ///< by number of ranks
};

} // namespace laggard::slice
