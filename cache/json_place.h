// Places in a JSON text, for error messages: the JSON library forgets where a value stood.
//
// Only strings and brackets are looked at, so that any text will do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::cache {

std::string line_and_column(std::string_view text, std::size_t offset);  // "3:7", 1-based

// Offset of the index-th element of the array that is the root object's member `member`; 0 where there is none.
std::size_t element_offset(std::string_view text, std::string_view member, std::size_t index);

// Offset of the first member name that its object has already, however it is spelled, or npos. Of text that parses.
std::size_t repeated_member(std::string_view text);

// Offset of the first bracket nested deeper than `limit`, or npos.
std::size_t too_deep(std::string_view text, unsigned limit);

// Offset of the first line that a merge tool left, or npos.
std::size_t conflict_marker(std::string_view text);

// The library's message without its number and position: "syntax error while parsing value - unexpected end of input".
std::string parse_reason(const std::string& message);

}  // namespace hone::cache
