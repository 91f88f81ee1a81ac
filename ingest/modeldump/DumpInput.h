// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/JsonInput.h"
#include "ingest/modeldump/DumpContent.h"
#include "trace/ModelDumpNames.h"

namespace laggard::modeldump {

/// JSON with the values that model dumps are made of: ranks, peers, and words for kinds.
class DumpInput : public JsonInput {
  public:
    /// Throws ReadError if the file cannot be read or is not JSON.
    explicit DumpInput(const std::string &file);

    /// A rank or a distance; `noPeer` for null.
    [[nodiscard]] WrittenPeer peer(Value value) { return isNull(value) ? noPeer : signedNumber(value); }
    /// A whole number with sign.
    [[nodiscard]] std::int32_t signed32(Value value);
    /// An array of `count` numbers below `none`.
    [[nodiscard]] std::vector<std::uint32_t> numbers32(Value value, std::size_t count);
    template <typename Kind> [[nodiscard]] Kind named(Value value) {
        const std::string text = string(value);
        const std::optional<Kind> kind = fromDumpName<Kind>(text);
        if (!kind)
            fail('"' + text.substr(0, 40) + "\" is not one of the words for this");
        return *kind;
    }
};

} // namespace laggard::modeldump
