// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/delays/Delays.h"
#include "analysis/outliers/Outliers.h"

#include <nlohmann/json.hpp>

namespace laggard {

/// Adds "delays".
void addDelaySection(nlohmann::ordered_json &report, const Trace &trace, const DelayReport &delays);

/// Adds "failstop" to a report (docs/json-report.md).
void addFailStopSection(nlohmann::ordered_json &report, const Trace &trace, const FailStop &failStop);

/// Adds "outliers" and "outlier_rankings".
void addOutlierSections(nlohmann::ordered_json &report, const OutlierReport &outliers);

/// Adds "phases".
void addPhaseSection(nlohmann::ordered_json &report, const Trace &trace, const SemiMarkovReport &models);

/// Adds "clusters".
void addClusterSection(nlohmann::ordered_json &report, const SemiMarkovReport &models);

/// Adds "transitions" and "transition_methods".
void addTransitionSections(nlohmann::ordered_json &report, const Trace &trace, const SemiMarkovReport &models);

} // namespace laggard
