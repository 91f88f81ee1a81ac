// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Modules.h"
#include "slice/program/Program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <map>
#include <unordered_map>

namespace laggard::slice {

/// Files, places, shapes, functions and global variables of a program in the making.
class Symbols {
  public:
    Symbols(Program &program, Modules &modules, std::vector<std::string> &warnings);

    /// Makes the unit's functions and variables known; must be done for all units before any code is lowered.
    void declare(const Modules::Unit &unit);
    /// The initial values of the unit's variables.
    void initialise(const Modules::Unit &unit);

    [[nodiscard]] Node add(const NodeData &node, const llvm::Value *value);
    [[nodiscard]] Node constant(const llvm::Value *value);
    [[nodiscard]] std::uint32_t shapeOf(llvm::Type *type, const llvm::DataLayout &layout);
    [[nodiscard]] std::uint32_t placeOf(const llvm::DIFile *file, unsigned line);
    [[nodiscard]] std::uint32_t fileOf(const llvm::DIFile *file);
    /// The function of the program that stands for the one of a unit, and whether the unit's code is the one to use.
    [[nodiscard]] std::uint32_t functionOf(const llvm::Function &function) const { return functionIds.lookup(&function); }
    [[nodiscard]] bool isChosen(const llvm::Function &function) const;
    /// The address of a function that has no name in any unit.
    [[nodiscard]] Node external(const std::string &name);
    /// Bytes, steps and varying indices of an address computation; its indices that vary.
    [[nodiscard]] OffsetData offsetOf(const llvm::Value *gep, const llvm::DataLayout &layout,
                                      std::vector<const llvm::Value *> &varying) const;

  private:
    void declareFunction(const llvm::Function &function, const Modules::Unit &unit);
    void declareGlobal(const llvm::GlobalVariable &variable, const Modules::Unit &unit);
    void describe(FunctionData &data, const llvm::Function &function);
    std::uint32_t newFunction(const std::string &name, const llvm::Value *value);
    void pointersIn(const llvm::Constant *value, std::uint32_t global, std::uint64_t offset, const llvm::DataLayout &layout,
                    unsigned depth);
    Node expression(const llvm::Value *value);

    Program &program;
    Modules &modules;
    std::vector<std::string> &warnings;
    llvm::DenseMap<const llvm::Function *, std::uint32_t> functionIds;
    llvm::DenseMap<const llvm::GlobalVariable *, std::uint32_t> globalIds;
    llvm::DenseMap<const llvm::Value *, Node> constants;
    llvm::DenseMap<llvm::Type *, std::uint32_t> shapes;
    llvm::DenseMap<const llvm::DIFile *, std::uint32_t> filesOfUnits;
    std::unordered_map<std::string, std::uint32_t> functionsByName, globalsByName, filesByName;
    std::vector<const llvm::Function *> chosen; ///< by function
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> placeIds;
    std::map<std::int64_t, Node> integers;
    Node unknown = none;
};

} // namespace laggard::slice
