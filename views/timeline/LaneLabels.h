// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/LaneJobs.h"

#include <QHash>
#include <QStaticText>

#include <memory>

class QPainter;

namespace laggard {

/// Writes the names of calls into them. Keeps texts that were laid out, as laying out is most of the work.
class LaneLabels {
  public:
    /// The labels of drawn lanes; `scale` is that of the labels' numbers: their pixels in one of the painter's.
    void paint(QPainter &painter, const std::vector<LaneJob> &jobs, double scale, const TimelineView &view);

  private:
    struct Text {
        RegionId region = none;
        int pixelSize = 0;
        double room = 0; ///< pixels
        bool open = false;
        bool lost = false; ///< its location's events were lost: whether an open call returned is not known
    };
    const QStaticText &laidOut(const Text &text, const QFont &font, const Trace &trace);
    void paintLabel(QPainter &painter, const LaneLabel &label, const LaneJob &job, double scale, const TimelineView &view);

    QHash<quint64, QStaticText> m_texts; ///< by region, room and size
    std::weak_ptr<const Trace> m_textsOf;
};

} // namespace laggard
