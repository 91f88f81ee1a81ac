// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Names.h"

#include "slice/program/Modules.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <charconv>

namespace laggard::slice {

namespace {

/// Expressions are named as deep as people read them.
constexpr unsigned deepestName = 12;
constexpr std::size_t longestName = 80;

/// The name of a place in memory and its type in the source, as far as both are known.
struct Named {
    std::string name;
    const llvm::DIType *type = nullptr;
};

/// Without typedef, const and the like.
const llvm::DIType *plainType(const llvm::DIType *type) {
    for (unsigned i = 0; i < deepestName && type != nullptr; ++i) {
        const auto *derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
        if (derived == nullptr)
            return type;
        switch (derived->getTag()) {
        case llvm::dwarf::DW_TAG_typedef:
        case llvm::dwarf::DW_TAG_const_type:
        case llvm::dwarf::DW_TAG_volatile_type:
        case llvm::dwarf::DW_TAG_restrict_type:
        case llvm::dwarf::DW_TAG_atomic_type:
        case llvm::dwarf::DW_TAG_member:
            type = derived->getBaseType();
            break;
        default:
            return type;
        }
    }
    return type;
}

const llvm::DIType *pointee(const llvm::DIType *type) {
    const auto *derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(plainType(type));
    return derived == nullptr ? nullptr : derived->getBaseType();
}

const llvm::DIType *element(const llvm::DIType *type) {
    const auto *composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plainType(type));
    return composite == nullptr ? nullptr : composite->getBaseType();
}

class Naming {
  public:
    std::string valueOf(const llvm::Value *value, unsigned depth);
    Named behind(const llvm::Value *pointer, unsigned depth);

  private:
    Named variable(const llvm::AllocaInst &alloca);
    Named global(const llvm::GlobalVariable &variable);
    Named element(const llvm::GEPOperator &gep, unsigned depth);
    static Named field(const Named &base, bool throughPointer, std::uint64_t offset);
    std::string binary(const llvm::Instruction &instruction, const char *sign, unsigned depth);
};

Named Naming::variable(const llvm::AllocaInst &alloca) {
    if (const auto *use = llvm::LocalAsMetadata::getIfExists(const_cast<llvm::AllocaInst *>(&alloca)))
        if (const auto *wrapped =
                llvm::MetadataAsValue::getIfExists(alloca.getContext(), const_cast<llvm::LocalAsMetadata *>(use)))
            for (const auto *user : wrapped->users())
                if (const auto *declared = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(user))
                    return {declared->getVariable()->getName().str(), declared->getVariable()->getType()};
    return {};
}

Named Naming::global(const llvm::GlobalVariable &variable) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> about;
    variable.getDebugInfo(about);
    if (about.empty())
        return variable.isDeclaration() ? Named{variable.getName().str(), nullptr} : Named{};
    return {about.front()->getVariable()->getName().str(), about.front()->getVariable()->getType()};
}

Named Naming::field(const Named &base, bool throughPointer, std::uint64_t offset) {
    const auto *record = llvm::dyn_cast_or_null<llvm::DICompositeType>(plainType(base.type));
    if (record == nullptr)
        return {};
    for (const auto *part : record->getElements()) {
        const auto *member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(part);
        if (member == nullptr || member->isStaticMember() || member->getOffsetInBits() != offset * 8)
            continue;
        if (member->getTag() == llvm::dwarf::DW_TAG_inheritance)
            return {base.name, member->getBaseType()};
        if (member->getTag() == llvm::dwarf::DW_TAG_member)
            return {base.name.empty() || base.name == "this"
                        ? member->getName().str()
                        : base.name + (throughPointer ? "->" : ".") + member->getName().str(),
                    member->getBaseType()};
    }
    return {};
}

Named Naming::element(const llvm::GEPOperator &gep, unsigned depth) {
    const auto *pointer = gep.getPointerOperand();
    auto named = behind(pointer, depth + 1);
    if (named.name.empty())
        return {};
    bool through = false; // "*p" is written p-> and p[i]
    if (named.name.front() == '*') {
        named.name.erase(0, 1);
        through = true;
    }
    bool first = true;
    for (auto at = llvm::gep_type_begin(&gep), end = llvm::gep_type_end(&gep); at != end; ++at, first = false) {
        const auto *number = llvm::dyn_cast<llvm::ConstantInt>(at.getOperand());
        if (auto *record = at.getStructTypeOrNull()) {
            const auto *unit = llvm::isa<llvm::Instruction>(gep) ? llvm::cast<llvm::Instruction>(&gep)->getModule() : nullptr;
            if (unit == nullptr || number == nullptr)
                return {};
            const auto offset = unit->getDataLayout().getStructLayout(record)->getElementOffset(number->getZExtValue());
            named = field(named, through, offset);
            through = false;
            if (named.name.empty())
                return {};
            continue;
        }
        if (first && number != nullptr && number->isZero() && gep.getNumIndices() > 1)
            continue;
        if (!first)
            named.type = laggard::slice::element(named.type);
        named.name += "[" + valueOf(at.getOperand(), depth + 1) + "]";
        through = false;
    }
    return named;
}

Named Naming::behind(const llvm::Value *pointer, unsigned depth) {
    if (depth > deepestName)
        return {};
    while (const auto *cast = llvm::dyn_cast<llvm::BitCastOperator>(pointer))
        pointer = cast->getOperand(0);
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer); gep != nullptr && gep->hasAllZeroIndices()) {
        // The first field has a name of its own; an array that is handed over goes by its name.
        const auto named =
            llvm::isa<llvm::StructType>(gep->getSourceElementType()) && gep->getNumIndices() > 1 ? element(*gep, depth) : Named{};
        return named.name.empty() ? behind(gep->getPointerOperand(), depth + 1) : named;
    }
    if (const auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(pointer))
        return variable(*alloca);
    if (const auto *object = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
        return global(*object);
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer))
        return element(*gep, depth);
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer)) {
        const auto named = behind(load->getPointerOperand(), depth + 1);
        if (named.name.empty())
            return {};
        const auto *type = plainType(named.type);
        const bool isReference = type != nullptr && (type->getTag() == llvm::dwarf::DW_TAG_reference_type ||
                                                     type->getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type);
        return {isReference ? named.name : "*" + named.name, pointee(named.type)};
    }
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(pointer))
        return {"*" + valueOf(call, depth + 1), nullptr};
    return {};
}

std::string Naming::binary(const llvm::Instruction &instruction, const char *sign, unsigned depth) {
    const auto left = valueOf(instruction.getOperand(0), depth + 1), right = valueOf(instruction.getOperand(1), depth + 1);
    return left.empty() || right.empty() ? std::string() : left + " " + sign + " " + right;
}

const char *signOf(const llvm::Instruction &instruction) {
    using llvm::CmpInst;
    if (const auto *test = llvm::dyn_cast<CmpInst>(&instruction)) {
        switch (test->getPredicate()) {
        case CmpInst::ICMP_EQ:
        case CmpInst::FCMP_OEQ:
            return "==";
        case CmpInst::ICMP_NE:
        case CmpInst::FCMP_UNE:
            return "!=";
        case CmpInst::ICMP_SLT:
        case CmpInst::ICMP_ULT:
        case CmpInst::FCMP_OLT:
            return "<";
        case CmpInst::ICMP_SLE:
        case CmpInst::ICMP_ULE:
        case CmpInst::FCMP_OLE:
            return "<=";
        case CmpInst::ICMP_SGT:
        case CmpInst::ICMP_UGT:
        case CmpInst::FCMP_OGT:
            return ">";
        case CmpInst::ICMP_SGE:
        case CmpInst::ICMP_UGE:
        case CmpInst::FCMP_OGE:
            return ">=";
        default:
            return nullptr;
        }
    }
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::FAdd:
        return "+";
    case llvm::Instruction::Sub:
    case llvm::Instruction::FSub:
        return "-";
    case llvm::Instruction::Mul:
    case llvm::Instruction::FMul:
        return "*";
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::FDiv:
        return "/";
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
        return "%";
    case llvm::Instruction::And:
        return "&";
    case llvm::Instruction::Or:
        return "|";
    case llvm::Instruction::Shl:
        return "<<";
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
        return ">>";
    default:
        return nullptr;
    }
}

std::string numberOf(double number) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return {text, end};
}

std::string Naming::valueOf(const llvm::Value *value, unsigned depth) {
    if (depth > deepestName)
        return {};
    if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value))
        return number->getBitWidth() > 64 ? std::string() : std::to_string(number->getSExtValue());
    if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(value))
        return numberOf(number->getValueAPF().convertToDouble());
    if (llvm::isa<llvm::ConstantPointerNull>(value))
        return "NULL";
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
        return argument->getName().str();
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr) {
        const auto named = behind(value, depth + 1);
        return named.name.empty() ? std::string() : "&" + named.name;
    }
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))
        return behind(load->getPointerOperand(), depth + 1).name;
    if (llvm::isa<llvm::AllocaInst, llvm::GetElementPtrInst>(instruction)) {
        const auto named = behind(value, depth + 1);
        return named.name.empty() ? std::string() : "&" + named.name;
    }
    if (instruction->isCast())
        return valueOf(instruction->getOperand(0), depth + 1);
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
        const auto *callee = call->getCalledFunction();
        if (callee == nullptr)
            return {};
        auto name = callee->getSubprogram() != nullptr ? callee->getSubprogram()->getName().str()
                                                       : llvm::demangle(callee->getName().str());
        if (name.starts_with("llvm.")) // fabs as an instruction
            name = name.substr(5, name.find('.', 5) - 5);
        return name.substr(0, name.find('(')) + "()";
    }
    if (instruction->getOpcode() == llvm::Instruction::Xor) {
        const auto inner = valueOf(instruction->getOperand(0), depth + 1);
        return inner.empty() ? inner : inner.find(' ') == std::string::npos ? "!" + inner : "!(" + inner + ")";
    }
    // "if (flag)" compares with 0
    if (const auto *test = llvm::dyn_cast<llvm::ICmpInst>(instruction);
        test != nullptr && test->getPredicate() == llvm::CmpInst::ICMP_NE)
        if (const auto *zero = llvm::dyn_cast<llvm::Constant>(test->getOperand(1)); zero != nullptr && zero->isNullValue())
            return valueOf(test->getOperand(0), depth + 1);
    if (const auto *sign = signOf(*instruction))
        return binary(*instruction, sign, depth);
    return {};
}

std::string shortened(std::string name) {
    if (name.size() <= longestName)
        return name;
    name.resize(longestName - 3);
    while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0x80) != 0) // no half letters
        name.pop_back();
    return name + "...";
}

} // namespace

std::string Names::behind(Node pointer) const {
    const auto node = program.original(pointer);
    return node < modules.values.size() && modules.values[node] != nullptr
               ? shortened(Naming().behind(modules.values[node], 0).name)
               : std::string();
}

std::string Names::value(Node asked) const {
    const auto node = program.original(asked);
    return node < modules.values.size() && modules.values[node] != nullptr ? shortened(Naming().valueOf(modules.values[node], 0))
                                                                           : std::string();
}

} // namespace laggard::slice
