// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace laggard::flightrecorder {

/// Opcodes of pickles, named as Python's pickletools names them (protocols 0 to 5, PEP 307, PEP 3154, PEP 574).
enum class Opcode : std::uint8_t {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    PopMark = '1',
    Dup = '2',
    Float = 'F',
    Int = 'I',
    BinInt = 'J',
    BinInt1 = 'K',
    Long = 'L',
    BinInt2 = 'M',
    None = 'N',
    PersId = 'P',
    BinPersId = 'Q',
    Reduce = 'R',
    String = 'S',
    BinString = 'T',
    ShortBinString = 'U',
    Unicode = 'V',
    BinUnicode = 'X',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Dict = 'd',
    EmptyDict = '}',
    Appends = 'e',
    Get = 'g',
    BinGet = 'h',
    Inst = 'i',
    LongBinGet = 'j',
    List = 'l',
    EmptyList = ']',
    Obj = 'o',
    Put = 'p',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    EmptyTuple = ')',
    SetItems = 'u',
    BinFloat = 'G',
    Proto = 0x80,
    NewObj = 0x81,
    Ext1 = 0x82,
    Ext2 = 0x83,
    Ext4 = 0x84,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    Long4 = 0x8b,
    BinBytes = 'B',
    ShortBinBytes = 'C',
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e,
    EmptySet = 0x8f,
    AddItems = 0x90,
    FrozenSet = 0x91,
    NewObjEx = 0x92,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
    ByteArray8 = 0x96,
    NextBuffer = 0x97,
    ReadonlyBuffer = 0x98,
};

/// The name of an opcode that names a class or function, calls one, or asks the reader for an object of its own; empty for
/// others.
[[nodiscard]] constexpr std::string_view callingOpcode(Opcode code) {
    switch (code) {
    case Opcode::Global:
        return "GLOBAL";
    case Opcode::StackGlobal:
        return "STACK_GLOBAL";
    case Opcode::Reduce:
        return "REDUCE";
    case Opcode::Build:
        return "BUILD";
    case Opcode::Inst:
        return "INST";
    case Opcode::Obj:
        return "OBJ";
    case Opcode::NewObj:
        return "NEWOBJ";
    case Opcode::NewObjEx:
        return "NEWOBJ_EX";
    case Opcode::Ext1:
        return "EXT1";
    case Opcode::Ext2:
        return "EXT2";
    case Opcode::Ext4:
        return "EXT4";
    case Opcode::PersId:
        return "PERSID";
    case Opcode::BinPersId:
        return "BINPERSID";
    case Opcode::NextBuffer:
        return "NEXT_BUFFER";
    case Opcode::ReadonlyBuffer:
        return "READONLY_BUFFER";
    default:
        return {};
    }
}

} // namespace laggard::flightrecorder
