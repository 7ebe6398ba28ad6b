// A directive's characters as C++'s first translation phases leave them: line splices are gone, and each character
// still knows its place in the file.
//
// A value and cheap to copy: a copy looks ahead. Knows no token. Borrows the text.
#pragma once

#include <string>
#include <string_view>

#include "annotations/directive.h"

namespace hone::annotations {

class Characters {
 public:
  Characters(std::string_view text, Location origin) : text_(text), here_(origin) { skip_splices(); }

  bool at_end() const { return at_ == text_.size(); }  // of the text, not of the line
  bool at_newline() const { return is_newline(at_); }
  char now() const { return at_end() ? '\0' : text_[at_]; }
  Location here() const { return here_; }
  std::size_t offset() const { return at_; }                         // in the file's text
  std::string_view as_written() const { return text_.substr(at_); }  // from now() on, splices and all

  std::string ahead(std::size_t count) const;  // now() and what follows it, fewer at the end of the text
  void advance();                              // not at the end; \r\n is one character

 private:
  bool is_newline(std::size_t at) const { return at < text_.size() && (text_[at] == '\n' || text_[at] == '\r'); }
  void skip_splices();
  void step();

  std::string_view text_;
  std::size_t at_ = 0;
  Location here_;
};

}  // namespace hone::annotations
