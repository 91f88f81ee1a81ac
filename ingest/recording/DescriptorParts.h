// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/EventReader.h"
#include "trace/DescriptorCall.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace laggard::recording {

/// Addresses and ready descriptors of the calls of one thread, put together from their parts.
class DescriptorParts {
  public:
    /// An AddressPart, a ReadyPart or ReadyWords of the call in `row`, whose descriptor is `descriptor`.
    void add(const Record &record, std::uint32_t row, std::int32_t descriptor);
    /// `descriptor` is watched by an epoll under a word of the program's (`isAdded`), or no longer.
    void watch(std::int32_t epoll, std::uint64_t word, std::int32_t descriptor, bool isAdded);
    [[nodiscard]] DescriptorDetails finish();

  private:
    void addAddress(const Record &record, std::uint32_t row);
    void endAddress();

    DescriptorDetails m_details;
    std::uint32_t m_row = none;       ///< whose address is being put together
    std::vector<std::byte> m_address; ///< as far as it has come
    std::map<std::string, std::uint32_t> m_texts;
    std::map<std::pair<std::int32_t, std::uint64_t>, std::int32_t> m_watched; ///< by epoll and word
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint64_t> m_wordOf;  ///< by epoll and descriptor
};

} // namespace laggard::recording
