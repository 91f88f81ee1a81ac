// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace laggard::slice {

/// Index of a node: a value or an instruction. Nodes of one function follow each other; constants and addresses of globals
/// belong to no function and come before all functions.
using Node = std::uint32_t;
inline constexpr std::uint32_t none = ~std::uint32_t{0};

enum class Op : std::uint8_t {
    Constant,   ///< no dependences
    Argument,   ///< `extra`: its number
    Global,     ///< the address of a global variable; `extra`: index into Program::globals
    Function,   ///< the address of a function; `extra`: index into Program::functions
    Alloca,     ///< the address of a local variable; `extra`: its shape
    Load,       ///< operands: pointer
    Store,      ///< operands: value, pointer
    Offset,     ///< operands: base pointer, indices that vary; `extra`: index into Program::offsets
    Copy,       ///< the same value in another type
    Compute,    ///< a value of its operands; `extra`: isNull, isNotNull
    Phi,        ///< operands: values; `extra`: first of as many in Program::incoming
    Call,       ///< operands: callee, arguments; `extra`: first of as many in Program::pointees
    Branch,     ///< operands: condition; successors as those of the block
    Return,     ///< operands: the value, if any
    End,        ///< the function does not go on here
    LandingPad, ///< an exception arrives
};

/// `extra` of a Compute that compares its first operand with null.
inline constexpr std::uint32_t isNull = 1, isNotNull = 2;

struct NodeData {
    Op op = Op::Constant;
    bool pointer = false; ///< may hold a pointer
    bool unnamed = false; ///< Alloca: the compiler's own, not a variable of the source
    std::uint16_t count = 0;
    std::uint32_t operands = 0; ///< first of `count` in Program::operands
    std::uint32_t function = none;
    std::uint32_t block = none; ///< counted from the function's first
    std::uint32_t place = none; ///< index into Program::places
    std::uint32_t extra = 0;
    std::uint32_t size = 0; ///< bytes loaded or stored
};

/// By how many bytes an address moves: constantly, by whole elements behind a pointer, and by indices that vary.
struct OffsetData {
    std::int64_t bytes = 0;
    std::int64_t stepBytes = 0; ///< constant pointer arithmetic, a multiple of `step`
    std::uint64_t step = 0;     ///< size of what the pointer points to
    std::uint64_t record = 0;   ///< bytes of the struct whose field is taken; 0: none is
    struct Varying {
        std::uint64_t stride = 0, count = 0; ///< count 0: not known
    };
    std::vector<Varying> varying;
    bool toPart = false;    ///< from one base class to another that the object itself tells: its place is not known here
    std::uint32_t part = 0; ///< to that part of the object, from 1 (Shapes::partsOf); 0: the rest of this counts
};

struct Block {
    std::uint32_t firstNode = 0, endNode = 0;
    std::uint32_t successors = 0; ///< first of `count` in Program::successors, block numbers within the function
    std::uint32_t count = 0;
    std::uint32_t unwind = none; ///< that of the successors that an exception takes
    std::uint32_t jump = none;   ///< place of a jump that it ends with: `return;`, `break;`, `goto`
};

struct FunctionData {
    std::string name;  ///< linkage name
    std::string plain; ///< as people write it, without parameters
    std::uint32_t file = none;
    std::uint32_t firstLine = 0, lastLine = 0;
    Node firstNode = 0, endNode = 0; ///< arguments first; an empty range: a declaration
    std::uint32_t arguments = 0;
    std::uint32_t firstBlock = 0, blocks = 0;
    std::uint32_t origin = none; ///< for a copy: the function that it was made from, else itself
    Node address = none;
    bool addressTaken = false;
    bool takesMore = false;     ///< arguments without a name, `...`
    bool returnsStruct = false; ///< its first argument is where the caller wants it
    bool replaced = false;      ///< each call of it calls a copy: its own code is never come to
    [[nodiscard]] bool defined() const { return blocks != 0; }
};

struct GlobalData {
    std::string name;
    std::uint32_t shape = 0;
    std::uint32_t place = none;
    bool constant = false, defined = false;
    Node node = none;
};

/// A pointer in the initial value of a global variable.
struct InitialPointer {
    std::uint32_t global = 0;
    std::uint64_t offset = 0;
    Node value = none;
};

struct Place {
    std::uint32_t file = none, line = 0;
};

/// A program in the form that the slicer works on, made from the compile units' bitcode.
struct Program {
    std::vector<NodeData> nodes;
    std::vector<Node> operands;
    std::vector<std::uint32_t> incoming; ///< for Phi: blocks the values come from
    std::vector<std::uint32_t> pointees; ///< for Call: bytes of what each operand points to, before any cast; 0: not known
    std::vector<std::int64_t> constants; ///< for Constant with `size` 8: `extra` is an index into these
    std::vector<OffsetData> offsets;
    std::vector<Block> blocks;
    std::vector<std::uint32_t> successors;
    std::vector<FunctionData> functions;
    std::vector<GlobalData> globals;
    std::vector<InitialPointer> initialPointers;
    std::vector<Place> places;
    std::vector<std::string> files;
    std::vector<bool> systemFile; ///< headers of the compiler and of libraries
    Shapes shapes;
    bool narrowRequests = false; ///< MPI_Request is an int (MPICH)

    [[nodiscard]] std::span<const Node> operandsOf(Node node) const {
        return {operands.data() + nodes[node].operands, nodes[node].count};
    }
    [[nodiscard]] Node operand(Node node, unsigned index) const { return operands[nodes[node].operands + index]; }
    [[nodiscard]] const Block &blockOf(Node node) const {
        return blocks[functions[nodes[node].function].firstBlock + nodes[node].block];
    }
    [[nodiscard]] std::span<const std::uint32_t> successorsOf(const Block &block) const {
        return {successors.data() + block.successors, block.count};
    }
    /// The same node in the function that a copy was made from.
    [[nodiscard]] Node original(Node node) const {
        const auto function = nodes[node].function;
        if (function == none || functions[function].origin == function)
            return node;
        return node - functions[function].firstNode + functions[functions[function].origin].firstNode;
    }
};

} // namespace laggard::slice
