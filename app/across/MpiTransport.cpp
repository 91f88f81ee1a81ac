// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/MpiTransport.h"

#include "app/across/mpi/AcrossMpi.h"
#include "trace/Quantity.h"

#include <array>
#include <dlfcn.h>
#include <filesystem>

namespace laggard {

std::string acrossLibrary(MpiFlavour flavour) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path own = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::string file = "liblaggard-across-" + std::string(name(flavour)) + ".so";
    for (const fs::path &folder : {own / "across", own / LAGGARD_LIBRARY_FOLDER})
        if (fs::exists(folder / file, error))
            return fs::canonical(folder / file, error).string();
    return {};
}

MpiTransport::MpiTransport(const std::string &library, const Launch &launch) {
    // Open MPI's components look for its symbols among those that all of the process see.
    void *opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (opened == nullptr)
        throw TransportError("the library for the launcher's MPI cannot be opened: " + std::string(::dlerror()));
    const auto functions = reinterpret_cast<decltype(&laggard_across_mpi)>(::dlsym(opened, "laggard_across_mpi"));
    if (functions == nullptr || functions()->version != laggardAcrossVersion)
        throw TransportError('"' + library + "\" is of another version of Laggard");
    m_mpi = functions();
    int rank = 0;
    int size = 0;
    check(m_mpi->start(&rank, &size), "start");
    m_rank = static_cast<unsigned>(rank);
    m_size = static_cast<unsigned>(size);
    if (m_size != launch.size) {
        m_mpi->finish();
        throw TransportError(plural(launch.size, "process") + " were started together (" + launch.launcher + "), but \"" +
                             library + "\" finds " + (m_size == 1 ? "itself alone" : describeCount(m_size)) +
                             ": --across names the MPI of the launcher");
    }
    m_isOpen = true;
}

MpiTransport::~MpiTransport() {
    if (m_isOpen)
        m_mpi->abort(1);
}

void MpiTransport::finish() {
    m_isOpen = false;
    check(m_mpi->finish(), "end");
}

void MpiTransport::check(int error, const char *what) const {
    if (error == 0)
        return;
    std::array<char, 512> text{};
    m_mpi->describe(error, text.data(), static_cast<int>(text.size()));
    throw TransportError(std::string("MPI could not ") + what + ": " + text.data());
}

std::string MpiTransport::receive(unsigned from) {
    std::uint64_t size = 0;
    check(m_mpi->receiveSize(static_cast<int>(from), &size), "receive");
    std::string bytes(size, '\0');
    check(m_mpi->receive(static_cast<int>(from), bytes.data(), size), "receive");
    return bytes;
}

void MpiTransport::sendTo(unsigned to, const std::string &bytes) {
    check(m_mpi->send(static_cast<int>(to), bytes.data(), bytes.size()), "send");
}

std::vector<std::string> MpiTransport::exchangeAll(std::vector<std::string> forEach) {
    std::vector<std::uint64_t> outSizes(m_size), inSizes(m_size);
    for (unsigned i = 0; i < m_size; ++i)
        outSizes[i] = i == m_rank ? 0 : forEach[i].size();
    check(m_mpi->exchangeSizes(outSizes.data(), inSizes.data()), "exchange");
    std::vector<std::string> received(m_size);
    std::vector<const void *> out(m_size);
    std::vector<void *> in(m_size);
    for (unsigned i = 0; i < m_size; ++i) {
        received[i].resize(inSizes[i]);
        out[i] = forEach[i].data();
        in[i] = received[i].data();
    }
    check(m_mpi->exchange(out.data(), outSizes.data(), in.data(), inSizes.data()), "exchange");
    received[m_rank] = std::move(forEach[m_rank]);
    return received;
}

} // namespace laggard
