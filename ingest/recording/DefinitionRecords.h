// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"

namespace laggard::recording {

/// Collects the definitions of a file from its records. Numbers that damage has made up are refused.
class DefinitionRecords {
  public:
    /// Takes a record of the Definitions chunks; if of unknown kind, none. Returns what is wrong with it, or nothing.
    std::string add(const Record &record);
    FileDefinitions take();

  private:
    template <typename T> T *place(std::vector<T> &table, std::uint32_t number);
    std::string addModule(const Record &record);
    std::string addAddress(const Record &record);
    std::string addPath(const Record &record);
    std::string addCommunicator(const Record &record);
    std::string addMembers(const Record &record);
    std::string addWindow(const Record &record);
    std::string addGroup(const Record &record);
    std::string addCommandLine(const Record &record);
    std::string addScript(const Record &record);

    FileDefinitions m_definitions;
    std::uint32_t m_commandBytes = 0;  ///< of all pieces together, as these say
    std::uint32_t m_commandPieces = 0; ///< `nothing`: one was missing
    /// Lost blocks leave gaps in the numbers; more than these in all are numbers that damage has made up.
    std::size_t m_mayMiss = 65536;
};

} // namespace laggard::recording
