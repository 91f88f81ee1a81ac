// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"

#include <QObject>

#include <map>
#include <memory>
#include <thread>

namespace laggard {

/// Works out clusters and models of another phase than the analyses show, in a thread of its own. A new phase ends the work on
/// the one before; only the last is answered.
class PhaseJob : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;
    ~PhaseJob() override;

    void ask(TracePtr trace, std::shared_ptr<const SemiMarkovReport> report, std::uint32_t phase);
    /// Nothing is answered any more.
    void cancel();

  signals:
    void answered(const std::shared_ptr<const laggard::SemiMarkovReport> &report);
    void failed(const QString &sentence);

  private:
    quint64 m_request = 0;
    std::map<quint64, std::jthread> m_threads; ///< the last one works; those before are ending
};

} // namespace laggard
