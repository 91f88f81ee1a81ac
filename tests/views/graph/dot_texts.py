#!/usr/bin/env python3
"""Reads a graph in the DOT language on standard input with Graphviz' own parser, and prints what it holds as JSON.

Graphviz (EPL-1.0) must not be linked with the programs of Laggard: here it is loaded at run time by a script of its own.
"""
import ctypes
import json
import sys


def main():
    cgraph = ctypes.CDLL("libcgraph.so.6")
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (("agmemread", pointer, [text]), ("agfstnode", pointer, [pointer]),
                                    ("agnxtnode", pointer, [pointer, pointer]), ("agfstout", pointer, [pointer, pointer]),
                                    ("agnxtout", pointer, [pointer, pointer]), ("agget", text, [pointer, text]),
                                    ("agnameof", text, [pointer])):
        function = getattr(cgraph, name)
        function.restype, function.argtypes = result, arguments
    source = sys.stdin.buffer.read()
    if b"\0" in source:
        sys.exit("a NUL ends the graph")
    source.decode("utf-8")
    graph = cgraph.agmemread(source)
    if not graph:
        sys.exit("Graphviz cannot read it")

    def read(thing, attribute):
        value = cgraph.agget(thing, attribute)
        return value.decode("utf-8") if value else ""

    nodes, edges = {}, []
    node = cgraph.agfstnode(graph)
    while node:
        nodes[cgraph.agnameof(node).decode("utf-8")] = [read(node, b"label"), read(node, b"tooltip")]
        edge = cgraph.agfstout(graph, node)
        while edge:
            edges.append([read(edge, b"label"), read(edge, b"edgetooltip")])
            edge = cgraph.agnxtout(graph, edge)
        node = cgraph.agnxtnode(graph, node)
    json.dump({"name": cgraph.agnameof(graph).decode("utf-8"), "label": read(graph, b"label"), "nodes": nodes, "edges": edges}, sys.stdout)


main()
