// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Symbols.h"

#include "slice/program/Lookup.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <filesystem>

namespace laggard::slice {

namespace {

/// Constants in a program nest a few levels deep; more is not a program that a compiler has written.
constexpr unsigned deepestConstant = 64;

bool isSystemFile(const std::string &name) {
    return name.starts_with("/usr/include/") || name.starts_with("/usr/lib/") || name.starts_with("/usr/local/include/") ||
           name.find("/include/c++/") != std::string::npos;
}

/// "llvm.memcpy" of "llvm.memcpy.p0i8.p0i8.i64".
llvm::StringRef baseName(llvm::StringRef intrinsic) {
    const auto second = intrinsic.find('.', sizeof "llvm.");
    return intrinsic.substr(0, second);
}

/// Where a virtual base is, read from in front of the table of virtual functions.
bool isOfBase(const llvm::Value *index) {
    const auto *read = llvm::dyn_cast<llvm::LoadInst>(index);
    const auto *entry =
        read == nullptr ? nullptr : llvm::dyn_cast<llvm::GetElementPtrInst>(read->getPointerOperand()->stripPointerCasts());
    if (entry == nullptr || entry->getNumIndices() != 1 ||
        !llvm::isa<llvm::LoadInst>(entry->getPointerOperand()->stripPointerCasts()))
        return false;
    const auto *at = llvm::dyn_cast<llvm::ConstantInt>(entry->getOperand(1));
    return at != nullptr && at->isNegative();
}

} // namespace

Symbols::Symbols(Program &target, Modules &source, std::vector<std::string> &sentences)
    : program(target), modules(source), warnings(sentences) {
    unknown = add({}, nullptr);
}

Node Symbols::add(const NodeData &node, const llvm::Value *value) {
    program.nodes.push_back(node);
    modules.values.push_back(value);
    return static_cast<Node>(program.nodes.size() - 1);
}

std::uint32_t Symbols::fileOf(const llvm::DIFile *file) {
    if (file == nullptr)
        return none;
    if (const auto known = filesOfUnits.find(file); known != filesOfUnits.end())
        return known->second;
    std::filesystem::path path(file->getFilename().str());
    if (path.is_relative())
        path = std::filesystem::path(file->getDirectory().str()) / path;
    const auto name = path.lexically_normal().string();
    const auto [entry, isNew] = filesByName.try_emplace(name, static_cast<std::uint32_t>(program.files.size()));
    if (isNew) {
        program.files.push_back(name);
        program.systemFile.push_back(isSystemFile(name));
    }
    filesOfUnits[file] = entry->second;
    return entry->second;
}

std::uint32_t Symbols::placeOf(const llvm::DIFile *file, unsigned line) {
    if (file == nullptr || line == 0)
        return none;
    const auto key = std::pair(fileOf(file), static_cast<std::uint32_t>(line));
    const auto [entry, isNew] = placeIds.try_emplace(key, static_cast<std::uint32_t>(program.places.size()));
    if (isNew)
        program.places.push_back({key.first, key.second});
    return entry->second;
}

std::uint32_t Symbols::shapeOf(llvm::Type *type, const llvm::DataLayout &layout) {
    if (!type->isSized() || llvm::isa<llvm::ScalableVectorType>(type))
        return 0;
    if (const auto known = shapes.find(type); known != shapes.end())
        return known->second;
    std::uint32_t shape = 0;
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        const auto element = shapeOf(array->getElementType(), layout);
        const auto stride = layout.getTypeAllocSize(array->getElementType()).getFixedSize();
        shape =
            stride == 0 || array->getNumElements() == 0 ? 0 : program.shapes.addArray(element, stride, array->getNumElements());
    } else if (auto *record = llvm::dyn_cast<llvm::StructType>(type)) {
        std::vector<Shapes::Field> fields;
        const auto *offsets = layout.getStructLayout(record);
        for (unsigned i = 0; i < record->getNumElements(); ++i)
            fields.push_back({offsets->getElementOffset(i), shapeOf(record->getElementType(i), layout)});
        shape = program.shapes.addStruct(offsets->getSizeInBytes(), std::move(fields));
    } else {
        shape = program.shapes.addScalar(layout.getTypeAllocSize(type).getFixedSize());
    }
    shapes[type] = shape;
    return shape;
}

std::uint32_t Symbols::newFunction(const std::string &name, const llvm::Value *value) {
    const auto id = static_cast<std::uint32_t>(program.functions.size());
    FunctionData data;
    data.name = data.plain = name;
    data.origin = id;
    NodeData node;
    node.op = Op::Function;
    node.pointer = true;
    node.extra = id;
    data.address = add(node, value);
    program.functions.push_back(std::move(data));
    chosen.push_back(nullptr);
    return id;
}

Node Symbols::external(const std::string &name) {
    const auto known = functionsByName.find(name);
    if (known != functionsByName.end())
        return program.functions[known->second].address;
    const auto id = newFunction(name, nullptr);
    functionsByName[name] = id;
    return program.functions[id].address;
}

void Symbols::describe(FunctionData &data, const llvm::Function &function) {
    data.plain = withoutParameters(llvm::demangle(data.name));
    if (const auto *about = function.getSubprogram()) {
        if (data.plain == data.name)
            data.plain = about->getName().str();
        data.file = fileOf(about->getFile());
        data.firstLine = data.lastLine = about->getLine();
    }
}

bool Symbols::isChosen(const llvm::Function &function) const { return chosen[functionIds.lookup(&function)] == &function; }

void Symbols::declareFunction(const llvm::Function &function, const Modules::Unit &unit) {
    if (function.isIntrinsic() && function.getName().startswith("llvm.dbg."))
        return;
    const auto name = function.isIntrinsic() ? baseName(function.getName()).str() : function.getName().str();
    std::uint32_t id = none;
    if (function.hasLocalLinkage() || name.empty()) {
        id = newFunction(name, &function);
    } else {
        const auto [entry, isNew] = functionsByName.try_emplace(name, none);
        if (isNew)
            entry->second = newFunction(name, &function);
        id = entry->second;
    }
    functionIds[&function] = id;
    if (function.isDeclaration() || function.hasAvailableExternallyLinkage())
        return;
    const auto *before = chosen[id];
    const bool isWeak = function.isWeakForLinker();
    if (before != nullptr && (isWeak || !before->isWeakForLinker())) {
        if (!isWeak)
            warnings.push_back(unit.file + ": `" + name + "` is defined in another compile unit too; that one is used.");
        return;
    }
    chosen[id] = &function;
    modules.values[program.functions[id].address] = &function;
    describe(program.functions[id], function);
}

void Symbols::declareGlobal(const llvm::GlobalVariable &variable, const Modules::Unit &unit) {
    if (variable.getName().startswith("llvm."))
        return;
    std::uint32_t id = none;
    const auto add_ = [&] {
        id = static_cast<std::uint32_t>(program.globals.size());
        NodeData node;
        node.op = Op::Global;
        node.pointer = true;
        node.extra = id;
        program.globals.emplace_back().node = add(node, &variable);
    };
    if (variable.hasLocalLinkage() || !variable.hasName()) {
        add_();
    } else {
        const auto [entry, isNew] = globalsByName.try_emplace(variable.getName().str(), none);
        if (isNew) {
            add_();
            entry->second = id;
        }
        id = entry->second;
    }
    globalIds[&variable] = id;
    auto &global = program.globals[id];
    const bool isDefinition = variable.hasInitializer() && !variable.hasAvailableExternallyLinkage();
    if (global.defined && isDefinition && !variable.isWeakForLinker())
        warnings.push_back(unit.file + ": `" + variable.getName().str() +
                           "` is defined in another compile unit too; that one is used.");
    if (global.defined || (!isDefinition && global.shape != 0))
        return;
    global.name = variable.getName().str();
    global.shape = shapeOf(variable.getValueType(), unit.module->getDataLayout());
    global.defined = isDefinition;
    global.constant = variable.isConstant();
    modules.values[global.node] = &variable;
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> about;
    variable.getDebugInfo(about);
    if (!about.empty()) {
        const auto *information = about.front()->getVariable();
        global.name = information->getName().str();
        global.place = placeOf(information->getFile(), information->getLine());
    }
}

void Symbols::declare(const Modules::Unit &unit) {
    for (const auto &function : *unit.module)
        declareFunction(function, unit);
    for (const auto &variable : unit.module->globals())
        declareGlobal(variable, unit);
}

void Symbols::pointersIn(const llvm::Constant *value, std::uint32_t global, std::uint64_t offset, const llvm::DataLayout &layout,
                         unsigned depth) {
    if (depth > deepestConstant || llvm::isa<llvm::ConstantData>(value))
        return;
    if (const auto *aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(value)) {
        auto *type = aggregate->getType();
        for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
            std::uint64_t at = 0;
            if (auto *record = llvm::dyn_cast<llvm::StructType>(type))
                at = layout.getStructLayout(record)->getElementOffset(i);
            else
                at = i * layout.getTypeAllocSize(aggregate->getOperand(i)->getType()).getFixedSize();
            pointersIn(aggregate->getOperand(i), global, offset + at, layout, depth + 1);
        }
        return;
    }
    const auto node = constant(value);
    if (program.nodes[node].pointer)
        program.initialPointers.push_back({global, offset, node});
}

void Symbols::initialise(const Modules::Unit &unit) {
    for (const auto &variable : unit.module->globals()) {
        const auto known = globalIds.find(&variable);
        if (known != globalIds.end() && variable.hasInitializer() &&
            modules.values[program.globals[known->second].node] == &variable)
            pointersIn(variable.getInitializer(), known->second, 0, unit.module->getDataLayout(), 0);
    }
}

OffsetData Symbols::offsetOf(const llvm::Value *gep, const llvm::DataLayout &layout,
                             std::vector<const llvm::Value *> &varying) const {
    OffsetData offset;
    bool first = true;
    const llvm::Type *around = nullptr;
    const auto *user = llvm::cast<llvm::GEPOperator>(gep);
    for (auto at = llvm::gep_type_begin(user), end = llvm::gep_type_end(user); at != end;
         around = at.getIndexedType(), ++at, first = false) {
        const auto *index = at.getOperand();
        const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index);
        if (auto *record = at.getStructTypeOrNull()) {
            if (around == user->getSourceElementType())
                offset.record = layout.getTypeAllocSize(record);
            offset.bytes +=
                static_cast<std::int64_t>(layout.getStructLayout(record)->getElementOffset(number ? number->getZExtValue() : 0));
            continue;
        }
        const auto stride = layout.getTypeAllocSize(at.getIndexedType()).getKnownMinSize();
        const auto *array = first ? nullptr : llvm::dyn_cast<llvm::ArrayType>(around);
        const std::uint64_t count = array == nullptr ? 0 : array->getNumElements();
        if (number == nullptr && isOfBase(index)) {
            offset.toPart = true;
            varying.push_back(index);
        } else if (number == nullptr || number->getBitWidth() > 64) {
            offset.varying.push_back({stride, count});
            varying.push_back(index);
        } else if (first && !number->isZero()) {
            offset.step = stride;
            offset.stepBytes = static_cast<std::int64_t>(static_cast<std::uint64_t>(number->getSExtValue()) * stride);
        } else {
            offset.bytes += static_cast<std::int64_t>(static_cast<std::uint64_t>(number->getSExtValue()) * stride);
        }
    }
    return offset;
}

Node Symbols::expression(const llvm::Value *value) {
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value); number != nullptr && number->getBitWidth() <= 64) {
        auto &node = integers.try_emplace(number->getSExtValue(), none).first->second;
        if (node == none) {
            program.constants.push_back(number->getSExtValue());
            NodeData data;
            data.size = 8;
            data.extra = static_cast<std::uint32_t>(program.constants.size() - 1);
            node = add(data, value);
        }
        return node;
    }
    if (const auto *alias = llvm::dyn_cast<llvm::GlobalAlias>(value))
        return constant(alias->getAliasee());
    const auto *made = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (made == nullptr)
        return unknown;
    if (made->getOpcode() != llvm::Instruction::GetElementPtr)
        return made->isCast() ? constant(made->getOperand(0)) : unknown;
    const auto base = constant(made->getOperand(0));
    const llvm::GlobalObject *object = llvm::dyn_cast<llvm::GlobalObject>(made->getOperand(0)->stripInBoundsOffsets());
    if (base == unknown || object == nullptr)
        return unknown;
    std::vector<const llvm::Value *> varying;
    const auto offset = offsetOf(made, object->getParent()->getDataLayout(), varying);
    NodeData data;
    data.op = Op::Offset;
    data.pointer = true;
    data.count = 1;
    data.operands = static_cast<std::uint32_t>(program.operands.size());
    data.extra = static_cast<std::uint32_t>(program.offsets.size());
    program.operands.push_back(base);
    program.offsets.push_back(offset);
    return add(data, value);
}

Node Symbols::constant(const llvm::Value *value) {
    if (const auto *function = llvm::dyn_cast<llvm::Function>(value)) {
        const auto known = functionIds.find(function);
        return known == functionIds.end() ? unknown : program.functions[known->second].address;
    }
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
        const auto known = globalIds.find(variable);
        return known == globalIds.end() ? unknown : program.globals[known->second].node;
    }
    if (const auto known = constants.find(value); known != constants.end())
        return known->second;
    constants[value] = unknown; // an alias of itself ends here
    const auto node = expression(value);
    constants[value] = node;
    return node;
}

} // namespace laggard::slice
