// SPDX-License-Identifier: GPL-3.0-or-later
// Built for the thread sanitizer only: what it does not see of Qt, which is not instrumented. Stands before two functions in our
// programs, and calls them.
#include <QMetaObject>
#include <QtGlobal>

#include <cstdarg>
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <sched.h>
#include <sys/types.h>

// QProcess starts programs by clone() with shared memory, after which the sanitizer takes the parent for the child: it holds all
// other threads for dead, reports nothing any more and ends with the next thread. With memory of its own, the child is a fork.
extern "C" int clone(int (*run)(void *), void *stack, int flags, void *argument, ...) noexcept {
    using Clone = int (*)(int (*)(void *), void *, int, void *, pid_t *, void *, pid_t *);
    static const auto next = reinterpret_cast<Clone>(dlsym(RTLD_NEXT, "clone"));
    va_list more;
    va_start(more, argument);
    auto *parent = va_arg(more, pid_t *);
    auto *storage = va_arg(more, void *);
    auto *child = va_arg(more, pid_t *);
    va_end(more);
    return next(run, stack, flags & ~(CLONE_VM | CLONE_VFORK), argument, parent, storage, child);
}

// The sanitizer does not see that a queued call is made after what its caller did before, and would take all that the call
// carries for a data race. Qt 6.7 gives this function other parameters; there, queued calls are reported.
#if QT_VERSION < QT_VERSION_CHECK(6, 7, 0)
namespace {

/// Passes everything on to the slot that was handed to Qt.
class OrderedSlot : public QtPrivate::QSlotObjectBase {
  public:
    explicit OrderedSlot(QSlotObjectBase *slot) : QSlotObjectBase(&pass), m_slot(slot) { __tsan_release(this); }

  private:
    static void pass(int which, QSlotObjectBase *self, QObject *receiver, void **arguments, bool *isEqual) {
        auto *ordered = static_cast<OrderedSlot *>(self);
        __tsan_acquire(ordered);
        if (which == Call) {
            ordered->m_slot->call(receiver, arguments);
            __tsan_release(ordered); // whoever lets go of it last, caller or receiver, destroys it after the call
        } else if (which == Compare) {
            *isEqual = ordered->m_slot->compare(arguments);
        } else if (which == Destroy) {
            ordered->m_slot->destroyIfLastRef();
            delete ordered;
        }
    }

    QSlotObjectBase *m_slot;
};

} // namespace

bool QMetaObject::invokeMethodImpl(QObject *object, QtPrivate::QSlotObjectBase *slot, Qt::ConnectionType type, void *result) {
    using Invoke = bool (*)(QObject *, QtPrivate::QSlotObjectBase *, Qt::ConnectionType, void *);
    static const auto invoke = reinterpret_cast<Invoke>(
        dlsym(RTLD_NEXT, "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv"));
    return invoke(object, new OrderedSlot(slot), type, result);
}
#endif
