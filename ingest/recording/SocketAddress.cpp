// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/SocketAddress.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace laggard::recording {
namespace {

/// The address as a value of its type, which it need not be aligned for.
template <typename Address> Address valueOf(std::span<const std::byte> address) {
    Address value{};
    std::memcpy(&value, address.data(), std::min(address.size(), sizeof value));
    return value;
}

std::string numericText(int family, const void *number) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    return inet_ntop(family, number, text.data(), text.size()) == nullptr ? std::string() : text.data();
}

std::string localText(std::span<const std::byte> address) {
    constexpr std::size_t nameAt = offsetof(sockaddr_un, sun_path);
    if (address.size() <= nameAt)
        return "unix:";
    std::string name(reinterpret_cast<const char *>(address.data()) + nameAt, address.size() - nameAt);
    if (name.front() != '\0')
        return "unix:" + name.substr(0, name.find('\0'));
    name.front() = '@'; // abstract: its length is all that ends it, and zero bytes belong to it
    std::replace(name.begin(), name.end(), '\0', '@');
    return name.find_first_not_of('@') == std::string::npos ? "unix:" : "unix:" + name;
}

} // namespace

std::string addressText(std::span<const std::byte> address) {
    if (address.size() < sizeof(sa_family_t))
        return {};
    const auto family = valueOf<sa_family_t>(address);
    switch (family) {
    case AF_INET: {
        const auto inet = valueOf<sockaddr_in>(address);
        if (address.size() < offsetof(sockaddr_in, sin_addr) + sizeof inet.sin_addr)
            return {};
        return numericText(AF_INET, &inet.sin_addr) + ':' + std::to_string(ntohs(inet.sin_port));
    }
    case AF_INET6: {
        const auto inet = valueOf<sockaddr_in6>(address);
        if (address.size() < offsetof(sockaddr_in6, sin6_addr) + sizeof inet.sin6_addr)
            return {};
        return '[' + numericText(AF_INET6, &inet.sin6_addr) + "]:" + std::to_string(ntohs(inet.sin6_port));
    }
    case AF_UNIX:
        return localText(address);
    default:
        return "family " + std::to_string(family);
    }
}

} // namespace laggard::recording
