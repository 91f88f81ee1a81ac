// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/ScratchFolder.h"

#include "tests/fuzz/Target.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace laggard::test {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
    std::error_code ignored;
    m_path = fs::is_directory("/dev/shm", ignored) ? "/dev/shm" : fs::temp_directory_path().string();
    m_path += "/laggard-fuzz-XXXXXX";
    if (::mkdtemp(m_path.data()) == nullptr)
        breakOff("No folder for what is to be read could be made.");
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

std::string ScratchFolder::write(const std::string &name, std::string_view bytes) const {
    std::string path = m_path + '/' + name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush())
        breakOff("What is to be read could not be written.");
    return path;
}

} // namespace laggard::test
