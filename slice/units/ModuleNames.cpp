// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/ModuleNames.h"

#include <cstdlib>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <memory>

namespace laggard {
namespace {

struct Free {
    void operator()(char *text) const { std::free(text); }
};
using DemangledText = std::unique_ptr<char, Free>;

/// "f" of "ns::A<int>::f(int)" and of "~f": the last component, without arguments.
std::string lastComponent(std::string_view name) {
    int nested = 0;
    std::size_t begin = 0;
    std::size_t end = name.size();
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == '<' || name[i] == '(') {
            if (nested++ == 0 && end == name.size())
                end = i;
        } else if ((name[i] == '>' || name[i] == ')') && nested > 0)
            --nested;
        else if (nested == 0 && (name[i] == ':' || name[i] == ' ' || name[i] == '~')) {
            begin = i + 1;
            end = name.size();
        }
    }
    return begin < end ? std::string(name.substr(begin, end - begin)) : std::string();
}

} // namespace

ModuleNames namesOfModule(const std::string &bitcodeFile) {
    ModuleNames names;
    auto buffer = llvm::MemoryBuffer::getFile(bitcodeFile);
    if (!buffer)
        return names;
    llvm::LLVMContext context;
    auto module = llvm::getLazyBitcodeModule((*buffer)->getMemBufferRef(), context, true);
    if (!module) {
        llvm::consumeError(module.takeError());
        return names;
    }
    for (const llvm::GlobalValue &value : (*module)->global_values())
        if (value.hasName() && !value.hasLocalLinkage() && !value.getName().startswith("llvm."))
            (value.isDeclaration() ? names.needed : names.defined).push_back(value.getName().str());
    return names;
}

std::string plainName(std::string_view shownName) {
    const std::size_t end = shownName.rfind(')');
    const bool hasArguments = end != std::string_view::npos && shownName.find(':', end) == std::string_view::npos;
    return lastComponent(hasArguments ? shownName.substr(0, end + 1) : shownName);
}

SourceName sourceName(const std::string &linkageName) {
    llvm::ItaniumPartialDemangler demangler;
    if (demangler.partialDemangle(linkageName.c_str()))
        return {linkageName, false};
    if (demangler.isFunction()) {
        const DemangledText base(demangler.getFunctionBaseName(nullptr, nullptr));
        std::string name = base ? base.get() : "";
        if (name.starts_with("operator"))
            name = "operator";
        return {name.starts_with('~') ? name.substr(1) : lastComponent(name), false};
    }
    const DemangledText whole(demangler.finishDemangle(nullptr, nullptr));
    const std::string text = whole ? whole.get() : "";
    return {lastComponent(text), demangler.isSpecialName()};
}

} // namespace laggard
