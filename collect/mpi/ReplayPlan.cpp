// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/ReplayPlan.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace laggard::collect::mpi {

namespace {

/// The words of a line, from left to right. What is not there makes `isRight` false.
class Words {
  public:
    explicit Words(std::string_view line) : m_rest(line) {}
    bool isRight = true;

    std::string_view word() {
        const std::size_t end = m_rest.find(' ');
        const std::string_view found = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        isRight &= !found.empty();
        return found;
    }
    std::uint64_t number() {
        const std::string text(word());
        char *end = nullptr;
        errno = 0;
        const bool isNegative = !text.empty() && text.front() == '-';
        const std::uint64_t value =
            isNegative ? static_cast<std::uint64_t>(std::strtoll(text.c_str(), &end, 10)) : std::strtoull(text.c_str(), &end, 10);
        isRight &= !text.empty() && *end == '\0' && errno == 0;
        return value;
    }
    std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
    [[nodiscard]] bool isEnd() const { return m_rest.empty(); }

  private:
    std::string_view m_rest;
};

std::optional<Operation> operationNamed(std::string_view name) {
    for (std::size_t i = 0; i < operationCount; ++i)
        if (name == nameOf(static_cast<Operation>(i)))
            return static_cast<Operation>(i);
    return std::nullopt;
}

std::optional<std::string> contentOf(const std::string &path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    std::string content;
    char buffer[65536];
    ssize_t count = 0;
    while ((count = ::read(file, buffer, sizeof buffer)) > 0)
        content.append(buffer, static_cast<std::size_t>(count));
    ::close(file);
    return count < 0 ? std::nullopt : std::optional(std::move(content));
}

} // namespace

bool ReplayPlan::readLine(const char *line) {
    Words words(line);
    const std::string_view kind = words.word();
    if (kind == "rank") {
        rank = words.small();
        words.isRight &= words.word() == "of";
        size = words.small();
    } else if (kind == "wait") {
        waitSeconds = words.number();
    } else if (kind == "calls") {
        calls = words.number();
    } else if (kind == "ends") {
        endsWithExchange = words.word() == "exchange";
    } else if (kind == "R" || kind == "N" || kind == "U" || kind == "C" || kind == "P" || kind == "T") {
        const std::uint64_t call = words.number();
        const auto operation = operationNamed(words.word());
        Asked asked;
        if (!operation)
            return false;
        asked.operation = *operation;
        if (kind == "C" || kind == "T") {
            asked.awaited = words.number();
        } else {
            asked.source = words.small();
            asked.tag = static_cast<std::int32_t>(words.small());
            asked.communicator = words.small();
        }
        if (kind == "P" || kind == "T") {
            misses.push_back({call, asked, words.number()});
            return words.isRight && words.isEnd();
        }
        using enum Outcome::Kind;
        outcomes.push_back({call, asked, kind == "R" ? Message : kind == "N" ? Nothing : kind == "U" ? Unknown : Completion});
        if (kind == "R") {
            outcomes.back().source = words.small();
            outcomes.back().tag = static_cast<std::int32_t>(words.small());
        }
        while (kind == "C" && !words.isEnd() && words.isRight)
            outcomes.back().requests.push_back(words.number());
    } else {
        return false;
    }
    return words.isRight && words.isEnd();
}

bool ReplayPlan::read(const std::string &path, std::string &problem) {
    const std::optional<std::string> content = contentOf(path);
    if (!content) {
        problem = "the plan " + path + " cannot be read (" + std::strerror(errno) + ")";
        return false;
    }
    std::size_t number = 0;
    for (std::size_t at = 0; at < content->size();) {
        std::size_t end = content->find('\n', at);
        end = end == std::string::npos ? content->size() : end;
        const std::string line = content->substr(at, end - at);
        at = end + 1;
        if (++number == 1 ? line != recording::replay::magic : !readLine(line.c_str())) {
            problem = "line " + std::to_string(number) + " of the plan " + path + " cannot be understood";
            return false;
        }
    }
    if (number == 0)
        problem = "the plan " + path + " is empty";
    return number != 0;
}

} // namespace laggard::collect::mpi
