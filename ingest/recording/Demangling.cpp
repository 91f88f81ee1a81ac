// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/Demangling.h"

#include "ingest/assembly/Demangling.h"

#include <string_view>

namespace laggard::recording {

std::string demangled(const std::string &name) {
    const std::string whole = laggard::demangled(name);
    return whole == name ? name : withoutTypes(whole);
}

std::string withoutTypes(const std::string &signature) {
    std::string name = signature.substr(0, signature.find(" [clone"));
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view suffix : {" const", " volatile", " &", " &&", " noexcept"})
            if (name.ends_with(suffix)) {
                name.resize(name.size() - suffix.size());
                again = true;
            }
    }
    if (!name.ends_with(')'))
        return signature;
    std::size_t depth = 0;
    std::size_t at = name.size();
    while (at-- > 0) {
        depth += name[at] == ')' ? 1 : 0;
        if (name[at] == '(' && --depth == 0)
            break;
    }
    if (at == 0 || at >= name.size() || name.substr(0, at).ends_with("operator"))
        return signature;
    name.resize(at);
    // What stands before the last space outside of brackets is the type that a template returns.
    int brackets = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        brackets += name[i] == '>' || name[i] == ')' || name[i] == '}' ? 1 : 0;
        brackets -= name[i] == '<' || name[i] == '(' || name[i] == '{' ? 1 : 0;
        if (name[i] == ' ' && brackets == 0 && name.find("operator") == std::string::npos)
            return name.substr(i + 1);
    }
    return name;
}

} // namespace laggard::recording
