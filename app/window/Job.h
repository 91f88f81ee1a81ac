// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Work.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <thread>

namespace laggard {

/// Work for the window in a thread of its own: the one place for stopping, progress, errors and lack of memory. A new task ends
/// the one before, and only the last is answered: by what it gives back, or by `failed`. Destroying the job stops its threads and
/// waits for them.
class Job : public QObject {
    Q_OBJECT

  public:
    explicit Job(QObject *parent = nullptr) : QObject(parent) {}
    ~Job() override;

    /// Nothing is answered any more. Returns at once; the thread may take a moment longer to end.
    virtual void cancel();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

  signals:
    /// At most five times a second. `fraction` is 0..1, negative where the amount of work is unknown.
    void progressed(const QString &what, double fraction);
    void failed(const QString &sentence);
    /// `cancel` ended a task that ran.
    void cancelled();
    /// No thread is left.
    void ended();

  protected:
    /// What is to be done in the window's thread once a task is through.
    using Answer = std::function<void()>;
    /// Runs in the thread and may throw: Cancelled, std::bad_alloc (then `failed` says `noMemory`), or what has a sentence. It is
    /// destroyed there, with a trace that nobody else needs.
    using Task = std::function<Answer(const Work &work)>;

    void run(Task task, const QString &noMemory);

  private:
    Answer answerOf(const Task &task, const Work &work, const QString &noMemory);
    void stop();
    void post(quint64 request, Answer answer, bool isLast);

    quint64 m_request = 0;
    bool m_isRunning = false;
    std::map<quint64, std::jthread> m_threads; ///< the last one works; those before are ending
};

} // namespace laggard
