// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Accessibility.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <utility>

namespace laggard {
namespace {

constexpr std::pair<const char *, QAccessible::Role> pictures[] = {
    {"laggard::TimelineWidget", QAccessible::Chart},   {"laggard::ChartView", QAccessible::Chart},
    {"laggard::DistributionView", QAccessible::Chart}, {"laggard::DendrogramView", QAccessible::Chart},
    {"laggard::PdgView", QAccessible::Graphic},        {"laggard::SmmGraphView", QAccessible::Graphic},
};

QAccessibleInterface *interfaceOfPicture(const QString &className, QObject *object) {
    auto *widget = qobject_cast<QWidget *>(object);
    for (const auto &[name, role] : pictures)
        if (widget != nullptr && className == QLatin1String(name))
            return new QAccessibleWidget(widget, role);
    return nullptr;
}

} // namespace

void nameRolesOfPictures() { QAccessible::installFactory(interfaceOfPicture); }

} // namespace laggard
