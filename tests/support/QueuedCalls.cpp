// SPDX-License-Identifier: GPL-3.0-or-later
// Built for the thread sanitizer only. Qt is not instrumented, so the sanitizer does not see that a queued call is made after
// what its caller did before, and takes all that the call carries for a data race. This stands before QMetaObject::invokeMethod
// in our programs and tells it so; Qt does the work, as always.
#include <QMetaObject>
#include <QtGlobal>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

// Qt 6.7 gives this function other parameters; there, queued calls are reported.
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
