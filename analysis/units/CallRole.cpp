// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/CallRole.h"

#include <algorithm>
#include <utility>

namespace laggard {

CallRole roleOf(std::string_view function) {
    using enum CallRole;
    static constexpr std::pair<std::string_view, CallRole> roles[] = {
        {"accept", Accept},     {"accept4", Accept},   {"bind", Bind},       {"close", Close},    {"connect", Connect},
        {"creat", Open},        {"dup", Duplicate},    {"dup2", Duplicate},  {"dup3", Duplicate}, {"epoll_pwait", Wait},
        {"epoll_pwait2", Wait}, {"epoll_wait", Wait},  {"listen", Listen},   {"open", Open},      {"open64", Open},
        {"openat", Open},       {"openat64", Open},    {"pipe", Pair},       {"pipe2", Pair},     {"poll", Wait},
        {"ppoll", Wait},        {"pselect", Wait},     {"read", Read},       {"readv", Read},     {"recv", Receive},
        {"recvfrom", Receive},  {"recvmmsg", Receive}, {"recvmsg", Receive}, {"select", Wait},    {"socket", Socket},
        {"socketpair", Pair},
    };
    const auto place = std::lower_bound(std::begin(roles), std::end(roles), function,
                                        [](const auto &role, std::string_view name) { return role.first < name; });
    return place == std::end(roles) || place->first != function ? None : place->second;
}

std::vector<CallRole> rolesOf(const Trace &trace) {
    std::vector<CallRole> roles;
    roles.reserve(trace.regions.size());
    for (const Region &region : trace.regions)
        roles.push_back(roleOf(region.name));
    return roles;
}

} // namespace laggard
