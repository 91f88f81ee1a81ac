// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of Python programs, by the interpreter's own interface for profilers (PyEval_SetProfile, which sys.setprofile() sets
// as well). The library is not linked with Python: what it needs it finds in the process, when the module that laggard-record
// puts on the interpreter's path (sitecustomize.py) asks for it.
#include "collect/store/Pages.h"
#include "collect/store/ThreadLog.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace laggard::collect {

using recording::nothing;

namespace {

// The part of the interpreter's interface that is used, as its documentation has it.
struct PyObject;
struct PyFrame;
using ProfileFunction = int (*)(PyObject *, PyFrame *, int, PyObject *);
enum ProfileEvent : int {
    pythonCalls = 0,
    pythonReturns = 3,
    functionOfCCalled = 4,
    functionOfCFailed = 5,
    functionOfCReturned = 6
};

struct Interpreter {
    void (*setProfile)(ProfileFunction, PyObject *) = nullptr;
    PyObject *(*codeOf)(PyFrame *) = nullptr;
    PyFrame *(*callerOf)(PyFrame *) = nullptr;
    int (*lineOf)(PyFrame *) = nullptr;
    PyObject *(*attribute)(PyObject *, const char *) = nullptr;
    const char *(*text)(PyObject *) = nullptr;
    long (*number)(PyObject *) = nullptr;
    void (*clearError)() = nullptr;
    void (*keep)(PyObject *) = nullptr;
    void (*release)(PyObject *) = nullptr;

    bool find() {
        return find(setProfile, "PyEval_SetProfile") && find(codeOf, "PyFrame_GetCode") && find(callerOf, "PyFrame_GetBack") &&
               find(lineOf, "PyFrame_GetLineNumber") && find(attribute, "PyObject_GetAttrString") &&
               find(text, "PyUnicode_AsUTF8") && find(number, "PyLong_AsLong") && find(clearError, "PyErr_Clear") &&
               find(keep, "Py_IncRef") && find(release, "Py_DecRef");
    }

  private:
    template <typename T> static bool find(T &function, const char *name) {
        function = reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name));
        return function != nullptr;
    }
};
Interpreter s_python;

/// A function of the program. Its code is kept alive, so that another one never has its address; the texts are the code's.
struct Function {
    PyObject *code;
    const char *name;
    const char *file;
    std::uint32_t line;
    std::uint32_t number; ///< in the recording; `nothing`: it is not shown
    unsigned generation;  ///< of the recording that has this number
};
/// So many functions are known; programs that make ever more code have their further ones left out, rather than all of it kept.
constexpr std::size_t mostFunctions = std::size_t{1} << 16U;
constexpr std::size_t buckets = mostFunctions * 2;
Function *s_functions = nullptr;
std::size_t s_functionCount = 0;

constinit thread_local std::uint32_t t_line __attribute__((tls_model("initial-exec"))) = 0;
constinit thread_local std::uint32_t t_depth __attribute__((tls_model("initial-exec"))) = 0; ///< functions that were entered

ThreadLog *threadLog() {
    ProcessLog *process = processLog();
    return process == nullptr ? nullptr : process->thread();
}

/// What the interpreter is made of in Python: its importer (its files are "<frozen …>"), and what starts it.
bool isInterpretersOwn(const char *name, const char *file) {
    const std::size_t length = std::strlen(file);
    constexpr char own[] = "/laggard/python/sitecustomize.py";
    const bool isOfRecorder = length >= sizeof own - 1 && std::strcmp(file + length - (sizeof own - 1), own) == 0;
    return isOfRecorder || std::strncmp(file, "<frozen", 7) == 0 || *name == '\0';
}

/// A text that the code has as an attribute: it lives as long as that.
const char *textOf(PyObject *code, const char *attribute) {
    PyObject *value = s_python.attribute(code, attribute);
    const char *text = value == nullptr ? nullptr : s_python.text(value);
    if (text == nullptr)
        s_python.clearError();
    if (value != nullptr)
        s_python.release(value);
    return text == nullptr ? "" : text;
}

std::uint32_t firstLineOf(PyObject *code) {
    PyObject *value = s_python.attribute(code, "co_firstlineno");
    const long line = value == nullptr ? 0 : s_python.number(value);
    if (value != nullptr)
        s_python.release(value);
    else
        s_python.clearError();
    return line < 0 ? 0 : static_cast<std::uint32_t>(line);
}

Function *functionOf(PyObject *code) {
    std::size_t bucket = (reinterpret_cast<std::uintptr_t>(code) >> 4U) * 0x9E3779B97F4A7C15U >> 47U;
    for (; s_functions[bucket].code != nullptr; bucket = (bucket + 1) % buckets)
        if (s_functions[bucket].code == code)
            return &s_functions[bucket];
    if (s_functionCount == mostFunctions)
        return nullptr;
    ++s_functionCount;
    s_python.keep(code);
    const bool hasQualified = *textOf(code, "co_qualname") != '\0'; // Python 3.11
    s_functions[bucket] = {
        code, textOf(code, hasQualified ? "co_qualname" : "co_name"), textOf(code, "co_filename"), firstLineOf(code), nothing,
        ~0U};
    return &s_functions[bucket];
}

/// Number in this process's recording; `nothing` for what is not shown.
std::uint32_t numberOf(PyFrame *frame) {
    PyObject *code = s_python.codeOf(frame);
    Function *function = code == nullptr ? nullptr : functionOf(code);
    if (code != nullptr)
        s_python.release(code);
    if (function == nullptr)
        return nothing;
    if (function->generation != recordingGeneration()) {
        function->generation = recordingGeneration();
        ProcessLog *process = processLog();
        function->number = process == nullptr || isInterpretersOwn(function->name, function->file)
                               ? nothing
                               : process->defineScript(function->name, function->file, function->line);
    }
    return function->number;
}

/// Where the function's caller calls it, if that is shown.
std::uint32_t callingLine(PyFrame *frame) {
    PyFrame *caller = s_python.callerOf(frame);
    if (caller == nullptr)
        return 0;
    const int line = numberOf(caller) == nothing ? 0 : s_python.lineOf(caller);
    s_python.release(reinterpret_cast<PyObject *>(caller));
    return line < 0 ? 0 : static_cast<std::uint32_t>(line);
}

int profile(PyObject *, PyFrame *frame, int what, PyObject *) {
    if (what == functionOfCCalled) {
        const int line = s_python.lineOf(frame);
        t_line = line < 0 ? 0 : static_cast<std::uint32_t>(line);
        return 0;
    }
    t_line = 0;
    if (what != pythonCalls && what != pythonReturns)
        return 0;
    ThreadLog *thread = threadLog();
    const std::uint32_t number = thread == nullptr ? nothing : numberOf(frame);
    if (number == nothing)
        return 0;
    if (what == pythonCalls) {
        thread->enterScript(number, callingLine(frame));
        ++t_depth;
    } else if (t_depth > 0) { // else it was called before this began
        thread->leaveScript(number);
        --t_depth;
    }
    return 0;
}

void hide(ProcessLog &process) { process.hideInterpreter(reinterpret_cast<const void *>(s_python.setProfile), "/lib-dynload/"); }

/// An interpreter's frames are hidden from its start, long before it imports anything.
[[gnu::constructor]] void hideFromStart() {
    const char *isWanted = std::getenv("LAGGARD_RECORD_PYTHON");
    if (isWanted == nullptr || *isWanted != '1' || !s_python.find())
        return;
    if (ProcessLog *process = processLog())
        hide(*process);
}

} // namespace

std::uint32_t scriptLine() { return t_line; }

std::uint32_t scriptInChild(std::uint32_t number) {
    for (std::size_t i = 0; s_functions != nullptr && i < buckets; ++i) {
        Function &function = s_functions[i];
        if (function.code == nullptr || function.number != number || function.generation + 1 != recordingGeneration())
            continue;
        ProcessLog *process = processLog();
        if (process == nullptr)
            return nothing;
        function.number = process->defineScript(function.name, function.file, function.line);
        function.generation = recordingGeneration();
        return function.number;
    }
    return nothing;
}

} // namespace laggard::collect

/// From here on, the functions that the calling thread of the interpreter calls are recorded. Called with the interpreter's lock
/// held. Returns 1 if they are.
extern "C" __attribute__((visibility("default"))) int laggard_python_begin() { // NOLINT: the name is for Python
    using namespace laggard::collect;
    ProcessLog *process = processLog();
    if (process == nullptr || process->thread() == nullptr)
        return 0;
    if (s_functions == nullptr) {
        if (!s_python.find())
            return 0;
        s_functions = static_cast<Function *>(newPages(buckets * sizeof(Function)));
        if (s_functions == nullptr)
            return 0;
        hide(*process);
    }
    s_python.setProfile(profile, nullptr);
    return 1;
}
