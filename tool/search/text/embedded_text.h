// The templates and notes that travel inside the program; generated when Hone is built (embed_texts.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace hone::search {

struct EmbeddedText {
  std::string_view name;  // of the file, without suffix
  std::string_view text;
};

const std::vector<EmbeddedText>& embedded_templates();  // sorted by name
const std::vector<EmbeddedText>& embedded_notes();

}  // namespace hone::search
