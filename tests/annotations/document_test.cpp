// What the documents show as an annotation is one.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/annotations/parsing.h"

namespace hone::annotations {
namespace {

std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Parses what follows each `#pragma hone` that ends at a line's end or at the closing ` of a code span.
unsigned parse_examples(const std::string& document) {
  const std::string text = read(document);
  unsigned examples = 0;
  const std::string mark = "#pragma hone ";
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const bool span = at > 0 && text[at - 1] == '`';
    const std::size_t begin = at + mark.size();
    const std::string example = text.substr(begin, span ? text.find('`', begin) - begin : text.npos);
    EXPECT_EQ(error_of(example.substr(0, 2000)), "") << document << ": " << example.substr(0, 100);
    ++examples;
  }
  return examples;
}

TEST(Documents, GrammarExamplesParse) {
  EXPECT_EQ(parse_examples(HONE_SOURCE_DIR "/annotations/GRAMMAR.md"), 15u);
}
TEST(Documents, GuideExamplesParse) {
  EXPECT_GE(parse_examples(HONE_SOURCE_DIR "/docs/annotation.md"), 10u);
}

}  // namespace
}  // namespace hone::annotations
