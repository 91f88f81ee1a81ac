// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <QColor>
#include <QMap>
#include <QString>

#include <vector>

namespace laggard {

/// What functions are told apart by first.
enum class RegionFamily { User, Mpi, Io, Other, Artificial };

[[nodiscard]] RegionFamily familyOf(const Region &region);

/// The colours of functions.
///
/// A function has the same colour in every trace and every run: its name chooses among the colours of its family, and takes the
/// next free one only where functions of one trace meet. User code is blue and green-blue, MPI yellow to red, I/O purple, the
/// rest olive, made-up regions grey: families differ along the blue-yellow axis that colour-blind people see too, and any two of
/// the palette's colours differ by a CIELAB distance of 11 or more under deuteranopia. Families with more functions than colours
/// use them again, lighter and darker.
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

    /// For time in functions that are too many to be told apart.
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
