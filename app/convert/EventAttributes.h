// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/convert/LocationStream.h"
#include "trace/Location.h"

#include <memory>
#include <otf2/otf2.h>
#include <string>
#include <unordered_map>

namespace laggard {

/// Attributes of the events of one location: what the trace knows of them and OTF2's records do not tell
/// (ingest/otf2/OperationText.h). A list is good until the next is asked for; nullptr where there is nothing to say. Events are
/// asked for in order. Throws WriteError.
class EventAttributes {
  public:
    EventAttributes(const Otf2Source &source, const LocationEvents &events);

    /// What goes with the entry of a call: where it is made, what it waits for if it never returned, for how many polls it
    /// stands, what it does to windows, and what it has taken.
    [[nodiscard]] OTF2_AttributeList *ofEnter(std::uint32_t row);
    [[nodiscard]] OTF2_AttributeList *ofSend(std::uint32_t index);
    /// `current`: row of the innermost open call; `isRequest`: its request tells which call posted it.
    [[nodiscard]] OTF2_AttributeList *ofReceive(std::uint32_t index, std::uint32_t current, bool isRequest);
    [[nodiscard]] OTF2_AttributeList *ofCollective(std::uint32_t index, std::uint32_t current, bool isRequest);
    /// What a request that stays pending has posted.
    [[nodiscard]] OTF2_AttributeList *ofPending(const PendingRequest &request, std::uint32_t current);
    /// Text of the epochs that were opened before the first event; empty if there are none.
    [[nodiscard]] std::string earlierEpochs();

  private:
    struct Deleter {
        void operator()(OTF2_AttributeList *list) const { OTF2_AttributeList_Delete(list); }
    };
    void clear();
    [[nodiscard]] OTF2_AttributeList *result() const;
    void addText(OTF2_AttributeRef attribute, const std::string &text);
    void addNumber(OTF2_AttributeRef attribute, std::uint32_t number);
    void addEpochs(std::uint32_t row);
    void addTaken(std::uint32_t row);
    void addOpenCall(std::uint32_t row);
    /// The first row with a call path; `none` if there is none.
    [[nodiscard]] std::uint32_t rowOf(CallPathId path);
    [[nodiscard]] std::string textOf(const EpochCall &call);

    const Otf2Source &m_source;
    const LocationEvents &m_events;
    std::unique_ptr<OTF2_AttributeList, Deleter> m_list;
    std::unordered_map<CallPathId, std::uint32_t> m_rowOf; ///< made when first asked for
    std::size_t m_nextPoll = 0;
    std::size_t m_nextEpoch = 0;
    std::size_t m_nextTaken = 0;
    std::size_t m_nextPosting = 0;
    bool m_hasOpenCall = false; ///< the call that is open has said what it waits for
};

} // namespace laggard
