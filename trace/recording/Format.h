// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Histogram.h"

#include <cstddef>
#include <cstdint>

/// The native recording, one file per process: docs/recording-format.md. Shared by the recorder, which maps the file and
/// writes it in place, and by the reader. Everything is in the byte order of the machine, at multiples of 8 bytes.
namespace laggard::recording {

inline constexpr char fileMagic[8] = {'L', 'A', 'G', 'G', 'R', 'E', 'C', '\n'};
inline constexpr std::uint32_t formatVersion = 3;    ///< earlier ones are read as well
inline constexpr std::uint32_t uncheckedVersion = 1; ///< the only one without the checks of Checks.h
inline constexpr std::uint32_t byteOrderMark = 0x01020304;
inline constexpr std::uint32_t chunkMagic = 0x4B4E4843; ///< "CHNK"
inline constexpr char fileSuffix[] = ".laggard";

inline constexpr std::size_t headerBytes = 4096;
/// Chunks begin at `headerBytes` plus a multiple of this and are a multiple of it long.
inline constexpr std::size_t chunkUnit = std::size_t{64} << 10U;

/// "No such thing": peers, communicators, call paths, datatypes, threads.
inline constexpr std::uint32_t nothing = 0xFFFFFFFF;
inline constexpr std::uint32_t anySource = 0xFFFFFFFE;   ///< as a peer: MPI_ANY_SOURCE
inline constexpr std::uint32_t nullProcess = 0xFFFFFFFD; ///< as a peer: MPI_PROC_NULL
inline constexpr std::int32_t anyTag = -1;               ///< as a tag: MPI_ANY_TAG

enum class EndKind : std::uint32_t {
    StillOpen = 0, ///< the process has not said how it ended: it runs, or it was killed with SIGKILL
    Exited = 1,    ///< `endValue` is the exit status
    Signalled = 2, ///< `endValue` is the number of the fatal signal; a Crash chunk has registers and stack
    Replaced = 3,  ///< the process became another program (exec)
};

/// FileHeader::spill: the sub-buffers of a pool go to the end of the file while the process runs; what finds none free is
/// dropped.
inline constexpr std::uint32_t spillsPool = 2;

/// How a process exited.
enum class ExitKind : std::uint32_t {
    Unknown = 0,
    Normal = 1, ///< return from main or exit()
    AtOnce = 2, ///< _exit() and its like
};

/// Why a thread's state was captured, where no signal struck it.
enum class CaptureReason : std::int32_t {
    Hang = 0,  ///< the process was found hanging
    Exit = 1,  ///< it called exit() or _exit()
    Asked = 2, ///< a reader has asked
};

/// What is recorded.
enum class Mode : std::uint32_t { Trace = 1, Model = 2, Both = 3 };

/// The words of the header that change, as far as they tell what happened.
enum class HeaderField : std::uint8_t {
    FileBytes,
    Rank,
    WorldSize,
    AliveTicks,
    EndKind,
    EndValue,
    EndTicks,
    HangThreshold,
    ThreadLevel,
    Finalized,
    Error, ///< all of the error, when errorTicks is set
    ExitKind,
    Parent, ///< not checked by earlier recorders, which leave word and check zero
};
inline constexpr std::size_t headerFieldCount = 13;

/// The check of a word that changes (headerCheck in Checks.h). `before` is stored before the word and `after` after it: at any
/// moment one of them fits.
struct HeaderCheck {
    std::uint32_t before;
    std::uint32_t after;
};

/// The first bytes of the file; the rest of `headerBytes` is zero.
struct FileHeader {
    // Written once, before the first chunk; `check` covers all of it (checkOf over the words before `check`).
    char magic[8];
    std::uint32_t version;
    std::uint32_t byteOrder;
    std::uint64_t ticksPerSecond; ///< for all times in the file (monotonic clock)
    std::uint64_t startTicks;     ///< when the recorder started …
    std::uint64_t startUtc;       ///< … in nanoseconds since 1970 UTC
    std::uint64_t clockCost;      ///< ticks that reading the clock takes
    std::int32_t pid;
    std::int32_t environmentRank;  ///< rank by the launcher's environment (PMI_RANK, …); -1 if it says none
    std::uint32_t mode;            ///< Mode
    std::uint32_t spill;           ///< 1: never overwrite events, drop when full; spillsPool; 0: keep the newest
    std::uint64_t eventBytesLimit; ///< room for all events of a thread; with spillsPool, the room of the process's pool
    char host[64];
    char jobId[64];
    char program[512]; ///< path of the executable, cut if need be
    std::uint64_t check;

    // Words that change while the job runs. Each is written by itself, with its HeaderCheck.
    std::uint64_t fileBytes;  ///< header and all chunks that exist
    std::int32_t rank;        ///< in MPI_COMM_WORLD; -1 before MPI_Init
    std::int32_t worldSize;   ///< -1 before MPI_Init
    std::uint64_t aliveTicks; ///< the monitor thread was last seen alive
    std::uint32_t endKind;    ///< EndKind
    std::int32_t endValue;
    std::uint64_t endTicks;
    std::uint64_t droppedRecords; ///< with spill: events that found no room; also events lost because the disk was full
    std::uint64_t hangThreshold;  ///< ticks without a transition after which the process counts as hanging; 0 while not known
    std::uint32_t threadLevel;    ///< provided by MPI_Init_thread: 0 single … 3 multiple
    std::uint32_t finalized;      ///< 1 after MPI_Finalize

    // An error that MPI has found in a call, while its error handler has not returned: by default, that ends the job.
    std::uint64_t errorTicks;  ///< when; 0: there is none. Written last
    std::uint32_t errorThread; ///< whose call it is; `nothing`: a thread without records
    std::uint32_t errorBytes;  ///< length of `errorText`
    char errorText[1024];      ///< MPI's own words, cut if need be

    // Later additions: zero in files of recorders that did not have them.
    std::uint32_t errorPath; ///< path of the call with the error plus 1, where that call is not recorded; 0: it is an open call
    std::uint32_t exitKind;  ///< ExitKind, if it exited
    std::uint32_t takesRequests;  ///< 1: the recorder watches `captureRequest`
    std::uint32_t captureRequest; ///< a reader counts this up, and wakes who waits for it (futex), to have the stacks captured …
    std::uint32_t captureAnswer;  ///< … and this follows when they are there
    std::uint32_t parent;         ///< process id of the parent when recording began; 0: not known

    // From version 2 on.
    std::uint64_t droppedAgain;           ///< as `droppedRecords`, which all threads count up: it needs no order
    HeaderCheck checks[headerFieldCount]; ///< by HeaderField

    std::uint32_t endRequest; ///< a watcher of the job asks for its end: exit status, in the low 8 bits; 0: nobody does
    std::uint32_t unused;
};
static_assert(sizeof(FileHeader) <= headerBytes && sizeof(FileHeader) % 8 == 0);

enum class ChunkKind : std::uint16_t {
    Definitions = 1, ///< records of definitions, append-only
    Events = 2,      ///< records of one thread's events; used again when the ring is full
    Threads = 3,     ///< array of ThreadState
    Requests = 4,    ///< array of RequestSlot
    Counts = 5,      ///< array of CountSlot
    Model = 6,       ///< array of TransitionSlot
    Crash = 7,       ///< CrashState, then the bytes of the stack
    Kept = 8, ///< records of one thread, append-only: what the ring may lose and explains the rest, most of it in Events as well:
              ///< calls (MPI_Init, making of communicators), each written as CallBegin … CallEnd when it has returned, and Phase
    FewTimes = 9, ///< array of FewTimesSlot: from version 3 on
};

struct ChunkHeader {
    std::uint32_t magic;
    ChunkKind kind;
    std::uint16_t unused;
    std::uint32_t thread;    ///< for Events, Kept, Crash; else `nothing`
    std::uint32_t units;     ///< length in chunkUnit, this header included
    std::uint64_t sequence;  ///< from 1, per kind and thread, increasing; an Events chunk that is used again gets a new one.
                             ///< 0: being set up, to be skipped. With a check: sealedSequence in Checks.h
    std::uint64_t offset;    ///< where this chunk is in the file
    std::uint64_t committed; ///< how far it is written, with a check of all of it: sealedPosition in Checks.h
    std::uint64_t reserved[3];
};
static_assert(sizeof(ChunkHeader) == 64);

// ---- Records (Definitions and Events) --------------------------------------------------------------------------------------
//
// A record is a header word and `words - 1` further words. It counts when its header is not zero; the writer stores the header
// last (release order), after it has zeroed the word behind the record. A group (a call with its parts) is written as a whole
// before its first header is stored, so that it is there wholly or not at all.
//
//   header: bits 0-7 kind, 8-15 words, 16-31 check, 32-63 argument

enum class RecordKind : std::uint8_t {
    End = 0, ///< no record: all zero
    // Definitions: the argument is the number defined; numbers count from 0 without gaps, per kind.
    Module = 1, ///< {load address bias} {bytes of build id | bytes of path << 32} {build id, padded} {path, padded}
    Address =
        2, ///< {module, or `nothing` | AddressKind << 32} {address less the load bias; for an Operation: number | datatype << 32}
    Path = 3,         ///< {parent path or `nothing` | address << 32}
    Operation = 4,    ///< {bytes of name} {name, padded}: "MPI_Send"
    Communicator = 5, ///< {key} {parent or `nothing` | members << 32} {CommunicatorFlags | own rank in it << 32}: members follow
    Members = 6,      ///< argument: communicator. {first position | number of runs << 32} {world rank | length << 32 each run}
    Name = 7,         ///< argument: communicator. {bytes} {text, padded}; the latest counts
    Datatype = 8,     ///< {bytes of an element} {bytes of name} {name, padded} {number of the predefined datatype that all of it
                      ///< is made of, itself perhaps, or `nothing`}; the last word may be absent
    Window = 9,       ///< {key} {communicator}: of one-sided communication. The key is the same on all members
    Script =
        11, ///< a function of an interpreter (Python): {line | bytes of name << 32} {bytes of file} {name, padded} {file, padded}
    Group = 10, ///< {first position | number of runs << 32} {world rank | length << 32 each run}: may go on in further records
    // Events.
    Context = 32,        ///< first record of every Events chunk. argument: depth. {time} {open functions, two in a word}
    Enter = 33,          ///< argument: address of the function. {time}, and perhaps {line of the caller's file that calls it}
    Leave = 34,          ///< argument: address of the function. {time}
    CallBegin = 35,      ///< argument: path whose last address is the operation. {time}, and perhaps {line of the function of an
                         ///< interpreter that makes the call}; then parts
    CallEnd = 36,        ///< argument: CallFlags. {time} {ticks in the recorder at entry | at exit << 32}; then completions
    SendPart = 37,       ///< argument: peer. {tag | communicator << 32} {bytes} {request or 0} {datatype | PartFlags << 32}, and
                         ///< perhaps {fingerprint | path << 32}: with persistentStart, the path of the call that made the request
    ReceivePart = 38,    ///< argument: peer. As SendPart; bytes: room in the buffer. A 5th word with matchedProbe: TakenMessage
    CollectivePart = 39, ///< argument: root or `nothing`. {communicator | datatype << 32} {bytes sent} {bytes received} {request
                         ///< or 0}, and perhaps {Reduction | path << 32}: the path of the call that made the persistent request,
                         ///< or `nothing`; of operations with an amount for each partner also {Moments of what is sent} {Moments
                         ///< of what is received}: two words each
    AwaitedPart = 40,    ///< {request} …: the call waits for them, or asks about them; as many records as it takes
    CompletedReceive = 41, ///< argument: source. {tag | communicator << 32} {bytes} {request or 0}
    Completed = 42,        ///< {request}: a send or collective is done
    Released = 43,         ///< {request}: freed or cancelled
    Polls = 44, ///< argument: path. {first time} {time from first to last} {number}; then parts and AwaitedParts. The 2nd and 3rd
                ///< word change in place while the run of unsuccessful polls goes on: each has a check of its own (sealedPoll in
                ///< Checks.h). In version 1 the 2nd is the time of the last, and there are no checks. Polls that take turns (of
                ///< several requests) are a record each, and go on as long as no other record comes between
    Phase = 45, ///< argument: level of MPI_Pcontrol. {time}
    Hang = 46,  ///< argument: path of the open call, or `nothing`. {time} {ticks without a transition}: the process was found
                ///< hanging. Written by the monitor thread, among the Definitions
    TakenMessage =
        48,           ///< for MPI_Mprobe, MPI_Improbe, after CallEnd. argument: source. {tag | communicator << 32} {bytes}
                      ///< {number of the message}: the probe took it. Its receive has the number in a 5th word of its ReceivePart
    SeenMessage = 51, ///< for MPI_Probe, MPI_Iprobe, after CallEnd. argument: source. {tag | communicator << 32} {bytes}: the
                      ///< probe found it, and left it for a receive
    EpochPart = 49,   ///< argument: target or `nothing`. {EpochKind and exclusiveLock | window << 32} {group or `nothing`}
    WaitingPart = 47, ///< for MPI_Finalize. argument: source. {tag | communicator << 32} {bytes}: this message waited, and no
                      ///< receive had taken it. For each source and communicator the first
    MakingPart = 50,  ///< by a call that makes a communicator by a group alone, or with another group. argument: tag. {parent or
                      ///< local communicator | MakingFlags << 32} {group or `nothing` | leader of the own side << 32} {leader of
                      ///< the other side, as the own one names it}: leaders are world ranks, or `nothing`
    CommandLine = 52, ///< a piece of a text: its folder and the arguments, the program's name first, each with a zero byte behind
                      ///< it. argument: number of the piece, from 0. {bytes | of all pieces << 32} {text, padded}
    ClockOffset =
        53, ///< {time} {what the clock of rank 0's machine had more than this one then, in nanoseconds, may be negative}
            ///< {nanoseconds that the two messages took of which it was measured}: an answer was half of it old
    // Calls of the C library (--libc): parts follow CallBegin, outcomes CallEnd.
    DescriptorPart = 54, ///< argument: descriptor, or `nothing`. {second argument: bytes asked for, new descriptor, process, …},
                         ///< and for epoll_ctl (the descriptor is the one that is watched, the second argument the epoll's)
                         ///< {the program's own word for it} {1: it is added or changed; 0: taken out}
    AddressPart = 55,   ///< argument: bytes of the address before these. {bytes here} {socket address, as the system has it,
                        ///< padded}: the peer's or, for bind, the process' own. May stand behind CallEnd
    DescriptorEnd = 56, ///< argument: errno, where it failed. {what it returned, with its sign}, and for pipe and socketpair {the
                        ///< two descriptors, the first one low}
    ReadyPart = 57,     ///< {descriptor | events << 32} …, as poll() has events: of select, poll and their like
    ReadyWords = 58,    ///< {the program's own word} {events} …: of epoll_wait and its like
    Neighbour = 62,     ///< argument: process id. {time} {NeighbourState}: another process that the launcher has started on this
                        ///< machine was seen so. Written by the monitor thread, among the Definitions
};

enum class NeighbourState : std::uint32_t {
    Runs = 0,    ///< again, after it was stopped
    Stopped = 1, ///< by a signal or a debugger
    Gone = 2,
    HasLock = 3, ///< the main thread was found waiting for the lock of a file that this process, of whatever parent, has
};

/// What a call does with a window: the low 16 bits of the first word of an EpochPart.
enum class EpochKind : std::uint16_t {
    Create = 1,
    Free = 2,
    Fence = 3,
    Post = 4,
    Start = 5,
    Complete = 6,
    Wait = 7,
    Test = 8,
    Lock = 9,
    LockAll = 10,
    Unlock = 11,
    UnlockAll = 12,
    Flush = 13,
    FlushAll = 14,
    Access = 15,
};
inline constexpr std::uint32_t exclusiveLock = 1U << 16U; ///< with EpochKind::Lock

/// Operators of reductions, as MPI names them.
enum class Reduction : std::uint32_t {
    User = 0,
    Max = 1,
    Min = 2,
    Sum = 3,
    Prod = 4,
    Land = 5,
    Band = 6,
    Lor = 7,
    Bor = 8,
    Lxor = 9,
    Bxor = 10,
    Minloc = 11,
    Maxloc = 12,
    Replace = 13,
    NoOp = 14,
    None = nothing, ///< the collective does not reduce
};

/// Sums over partners of amount * place, and of amount * place * place; places in the communicator are counted from 1. Modulo
/// 2^64.
struct Moments {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

enum class AddressKind : std::uint32_t {
    Function = 0,   ///< entry of an instrumented function
    ReturnSite = 1, ///< return address in a caller
    Operation = 2,  ///< an MPI operation, no code address
    Current = 3,    ///< program counter of the innermost frame of a stack that was captured while it ran
    Script = 4,     ///< entry of a function of an interpreter: number of its definition, no code address
    Handler = 5,    ///< between a signal handler, which is the next one inwards, and where it came in: no code address
};

enum CommunicatorFlags : std::uint32_t { isWorld = 1, isSelf = 2, isIntercommunicator = 4 };
enum PartFlags : std::uint32_t {
    synchronousMode = 1, ///< Ssend and its like: done only when the receiver has begun
    bufferedMode = 2,
    readyMode = 4,
    persistentStart = 8,
    matchedProbe = 16, ///< the message was taken by MPI_Mprobe before
    probeOnly = 32,    ///< asks for the message, does not take it
};
enum MakingFlags : std::uint32_t {
    textTag = 1, ///< the tag is a text (MPI_Comm_create_from_group): 32 bits of a hash
};
enum CallFlags : std::uint32_t {
    callFailed = 1, ///< did not return MPI_SUCCESS
    callLeft = 2,   ///< a call of the C library was left, by longjmp() out of a signal handler; seen at the next call
};

inline constexpr std::size_t maxRecordWords = 255;

constexpr std::uint64_t recordHeader(RecordKind kind, std::size_t words, std::uint32_t argument) {
    return static_cast<std::uint64_t>(kind) | std::uint64_t{words & 0xFFU} << 8U | std::uint64_t{argument} << 32U;
}
constexpr RecordKind kindOf(std::uint64_t header) { return static_cast<RecordKind>(header & 0xFFU); }
constexpr std::size_t wordsOf(std::uint64_t header) { return header >> 8U & 0xFFU; }
constexpr std::uint32_t checkOf(std::uint64_t header) { return header >> 16U & 0xFFFFU; }
constexpr std::uint32_t argumentOf(std::uint64_t header) { return static_cast<std::uint32_t>(header >> 32U); }
constexpr std::uint64_t pair(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32U | low; }
constexpr std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); }

// ---- Arrays ----------------------------------------------------------------------------------------------------------------
//
// Slots follow the chunk header without gaps; what is `from version 2 on` at the end of each is not there before. A slot with an
// odd `version` was being written when the file was read or the process died; a slot with version 0 is free, and so is a request
// with number 0, a transition with count 0 or without times, a thread `nothing`. Slots are never moved.

inline constexpr std::size_t maxLiveDepth = 240;

/// What a thread is doing now: it survives when the ring does not have its beginning any more.
struct ThreadState {
    std::uint64_t version;
    std::uint32_t thread;       ///< from 0 in order of first event
    std::int32_t tid;           ///< the operating system's; negative: the thread has ended
    std::uint32_t isMain;       ///< 1 for the thread that the process began with
    std::uint32_t depth;        ///< open instrumented functions; those beyond maxLiveDepth are counted, not kept
    std::uint64_t since;        ///< time of the last transition (call begun or ended, poll run begun)
    std::uint32_t callPath;     ///< path of the open MPI call; `nothing` outside MPI
    std::uint32_t lastCallPath; ///< path of the last MPI call that returned; `nothing` before the first
    std::uint64_t events;       ///< records written by the thread, overwritten ones included
    // `depth`, `events` and `functions` change without `version`: up to depth, the functions are right at any moment.
    std::uint32_t functions[maxLiveDepth]; ///< addresses, outermost first

    // From version 2 on.
    std::uint64_t check;        ///< over what changes with `version`: checkOfSlot
    std::uint64_t sealedDepth;  ///< `depth` …
    std::uint64_t sealedEvents; ///< … and `events` with a check: sealedWord
    std::uint16_t functionChecks[maxLiveDepth];
};
static_assert(sizeof(ThreadState) % 8 == 0);

/// A request that is not complete, or a persistent one; also an epoch of one-sided communication that is open (a lock, Start or
/// Post): `kind` is EpochPart, `tag` and `communicator` its first word, `bytes` the second.
struct RequestSlot {
    std::uint64_t version;
    std::uint64_t request; ///< number of the request, unique in the process; 0: free
    std::uint32_t kind;    ///< RecordKind of the part that posted it
    std::uint32_t peer;
    std::int32_t tag;
    std::uint32_t communicator;
    std::uint64_t bytes;
    std::uint32_t path;   ///< path of the posting call
    std::uint32_t flags;  ///< PartFlags
    std::uint64_t posted; ///< time
    std::uint64_t check;  ///< from version 2 on: checkOfSlot
};
static_assert(sizeof(RequestSlot) == 64);

enum class CountKind : std::uint32_t { Sends = 1, Receives = 2, Collectives = 3 };

/// How many messages went to or came from a peer, or how many collectives of a communicator were begun and completed. Several
/// slots may be of the same things (each thread has its own): they add up. With very many tags, further ones share a slot with
/// `anyTag`.
struct CountSlot {
    std::uint64_t version;
    CountKind kind;
    std::uint32_t communicator;
    std::uint32_t peer;      ///< world rank; for Collectives: root of the latest, or `nothing`
    std::int32_t tag;        ///< for Collectives: number of the latest operation's definition
    std::uint64_t begun;     ///< sends begun, receives completed, collectives begun
    std::uint64_t completed; ///< for Collectives
    std::uint64_t bytes;
    std::uint64_t check; ///< from version 2 on: checkOfSlot
};
static_assert(sizeof(CountSlot) == 56);

/// State numbers of the model: 2 × path while in the call, 2 × path + 1 for the computation that follows it, and the start.
inline constexpr std::uint32_t startState = 0xFFFFFFFF;

/// A transition of one thread's model in one phase, with the time spent in `from` before it was taken, in ticks.
struct TransitionSlot {
    std::uint64_t version;
    std::uint32_t thread;
    std::int32_t phase; ///< index of the phase, from 0, at each MPI_Pcontrol one further; merged phases have the lower index
    std::uint32_t from;
    std::uint32_t to;
    std::uint64_t count;
    double mean;
    double squares; ///< sum of squared deviations from the mean (Welford)
    double shortest;
    double longest;
    Histogram histogram;
    std::uint64_t check; ///< from version 2 on: checkOfSlot
};
static_assert(sizeof(TransitionSlot) % 8 == 0);

inline constexpr std::size_t mostFewTimes = 8;

/// A transition that was taken a few times only, as most are where phases are short: the times themselves. It is a
/// TransitionSlot of the same times in their order, in a sixth of the room. When they get too many or too long it becomes one.
struct FewTimesSlot {
    std::uint64_t version;
    std::uint32_t thread;
    std::int32_t phase;
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t times[mostFewTimes]; ///< ticks + 1, from the first on; 0: no more. Without any, the slot is free
    std::uint64_t check;               ///< checkOfSlot
};
static_assert(sizeof(FewTimesSlot) == 64); // a line of the cache

/// State of a thread at a fatal signal, at exit(), or when the process was found hanging. The stack's bytes follow.
struct CrashState {
    std::uint64_t version;
    std::uint32_t signal; ///< 0: none
    std::int32_t code;    ///< the signal's code; without one: CaptureReason
    std::uint64_t faultAddress;
    std::uint64_t time;
    std::uint32_t machine; ///< ELF e_machine: 62 x86-64, 183 AArch64
    std::uint32_t registerCount;
    std::uint64_t
        registers[40]; ///< in DWARF order of the machine; the program counter last. 0: not known (a thread found hanging in a
                       ///< system call that a signal would cut short is not disturbed: stack pointer and program counter only)
    std::uint64_t stackAddress; ///< address of the first byte kept
    std::uint64_t stackBytes;
    std::uint64_t check; ///< from version 2 on: checkOfCrash
};
static_assert(sizeof(CrashState) % 8 == 0);

} // namespace laggard::recording
