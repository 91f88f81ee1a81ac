// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/LaneSample.h"
#include "views/selection/Selection.h"
#include "views/theme/RegionColours.h"
#include "views/theme/Theme.h"

#include <QImage>

#include <vector>

namespace laggard {

/// The colours that lanes are drawn in, by region, worked out once a picture.
struct LaneColours {
    /// `suspect`: the function that is drawn in the suspect's colour; `none`: the rank of the lanes is no suspect.
    LaneColours(const Trace &trace, const RegionColours &colours, const Theme &theme, const Selection &selection,
                RegionId suspect = none);

    struct Tone {
        QRgb fill = 0;
        QRgb edge = 0;  ///< left border
        QRgb hatch = 0; ///< lines over calls that never returned
        QRgb rim = 0;   ///< lower border: of fills that hardly differ from the background a darker line, else the fill
    };
    [[nodiscard]] const Tone &ofRegion(RegionId region) const {
        return region < lit.size() && lit[region] ? bright[region] : faint[region];
    }
    [[nodiscard]] const Tone &ofCall(const Trace &trace, CallPathId path) const;
    /// Those of what lies between these times.
    [[nodiscard]] const LaneColours &at(Tick begin, Tick end) const {
        return outside != nullptr && (end <= during.begin || begin >= during.end) ? *outside : *this;
    }

    std::vector<Tone> bright;
    std::vector<Tone> faint;
    std::vector<bool> lit;      ///< by region: selected, or nothing is
    CallPathId callPath = none; ///< the selected one: calls of its function are lit at this path only
    QRgb others = 0;
    QRgb unknown = 0;
    const LaneColours *outside = nullptr; ///< those of all that lies outside `during`; nullptr: these
    TimeRange during;
};

/// A rectangle of an image, in its own pixels, that one thread draws to while others draw elsewhere.
struct RasterStrip {
    uchar *bits = nullptr; ///< the image's pixels: RGB32
    qsizetype bytesPerLine = 0;
    int width = 0;
    int top = 0;
    int bottom = 0;
    QRgb background = 0; ///< the row's background
    double scale = 1;    ///< image pixels per pixel of the screen's layout: sizes of hatching

    [[nodiscard]] QRgb *line(int y) const { return reinterpret_cast<QRgb *>(bits + y * bytesPerLine); }
    void fill(int left, int right, int from, int to, QRgb colour) const;
};

/// A call wide enough to be named.
struct LaneLabel {
    int left = 0;
    int right = 0;
    RegionId region = none;
    bool open = false;
    QRgb fill = 0;
};

/// Draws a lane over the background that is there; the calls that are at least `labelWidth` pixels wide are added to `labels`.
///
/// Calls that never returned are hatched, with a jagged end. Pixels with shorter calls are stacks of their functions, as high as
/// the part of the pixel's time they cover, and never less than a line.
void drawLane(const RasterStrip &strip, const Trace &trace, const Track &track, const LaneSample &sample, TimeRange window,
              const LaneColours &colours, int labelWidth, std::vector<LaneLabel> &labels);

/// Draws the cells alone.
void drawCells(const RasterStrip &strip, const std::vector<PixelCell> &cells, const LaneColours &colours);

} // namespace laggard
