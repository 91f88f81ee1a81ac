// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Lower.h"

#include "slice/program/Symbols.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <limits>

namespace laggard::slice {

namespace {

/// Lowers the code of one function after the other.
class FunctionLowering {
  public:
    FunctionLowering(Program &target, Symbols &known) : program(target), symbols(known) {}

    void lower(const llvm::Function &function) {
        layout = &function.getParent()->getDataLayout();
        id = symbols.functionOf(function);
        local.clear();
        blockNumbers.clear();
        data().firstNode = static_cast<Node>(program.nodes.size());
        data().arguments = static_cast<std::uint32_t>(function.arg_size());
        data().takesMore = function.isVarArg();
        data().returnsStruct =
            function.hasStructRetAttr() && function.arg_size() != 0 && function.hasParamAttribute(0, llvm::Attribute::StructRet);
        for (const auto &argument : function.args()) {
            NodeData node;
            node.op = Op::Argument;
            node.pointer = mayPoint(argument.getType());
            node.function = id;
            node.extra = argument.getArgNo();
            local[&argument] = symbols.add(node, &argument);
        }
        addBlocks(function);
        for (const auto &block : function)
            for (const auto &instruction : block) {
                connect(instruction);
                if (const auto *declared = llvm::dyn_cast<llvm::DbgDeclareInst>(&instruction))
                    if (const auto variable = local.find(declared->getAddress()); variable != local.end())
                        program.nodes[variable->second].unnamed = false;
            }
    }

  private:
    FunctionData &data() { return program.functions[id]; }

    [[nodiscard]] bool mayPoint(llvm::Type *type) const {
        if (type->isPointerTy() || type->isAggregateType() || type->isIntegerTy(64))
            return true;
        return (program.narrowRequests && type->isIntegerTy(32)) || (type->isVectorTy() && type->getScalarType()->isPointerTy());
    }

    void addBlocks(const llvm::Function &function) {
        data().firstBlock = static_cast<std::uint32_t>(program.blocks.size());
        for (const auto &block : function)
            blockNumbers[&block] = static_cast<std::uint32_t>(blockNumbers.size());
        for (const auto &source : function) {
            Block block;
            block.firstNode = static_cast<Node>(program.nodes.size());
            for (const auto &instruction : source)
                addNodes(instruction, blockNumbers[&source]);
            block.endNode = static_cast<Node>(program.nodes.size());
            const auto *last = source.getTerminator();
            block.successors = static_cast<std::uint32_t>(program.successors.size());
            for (unsigned i = 0; i < last->getNumSuccessors(); ++i) {
                const auto next = blockNumbers[last->getSuccessor(i)];
                program.successors.push_back(next);
                if (llvm::isa<llvm::InvokeInst>(last) && i == 1)
                    block.unwind = next;
            }
            block.count = last->getNumSuccessors();
            if (block.count == 1 && llvm::isa<llvm::BranchInst>(last))
                block.jump = placeOf(*last);
            if (block.firstNode != block.endNode && block.jump == program.nodes[block.endNode - 1].place)
                block.jump = none;
            program.blocks.push_back(block);
        }
        data().blocks = static_cast<std::uint32_t>(function.size());
        data().endNode = static_cast<Node>(program.nodes.size());
    }

    [[nodiscard]] std::uint32_t placeOf(const llvm::Instruction &instruction) {
        const auto &location = instruction.getDebugLoc();
        if (!location || location.getLine() == 0)
            return none;
        auto *scope = llvm::dyn_cast<llvm::DIScope>(location.getScope());
        if (scope == nullptr)
            return none;
        const auto place = symbols.placeOf(scope->getFile(), location.getLine());
        if (place != none && program.places[place].file == data().file)
            data().lastLine = std::max(data().lastLine, program.places[place].line);
        return place;
    }

    Node add(Op op, const llvm::Instruction &instruction, std::uint32_t block, llvm::Type *type) {
        NodeData node;
        node.op = op;
        node.pointer = type != nullptr && mayPoint(type);
        node.function = id;
        node.block = block;
        node.place = placeOf(instruction);
        if (type != nullptr && type->isSized())
            node.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(layout->getTypeStoreSize(type).getKnownMinSize(),
                                                                           std::numeric_limits<std::uint32_t>::max()));
        return symbols.add(node, &instruction);
    }

    static Op opOf(const llvm::Instruction &instruction) {
        switch (instruction.getOpcode()) {
        case llvm::Instruction::Alloca:
            return Op::Alloca;
        case llvm::Instruction::Load:
            return Op::Load;
        case llvm::Instruction::Store:
            return Op::Store;
        case llvm::Instruction::GetElementPtr:
            return instruction.getType()->isVectorTy() ? Op::Compute : Op::Offset;
        case llvm::Instruction::PHI:
            return Op::Phi;
        case llvm::Instruction::Call:
        case llvm::Instruction::Invoke:
        case llvm::Instruction::CallBr:
            return Op::Call;
        case llvm::Instruction::Br:
        case llvm::Instruction::Switch:
        case llvm::Instruction::IndirectBr:
            return Op::Branch;
        case llvm::Instruction::Ret:
            return Op::Return;
        case llvm::Instruction::Unreachable:
        case llvm::Instruction::Resume:
            return Op::End;
        case llvm::Instruction::LandingPad:
            return Op::LandingPad;
        case llvm::Instruction::Freeze:
        case llvm::Instruction::ExtractValue:
            return Op::Copy;
        default:
            return instruction.isCast() ? Op::Copy : Op::Compute;
        }
    }

    void addNodes(const llvm::Instruction &instruction, std::uint32_t block) {
        if (const auto *jump = llvm::dyn_cast<llvm::BranchInst>(&instruction); jump != nullptr && jump->isUnconditional())
            return;
        if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); call != nullptr && isWithoutEffect(*call))
            return;
        if (llvm::isa<llvm::FenceInst>(instruction))
            return;
        if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            local[&instruction] = add(Op::Load, instruction, block, update->getType());
            add(Op::Compute, instruction, block, update->getType());
            add(Op::Store, instruction, block, update->getType());
            return;
        }
        if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            local[&instruction] = add(Op::Load, instruction, block, exchange->getNewValOperand()->getType());
            add(Op::Store, instruction, block, exchange->getNewValOperand()->getType());
            return;
        }
        const auto op = opOf(instruction);
        auto *type =
            op == Op::Store ? llvm::cast<llvm::StoreInst>(instruction).getValueOperand()->getType() : instruction.getType();
        const auto node = add(op, instruction, block, type->isVoidTy() ? nullptr : type);
        local[&instruction] = node;
        auto &made = program.nodes[node];
        if (op == Op::Compute && !llvm::isa<llvm::InsertValueInst, llvm::InsertElementInst, llvm::VAArgInst>(instruction))
            made.pointer = made.pointer && isAddressArithmetic(instruction);
        if (const auto *test = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
            test != nullptr && test->isEquality() && llvm::isa<llvm::ConstantPointerNull>(test->getOperand(1)))
            made.extra = test->getPredicate() == llvm::CmpInst::ICMP_EQ ? isNull : isNotNull;
        if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
            made.extra = shapeOf(*variable);
            made.unnamed = true; // until a declaration names it
        }
    }

    static bool isWithoutEffect(const llvm::IntrinsicInst &call) {
        switch (call.getIntrinsicID()) {
        case llvm::Intrinsic::dbg_declare:
        case llvm::Intrinsic::dbg_value:
        case llvm::Intrinsic::dbg_label:
        case llvm::Intrinsic::dbg_addr:
        case llvm::Intrinsic::lifetime_start:
        case llvm::Intrinsic::lifetime_end:
        case llvm::Intrinsic::stackrestore:
        case llvm::Intrinsic::assume:
        case llvm::Intrinsic::donothing:
            return true;
        default:
            return false;
        }
    }

    static bool isAddressArithmetic(const llvm::Instruction &instruction) {
        switch (instruction.getOpcode()) {
        case llvm::Instruction::Add:
        case llvm::Instruction::Sub:
        case llvm::Instruction::And:
        case llvm::Instruction::Or:
            return true;
        default:
            return instruction.getType()->isPointerTy();
        }
    }

    std::uint32_t shapeOf(const llvm::AllocaInst &variable) {
        const auto one = symbols.shapeOf(variable.getAllocatedType(), *layout);
        if (!variable.isArrayAllocation())
            return one;
        return 0; // its length is known to the run only
    }

    Node valueOf(const llvm::Value *value) {
        if (const auto known = local.find(value); known != local.end())
            return known->second;
        return llvm::isa<llvm::Constant>(value) ? symbols.constant(value) : symbols.constant(nullptr);
    }

    void operandsOf(Node node, const std::vector<Node> &operands) {
        auto &made = program.nodes[node];
        made.operands = static_cast<std::uint32_t>(program.operands.size());
        made.count =
            static_cast<std::uint16_t>(std::min<std::size_t>(operands.size(), std::numeric_limits<std::uint16_t>::max()));
        program.operands.insert(program.operands.end(), operands.begin(), operands.begin() + made.count);
    }

    void connect(const llvm::Instruction &instruction) {
        const auto known = local.find(&instruction);
        if (known == local.end())
            return;
        const auto node = known->second;
        if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            const auto pointer = valueOf(update->getPointerOperand());
            operandsOf(node, {pointer});
            operandsOf(node + 1, {node, valueOf(update->getValOperand())});
            operandsOf(node + 2, {node + 1, pointer});
        } else if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            const auto pointer = valueOf(exchange->getPointerOperand());
            operandsOf(node, {pointer});
            operandsOf(node + 1, {valueOf(exchange->getNewValOperand()), pointer});
        } else if (program.nodes[node].op == Op::Call) {
            connectCall(node, llvm::cast<llvm::CallBase>(instruction));
        } else if (program.nodes[node].op == Op::Offset) {
            std::vector<const llvm::Value *> varying;
            program.nodes[node].extra = static_cast<std::uint32_t>(program.offsets.size());
            program.offsets.push_back(symbols.offsetOf(&instruction, *layout, varying));
            std::vector<Node> operands{valueOf(instruction.getOperand(0))};
            for (const auto *index : varying)
                operands.push_back(valueOf(index));
            operandsOf(node, operands);
        } else if (program.nodes[node].op == Op::Branch) {
            operandsOf(node, {valueOf(instruction.getOperand(0))});
        } else {
            connectPlain(node, instruction);
        }
    }

    void connectPlain(Node node, const llvm::Instruction &instruction) {
        std::vector<Node> operands;
        if (program.nodes[node].op != Op::LandingPad)
            for (const auto &operand : instruction.operands())
                if (!llvm::isa<llvm::BasicBlock>(operand))
                    operands.push_back(valueOf(operand));
        operandsOf(node, operands);
        if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
            program.nodes[node].extra = static_cast<std::uint32_t>(program.incoming.size());
            for (const auto *block : phi->blocks())
                program.incoming.push_back(blockNumbers[block]);
        }
    }

    void connectCall(Node node, const llvm::CallBase &call) {
        std::vector<Node> operands;
        if (call.isInlineAsm())
            operands.push_back(symbols.external("asm"));
        else
            operands.push_back(valueOf(call.getCalledOperand()->stripPointerCasts()));
        program.nodes[node].extra = static_cast<std::uint32_t>(program.pointees.size());
        program.pointees.push_back(0);
        for (const auto &argument : call.args()) {
            operands.push_back(valueOf(argument));
            program.pointees.push_back(sizeBehind(argument));
        }
        operandsOf(node, operands);
    }

    /// Bytes of what a pointer points to, as its type was before it became void *.
    [[nodiscard]] std::uint32_t sizeBehind(const llvm::Value *pointer) const {
        while (const auto *cast = llvm::dyn_cast<llvm::BitCastOperator>(pointer))
            pointer = cast->getOperand(0);
        const auto *type = llvm::dyn_cast<llvm::PointerType>(pointer->getType());
        if (type == nullptr || type->isOpaque() || !type->getNonOpaquePointerElementType()->isSized())
            return 0;
        const auto size = layout->getTypeAllocSize(type->getNonOpaquePointerElementType()).getKnownMinSize();
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
    }

    Program &program;
    Symbols &symbols;
    const llvm::DataLayout *layout = nullptr;
    std::uint32_t id = none;
    llvm::DenseMap<const llvm::Value *, Node> local;
    llvm::DenseMap<const llvm::BasicBlock *, std::uint32_t> blockNumbers;
};

/// MPICH's requests and windows are int, Open MPI's are pointers: whether integers must be followed like pointers.
bool hasNarrowRequests(const Modules &modules) {
    constexpr std::pair<const char *, unsigned> makers[] = {{"MPI_Irecv", 6},      {"MPI_Isend", 6},        {"MPI_Recv_init", 6},
                                                            {"MPI_Win_create", 5}, {"MPI_Win_allocate", 5}, {"MPI_Wait", 0}};
    for (const auto &unit : modules.units)
        for (const auto &[name, handle] : makers)
            if (const auto *function = unit.module->getFunction(name); function != nullptr && function->arg_size() > handle) {
                const auto *type = llvm::dyn_cast<llvm::PointerType>(function->getArg(handle)->getType());
                if (type != nullptr && !type->isOpaque() && type->getNonOpaquePointerElementType()->isIntegerTy(32))
                    return true;
            }
    return false;
}

void markAddressTaken(Program &program) {
    const auto mark = [&](Node node) {
        if (program.nodes[node].op == Op::Function)
            program.functions[program.nodes[node].extra].addressTaken = true;
    };
    for (const auto &initial : program.initialPointers)
        mark(initial.value);
    for (const auto &node : program.nodes)
        for (unsigned i = node.op == Op::Call ? 1 : 0; i < node.count; ++i)
            mark(program.operands[node.operands + i]);
}

} // namespace

Program lower(Modules &modules, std::vector<std::string> &warnings) {
    Program program;
    Symbols symbols(program, modules, warnings);
    program.narrowRequests = hasNarrowRequests(modules);
    for (const auto &unit : modules.units)
        symbols.declare(unit);
    for (const auto &unit : modules.units)
        symbols.initialise(unit);
    FunctionLowering lowering(program, symbols);
    for (const auto &unit : modules.units)
        for (const auto &function : *unit.module)
            if (!function.isDeclaration() && symbols.isChosen(function))
                lowering.lower(function);
    markAddressTaken(program);
    return program;
}

} // namespace laggard::slice
