// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/AttachedCommand.h"
#include "app/analyze/plain/Programs.h"
#include "trace/Printable.h"
#include "trace/Work.h"

#include <chrono>
#include <iostream>
#include <sstream>
#include <system_error>

namespace laggard {

std::string AttachedCommand::makeFolder() {
    try {
        const auto folder = std::make_shared<TemporaryFolder>();
        m_folder = folder;
        return folder->path("attached-job");
    } catch (const std::system_error &error) {
        std::cerr << "laggard-analyze: what is seen of the job cannot be written: " << printable(error.what()) << '\n';
        return {};
    }
}

void AttachedCommand::run(std::stop_token stop) {
    if (!m_isAsked)
        return;
    constexpr std::chrono::hours longest{2}; // samples may be asked for over an hour
    const std::string program = findProgram("laggard-attach", "LAGGARD_ATTACH", "attach");
    if (program.empty())
        throw ReadError(
            "The program laggard-attach, which looks at running jobs, was not found; set LAGGARD_ATTACH to its place.");
    std::vector<std::string> command{program};
    command.insert(command.end(), m_attach.begin(), m_attach.end());
    command.insert(command.end(), {"-o", m_output});
    const ProgramEnd end = runProgram(command, {}, longest, stop);
    if (end.status != 0)
        throw ReadError(end.errors.empty() ? "laggard-attach did not come to an end." : printable(end.errors));
    std::istringstream lines(end.errors);
    for (std::string line; std::getline(lines, line);)
        if (line.find("laggard-analyze ") == std::string::npos) // what to do next, which is being done
            std::cerr << printable(line) << '\n';
}

} // namespace laggard
