// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <vector>

namespace laggard {

/// Other times for the times of one location: through points, on straight lines between them, and by the same amount as the
/// nearest point outside of them. Times keep their order. Without points, all times stay.
class TimeMap {
  public:
    /// The next point. If `from` is that of the point before it, the larger `to` counts; if it is less, the point is left out.
    /// `to` must not be less than that of the point before it.
    void add(Tick from, Tick to);
    /// The new time; `openEnd` stays. Logarithmic in the number of points.
    [[nodiscard]] Tick operator()(Tick time) const;
    [[nodiscard]] bool isIdentity() const;
    [[nodiscard]] std::size_t size() const { return m_from.size(); }

  private:
    std::vector<Tick> m_from;
    std::vector<Tick> m_to;
};

} // namespace laggard
