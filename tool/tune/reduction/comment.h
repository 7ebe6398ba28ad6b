// The comment in front of a variant: at most three lines on what makes it faster.
//
// The words may be a model's, so they are taken for hostile: whatever comes in, what comes out is a comment from its
// first byte to its last, in printable ASCII, without anything that a compiler acts on. Pure.
#pragma once

#include <string>

namespace hone::tune {

enum class CommentStyle { line, block };  // C89 has blocks alone

// Ends in a line end; "" where there are no words.
std::string explanation(const std::string& words, std::size_t columns, CommentStyle style = CommentStyle::line);

// The candidate with the comment in front of its body's first statement; as it is where it ends with no function.
std::string with_explanation(const std::string& source, const std::string& comment);

}  // namespace hone::tune
