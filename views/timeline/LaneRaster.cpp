// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/LaneRaster.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace laggard {
namespace {

/// The least part of a lane's height that is drawn where calls are.
constexpr double leastHeight = 0.18;

/// Contrast of hatching with what it lies on.
constexpr double hatchContrast = 2.2;

/// Contrast of fills with the background below which they get a rim.
constexpr double leastContrast = 1.8;

struct Layer {
    RegionId region = none;
    double part = 0;
    QRgb colour = 0;
};

int imagePixel(Tick time, TimeRange window, int width) {
    if (time <= window.begin)
        return 0;
    if (time >= window.end)
        return width;
    return static_cast<int>(std::lround(static_cast<double>(time - window.begin) / static_cast<double>(window.length()) * width));
}

/// Diagonal lines over what is there.
void hatch(const RasterStrip &strip, int left, int right, QRgb colour) {
    const int period = std::max(4, static_cast<int>(std::lround(7 * strip.scale)));
    const int thick = std::max(1, static_cast<int>(std::lround(1.6 * strip.scale)));
    for (int y = strip.top; y < strip.bottom; ++y) {
        QRgb *line = strip.line(y);
        for (int x = left; x < right; ++x)
            if ((x + y) % period < thick)
                line[x] = colour;
    }
}

/// Cuts teeth into the right end: it goes on, nobody knows how long.
void openEndOf(const RasterStrip &strip, int left, int right, QRgb edge) {
    const int depth = std::min(static_cast<int>(std::lround(5 * strip.scale)), right - left - 1);
    if (depth < 1)
        return;
    const int period = 2 * depth;
    for (int y = strip.top; y < strip.bottom; ++y) {
        const int phase = (y - strip.top) % period;
        const int cut = phase < depth ? phase : period - phase;
        QRgb *line = strip.line(y);
        for (int x = right - cut; x < right; ++x)
            line[x] = strip.background;
        line[std::max(left, right - cut - 1)] = edge;
    }
}

void drawCell(const RasterStrip &strip, const PixelCell &cell, const LaneColours &colours) {
    const int x = static_cast<int>(cell.pixel);
    const int height = strip.bottom - strip.top;
    if (x >= strip.width || height <= 0)
        return;
    std::array<Layer, PixelCell().functions.size() + 2> layers;
    std::size_t count = 0;
    double total = 0;
    const auto push = [&](RegionId region, double part, QRgb colour) {
        layers[count++] = {region, part, colour};
        total += part;
    };
    for (const PixelCell::Share &share : cell.functions)
        if (share.region != none)
            push(share.region, share.part, colours.ofRegion(share.region).fill);
    // In an order that does not change from pixel to pixel, so that neighbours join into areas.
    for (std::size_t i = 1; i < count; ++i)
        for (std::size_t j = i; j > 0 && layers[j].region < layers[j - 1].region; --j)
            std::swap(layers[j], layers[j - 1]);
    if (cell.others > 0)
        push(none, cell.others, colours.others);
    if (cell.unknown > 0)
        push(none, cell.unknown, colours.unknown);
    if (count == 0)
        return;
    if (total <= 0) { // only calls that took no time
        for (std::size_t i = 0; i < count; ++i)
            layers[i].part = 1;
        total = static_cast<double>(count);
    }
    const double covered = std::clamp(static_cast<double>(cell.covered()), leastHeight, 1.0);
    // Adding a half and cutting off rounds as lround() does, which is a call into the library for each pixel.
    const int drawn = std::clamp(static_cast<int>(covered * height + 0.5), 1, height);
    const int from = strip.bottom - drawn;
    uchar *at = strip.bits + strip.top * strip.bytesPerLine + x * static_cast<qsizetype>(sizeof(QRgb));
    const auto put = [&at, &strip](QRgb colour) {
        *reinterpret_cast<QRgb *>(at) = colour;
        at += strip.bytesPerLine;
    };
    for (int y = strip.top; y < from; ++y)
        put(strip.background);
    const double linesPerPart = drawn / total;
    double reached = 0;
    int y = from;
    for (std::size_t i = 0; i < count; ++i) {
        reached += layers[i].part;
        const int to = i + 1 == count ? strip.bottom : from + static_cast<int>(reached * linesPerPart + 0.5);
        const bool hatched = layers[i].colour == colours.unknown;
        for (; y < to; ++y)
            put(hatched && (x + y) % 4 > 1 ? strip.background : layers[i].colour);
    }
}

} // namespace

LaneColours::LaneColours(const Trace &trace, const RegionColours &colours, const Theme &theme, const Selection &selection,
                         RegionId suspect)
    : bright(trace.regions.size()),
      faint(trace.regions.size()),
      lit(trace.regions.size(), true),
      callPath(selection.callPath < trace.callPaths.size() ? selection.callPath : none),
      others(RegionColours::otherRgb),
      unknown(theme.faintText.rgb()) {
    for (RegionId region = 0; region < bright.size(); ++region) {
        const QColor fill = region == suspect ? QColor::fromRgb(RegionColours::suspectRgb) : colours.colour(region);
        const QColor edge = mixed(fill, Qt::black, 0.38);
        const QColor lines = withContrast(fill, fill, hatchContrast);
        const QColor rim = contrastRatio(fill, theme.background) < leastContrast ? edge : fill;
        const auto faded = [&theme](const QColor &colour) { return mixed(theme.background, colour, 0.38).rgb(); };
        bright[region] = {fill.rgb(), edge.rgb(), lines.rgb(), rim.rgb()};
        faint[region] = {faded(fill), faded(edge), faded(lines), faded(rim)};
    }
    RegionId chosen = selection.region;
    if (chosen == none && callPath != none)
        chosen = trace.callPaths[callPath].region;
    if (chosen < lit.size())
        for (RegionId region = 0; region < lit.size(); ++region)
            lit[region] = region == chosen;
}

const LaneColours::Tone &LaneColours::ofCall(const Trace &trace, CallPathId path) const {
    const RegionId region = trace.callPaths[path].region;
    if (callPath != none)
        return trace.callPaths.isAncestor(callPath, path) ? bright[region] : faint[region];
    return ofRegion(region);
}

void RasterStrip::fill(int left, int right, int from, int to, QRgb colour) const {
    left = std::max(left, 0);
    right = std::min(right, width);
    if (left >= right)
        return;
    for (int y = std::max(from, top); y < std::min(to, bottom); ++y)
        std::fill(line(y) + left, line(y) + right, colour);
}

void drawCells(const RasterStrip &strip, const std::vector<PixelCell> &cells, const LaneColours &colours) {
    for (const PixelCell &cell : cells)
        drawCell(strip, cell, colours);
}

void drawLane(const RasterStrip &strip, const Trace &trace, const Track &track, const LaneSample &sample, TimeRange window,
              const LaneColours &colours, int labelWidth, std::vector<LaneLabel> &labels) {
    const int edge = std::max(1, static_cast<int>(strip.scale));
    if (strip.bottom <= strip.top)
        return;
    for (const VisibleCall &call : sample.calls) {
        const LaneColours::Tone &tone = colours.at(call.start, call.end).ofCall(trace, track.callPath[call.row]);
        const bool endShown = call.end <= window.end;
        int right = imagePixel(call.end, window, strip.width);
        int left = std::min(imagePixel(call.start, window, strip.width), strip.width - 1);
        right = std::min(std::max(right, left + 1), strip.width);
        if (call.open) // never less than what can be seen
            left = std::max(0, std::min(left, right - std::min(strip.width, static_cast<int>(3 * strip.scale))));
        strip.fill(left, right, strip.top, strip.bottom, tone.fill);
        if (track.isOpen(call.row))
            hatch(strip, left, right, tone.hatch);
        if (tone.rim != tone.fill && strip.bottom - strip.top >= 6 * edge)
            strip.fill(left, right, strip.bottom - edge, strip.bottom, tone.rim);
        if (call.start >= window.begin && right - left >= 4 * edge)
            strip.fill(left, left + edge, strip.top, strip.bottom, tone.edge);
        if (call.open && endShown)
            openEndOf(strip, left, right, tone.edge);
        if (right - left >= labelWidth)
            labels.push_back({left, right, trace.callPaths[track.callPath[call.row]].region, track.isOpen(call.row), tone.fill});
    }
    const double perPixel = static_cast<double>(window.length()) / std::max(1, strip.width);
    for (const PixelCell &cell : sample.cells) {
        const auto begin = window.begin + static_cast<Tick>(cell.pixel * perPixel);
        drawCell(strip, cell, colours.at(begin, begin + std::max<Tick>(1, static_cast<Tick>(perPixel))));
    }
}

} // namespace laggard
