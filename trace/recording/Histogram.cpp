// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/Histogram.h"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace laggard {

namespace {

using Bucket = Histogram::Bucket;

/// Merges buckets `at` and `at + 1` of `used` ones.
void mergeWithNext(Bucket *buckets, std::size_t used, std::size_t at) {
    Bucket &low = buckets[at];
    const Bucket &high = buckets[at + 1];
    const double count = low.count + high.count;
    low.mean += (high.mean - low.mean) * (high.count / count);
    low.count = count;
    for (std::size_t i = at + 1; i + 1 < used; ++i)
        buckets[i] = buckets[i + 1];
}

/// The first of the two neighbours with the closest means; the lowest of several.
std::size_t closest(const Bucket *buckets, std::size_t used) {
    std::size_t best = 0;
    double gap = buckets[1].mean - buckets[0].mean;
    for (std::size_t i = 1; i + 1 < used; ++i) {
        const double other = buckets[i + 1].mean - buckets[i].mean;
        if (other < gap) {
            gap = other;
            best = i;
        }
    }
    return best;
}

std::size_t insert(Bucket *buckets, std::size_t used, double value, double weight) {
    std::size_t at = used;
    while (at > 0 && buckets[at - 1].mean >= value)
        --at;
    if (at < used && buckets[at].mean == value) {
        buckets[at].count += weight;
        return used;
    }
    for (std::size_t i = used; i > at; --i)
        buckets[i] = buckets[i - 1];
    buckets[at] = {value, weight};
    return used + 1;
}

std::size_t reduce(Bucket *buckets, std::size_t used, std::size_t limit) {
    for (; used > limit && used > 1; --used)
        mergeWithNext(buckets, used, closest(buckets, used));
    return used;
}

/// As insert() and then reduce() by one, in place: what a recorder does at each call. At least two buckets.
void addToFull(Bucket *buckets, std::size_t used, double value, double weight) {
    std::size_t at = 0; // the first bucket that is not below
    while (at < used && buckets[at].mean < value)
        ++at;
    if (at < used && buckets[at].mean == value) {
        buckets[at].count += weight;
        return;
    }
    // The closest two among the old buckets, those around the new one apart.
    std::size_t best = used;
    double gap = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < used; ++i) {
        const double other = i + 1 == at ? gap : buckets[i + 1].mean - buckets[i].mean;
        best = other < gap ? i : best;
        gap = other < gap ? other : gap;
    }
    const double below = at > 0 ? value - buckets[at - 1].mean : std::numeric_limits<double>::infinity();
    const double above = at < used ? buckets[at].mean - value : std::numeric_limits<double>::infinity();
    // Where gaps are equal, the lowest merges: an old pair comes before the new bucket if it lies below.
    const bool isOldLower = best < used && best + 1 < at;
    const double nearest = below <= above ? below : above;
    if (isOldLower ? nearest < gap : nearest <= gap) {
        Bucket &low = below <= above ? buckets[at - 1] : buckets[at];
        const double all = low.count + weight;
        if (below <= above)
            low.mean += (value - low.mean) * (weight / all);
        else
            low.mean = value + (low.mean - value) * (low.count / all);
        low.count = all;
        return;
    }
    // The old pair becomes one, and the place that this frees moves to where the new bucket belongs.
    const double all = buckets[best].count + buckets[best + 1].count;
    const Bucket merged{buckets[best].mean + (buckets[best + 1].mean - buckets[best].mean) * (buckets[best + 1].count / all),
                        all};
    if (isOldLower) {
        buckets[best] = merged;
        for (std::size_t i = best + 1; i + 1 < at; ++i)
            buckets[i] = buckets[i + 1];
        buckets[at - 1] = {value, weight};
    } else {
        buckets[best + 1] = merged;
        for (std::size_t i = best; i > at; --i)
            buckets[i] = buckets[i - 1];
        buckets[at] = {value, weight};
    }
}

std::size_t bounded(std::size_t limit) { return limit < 1 ? 1 : limit > Histogram::maxBuckets ? Histogram::maxBuckets : limit; }

} // namespace

void Histogram::add(double value, double weight, std::size_t limit) {
    if (!std::isfinite(value) || !(weight > 0))
        return;
    limit = bounded(limit);
    const std::size_t count = used < maxBuckets ? used : maxBuckets;
    if (count == limit && limit > 1) {
        addToFull(buckets, count, value, weight);
        return;
    }
    Bucket all[maxBuckets + 1];
    for (std::size_t i = 0; i < count; ++i)
        all[i] = buckets[i];
    used = reduce(all, insert(all, count, value, weight), limit);
    for (std::size_t i = 0; i < used; ++i)
        buckets[i] = all[i];
}

void Histogram::merge(const Histogram &other, std::size_t limit) {
    Bucket all[2 * maxBuckets];
    std::size_t count = 0;
    for (const Histogram *from : {static_cast<const Histogram *>(this), &other})
        for (std::size_t i = 0; i < from->used && i < maxBuckets; ++i)
            if (std::isfinite(from->buckets[i].mean) && from->buckets[i].count > 0)
                count = insert(all, count, from->buckets[i].mean, from->buckets[i].count);
    count = reduce(all, count, bounded(limit));
    for (std::size_t i = 0; i < count; ++i)
        buckets[i] = all[i];
    used = count;
}

double Histogram::total() const {
    double sum = 0;
    for (std::size_t i = 0; i < used && i < maxBuckets; ++i)
        sum += buckets[i].count;
    return sum;
}

} // namespace laggard
