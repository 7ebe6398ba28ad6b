// What stands around the code of a reply: `name:`, `predicted:`, `thought:`, in whatever Markdown a model dresses them.
#pragma once

#include <optional>
#include <string>

#include "tool/search/text/fenced_text.h"

namespace hone::search {

struct Labels {
  std::string name;     // one line, at most 60 bytes
  std::string thought;  // at most 1500 bytes; without a label what is written around the code
  std::optional<double> predicted;
};

Labels read_labels(const FencedText& reply);

}  // namespace hone::search
