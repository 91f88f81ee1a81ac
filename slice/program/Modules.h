// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace laggard::slice {

/// What LLVM has read of the compile units. Each has a context of its own, so that a broken one cannot harm the others.
/// They live as long as names are asked for (Names.h).
struct Modules {
    struct Unit {
        std::string file;
        std::unique_ptr<llvm::LLVMContext> context;
        std::unique_ptr<llvm::Module> module;
    };
    std::vector<Unit> units;
    std::vector<const llvm::Value *> values; ///< by Node: what it was made from; null where there is nothing
};

} // namespace laggard::slice
