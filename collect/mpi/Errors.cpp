// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of MPI libraries through which every error goes on its way to the error handler, as MPI has none for tools to
// wrap. Where a library does not have them, or does not let others take their place, errors that end the job are not named. Each
// does what the library's does.
#include "collect/mpi/Layer.h"
#include "collect/store/Undisturbed.h"

#include <cstdio>
#include <dlfcn.h>
#include <string_view>

using namespace laggard::collect;

#define LAGGARD_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace {

template <typename Function> Function original(const char *name) { return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name)); }

/// Open MPI takes a code that it does not know for a further error.
bool isKnown([[maybe_unused]] int code) {
#ifdef OPEN_MPI
    return code > MPI_SUCCESS && code < MPI_ERR_LASTCODE;
#else
    return code != MPI_SUCCESS;
#endif
}

/// "MPI_Send" of "internal_Send" (or "MPII_Comm_get_attr"), as MPICH 4 has it, or of "PMPI_Send".
const char *standardName(const char *function, char (&name)[64]) {
    std::string_view text = function == nullptr ? "MPI call" : function;
    for (const std::string_view prefix : {"internal_", "MPII_", "PMPI_", "MPI_"})
        if (text.starts_with(prefix)) {
            text.remove_prefix(prefix.size());
            std::snprintf(name, sizeof name, "MPI_%.*s", static_cast<int>(text.size()), text.data());
            return name;
        }
    std::snprintf(name, sizeof name, "%.*s", static_cast<int>(text.size()), text.data());
    return name;
}

/// While it lives, the error is with its handler. One that ends the process, or leaves by another way, leaves it in the
/// recording.
class WithHandler {
  public:
    /// `function`: the one of MPI that found it, in the library's own spelling.
    WithHandler(int code, const char *function) {
        const Undisturbed undisturbed;
        mpi::Layer *layer = mpi::layer();
        if (s_isAsking || layer == nullptr || !layer->isReady())
            return;
        char text[MPI_MAX_ERROR_STRING + 1] = "";
        int length = 0;
        s_isAsking = true;
        if (!isKnown(code) || PMPI_Error_string(code, text, &length) != MPI_SUCCESS)
            std::snprintf(text, sizeof text, "error %d", code);
        s_isAsking = false;
        m_log = &layer->log;
        char name[64];
        m_found = m_log->errorFound(text, standardName(function, name));
    }
    ~WithHandler() {
        if (m_log != nullptr)
            m_log->errorHandled(m_found);
    }
    WithHandler(const WithHandler &) = delete;
    WithHandler &operator=(const WithHandler &) = delete;

  private:
    static thread_local bool s_isAsking; ///< the question may itself be an error
    ProcessLog *m_log = nullptr;
    Ticks m_found = 0;
};

thread_local bool WithHandler::s_isAsking = false;

} // namespace

#ifdef OPEN_MPI

LAGGARD_INTERPOSED int ompi_errhandler_invoke(void *handler, void *object, int type, int code, const char *message) {
    const WithHandler with(code, message);
    return original<int (*)(void *, void *, int, int, const char *)>("ompi_errhandler_invoke")(handler, object, type, code,
                                                                                               message);
}

#else // MPICH

LAGGARD_INTERPOSED int MPIR_Err_return_comm(void *communicator, const char *function, int code) {
    const WithHandler with(code, function);
    return original<int (*)(void *, const char *, int)>("MPIR_Err_return_comm")(communicator, function, code);
}

LAGGARD_INTERPOSED int MPIR_Err_return_win(void *window, const char *function, int code) {
    const WithHandler with(code, function);
    return original<int (*)(void *, const char *, int)>("MPIR_Err_return_win")(window, function, code);
}

#endif
