// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "views/theme/Hues.h"

#include <QColor>
#include <QMap>
#include <QString>

#include <vector>

namespace laggard {

/// What functions are told apart by first: a family of hues each.
enum class RegionFamily {
    User,
    Wait,     ///< MPI calls that return when another rank has done its part (MpiRole)
    Transfer, ///< MPI calls that hand over data and go on
    SetUp,    ///< other MPI calls
    Bracket,  ///< MPI_Init and MPI_Finalize
    Io,
    Other,
    Artificial
};
inline constexpr std::size_t regionFamilies = 8;

[[nodiscard]] RegionFamily familyOf(const Region &region);

/// The colours of functions.
///
/// A function has the same colour in every trace and every session: its name chooses it, the usual functions of MPI by a table,
/// others by a hash. Only where two functions of one trace would look the same, the one later in the alphabet moves on, at first
/// to another shade of its colour. Waits are amber, transfers rose, set-up brown, MPI_Init and MPI_Finalize grey; user code is
/// blue and green-blue, I/O purple, the rest olive, made-up regions grey. User code and MPI differ along the blue-yellow axis
/// that colour-blind people see too, and any two of the palette's colours differ by a CIELAB distance of 11 or more under
/// deuteranopia, 10 under protanopia. None is near the suspect's vermilion, which is no function's.
class RegionColours {
  public:
    RegionColours() = default;
    explicit RegionColours(const Trace &trace);

    [[nodiscard]] QColor colour(RegionId region) const { return QColor::fromRgb(rgb(region)); }
    /// Opaque; grey for regions that the trace does not have.
    [[nodiscard]] QRgb rgb(RegionId region) const { return region < m_colours.size() ? m_colours[region] : otherRgb; }
    [[nodiscard]] std::size_t size() const { return m_colours.size(); }

    /// The user's own colour for a function; an invalid one goes back to the usual.
    void setOwn(RegionId region, const QColor &colour);
    /// The user's own colours by name of function, for the session file. Names that the trace does not have are kept.
    [[nodiscard]] const QMap<QString, QColor> &own() const { return m_own; }
    void setOwn(const QMap<QString, QColor> &own);

    /// What the verdict names, wherever it is drawn: no function has it.
    static constexpr QRgb suspectRgb = hue::vermilion;
    /// Time in functions that are too many to be told apart.
    static constexpr QRgb otherRgb = 0xff969696;
    /// The colours of a family, strongest first.
    [[nodiscard]] static std::vector<QColor> palette(RegionFamily family);

  private:
    void apply();

    std::vector<QString> m_names; ///< by region
    std::vector<QRgb> m_usual;
    std::vector<QRgb> m_colours;
    QMap<QString, QColor> m_own;
};

} // namespace laggard
