// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/LineClip.h"

#include <algorithm>

namespace laggard {

std::optional<QLineF> clippedTo(const QRectF &rect, const QLineF &line) {
    double from = 0;
    double to = 1;
    const auto limit = [&](double start, double step, double least, double most) {
        if (step == 0) {
            if (start < least || start > most)
                to = -1;
            return;
        }
        const double a = (least - start) / step;
        const double b = (most - start) / step;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
    };
    limit(line.x1(), line.dx(), rect.left(), rect.right());
    limit(line.y1(), line.dy(), rect.top(), rect.bottom());
    if (to <= from)
        return {};
    return QLineF(line.pointAt(from), line.pointAt(to));
}

} // namespace laggard
