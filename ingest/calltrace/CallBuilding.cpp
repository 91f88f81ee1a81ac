// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/CallBuilding.h"

#include "ingest/assembly/LocationBuilder.h"

#include <algorithm>

namespace laggard::calltrace {
namespace {

constexpr std::uint32_t dropped = none; // in ThreadRecords::what

/// Goes through the records as they nest, marks those to be dropped, and returns the functions of the calls that were open
/// before the first record, innermost first.
std::vector<std::uint32_t> settle(ThreadRecords &records, std::size_t functions, Oddities &odd) {
    std::vector<std::uint32_t> open;                 // functions, outermost first
    std::vector<std::uint32_t> openCount(functions); // how often each function is in `open`
    std::vector<std::uint32_t> before;
    for (std::uint32_t &what : records.what) {
        const std::uint32_t function = what >> 1U;
        if ((what & 1U) != 0) {
            if (open.size() >= deepestCall) {
                what = dropped;
                ++odd.tooDeep;
            }
            open.push_back(function);
            ++openCount[function];
            continue;
        }
        if (open.empty()) {
            if (before.size() < deepestCall) {
                before.push_back(function);
                continue;
            }
            what = dropped;
            ++odd.tooDeep;
            continue;
        }
        if (openCount[function] == 0) {
            what = dropped;
            ++odd.strayReturns;
            continue;
        }
        while (open.back() != function) {
            --openCount[open.back()];
            open.pop_back();
            ++odd.neverLeft;
        }
        if (open.size() > deepestCall) {
            what = dropped;
            ++odd.tooDeep;
        }
        open.pop_back();
        --openCount[function];
    }
    return before;
}

/// What calls were given and returned, by row. Entries come in order of rows, returns do not.
class DescriptorCalls {
  public:
    void entered(std::uint32_t row, const RecordFields &fields) {
        if (fields.isOfDescriptor())
            m_calls.push_back({row, fields.descriptor, fields.second, fields.error, fields.result});
    }
    void left(std::uint32_t row, const RecordFields &fields) {
        if (row == none || !fields.isOfDescriptor())
            return;
        const auto known = std::lower_bound(m_calls.begin(), m_calls.end(), row,
                                            [](const DescriptorCall &call, std::uint32_t wanted) { return call.row < wanted; });
        if (known == m_calls.end() || known->row != row) {
            m_late.push_back({row, fields.descriptor, fields.second, fields.error, fields.result});
            return;
        }
        known->descriptor = fields.descriptor >= 0 ? fields.descriptor : known->descriptor;
        known->second = fields.second >= 0 ? fields.second : known->second;
        known->error = fields.error;
        known->result = fields.result;
    }
    std::vector<DescriptorCall> take() {
        m_calls.insert(m_calls.end(), m_late.begin(), m_late.end());
        std::stable_sort(m_calls.begin(), m_calls.end(),
                         [](const DescriptorCall &a, const DescriptorCall &b) { return a.row < b.row; });
        return std::move(m_calls);
    }

  private:
    std::vector<DescriptorCall> m_calls; ///< that said something on entry
    std::vector<DescriptorCall> m_late;  ///< that did so on return only
};

/// The open call of a function that its return ends.
std::uint32_t rowOf(const LocationBuilder &builder, const CallPathTable &paths, std::uint32_t function) {
    std::uint32_t row = builder.currentRow();
    while (row != none && paths[builder.track().callPath[row]].region != function)
        row = builder.track().parent[row];
    return row;
}

} // namespace

void orderTimes(ThreadRecords &records, std::uint64_t &stepsBack) {
    Column<Tick> &time = records.time;
    Tick before = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
        if (i + 1 < time.size() && time[i + 1] < time[i] && time[i + 1] >= before) {
            time[i] = time[i + 1];
            ++stepsBack;
        } else if (time[i] < before) {
            time[i] = before;
            ++stepsBack;
        }
        before = time[i];
    }
}

LocationEvents buildCalls(ThreadRecords records, std::size_t functions, CallPathTable &callPaths, Oddities &odd) {
    const std::vector<std::uint32_t> before = settle(records, functions, odd);
    odd.callsBefore += before.size();
    LocationBuilder builder(callPaths);
    for (auto function = before.rbegin(); function != before.rend(); ++function)
        builder.enter(records.time[0], *function);
    auto fields = records.fields.begin();
    DescriptorCalls descriptors;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::uint32_t what = records.what[i];
        const bool hasFields = fields != records.fields.end() && fields->first == i;
        const RecordFields said = hasFields ? (fields++)->second : RecordFields();
        if (what == dropped)
            continue;
        if ((what & 1U) != 0) {
            builder.enter(records.time[i], what >> 1U, said.line == 0 ? none : said.line);
            descriptors.entered(builder.currentRow(), said);
        } else {
            if (hasFields)
                descriptors.left(rowOf(builder, callPaths, what >> 1U), said);
            builder.leave(records.time[i], what >> 1U);
        }
    }
    LocationEvents events = builder.finish();
    events.descriptorCalls = descriptors.take();
    return events;
}

} // namespace laggard::calltrace
