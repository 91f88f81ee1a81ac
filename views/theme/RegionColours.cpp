// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/RegionColours.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace laggard {
namespace {

// Found by maximising the smallest CIELAB distance of all pairs, as seen and under deuteranopia and protanopia, within bands of
// hue per family.
constexpr std::array<QRgb, 10> user = {0xff3e789e, 0xff5ddfb7, 0xff8dafd1, 0xff318468, 0xff828ac1,
                                       0xff1b95a1, 0xffc7cff5, 0xff5b70be, 0xff80b7bb, 0xff92dfd8};
constexpr std::array<QRgb, 9> mpi = {0xffffc437, 0xfff25a50, 0xffb08417, 0xfff5914e, 0xffeddc8a,
                                     0xffbca90d, 0xffe9aa73, 0xfff0d662, 0xffedc89b};
constexpr std::array<QRgb, 3> io = {0xffb588e7, 0xff986383, 0xffdfaeff};
constexpr std::array<QRgb, 4> other = {0xff4d853f, 0xff9b9b68, 0xff787d27, 0xff8caf8c};
constexpr std::array<QRgb, 1> artificial = {0xffb4b4b4};

std::span<const QRgb> coloursOf(RegionFamily family) {
    switch (family) {
    case RegionFamily::User:
        return user;
    case RegionFamily::Mpi:
        return mpi;
    case RegionFamily::Io:
        return io;
    case RegionFamily::Other:
        return other;
    case RegionFamily::Artificial:
        break;
    }
    return artificial;
}

/// FNV-1a: the same on every machine, unlike std::hash.
std::uint32_t hashOf(const std::string &name) {
    std::uint32_t hash = 2166136261U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash ^ hash >> 15U;
}

/// The colour for the n-th use of a slot.
QRgb shade(QRgb colour, std::size_t use) {
    if (use == 0)
        return colour;
    const int step = 100 + 9 * static_cast<int>((use - 1) % 4 / 2 + 1);
    const QColor base = QColor::fromRgb(colour);
    return (use % 2 == 1 ? base.darker(step) : base.lighter(step)).rgb();
}

} // namespace

RegionFamily familyOf(const Region &region) {
    switch (region.paradigm) {
    case Paradigm::Mpi:
    case Paradigm::Shmem:
        return RegionFamily::Mpi;
    case Paradigm::Io:
        return RegionFamily::Io;
    case Paradigm::OpenMp:
    case Paradigm::Pthread:
    case Paradigm::Accelerator:
    case Paradigm::Other:
        return RegionFamily::Other;
    case Paradigm::MeasurementSystem:
        return RegionFamily::Artificial;
    default:
        break;
    }
    if (region.role == RegionRole::FileIo)
        return RegionFamily::Io;
    return region.role == RegionRole::Artificial ? RegionFamily::Artificial : RegionFamily::User;
}

RegionColours::RegionColours(const Trace &trace) {
    const std::size_t count = trace.regions.size();
    m_names.reserve(count);
    for (const Region &region : trace.regions)
        m_names.push_back(QString::fromStdString(region.name));
    m_usual.resize(count, otherRgb);

    // By name, so that the numbering of a trace does not matter.
    std::vector<RegionId> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&trace](RegionId a, RegionId b) { return trace.regions[a].name < trace.regions[b].name; });
    std::array<std::vector<std::uint32_t>, 5> uses;
    for (const RegionId id : order) {
        const Region &region = trace.regions[id];
        const RegionFamily family = familyOf(region);
        const std::span<const QRgb> colours = coloursOf(family);
        std::vector<std::uint32_t> &used = uses[static_cast<std::size_t>(family)];
        used.resize(colours.size());
        const std::uint32_t least = *std::min_element(used.begin(), used.end());
        std::size_t slot = hashOf(region.name) % colours.size();
        while (used[slot] > least)
            slot = (slot + 1) % colours.size();
        m_usual[id] = shade(colours[slot], used[slot]++);
    }
    apply();
}

void RegionColours::setOwn(RegionId region, const QColor &colour) {
    if (region >= m_names.size())
        return;
    if (colour.isValid())
        m_own[m_names[region]] = colour;
    else
        m_own.remove(m_names[region]);
    apply();
}

void RegionColours::setOwn(const QMap<QString, QColor> &own) {
    m_own = own;
    apply();
}

void RegionColours::apply() {
    m_colours = m_usual;
    for (RegionId region = 0; region < m_names.size(); ++region) {
        const auto place = m_own.find(m_names[region]);
        if (place != m_own.end())
            m_colours[region] = place->rgb() | 0xff000000U;
    }
}

std::vector<QColor> RegionColours::palette(RegionFamily family) {
    const std::span<const QRgb> colours = coloursOf(family);
    std::vector<QColor> result;
    std::transform(colours.begin(), colours.end(), std::back_inserter(result), [](QRgb c) { return QColor::fromRgb(c); });
    return result;
}

} // namespace laggard
