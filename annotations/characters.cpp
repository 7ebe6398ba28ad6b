#include "annotations/characters.h"

namespace hone::annotations {

std::string Characters::ahead(std::size_t count) const {
  std::string characters;
  for (Characters look = *this; characters.size() < count && !look.at_end(); look.advance()) characters += look.now();
  return characters;
}

void Characters::advance() {
  step();
  skip_splices();
}

void Characters::step() {
  if (!is_newline(at_)) {
    ++here_.column;
  } else {
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++here_.line;
    here_.column = 1;
  }
  ++at_;
}

void Characters::skip_splices() {
  while (at_ < text_.size() && text_[at_] == '\\') {
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t')) ++end;
    if (!is_newline(end)) return;
    while (at_ < end) step();
    step();
  }
}

}  // namespace hone::annotations
