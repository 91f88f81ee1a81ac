// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::test {

/// A made-up training job, and what PyTorch's Flight Recorder would have left of it. Ranks are split into tensor, pipeline and
/// data parallel groups; a step of training computes forwards along the pipeline and backwards, adds up gradients and, over all
/// ranks, the loss. What each rank's device does is simulated operation by operation, until nothing moves any more.
struct FlightJob {
    enum class Fault : std::uint8_t {
        None,           ///< all that was enqueued is complete
        NotEnqueued,    ///< the program of the rank stops (loads data, computes) before it enqueues the operation
        StuckDevice,    ///< the rank's device takes part in the operation, and its completion is never noticed
        NotStarted,     ///< the rank's device does not come to the operation; dumps tell when operations begin
        NoDump,         ///< as NotEnqueued, and the rank left no dump
        OtherOperation, ///< the rank enqueues another collective than its peers
        OtherSize,
        OtherType,
        OtherOrder, ///< the rank enqueues two collectives of a group the other way round
    };
    enum class At : std::uint8_t { Tensor, Pipeline, Data, World }; ///< on which group the faulty operation is

    std::uint32_t tensor = 2; ///< ranks of a tensor parallel group; rank = tensor + … × (data + … × pipeline)
    std::uint32_t data = 2;
    std::uint32_t pipeline = 2;
    std::uint32_t steps = 4;
    std::uint32_t layers = 2;    ///< in a stage: each takes two collectives of the tensor parallel group, forwards and backwards
    std::uint32_t lookAhead = 6; ///< operations that a program enqueues before it waits for its device
    Fault fault = Fault::None;
    At at = At::Tensor;
    RankSet faulty = {}; ///< ranks with the fault
    // How it is written.
    std::uint32_t ring = 2000; ///< entries that a rank keeps
    bool onlyActive = false;
    bool json = false;
    unsigned protocol = 2; ///< version of the pickle protocol
    bool frames = true;
    bool status = true;       ///< pg_status
    bool ranksAsList = false; ///< the ranks of groups are a list; else text
    bool repeatNames = false; ///< groups of one kind have one name
    bool startTimes = false;  ///< operations are seen when they begin (NotStarted: always)
    std::string prefix = "nccl";
    std::string version = "2.9";

    [[nodiscard]] std::uint32_t ranks() const { return tensor * data * pipeline; }
};

/// The bytes of each rank's dump; empty for ranks that left none.
[[nodiscard]] std::vector<std::string> dumpsOf(const FlightJob &job);

/// Writes them to a folder that is there, as `NAME + rank`.
void writeDumps(const FlightJob &job, const std::string &folder, const std::string &name = "_dump_");

/// A value of a dump, to be written.
struct FlightValue {
    enum class Kind : std::uint8_t { None, Bool, Integer, Text, List, Tuple, Map };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    std::string text;
    std::vector<FlightValue> items; ///< for maps: key, value, key, value …

    FlightValue() = default;
    FlightValue(std::int64_t value) : kind(Kind::Integer), integer(value) {}
    FlightValue(std::string value) : kind(Kind::Text), text(std::move(value)) {}
    FlightValue(const char *value) : FlightValue(std::string(value)) {}
    static FlightValue boolean(bool value);
    static FlightValue of(Kind kind, std::vector<FlightValue> items = {});
    void set(const char *key, FlightValue value);
};

[[nodiscard]] std::string pickled(const FlightValue &value, unsigned protocol);
[[nodiscard]] std::string asJson(const FlightValue &value);

} // namespace laggard::test
