// The libraries that a command links, as its words: "-L/opt/lib", "-lgsl", "/usr/lib/libz.so". Pure, std only: the
// launcher links it.
#pragma once

#include <string>
#include <vector>

namespace hone {

// -L and -l, each in one word, and paths of shared objects, in order. Empty: it links none, or it does not link.
std::vector<std::string> library_words(const std::vector<std::string>& arguments);

// "libz.so", "/usr/lib/libz.so.1.2.13".
bool is_shared_object(const std::string& path);

}  // namespace hone
