// Options of GCC and Clang whose value is the next word. The one list: a reader that lacks a name takes a value for a
// source, or an option for a value. Header only, as the launcher links as little as it can.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace hone {

inline constexpr std::array<std::string_view, 45> value_options = {
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-U",
    "-Xassembler",
    "-Xclang",
    "-Xcompiler",
    "-Xcudafe",
    "-Xfatbin",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xptxas",
    "-arch",
    "-aux-info",
    "-ccbin",
    "-dumpbase",
    "-dumpdir",
    "-gencode",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-l",
    "-mllvm",
    "-target",
    "-u",
    "-z",
    "--param",
    "--sysroot",
};

constexpr bool takes_next_word(std::string_view option) {
  return std::ranges::find(value_options, option) != value_options.end();
}

}  // namespace hone
