#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the recorder's MPI wrappers from operations.table.

generate.py TABLE --operations FILE     the list of operations (C++ header)
generate.py TABLE --c FILE              the wrappers of C
generate.py TABLE --fortran FILE --f08 mpich|openmpi
                                        the wrappers of Fortran, with those of this MPI's mpi_f08 module
generate.py TABLE --check FILE          compares the table with a preprocessed mpi.h
"""

import argparse
import fnmatch
import re
import sys

HANDLES = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Request": "Request", "MPI_Group": "Group", "MPI_Op": "Op",
           "MPI_Info": "Info", "MPI_Win": "Win", "MPI_File": "File", "MPI_Message": "Message", "MPI_Errhandler": "Errhandler"}
FLAGS = {"synchronous": "recording::synchronousMode", "buffered": "recording::bufferedMode", "ready": "recording::readyMode"}
MODIFIERS = {"large", "since4", "mpi1"} | set(FLAGS)
EXPORTED = '__attribute__((visibility("default"))) '
NOTICE = "// Made by collect/mpi/generate.py from operations.table.\n"


class Parameter:
    """One parameter of a C prototype: base type, number of pointers, whether it is written as an array."""

    def __init__(self, text):
        self.text = text.strip()
        match = re.fullmatch(r"(const )?(\w+(?: \w+)?) (\**)(\w+)(\[\](?:\[3\])?)?", self.text)
        if not match:
            raise SystemExit(f"operations.table: cannot read the parameter '{self.text}'")
        self.const, self.base, stars, self.name, array = match.groups()
        self.pointers = len(stars)
        self.is_array = array is not None
        self.is_handle = self.base in HANDLES

    def large(self):
        """As MPI 4's large-count functions have it."""
        text = self.text
        if self.base == "int" and (self.name.endswith(("count", "counts")) or self.name == "size"):
            text = text.replace("int ", "MPI_Count ", 1)
        elif self.base == "int" and (self.name.endswith("displs") or self.name == "disp_unit"):
            text = text.replace("int ", "MPI_Aint ", 1)
        return Parameter(text)

    def fortran_type(self):
        if self.base in ("void", "char", "MPI_Aint", "MPI_Offset", "MPI_Count"):
            return f"{self.base} *"
        return "MPI_Fint *"


class Operation:
    def __init__(self, role, arguments, modifiers, prototype):
        match = re.fullmatch(r"int (MPI_\w+)\((.*)\)", prototype)
        if not match:
            raise SystemExit(f"operations.table: cannot read the prototype '{prototype}'")
        self.role, self.arguments, self.modifiers = role, arguments, modifiers
        self.name = match.group(1)
        self.is_variadic = match.group(2).endswith(", ...")
        text = match.group(2).removesuffix(", ...")
        self.parameters = [] if text == "void" else [Parameter(p) for p in text.split(",")]

    @property
    def identifier(self):
        return self.name.removeprefix("MPI_")

    def has(self, name):
        return any(p.name == name for p in self.parameters)


def read_table(path):
    operations, omitted = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            head, separator, tail = line.partition(" : ")
            if not separator:
                raise SystemExit(f"{path}:{number}: no ' : '")
            role, *words = head.split()
            if role == "omit":
                omitted += tail.split()
                continue
            modifiers = {w for w in words if w in MODIFIERS}
            operations.append(Operation(role, [w for w in words if w not in MODIFIERS], modifiers, tail))
    return operations, omitted


class Language:
    """How the arguments of a wrapper are written in C++."""

    def __init__(self, operation, parameters):
        self.operation = operation
        self.parameters = {p.name: p for p in parameters}
        self.order = parameters

    def number(self, name):
        return f"amounts::number({self.value(name)})"

    @staticmethod
    def invoke(function, arguments):
        """A tool behind the recorder goes first. Nothing takes a function's address: it is looked for when it is called."""
        given = ", ".join(arguments)
        return f"tool != nullptr ? tool({given}) : {function}({given})"


class C(Language):
    name = "C"

    def value(self, name):
        p = self.parameters[name]
        return f"valueAt({name})" if p.pointers and p.base != "void" else name

    def array(self, name):
        return f"TypesOfC{{{name}}}" if self.parameters[name].is_handle else name

    def call(self, replaced):
        arguments = [replaced.get(p.name, p.name) for p in self.order]
        return f"result = {self.invoke('P' + self.real, arguments)};"

    declare_result = "int result = MPI_SUCCESS;"
    result = "result"
    give_result = "return result;"

    def replaced_value(self, name):
        return name


class Fortran(Language):
    name = "Fortran"

    def value(self, name):
        p = self.parameters[name]
        return f"MPI_{HANDLES[p.base]}_f2c(*{name})" if p.is_handle else f"*{name}"

    def array(self, name):
        return f"TypesOfFortran{{{name}}}" if self.parameters[name].is_handle else name

    def call(self, replaced):
        arguments = [replaced.get(p.name, p.name) for p in self.order]
        arguments += ["ierror"] + [f"{p.name}_length" for p in self.order if p.base == "char"]
        return f"{self.invoke(self.real, arguments)};"

    declare_result = "MPI_Fint ownError = MPI_SUCCESS;\n    if (ierror == nullptr)\n        ierror = &ownError;"
    result = "*ierror"
    give_result = "return;"

    def replaced_value(self, name):
        return f"&{name}"


def collective(op, lang):
    shape = op.arguments[0]
    root = lang.value("root") if op.has("root") else "Call::noRoot"
    arguments = []
    in_place_buffer = {"scatter": "recvbuf", "scatterv": "recvbuf"}.get(shape, "sendbuf")
    if shape in ("gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"):
        arguments.append(f"{lang.name}::isInPlace({in_place_buffer})")
    for p in op.parameters:
        if p.name in ("sendcount", "recvcount", "count", "sendtype", "recvtype", "datatype"):
            arguments.append(lang.value(p.name))
        elif p.name in ("sendcounts", "recvcounts", "sendtypes", "recvtypes"):
            arguments.append(lang.array(p.name))
    if op.has("root"):
        arguments.append(lang.value("root"))
    posts = "true" if op.has("request") else "false"
    inner = ", ".join(["datatypes", "circle"] + arguments)
    return (f"call.collective({lang.value('comm')}, {root}, {posts}, [&](Datatypes &datatypes, amounts::Circle circle) "
            f"{{ return amounts::{shape}({inner}); }});")


def window(op, lang):
    """What a call does with a window."""
    kind = op.arguments[0]
    name = "recording::EpochKind::" + "".join(word.capitalize() for word in kind.split("_"))
    if kind == "create":
        return [f"call.makesWindow({lang.value('comm')});"], [f"call.madeWindow({lang.value('win')});"]
    if kind == "lock":
        return [f"call.locks({lang.value('win')}, {lang.value('lock_type')}, {lang.value('rank')});"], []
    if op.has("group"):
        return [f"call.usesWindowFor({lang.value('win')}, {name}, {lang.value('group')});"], []
    target = next((", " + lang.value(p) for p in ("target_rank", "rank") if op.has(p)), "")
    return [f"call.usesWindow({lang.value('win')}, {name}{target});"], ["call.freedWindow();"] if kind == "free" else []


def file_call(op, lang):
    """What all members of a file's communicator do."""
    if op.arguments[0] == "open":
        return [f"call.opensFile({lang.value('comm')});"], [f"call.openedFile({lang.value('fh')});"]
    posts = "true" if op.has("request") else "false"
    return [f"call.usesFile({lang.value('fh')}, {posts});"], ["call.closedFile();"] if op.arguments[0] == "close" else []


def message(op, lang, kind):
    posts = "true" if op.has("request") else "false"
    of = "send" if kind == "send" else "recv"
    peer = lang.value("dest" if kind == "send" else "source")
    tag = lang.value("tag" if op.has("tag") else f"{of}tag")
    count = lang.number("count" if op.has("count") else f"{of}count")
    if op.has("partitions"):
        count += f" * {lang.number('partitions')}"
    datatype = lang.value("datatype" if op.has("datatype") else f"{of}type")
    flags = ""
    if kind == "send":
        flags = ", " + (" | ".join(FLAGS[m] for m in sorted(op.modifiers & set(FLAGS))) or "0")
    buffer = f"{lang.name}::buffer({'buf' if op.has('buf') else f'{of}buf'})"
    return f"call.{'send' if kind == 'send' else 'receive'}({buffer}, {peer}, {tag}, {lang.value('comm')}, {count}, {datatype}{flags}, {posts});"


def repeated(op, lang):
    of = "" if op.has("count") else "send"
    buffer = "buf" if op.has("buf") else "sendbuf"
    count = lang.value("count" if op.has("count") else "sendcount")
    datatype = lang.value("datatype" if op.has("datatype") else f"{of}type")
    tag = lang.value("tag" if op.has("tag") else "sendtag")
    return (f"call.repeat({lang.name}::buffer({buffer}), static_cast<int>({count}), {datatype}, {lang.value('dest')}, {tag}, "
            f"{lang.value('comm')});")


def body(op, lang):
    """(before MPI is called, replaced arguments, after it), as lists of statements."""
    role = op.role
    before, replaced, after = [], {}, []
    posted = [f"call.posted({lang.value('request')}, request);"] if op.has("request") and role not in ("plain", "window") else []
    reduces = [f"call.reduces({lang.value('op')});"] if op.has("op") else []
    room = f"StatusRoom<{lang.name}> room(status);"
    if role in ("send", "exchange"):
        if role == "exchange" and op.has("request"):
            before.append("call.exchange();")
        if role == "exchange" and not op.has("sendbuf"):
            before.append("call.replaces();")
        before.append(message(op, lang, "send"))
        if role == "exchange":
            before.append(message(op, lang, "receive"))
        before.append(f"{'const int' if lang.name == 'C' else 'MPI_Fint'} target = call.destination({lang.value('dest')});")
        replaced["dest"] = lang.replaced_value("target")
        after += posted
        if role == "send" or op.has("sendbuf"):
            after.append(repeated(op, lang))
    if role == "receive":
        before.append(message(op, lang, "receive"))
        after += posted
    if role == "matched":
        before.append(f"call.matched({lang.name}::buffer(buf), {lang.value('message')}, {lang.number('count')}, {lang.value('datatype')}, "
                      f"{'true' if op.has('request') else 'false'});")
        after += posted
    if role in ("receive", "exchange", "matched") and op.has("status"):
        before.append(room)
        replaced["status"] = "room.data()"
        after.insert(0, "call.received(room[0]);")
    if role in ("persistent-send", "persistent-receive"):
        before += ["call.persistent();", message(op, lang, "send" if role == "persistent-send" else "receive")]
        if op.has("partitions"):
            before.append("call.withoutContents();")
        after += posted
    if role == "persistent-collective":
        before += ["call.persistent();", collective(op, lang)] + reduces
        after += posted
    if role == "collective":
        before += [collective(op, lang)] + reduces
        after += posted
    if role == "window":
        first, then = window(op, lang)
        before += first
        after += then
    if role == "file":
        first, then = file_call(op, lang)
        before += first
        after += then + posted
    if role == "communicator":
        kind = op.arguments[0].capitalize()
        parent = lang.value("comm") if op.has("comm") else "MPI_COMM_NULL"
        tag = lang.value("tag") if op.has("tag") else "0"
        before.append(f"call.makes(Making::{kind}, {parent}, {tag}, {'true' if op.has('request') else 'false'});")
        if kind == "Group":
            before.append(f"call.makesWithin({parent}, {lang.value('group')}, {tag});")
        if kind == "Pair":
            arguments = [parent] + [lang.value(p) for p in ("local_leader", "peer_comm", "remote_leader", "tag")]
            before.append(f"call.makesBetween({', '.join(arguments)});")
        if op.has("group") and op.has("stringtag") and lang.name == "C":
            before.append("call.makesWithin(group, stringtag);")
        after += [f"call.made({lang.value('newcomm')});"] + posted
    if role == "communicator-free":
        before.append(f"call.frees({lang.value('comm')});")
        after.append("call.freedCommunicator();")
    if role in ("probe", "iprobe", "mprobe", "improbe"):
        before += [f"call.probe({lang.value('source')}, {lang.value('tag')}, {lang.value('comm')});", room]
        replaced["status"] = "room.data()"
        found = f"{lang.value('flag')} != 0" if op.has("flag") else "call.isSuccessful()"
        then = f"matchedMessage({lang.value('message')}, room[0])" if op.has("message") else "seen(room[0])"
        after.append(f"if (call.isSuccessful() && {found})\n        call.{then};")
    if role in ("start", "requestfree", "cancel", "wait", "test"):
        before.append(f"call.await<{lang.name}>(1, request);")
    if role in ("getstatus", "arrived"):
        before.append("call.await<C>(1, &request);" if lang.name == "C" else "call.await<Fortran>(1, request);")
    if role == "getstatus":
        after.append(f"if (call.isSuccessful() && {lang.value('flag')} != 0)\n        call.knownComplete();")
    if role == "start":
        before.append("call.start();")
    if role == "startall":
        before += [f"call.await<{lang.name}>({lang.value('count')}, array_of_requests);", "call.start();"]
    if role == "requestfree":
        after.append("call.freed();")
    if role == "cancel":
        after.append("call.cancelled();")
    if role in ("wait", "test"):
        before.append(room)
        replaced["status"] = "room.data()"
        done = "call.isSuccessful()" + (f" && {lang.value('flag')} != 0" if role == "test" else "")
        after.append(f"if ({done})\n        call.completed(0, room[0]);")
        after.append(f"if (!call.isSuccessful())\n        call.failed({lang.value('request')});")
    if role in ("waitany", "testany"):
        before += [f"call.await<{lang.name}>({lang.value('count')}, array_of_requests);", room]
        replaced["status"] = "room.data()"
        done = "call.isSuccessful()" + (f" && {lang.value('flag')} != 0" if role == "testany" else "")
        after.append(f"if ({done})\n        call.completed(call.which<{lang.name}>({lang.value('index')}, array_of_requests), room[0]);")
    if role in ("waitall", "testall"):
        before += [f"call.await<{lang.name}>({lang.value('count')}, array_of_requests);",
                   f"StatusRoom<{lang.name}> room(array_of_statuses, {lang.value('count')});"]
        replaced["array_of_statuses"] = "room.data()"
        done = f"!call.isSuccessful() || {lang.value('flag')} != 0" if role == "testall" else ""
        many = f"call.completedMany({lang.value('count')}, room, [](int k) {{ return k; }});"
        after.append(f"if ({done})\n        {many}" if done else many)
    if role in ("waitsome", "testsome"):
        before += [f"call.await<{lang.name}>({lang.value('incount')}, array_of_requests);",
                   f"StatusRoom<{lang.name}> room(array_of_statuses, {lang.value('incount')});"]
        replaced["array_of_statuses"] = "room.data()"
        after.append(f"if (call.hasOutcome() && {lang.value('outcount')} != MPI_UNDEFINED)\n"
                     f"        call.completedMany({lang.value('outcount')}, room, "
                     f"call.whichOf<{lang.name}>(array_of_indices, {lang.value('outcount')}, array_of_requests));")
    if role in ("init", "init-thread"):
        after.append("call.initialized();")
    if role == "finalize":
        before += ["call.collective(MPI_COMM_WORLD, Call::noRoot, false, amounts::barrier);", "call.waitingMessages();"]
    return before, replaced, after


def poll_found(op, lang):
    """The condition under which a call that returns at once has found something; None for other calls."""
    if op.role == "testsome":
        return f"!call.isSuccessful() || {lang.value('outcount')} != 0"
    if op.role in ("test", "testall", "testany", "getstatus", "iprobe", "improbe", "arrived") or \
            (op.role == "window" and op.has("flag")):
        return f"!call.isSuccessful() || {lang.value('flag')} != 0"
    return None


MISSES = {"iprobe": "flag = 0;", "improbe": "flag = 0;", "test": "flag = 0;", "testall": "flag = 0;", "getstatus": "flag = 0;",
          "testany": "flag = 0;\n        *index = MPI_UNDEFINED;", "testsome": "outcount = 0;"}


def steered_call(op, lang, replaced):
    """The call of MPI, with what a replay makes of its arguments; where a poll was to find nothing, none."""
    lines, replaced, after = [], dict(replaced), []
    if op.role in ("receive", "exchange", "probe", "iprobe", "mprobe", "improbe"):
        poll = "Poll" if op.role in MISSES else ""
        tag = "tag" if op.has("tag") else "recvtag"
        of_fortran = lang.name == "Fortran"
        lines.append(f"{'' if of_fortran else 'const '}auto from = call.steer{poll}({lang.value('source')}, {lang.value(tag)}, {lang.value('comm')});")
        replaced["source"], replaced[tag] = lang.replaced_value("from.source"), lang.replaced_value("from.tag")
        if op.role == "receive" and op.has("request"):
            if of_fortran:
                lines.append("const MPI_Fint on = from.isNobody ? MPI_Comm_c2f(from.comm) : *comm;")
                replaced["comm"] = "const_cast<MPI_Fint *>(&on)"
            else:
                replaced["comm"] = "from.comm"
        is_miss = "from.isMiss"
    elif op.role in MISSES or op.role in ("waitany", "waitsome"):
        lines.append(f"const auto choice = call.choose({'true' if op.role in MISSES else 'false'});")
        if op.role in ("waitany", "testany", "waitsome", "testsome"):
            count = "count" if op.has("count") else "incount"
            lines.append(f"ChosenRequests<{lang.name}> chosen(call, choice, {lang.value(count)}, array_of_requests);")
            replaced["array_of_requests"] = "chosen.data()"
            after.append("chosen.giveBack();")
        is_miss = "choice.isMiss"
    else:
        return [lang.call(replaced)]
    if op.role not in MISSES:
        return lines + [lang.call(replaced)] + after
    miss = f"*{MISSES[op.role]}" + ("" if lang.name == "C" else "\n        *ierror = MPI_SUCCESS;")
    return lines + [f"if ({is_miss}) {{\n        {miss}\n    }} else {{\n        {lang.call(replaced)}\n    }}"] + after


def statements(op, lang):
    """The body of a recorded wrapper."""
    lines = [lang.declare_result]
    if op.role.startswith("datatype"):
        return datatype_statements(op, lang)
    unrecorded = {"phase": ("level", "recordPhase"), "group-made": ("group" if op.has("group") and not op.has("newgroup") else
                                                                    "newgroup", "madeGroup"),
                  "group-freed": ("group", "freedGroup"), "communicator-known": ("newcomm", "knowCommunicator"),
                  "communicator-name": ("comm", "nameCommunicator")}
    if op.role in unrecorded:
        argument, function = unrecorded[op.role]
        action = f"{function}({lang.value(argument)});"
        if op.role == "phase" and lang.name == "Fortran":
            arguments = "level, ierror" if lang.has_error else "level"
            return ["const Note note(__builtin_return_address(0));", f"if (note)\n        {action}", f"{lang.invoke(lang.real, arguments.split(', '))};"]
        lines.append("const Note note(__builtin_return_address(0));")
        if op.role in ("phase", "group-freed"):
            return lines + [f"if (note)\n        {action}", lang.call({}), lang.give_result]
        return lines + [lang.call({}), f"if (note && {lang.result} == MPI_SUCCESS)\n        {action}", lang.give_result]
    lines.append(f"Call call(Operation::{op.identifier}, __builtin_return_address(0));")
    lines.append("if (!call) {\n        " + lang.call({}) + f"\n        {lang.give_result}\n    }}")
    before, replaced, after = body(op, lang)
    found = poll_found(op, lang)
    lines += before
    lines.append("call.beginPoll();" if found else "call.begin();")
    if op.role in ("finalize", "abort"):
        lines.append("call.finishes();")
    if op.role == "abort":
        lines.append(f"call.aborts({lang.value('errorcode')});")
    if op.role == "start":
        lines.append("if (call.isStarted(0))\n        " + lang.call(replaced))
    elif op.role == "startall":
        lines += start_all(lang)
    else:
        lines += steered_call(op, lang, replaced)
    lines.append(f"call.returned({lang.result});")
    lines += after
    lines.append(f"call.endPoll({found});" if found else "call.end();")
    if op.role == "finalize":
        lines[-1:] = ["call.finalized();", "call.end();"]
    return lines + [lang.give_result]


def datatype_statements(op, lang):
    """What becomes of datatypes is noted, so that MPI is asked only about those that exist; the call itself is not recorded."""
    lines = [lang.declare_result, "const Note note(__builtin_return_address(0));"]
    if op.role == "datatype-made":
        actions = [f"madeDatatype({lang.value(name)});" for name in op.arguments or ["newtype"]]
    elif op.role == "datatype-contents":
        actions = [f"madeDatatypesOf({lang.value('datatype')}, {lang.array('array_of_datatypes')});"]
    elif op.role == "datatype-named":
        actions = [f"namedDatatype({lang.value('datatype')});"]
    else:
        lines.append(f"const MPI_Datatype freed = {lang.value('datatype')};")
        actions = ["freedDatatype(freed);"]
    return lines + [lang.call({}), f"if (note && {lang.result} == MPI_SUCCESS) {{"] + ["    " + a for a in actions] + ["}", lang.give_result]


def start_all(lang):
    """MPI_Startall, or all but the one whose message is dropped."""
    real = "result = PMPI_Start(array_of_requests + i);" if lang.name == "C" else \
        f"{lang.start}(array_of_requests + i, ierror);"
    return [f"if (!call.drops()) {{\n        {lang.call({})}\n    }} else {{\n"
            f"        for (int i = 0; i < {lang.value('count')} && {lang.result} == MPI_SUCCESS; ++i)\n"
            f"            if (call.isStarted(i))\n                {real}\n    }}"]


def with_tool(name, name_in_mpi, lines):
    return [f"static constinit Tool<decltype(&{name_in_mpi})> behind(\"{name}\", \"{name_in_mpi}\");",
            "const auto tool = behind.find();"] + lines


def define(head, lines):
    return head + " {\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def guarded(op, is_since4, code):
    """Only where mpi.h has the function."""
    if is_since4:
        return f"\n#if MPI_VERSION >= 4{code}#endif\n"
    return f"\n#ifndef OPEN_MPI{code}#endif\n" if "mpi1" in op.modifiers else code


def c_wrappers(operations):
    text = NOTICE + '#include "collect/mpi/Call.h"\n\nusing namespace laggard::collect::mpi;\nnamespace recording = laggard::recording;\n\n'
    text += 'extern "C" {\n'
    for op in operations:
        variants = [(op.name, op.parameters, "since4" in op.modifiers)]
        if "large" in op.modifiers:
            variants.append((op.name + "_c", [p.large() for p in op.parameters], True))
        for name, parameters, is_since4 in variants:
            lang = C(op, parameters)
            lang.real = name
            signature = ", ".join(p.text for p in parameters) + (", ..." if op.is_variadic else "")
            code = define(f"\n{EXPORTED}int {name}({signature})", with_tool(name, "P" + name, statements(op, lang)))
            text += guarded(op, is_since4, code)
    return text + "\n} // extern \"C\"\n"


def fortran_functions(op, name, real, start):
    lang = Fortran(op, [p for p in op.parameters if p.name not in ("argc", "argv") or op.role == "communicator"])
    lang.real, lang.start = real, start
    # MPI_Pcontrol has no ierror, but with mpi_f08 MPICH gives it one.
    lang.has_error = op.role != "phase" or "_f08_" in name
    arguments = [p.fortran_type() + p.name for p in lang.order]
    if lang.has_error:
        arguments.append("MPI_Fint *ierror")
    arguments += [f"std::size_t {p.name}_length" for p in lang.order if p.base == "char"]
    signature = ", ".join(arguments)
    code = f"\nvoid {real}({signature});\n"
    return code + define(f"{EXPORTED}void {name}({signature})", with_tool(name, real, statements(op, lang))), signature


def has_choice_buffer(op):
    """Any type of data may be passed: mpi_f08 hands over a descriptor of it."""
    return any(p.base == "void" and p.name not in ("baseptr", "buffer_addr") for p in op.parameters)


def f08_names(op, mpi):
    """Of the wrapper and the function that it calls; None where MPI's mpi_f08 module calls the function of C, which is wrapped."""
    lower = op.name.lower()
    if mpi == "openmpi":
        return f"{lower}_f08_", f"p{lower}_f08_", "pmpi_start_f08_"
    return None if has_choice_buffer(op) else (f"{lower}_f08_", f"pmpir_{lower.removeprefix('mpi_')}_f08_", "pmpir_start_f08_")


def fortran_wrappers(operations, mpi):
    text = NOTICE + '#include "collect/mpi/Call.h"\n\nusing namespace laggard::collect::mpi;\nnamespace recording = laggard::recording;\n\n'
    text += 'extern "C" {\n'
    for op in operations:
        lower = op.name.lower()
        code, signature = fortran_functions(op, f"{lower}_", f"p{lower}_", "pmpi_start_")
        # Compilers that append two underscores to names which have one.
        code += f'__attribute__((visibility("default"), alias("{lower}_"))) void {lower}__({signature});\n'
        if names := f08_names(op, mpi):
            code += fortran_functions(op, *names)[0]
        text += guarded(op, "since4" in op.modifiers, code)
    return text + "\n} // extern \"C\"\n"


def operations_header(operations):
    names = [op.identifier for op in operations]
    return (NOTICE + "#pragma once\n\n#include <cstddef>\n#include <cstdint>\n\nnamespace laggard::collect::mpi {\n\n"
            "/// The MPI functions that are recorded.\nenum class Operation : std::uint16_t {\n"
            + "".join(f"    {n},\n" for n in names) + "};\n\n"
            f"inline constexpr std::size_t operationCount = {len(names)};\n\n"
            "/// \"MPI_Send\"\nconstexpr const char *nameOf(Operation operation) {\n    constexpr const char *names[operationCount] = {\n"
            + "".join(f'        "MPI_{n}",\n' for n in names)
            + "    };\n    return names[static_cast<std::size_t>(operation)];\n}\n\n} // namespace laggard::collect::mpi\n")


def check(operations, omitted, preprocessed):
    """Every function that mpi.h declares is wrapped or left out on purpose, and what is wrapped exists. The list of what is not so."""
    declared = set(re.findall(r"\b(?:int|double|MPI_\w+)\s+\**(MPI_\w+)\s*\(", preprocessed))
    wrapped = {op.name for op in operations} | {op.name + "_c" for op in operations if "large" in op.modifiers}
    known = wrapped | {name for name in declared if any(fnmatch.fnmatch(name, p) or fnmatch.fnmatch(name, p + "_c") for p in omitted)}
    problems = [f"{name} is declared by mpi.h, but neither wrapped nor left out in operations.table" for name in sorted(declared - known)]
    problems += [f"{op.name} is wrapped, but mpi.h does not declare it" for op in operations
                 if not op.modifiers & {"since4", "mpi1"} and op.name not in declared]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--operations")
    parser.add_argument("--c")
    parser.add_argument("--fortran")
    parser.add_argument("--f08", choices=("mpich", "openmpi"))
    parser.add_argument("--check")
    options = parser.parse_args()
    operations, omitted = read_table(options.table)
    outputs = {options.operations: lambda: operations_header(operations), options.c: lambda: c_wrappers(operations),
               options.fortran: lambda: fortran_wrappers(operations, options.f08)}
    for path, make in outputs.items():
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write(make())
    if options.check:
        with open(options.check, encoding="utf-8") as file:
            problems = check(operations, omitted, file.read())
        print("\n".join(problems) or f"{len(operations)} operations, as mpi.h has them")
        sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
