// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/DescriptorParts.h"

#include "ingest/recording/SocketAddress.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace laggard::recording {

void DescriptorParts::add(const Record &record, std::uint32_t row, std::int32_t descriptor) {
    if (record.kind == RecordKind::AddressPart)
        return addAddress(record, row);
    if (record.kind == RecordKind::ReadyPart)
        for (std::size_t i = 0; i < record.words; ++i)
            m_details.ready.push_back({row, static_cast<std::int32_t>(low(record.payload[i])), high(record.payload[i])});
    if (record.kind != RecordKind::ReadyWords)
        return;
    for (std::size_t i = 0; i + 1 < record.words; i += 2) {
        const auto watched = m_watched.find({descriptor, record.payload[i]});
        m_details.ready.push_back({row, watched == m_watched.end() ? -1 : watched->second, low(record.payload[i + 1])});
    }
}

void DescriptorParts::watch(std::int32_t epoll, std::uint64_t word, std::int32_t descriptor, bool isAdded) {
    if (const auto before = m_wordOf.find({epoll, descriptor}); before != m_wordOf.end()) {
        if (const auto watched = m_watched.find({epoll, before->second});
            watched != m_watched.end() && watched->second == descriptor)
            m_watched.erase(watched);
        m_wordOf.erase(before);
    }
    if (isAdded) {
        m_wordOf[{epoll, descriptor}] = word;
        const auto [watched, isNew] = m_watched.try_emplace({epoll, word}, descriptor);
        if (!isNew && watched->second != descriptor)
            watched->second = -1; // which of the two was ready cannot be told
    }
}

void DescriptorParts::addAddress(const Record &record, std::uint32_t row) {
    if (record.argument == 0) {
        endAddress();
        m_row = row;
    }
    if (m_row != row || record.argument != m_address.size() || record.words == 0) { // parts are lost
        m_address.clear();
        m_row = none;
        return;
    }
    const std::size_t room = sizeof(sockaddr_storage) - m_address.size();
    const std::size_t here = std::min({static_cast<std::size_t>(record.payload[0]), (record.words - 1) * 8, room});
    const auto *bytes = reinterpret_cast<const std::byte *>(record.payload + 1);
    m_address.insert(m_address.end(), bytes, bytes + here);
}

void DescriptorParts::endAddress() {
    if (const std::string text = addressText(m_address); !text.empty()) {
        const auto [known, isNew] = m_texts.try_emplace(text, static_cast<std::uint32_t>(m_details.texts.size()));
        if (isNew)
            m_details.texts.push_back(text);
        m_details.addresses.push_back({m_row, known->second});
    }
    m_address.clear();
    m_row = none;
}

DescriptorDetails DescriptorParts::finish() {
    endAddress();
    // In the order of rows; a call that was given an address may have others inside, of a signal handler.
    std::ranges::stable_sort(m_details.addresses, {}, &DescriptorDetails::Address::row);
    std::ranges::stable_sort(m_details.ready, {}, &DescriptorDetails::Ready::row);
    return std::move(m_details);
}

} // namespace laggard::recording
