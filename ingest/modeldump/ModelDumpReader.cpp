// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/ModelDumpReader.h"

#include "ingest/modeldump/DumpAssembly.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace laggard::modeldump {
namespace {

namespace fs = std::filesystem;

/// True if the file begins as a dump does: an object that names our schema among its first members.
bool isDump(const std::string &path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) // opening a pipe might wait for ever
        return false;
    std::FILE *file = std::fopen(path.c_str(), "rbe");
    if (file == nullptr)
        return false;
    std::array<char, 512> bytes{};
    const std::size_t size = std::fread(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    const std::string_view head(bytes.data(), size);
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && head[first] == '{' && head.find("\"laggard.model/") != std::string_view::npos;
}

std::vector<std::string> dumpsIn(const std::string &folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (const std::string file = entry->path().string(); isDump(file))
            files.push_back(file);
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

std::vector<std::string> find(const std::string &path) {
    std::error_code error;
    if (!fs::is_directory(path, error))
        return isDump(path) ? std::vector{path} : std::vector<std::string>();
    const std::vector<std::string> files = dumpsIn(path);
    if (files.empty())
        return {};
    return files.size() == 1 ? files : std::vector{path};
}

std::vector<std::string> filesOf(const std::string &path) {
    std::error_code error;
    return fs::is_directory(path, error) ? dumpsIn(path) : std::vector{path};
}

ModelDumpPtr open(const std::string &path, const Work &work) {
    const std::vector<std::string> files = filesOf(path);
    std::vector<DumpContent> contents;
    for (const std::string &file : files) {
        throwIfCancelled(work);
        if (work.report)
            work.report({"reading models", contents.size(), files.size()});
        contents.push_back(readContent(file));
    }
    if (contents.empty())
        throw ReadError("The folder \"" + path + "\" does not contain a model dump.");
    return assemble(path, std::move(contents), work);
}

} // namespace laggard::modeldump
