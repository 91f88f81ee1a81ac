// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/Demangling.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>

namespace laggard {

std::string demangled(const std::string &name) {
    if (!name.starts_with("_Z"))
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && text ? text.get() : name;
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

std::string demangledWithoutTypes(const std::string &name) {
    const std::string whole = demangled(name);
    return whole == name ? name : withoutTypes(whole);
}

} // namespace laggard
