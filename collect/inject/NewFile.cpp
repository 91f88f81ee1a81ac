// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/inject/NewFile.h"

#include "collect/store/Undisturbed.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace laggard::collect {

bool writeNewFile(const std::string &path, const std::string &text) {
    const Undisturbed undisturbed;
    const std::string unfinished = path + "." + std::to_string(getpid());
    ::unlink(unfinished.c_str());
    const int descriptor = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    std::FILE *file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w");
    if (file == nullptr)
        return false;
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    return std::fclose(file) == 0 && isWritten && std::rename(unfinished.c_str(), path.c_str()) == 0;
}

} // namespace laggard::collect
