// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/DescriptorLines.h"

#include "views/kit/Text.h"

#include <QCoreApplication>
#include <QStringList>

#include <poll.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace laggard {
namespace {

constexpr std::size_t mostReady = 12; ///< that are told; a line has room for no more

QString worded(const char *text) { return QCoreApplication::translate("CallDetails", text); }

/// As poll() names them.
QString eventNames(std::uint32_t events) {
    constexpr std::array<std::pair<std::uint32_t, const char *>, 6> names{{{POLLIN, "in"},
                                                                           {POLLPRI, "priority"},
                                                                           {POLLOUT, "out"},
                                                                           {POLLERR, "error"},
                                                                           {POLLHUP, "hung up"},
                                                                           {POLLNVAL, "not open"}}};
    QStringList told;
    for (const auto &[event, name] : names)
        if ((events & event) != 0)
            told += QString::fromLatin1(name);
    return told.join(QStringLiteral(" + "));
}

QString readyText(std::span<const DescriptorDetails::Ready> ready) {
    QStringList told;
    for (const DescriptorDetails::Ready &each : ready.first(std::min(ready.size(), mostReady))) {
        const QString descriptor = each.descriptor < 0 ? worded("one not known") : QString::number(each.descriptor);
        const QString events = eventNames(each.events);
        told += events.isEmpty() ? descriptor : descriptor + QStringLiteral(" (") + events + QLatin1Char(')');
    }
    if (ready.size() > mostReady)
        told += worded("%1 more").arg(ready.size() - mostReady);
    return told.join(QStringLiteral(", "));
}

} // namespace

std::vector<Detail> descriptorLines(const LocationEvents &events, std::uint32_t row) {
    const auto call = std::ranges::lower_bound(events.descriptorCalls, row, {}, &DescriptorCall::row);
    if (call == events.descriptorCalls.end() || call->row != row)
        return {};
    std::vector<Detail> lines;
    if (call->descriptor >= 0)
        lines.push_back({worded("Descriptor"),
                         call->second < 0 ? QString::number(call->descriptor)
                                          : QStringLiteral("%1, %2").arg(call->descriptor).arg(call->second),
                         {},
                         {}});
    if (const std::string_view address = events.descriptorDetails.addressOf(row); !address.empty())
        lines.push_back({worded("Address"), toLine(std::string(address)), worded("The peer's; of bind, the own one"), {}});
    if (call->result != DescriptorCall::notReturned)
        lines.push_back({worded("Returned"), QString::number(call->result), worded("As the function's manual page says"), {}});
    if (call->error != 0)
        lines.push_back({worded("Error"),
                         QStringLiteral("%1 (errno %2)")
                             .arg(QString::fromStdString(std::generic_category().message(call->error)))
                             .arg(call->error),
                         {},
                         {}});
    if (const auto ready = events.descriptorDetails.readyOf(row); !ready.empty())
        lines.push_back({worded("Ready"), readyText(ready), worded("Descriptors that it found ready, and for what"), {}});
    return lines;
}

} // namespace laggard
