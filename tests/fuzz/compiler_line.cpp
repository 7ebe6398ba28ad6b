// A compile command, one argument a line, and the words of a response file or of an executor's command.
#include "tool/command/compiler_line.h"

#include "tests/fuzz/fuzz.h"
#include "tool/base/annotation_scan.h"
#include "tool/base/printable.h"
#include "tool/command/nvcc_options.h"

namespace {

// Whether a word has others read from a file of this machine.
bool names_a_file_of_words(std::string_view word) {
  const hone::NvccWord read = hone::read_nvcc_word(word);
  return word.starts_with('@') || (read.option && read.option->meaning == hone::NvccMeaning::options_file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const std::string_view text = hone::fuzz::text_of(data, size);
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (!names_a_file_of_words(word)) arguments.emplace_back(word);
    at = end + 1;
  }
  if (const auto line = hone::read_compiler_line(arguments)) {
    require(line->compiler < line->source && line->source < line->arguments.size(), "the source follows the compiler");
    require(!line->output.empty(), "an object has a name");
  }
  for (const std::string& part : hone::nvcc_list(text)) require(!part.empty(), "a list has no empty parts");
  for (const std::string& word : hone::response_words(text)) require(word.size() <= text.size(), "words are parts");
  hone::fuzz::require_printable(hone::printable(text), "printable text is printable");
  const std::string line = hone::printable_line(text);
  require(line.find('\n') == std::string::npos, "a line is one line");
  require(hone::printable_line(line) == line, "what is printable stays as it is");
  return 0;
}
