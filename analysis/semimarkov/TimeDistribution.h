// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace laggard {

/// How the times of a transition are described (AutomaDeD §3.1).
enum class DistributionKind : std::uint8_t { Gaussian, Histogram };

/// Number, mean and spread of times, one value at a time (Welford), in whatever unit the values have.
struct TimeMoments {
    double count = 0;
    double mean = 0;
    double squares = 0; ///< sum of squared deviations from the mean

    void add(double value);
    /// As if the values of `other` had been added one by one (Chan's formula).
    void merge(const TimeMoments &other);
    /// Standard deviation (n − 1); 0 for fewer than two values.
    [[nodiscard]] double sigma() const;
    bool operator==(const TimeMoments &) const = default;
};

/// Smallest σ of a distribution, in units of the transition's reference mean. Two disjoint Gaussians of this σ have an L2
/// distance of 9.7, which keeps all distances below the penalty of 10 for what is missing (AutomaDeD §3.2).
inline constexpr double smallestSigma = 0.006;

/// σ floor in units of `unit`: the larger of `smallestSigma` and the timer's resolution. Both arguments in seconds.
[[nodiscard]] double sigmaFloor(double timerResolution, double unit);

/// A Gaussian without dimension. The usual and fast case; the closed forms are in GaussianDensity::product.
struct GaussianDensity {
    double mean = 0;
    double sigma = smallestSigma;

    /// From times in seconds, measured in `unit` seconds.
    static GaussianDensity of(const TimeMoments &times, double unit, double floor);
    [[nodiscard]] double density(double x) const;
    [[nodiscard]] double logDensity(double x) const;
    /// ∫ f², = 1 / (2σ√π).
    [[nodiscard]] double selfProduct() const;
    /// ∫ f g, = density of N(0, σ_f² + σ_g²) at the distance of the means. Symmetric to the last bit.
    static double product(const GaussianDensity &f, const GaussianDensity &g) {
        const double variance = f.sigma * f.sigma + g.sigma * g.sigma;
        const double delta = f.mean - g.mean;
        const double exponent = 0.5 * delta * delta / variance;
        return exponent > 50 ? 0 : inverseRootTwoPi / std::sqrt(variance) * std::exp(-exponent);
    }

    static constexpr double inverseRootTwoPi = 0.3989422804014327; ///< 1 / √(2π)
};

/// A density of any shape that AutomaDeD §3.1 knows: linear between knots, half Gaussians outside, integral 1. A single knot with
/// two half Gaussians is a Gaussian.
///
/// From a histogram (the reading of §3.1 that the paper leaves open): at each bucket's mean the density is the bucket's
/// probability over the width between the midpoints to its neighbours (the outermost buckets reach as far out as in), linear
/// between means. Outside, half Gaussians with σ = half the distance of the outermost two means. The whole is divided by its
/// integral, which is between 1 and 1.13. Buckets closer than 2.4 floors are merged first, so that no such density has ∫ f² above
/// that of a Gaussian with the floor σ.
class TimeDensity {
  public:
    static TimeDensity gaussian(double mean, double sigma);
    /// Bucket means in seconds, measured in `unit` seconds. One bucket: a Gaussian with σ = `floor`. Needs at least one value.
    static TimeDensity histogram(const Histogram &times, double unit, double floor);

    /// Mean of the data behind it, as α needs it.
    [[nodiscard]] double mean() const { return m_mean; }
    [[nodiscard]] double density(double x) const;
    /// Natural logarithm of the density; finite also where the density is too small for a number.
    [[nodiscard]] double logDensity(double x) const;
    [[nodiscard]] double selfProduct() const { return m_self; }
    /// ∫ f g in closed form.
    static double product(const TimeDensity &f, const TimeDensity &g);

  private:
    struct Knot {
        double x = 0;
        double y = 0;
        double slope = 0; ///< slope of the line to the next knot
    };
    void finish();
    [[nodiscard]] double linear(std::size_t segment, double x) const;

    std::array<Knot, Histogram::maxBuckets> m_knots{};
    std::size_t m_count = 0;
    double m_leftSigma = smallestSigma;
    double m_rightSigma = smallestSigma;
    double m_mean = 0;
    double m_self = 0;

    friend struct DensityPieces;
};

/// L2 norm of f − g, √(∫f² + ∫g² − 2∫fg) (AutomaDeD §3.2), for both kinds of density.
[[nodiscard]] inline double l2Distance(double selfF, double selfG, double product) {
    return std::sqrt(std::max(0.0, selfF + selfG - 2 * product));
}
template <typename Density> [[nodiscard]] double l2Distance(const Density &f, const Density &g) {
    return l2Distance(f.selfProduct(), g.selfProduct(), Density::product(f, g));
}

/// α of AutomaDeD §3.2: 1 + |μ_f − μ_g|² / ((μ_f + μ_g) / 2). Means without dimension; 1 if both are 0.
[[nodiscard]] inline double meanWeight(double meanF, double meanG) {
    const double sum = meanF + meanG;
    return sum > 0 ? 1 + (meanF - meanG) * (meanF - meanG) / (sum / 2) : 1;
}

} // namespace laggard
