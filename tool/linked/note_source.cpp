#include "tool/linked/note_source.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

namespace hone::linked {
namespace {

constexpr std::size_t kMostInALine = 64;

std::size_t padding_of(std::size_t size) {
  return (4 - size % 4) % 4;
}

// One byte of an .ascii directive within a literal: what is no letter or digit goes by its number, for both of them.
std::string in_directive(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (std::isalnum(byte)) return std::string(1, c);
  char octal[8];
  std::snprintf(octal, sizeof octal, "\\\\%03o", byte);
  return octal;
}

std::string ascii(std::string_view bytes) {
  std::string lines;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), kMostInALine))) {
    lines += "\"\\t.ascii \\\"";
    for (const char c : bytes.substr(0, kMostInALine)) lines += in_directive(c);
    lines += "\\\"\\n\"\n";
  }
  return lines;
}

std::string note(const LinkedKernel& kernel) {
  std::string owner(note_owner), text;
  owner += '\0';
  for (const std::string* field :
       {&kernel.name, &kernel.file, &kernel.key, &kernel.variant, &kernel.reason, &kernel.built_for}) {
    text += field->substr(0, field->find('\0'));
    text += '\0';
  }
  std::string lines = "__asm__(\"\\t.pushsection .note.hone,\\\"a\\\",%note\\n\\t.balign 4\\n\"\n";
  lines += "\"\\t.long " + std::to_string(owner.size()) + "," + std::to_string(text.size()) + "," +
           std::to_string(kernel_note) + "\\n\"\n";
  lines += ascii(owner + std::string(padding_of(owner.size()), '\0'));
  lines += ascii(text + std::string(padding_of(text.size()), '\0'));
  return lines + "\"\\t.popsection\\n\");\n";
}

}  // namespace

std::string note_source(const std::vector<LinkedKernel>& kernels) {
  if (kernels.empty()) return "";
  std::string lines = "#if defined(__ELF__) && !defined(__CUDA_ARCH__)\n";
  // Standards promise no literals of this length.
  lines += "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n";
  for (const LinkedKernel& kernel : kernels) lines += note(kernel);
  return lines + "#pragma GCC diagnostic pop\n#endif\n";
}

}  // namespace hone::linked
