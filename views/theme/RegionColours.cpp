// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/RegionColours.h"

#include "analysis/detail/MpiRole.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>

namespace laggard {
namespace {

// Found by maximising the smallest CIELAB distance of all pairs, as seen and under deuteranopia and protanopia, and half as much
// again to vermilion, within bands of hue and chroma per family.
constexpr std::array<QRgb, 10> user = {0xff3b9ed8, 0xff158f84, 0xff64607b, 0xff9fe3dd, 0xff3d6690,
                                       0xff7e94ad, 0xff48b5d5, 0xff8478b2, 0xff91becc, 0xffddd1fb};
constexpr std::array<QRgb, 5> waits = {0xffdcb54a, 0xfff6e472, 0xffffdf95, 0xff9e9157, 0xffe5b06c};
constexpr std::array<QRgb, 4> transfers = {0xffc46382, 0xffde8d85, 0xffcc9fa7, 0xffffbeb7};
constexpr std::array<QRgb, 3> setUp = {0xff9a725c, 0xff775124, 0xff605436};
constexpr std::array<QRgb, 1> bracket = {0xffa2a7ad};
constexpr std::array<QRgb, 3> io = {0xff775eb1, 0xffc0a3fd, 0xffd3bcff};
constexpr std::array<QRgb, 3> other = {0xff9c9e40, 0xff4c5f50, 0xffc9ca8f};
constexpr std::array<QRgb, 1> artificial = {0xffb4b4b4};

/// The functions of MPI that programs use most have the colours of their families to themselves, in this order.
constexpr std::array<std::string_view, 5> usualWaits = {"allreduce", "waitall", "recv", "barrier", "bcast"};
constexpr std::array<std::string_view, 4> usualTransfers = {"send", "isend", "irecv", "put"};

std::span<const QRgb> coloursOf(RegionFamily family) {
    switch (family) {
    case RegionFamily::User:
        return user;
    case RegionFamily::Wait:
        return waits;
    case RegionFamily::Transfer:
        return transfers;
    case RegionFamily::SetUp:
        return setUp;
    case RegionFamily::Bracket:
        return bracket;
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

/// Shades of each colour of a palette: itself, darker, lighter (of pale ones, which would end as white: darker still). Further
/// ones would be taken for each other.
constexpr std::size_t shades = 3;

QRgb shade(QRgb colour, std::size_t which) {
    const QColor base = QColor::fromRgb(colour);
    if (which == 0)
        return colour;
    constexpr int pale = 205; // lightness, 0..255: 114 % of it would be seen as white
    const QColor further = base.lightness() > pale ? base.darker(142) : base.lighter(114);
    return (which == 1 ? base.darker(120) : further).rgb();
}

/// Which colour a function has by its name alone: place in the palette, times `shades`, plus shade.
std::size_t variantOf(const Region &region, RegionFamily family, std::size_t colours) {
    if (family == RegionFamily::Wait || family == RegionFamily::Transfer) {
        const std::string name = plainMpiName(region.name);
        const std::span<const std::string_view> usual = family == RegionFamily::Wait
                                                            ? std::span<const std::string_view>(usualWaits)
                                                            : std::span<const std::string_view>(usualTransfers);
        if (const auto found = std::find(usual.begin(), usual.end(), name); found != usual.end())
            return static_cast<std::size_t>(found - usual.begin()) * shades;
        const std::uint32_t hash = hashOf(name); // a prefix of a profiler or a binding changes nothing
        return hash % colours * shades + 1 + hash / colours % (shades - 1);
    }
    const std::uint32_t hash = hashOf(region.name);
    return hash % colours * shades + hash / colours % shades;
}

/// The variant that is used least, at first of those of the same colour, then of the next ones.
std::size_t freeVariant(std::size_t wanted, const std::vector<std::uint32_t> &used) {
    const std::uint32_t least = *std::min_element(used.begin(), used.end());
    if (used[wanted] == least)
        return wanted;
    for (std::size_t step = 0; step < used.size(); ++step) {
        const std::size_t colour = (wanted / shades * shades + step / shades * shades) % used.size();
        if (used[colour + step % shades] == least)
            return colour + step % shades;
    }
    return wanted;
}

} // namespace

RegionFamily familyOf(const Region &region) {
    switch (region.paradigm) {
    case Paradigm::Mpi:
    case Paradigm::Shmem:
        switch (mpiRoleOf(region.name)) {
        case MpiRole::Wait:
            return RegionFamily::Wait;
        case MpiRole::Transfer:
            return RegionFamily::Transfer;
        case MpiRole::Bracket:
            return RegionFamily::Bracket;
        case MpiRole::SetUp:
            break;
        }
        return RegionFamily::SetUp;
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
    std::array<std::vector<std::uint32_t>, regionFamilies> uses;
    for (const RegionId id : order) {
        const Region &region = trace.regions[id];
        const RegionFamily family = familyOf(region);
        const std::span<const QRgb> colours = coloursOf(family);
        if (family == RegionFamily::Bracket || family == RegionFamily::Artificial) {
            m_usual[id] = colours.front(); // all alike
            continue;
        }
        std::vector<std::uint32_t> &used = uses[static_cast<std::size_t>(family)];
        used.resize(colours.size() * shades);
        const std::size_t variant = freeVariant(variantOf(region, family, colours.size()), used);
        ++used[variant];
        m_usual[id] = shade(colours[variant / shades], variant % shades);
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
