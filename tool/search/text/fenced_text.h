// A model's Markdown as blocks and prose, after what is not text has been taken out.
//
// Fences are read as models write them, not as CommonMark wants them: backticks or tildes, indented, left open at the
// end, closed on the last line of code, one inside another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::search {

struct FencedBlock {
  std::string language;  // lower case, first word of the info string
  std::string text;      // lines end in \n
  bool closed = true;
  std::size_t prose = 0;  // how many bytes of FencedText::prose stand in front of it
};

struct FencedText {
  std::vector<FencedBlock> blocks;
  std::string prose;  // everything outside of blocks
};

FencedText split_fences(std::string_view text);

// A reply without what a model sends besides its answer: byte order marks, \r, no-break and zero-width blanks, bytes
// that are not UTF-8, thinking between tags. `in_thinking`: the reply ended before its thinking did.
struct CleanText {
  std::string text;
  bool in_thinking = false;
};
CleanText clean_reply(std::string_view text);
// Takes out those blanks, bytes and line ends alone: for text that came in another wrapping.
std::string plain_text(std::string_view text);

// &lt; &gt; &amp; &quot; &#39; decoded, where the text was escaped for HTML; else as it is.
std::string without_entities(std::string_view text);

// `text` without blanks and line ends at both ends.
std::string_view trimmed(std::string_view text);
std::string lower_case(std::string_view text);  // ASCII

}  // namespace hone::search
