// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/TimeDistribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace laggard {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double inverseRootTwoPi = GaussianDensity::inverseRootTwoPi;
const double rootTwoPi = std::sqrt(2 * std::numbers::pi);
/// Bucket means closer than this many floors are one bucket: a triangle over them would have ∫f² above a floor Gaussian's.
constexpr double closestBuckets = 2.4;
/// Half Gaussians end after so many σ: what is beyond is 10⁻¹¹ of the whole.
constexpr double tailReach = 7;

/// What is left of the standard normal distribution beyond z >= 0, from a table: comparing models asks for it all the time, and
/// erfc() takes as long as the rest together. Within 10⁻¹² of the true values.
class NormalTail {
  public:
    NormalTail() {
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const double z = static_cast<double>(i) * step;
            const double density = inverseRootTwoPi * std::exp(-0.5 * z * z);
            const double mass = 0.5 * std::erfc(z / std::numbers::sqrt2);
            m_nodes[i] = {mass, density - z * mass, density};
        }
    }
    struct Value {
        double mass;   ///< Q(z), ∫ of the density from z on
        double excess; ///< ∫ of Q from z on
    };
    /// Taylor's series from the nearest node, 0 beyond `tailReach`.
    [[nodiscard]] Value at(double z) const {
        if (z >= tailReach)
            return {0, 0};
        const auto i = static_cast<std::size_t>(z * (1 / step) + 0.5);
        const Node &node = m_nodes[i];
        const double z0 = static_cast<double>(i) * step;
        const double d = z - z0;
        const double curve = z0 * z0 - 1;
        return {node.mass - node.density * d * (1 - d * (z0 / 2 - d * (curve / 6 - d * z0 * (curve - 2) / 24))),
                node.excess - d * (node.mass - node.density * d * (0.5 - d * (z0 / 6 - d * curve / 24)))};
    }

  private:
    static constexpr double step = 1.0 / 64;
    struct Node {
        double mass;
        double excess;
        double density;
    };
    std::array<Node, static_cast<std::size_t>(tailReach / step) + 2> m_nodes{};
};
const NormalTail normalTail;

/// Standard normal distribution function between two bounds, which may be infinite.
double normalBetween(double from, double to) {
    if (from > 0)
        return normalBetween(-to, -from);
    const double below = normalTail.at(-from).mass;
    return to > 0 ? 1 - normalTail.at(to).mass - below : normalTail.at(-to).mass - below;
}

/// ∫ of the product of two Gaussian-shaped curves between two bounds, which may be infinite.
double gaussianTimesGaussian(double peakF, double meanF, double sigmaF, double peakG, double meanG, double sigmaG, double from,
                             double to) {
    const double sum = sigmaF * sigmaF + sigmaG * sigmaG;
    const double exponent = -0.5 * (meanF - meanG) * (meanF - meanG) / sum;
    if (exponent < -45 || from >= to)
        return 0;
    const double mean = (meanF * sigmaG * sigmaG + meanG * sigmaF * sigmaF) / sum;
    const double sigma = sigmaF * sigmaG / std::sqrt(sum);
    return peakF * peakG * std::exp(exponent) * rootTwoPi * sigma * normalBetween((from - mean) / sigma, (to - mean) / sigma);
}

} // namespace

void TimeMoments::add(double value) {
    count += 1;
    const double delta = value - mean;
    mean += delta / count;
    squares += delta * (value - mean);
}

void TimeMoments::merge(const TimeMoments &other) {
    if (other.count == 0)
        return;
    const double total = count + other.count;
    const double delta = other.mean - mean;
    squares += other.squares + delta * delta * count * other.count / total;
    mean += delta * other.count / total;
    count = total;
}

double TimeMoments::sigma() const { return count < 2 ? 0 : std::sqrt(std::max(0.0, squares / (count - 1))); }

double sigmaFloor(double timerResolution, double unit) { return std::max(smallestSigma, unit > 0 ? timerResolution / unit : 0); }

GaussianDensity GaussianDensity::of(const TimeMoments &times, double unit, double floor) {
    return {times.mean / unit, std::max(floor, times.sigma() / unit)};
}

double GaussianDensity::density(double x) const { return std::exp(logDensity(x)); }

double GaussianDensity::logDensity(double x) const {
    const double z = (x - mean) / sigma;
    return std::log(inverseRootTwoPi / sigma) - 0.5 * z * z;
}

double GaussianDensity::selfProduct() const { return inverseRootTwoPi / (std::numbers::sqrt2 * sigma); }

/// Integrates the product of two densities piece by piece.
struct DensityPieces {
    const TimeDensity &f;
    const TimeDensity &g;

    /// Half Gaussian of `tail` (left or right) times all of `other` that lies on its side of the tail's knot. By parts: with the
    /// mass Q and the excess E beyond a place, ∫ tail · line is Q · line at the two ends and slope · E at each bound between.
    static double tailTimesLines(const TimeDensity &tail, bool left, const TimeDensity &other) {
        const TimeDensity::Knot &knot = tail.m_knots[left ? 0 : tail.m_count - 1];
        const double sigma = left ? tail.m_leftSigma : tail.m_rightSigma;
        const double sign = left ? -1 : 1;
        const std::size_t lines = other.m_count - 1;
        const auto &knots = other.m_knots;
        const auto outwards = [&](std::size_t i) { return left ? knots[lines - i].x : knots[i].x; }; // knot i from within
        std::size_t at = 0;
        while (at < lines && sign * (outwards(at + 1) - knot.x) <= 0)
            ++at;
        if (at >= lines)
            return 0;
        const double from = left ? std::min(outwards(at), knot.x) : std::max(outwards(at), knot.x);
        const double perSigma = sign / sigma;
        NormalTail::Value inner = normalTail.at((from - knot.x) * perSigma);
        double ends = inner.mass * other.linear(left ? lines - 1 - at : at, from);
        double between = 0;
        for (; at < lines && inner.mass > 0; ++at) {
            const NormalTail::Value outer = normalTail.at((outwards(at + 1) - knot.x) * perSigma);
            between += knots[left ? lines - 1 - at : at].slope * (inner.excess - outer.excess);
            inner = outer;
        }
        ends -= inner.mass * knots[left ? 0 : lines].y;
        return knot.y * rootTwoPi * sigma * (ends + sign * sigma * between);
    }
    /// Simpson's rule, exact for a product of lines, between all knots of both in order.
    [[nodiscard]] double linesTimesLines() const {
        if (f.m_count < 2 || g.m_count < 2)
            return 0;
        const double end = std::min(f.m_knots[f.m_count - 1].x, g.m_knots[g.m_count - 1].x);
        double x = std::max(f.m_knots[0].x, g.m_knots[0].x);
        if (x >= end)
            return 0;
        std::size_t i = 0;
        std::size_t j = 0;
        while (f.m_knots[i + 1].x <= x)
            ++i;
        while (g.m_knots[j + 1].x <= x)
            ++j;
        double f0 = f.linear(i, x);
        double g0 = g.linear(j, x);
        double sum = 0;
        while (x < end) {
            const double nextF = f.m_knots[i + 1].x;
            const double nextG = g.m_knots[j + 1].x;
            const double next = std::min(nextF, nextG);
            const double f1 = f.linear(i, next);
            const double g1 = g.linear(j, next);
            sum += (next - x) * (f0 * (2 * g0 + g1) + f1 * (g0 + 2 * g1));
            i += nextF <= nextG ? 1 : 0; // which of the two is first cannot be foreseen: no branches
            j += nextG <= nextF ? 1 : 0;
            x = next;
            f0 = f1;
            g0 = g1;
        }
        return sum / 6;
    }
    [[nodiscard]] double tailsTimesTails() const {
        const TimeDensity::Knot &fl = f.m_knots[0], &fr = f.m_knots[f.m_count - 1];
        const TimeDensity::Knot &gl = g.m_knots[0], &gr = g.m_knots[g.m_count - 1];
        double sum = gaussianTimesGaussian(fl.y, fl.x, f.m_leftSigma, gl.y, gl.x, g.m_leftSigma, -infinity, std::min(fl.x, gl.x));
        sum += gaussianTimesGaussian(fr.y, fr.x, f.m_rightSigma, gr.y, gr.x, g.m_rightSigma, std::max(fr.x, gr.x), infinity);
        // The right tail of the earlier one meets the left tail of the later one.
        sum += gaussianTimesGaussian(fr.y, fr.x, f.m_rightSigma, gl.y, gl.x, g.m_leftSigma, fr.x, gl.x);
        sum += gaussianTimesGaussian(gr.y, gr.x, g.m_rightSigma, fl.y, fl.x, f.m_leftSigma, gr.x, fl.x);
        return sum;
    }
    [[nodiscard]] double integral() const {
        return linesTimesLines() + (tailTimesLines(f, true, g) + tailTimesLines(g, true, f)) +
               (tailTimesLines(f, false, g) + tailTimesLines(g, false, f)) + tailsTimesTails();
    }
};

TimeDensity TimeDensity::gaussian(double mean, double sigma) {
    TimeDensity result;
    result.m_count = 1;
    result.m_knots[0] = {mean, inverseRootTwoPi / sigma, 0};
    result.m_leftSigma = result.m_rightSigma = sigma;
    result.m_mean = mean;
    result.finish();
    return result;
}

TimeDensity TimeDensity::histogram(const Histogram &times, double unit, double floor) {
    struct Bucket {
        double mean;
        double count;
    };
    std::array<Bucket, Histogram::maxBuckets> buckets{};
    std::size_t used = 0;
    double total = 0;
    double sum = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(times.used, Histogram::maxBuckets); ++i) {
        const Bucket next{times.buckets[i].mean / unit, times.buckets[i].count};
        total += next.count;
        sum += next.count * next.mean;
        buckets[used++] = next;
        // Merging moves the mean to the left, so the merged bucket may have come close to the one before it.
        while (used > 1 && buckets[used - 1].mean - buckets[used - 2].mean < closestBuckets * floor) {
            Bucket &a = buckets[used - 2];
            const Bucket &b = buckets[used - 1];
            a = {(a.mean * a.count + b.mean * b.count) / (a.count + b.count), a.count + b.count};
            --used;
        }
    }
    if (used <= 1)
        return gaussian(total > 0 ? sum / total : 0, floor);

    TimeDensity result;
    result.m_count = used;
    result.m_mean = sum / total;
    result.m_leftSigma = (buckets[1].mean - buckets[0].mean) / 2;
    result.m_rightSigma = (buckets[used - 1].mean - buckets[used - 2].mean) / 2;
    double integral = 0;
    for (std::size_t i = 0; i < used; ++i) {
        const double left = i > 0 ? buckets[i].mean - buckets[i - 1].mean : 2 * result.m_leftSigma;
        const double right = i + 1 < used ? buckets[i + 1].mean - buckets[i].mean : 2 * result.m_rightSigma;
        const double probability = buckets[i].count / total;
        result.m_knots[i] = {buckets[i].mean, probability / ((left + right) / 2), 0};
        integral += i > 0 && i + 1 < used ? probability : probability / 2;
    }
    const double halfGaussian = rootTwoPi / 2;
    integral += halfGaussian * (result.m_knots[0].y * result.m_leftSigma + result.m_knots[used - 1].y * result.m_rightSigma);
    for (std::size_t i = 0; i < used; ++i)
        result.m_knots[i].y /= integral;
    result.finish();
    return result;
}

void TimeDensity::finish() {
    for (std::size_t i = 0; i + 1 < m_count; ++i)
        m_knots[i].slope = (m_knots[i + 1].y - m_knots[i].y) / (m_knots[i + 1].x - m_knots[i].x);
    m_self = product(*this, *this);
}

double TimeDensity::linear(std::size_t segment, double x) const {
    const Knot &a = m_knots[segment];
    return a.y + a.slope * (x - a.x);
}

double TimeDensity::density(double x) const { return std::exp(logDensity(x)); }

double TimeDensity::logDensity(double x) const {
    const Knot &first = m_knots[0];
    const Knot &last = m_knots[m_count - 1];
    if (x <= first.x) {
        const double z = (x - first.x) / m_leftSigma;
        return std::log(first.y) - 0.5 * z * z;
    }
    if (x >= last.x) {
        const double z = (x - last.x) / m_rightSigma;
        return std::log(last.y) - 0.5 * z * z;
    }
    std::size_t segment = 0;
    while (m_knots[segment + 1].x < x)
        ++segment;
    return std::log(linear(segment, x));
}

double TimeDensity::product(const TimeDensity &f, const TimeDensity &g) {
    const auto reach = [](const TimeDensity &d) {
        return std::pair(d.m_knots[0].x - tailReach * d.m_leftSigma, d.m_knots[d.m_count - 1].x + tailReach * d.m_rightSigma);
    };
    if (reach(f).second < reach(g).first || reach(g).second < reach(f).first)
        return 0;
    return DensityPieces{f, g}.integral();
}

} // namespace laggard
