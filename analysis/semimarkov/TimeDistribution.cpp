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
const double inverseRootTwoPi = 1 / std::sqrt(2 * std::numbers::pi);
const double rootTwoPi = std::sqrt(2 * std::numbers::pi);
/// Bucket means closer than this many floors are one bucket: a triangle over them would have ∫f² above a floor Gaussian's.
constexpr double closestBuckets = 2.4;
/// Half Gaussians end after so many σ: what is beyond is 10⁻¹¹ of the whole.
constexpr double tailReach = 7;

/// Standard normal distribution function between two bounds, without cancellation in the tails.
double normalBetween(double from, double to) {
    if (from > 0)
        return normalBetween(-to, -from);
    return 0.5 * (std::erfc(-to / std::numbers::sqrt2) - std::erfc(-from / std::numbers::sqrt2));
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

double GaussianDensity::product(const GaussianDensity &f, const GaussianDensity &g) {
    const double variance = f.sigma * f.sigma + g.sigma * g.sigma;
    const double delta = f.mean - g.mean;
    const double exponent = 0.5 * delta * delta / variance;
    return exponent > 50 ? 0 : inverseRootTwoPi / std::sqrt(variance) * std::exp(-exponent);
}

/// Integrates the product of two densities piece by piece.
struct DensityPieces {
    const TimeDensity &f;
    const TimeDensity &g;

    /// Half Gaussian of `tail` (left or right) times all of `other` that lies on its side of the tail's knot. Neighbouring lines
    /// share a bound, at which the functions that take time are evaluated once.
    static double tailTimesLines(const TimeDensity &tail, bool left, const TimeDensity &other) {
        const TimeDensity::Knot &knot = tail.m_knots[left ? 0 : tail.m_count - 1];
        const double sigma = left ? tail.m_leftSigma : tail.m_rightSigma;
        const double reachFrom = left ? knot.x - tailReach * sigma : knot.x;
        const double reachTo = left ? knot.x : knot.x + tailReach * sigma;
        struct Bound {
            double beyond; ///< ∫ of the standard normal density from the bound outwards
            double height; ///< exp(−z²/2)
        };
        const auto boundAt = [&](double x) {
            const double z = (x - knot.x) / sigma;
            return Bound{0.5 * std::erfc(std::abs(z) / std::numbers::sqrt2), std::exp(-0.5 * z * z)};
        };
        double sum = 0;
        Bound lower{};
        bool known = false;
        for (std::size_t i = 0; i + 1 < other.m_count; ++i) {
            const TimeDensity::Knot &a = other.m_knots[i];
            const double from = std::max(a.x, reachFrom);
            const double to = std::min(other.m_knots[i + 1].x, reachTo);
            if (from >= to)
                continue;
            if (!known)
                lower = boundAt(from);
            const Bound upper = boundAt(to);
            const double mass = rootTwoPi * sigma * std::abs(lower.beyond - upper.beyond);
            const double moment = sigma * sigma * (lower.height - upper.height);
            sum += knot.y * ((a.y + a.slope * (knot.x - a.x)) * mass + a.slope * moment);
            lower = upper;
            known = true;
        }
        return sum;
    }
    [[nodiscard]] double linesTimesLines() const {
        double sum = 0;
        std::size_t i = 0;
        std::size_t j = 0;
        while (i + 1 < f.m_count && j + 1 < g.m_count) {
            const double from = std::max(f.m_knots[i].x, g.m_knots[j].x);
            const double to = std::min(f.m_knots[i + 1].x, g.m_knots[j + 1].x);
            if (from < to) {
                const double f0 = f.linear(i, from), f1 = f.linear(i, to), g0 = g.linear(j, from), g1 = g.linear(j, to);
                sum += (to - from) / 6 * (2 * (f0 * g0 + f1 * g1) + f0 * g1 + f1 * g0);
            }
            if (f.m_knots[i + 1].x <= g.m_knots[j + 1].x)
                ++i;
            else
                ++j;
        }
        return sum;
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

double l2Distance(double selfF, double selfG, double product) { return std::sqrt(std::max(0.0, selfF + selfG - 2 * product)); }

double meanWeight(double meanF, double meanG) {
    const double sum = meanF + meanG;
    return sum > 0 ? 1 + (meanF - meanG) * (meanF - meanG) / (sum / 2) : 1;
}

} // namespace laggard
