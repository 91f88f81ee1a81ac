// SPDX-License-Identifier: MIT
#include "DotLayout.h"
#include "GraphText.h"

#include <exception>
#include <iostream>
#include <string_view>

// Reads a graph on standard input, writes where its nodes and edges go: docs/layout-protocol.md.
int main(int argc, char **argv) {
    std::ios::sync_with_stdio(false);
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::cout << "laggard-layout " LAGGARD_VERSION "\n";
        return 0;
    }
    if (argc != 1) {
        std::cerr << "laggard-layout: takes no arguments but --version; it reads a graph on standard input\n";
        return 2;
    }
    try {
        layout::writeDrawing(std::cout, layout::layOut(layout::readGraph(std::cin)));
        std::cout.flush();
        if (!std::cout)
            throw std::runtime_error("the answer could not be written");
        return 0;
    } catch (const std::exception &problem) {
        std::cerr << "laggard-layout: " << problem.what() << '\n';
        return 1;
    }
}
