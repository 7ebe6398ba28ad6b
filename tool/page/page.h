// The report as one file that a browser opens: markup, styles, scripts, libraries with their licenses, and the data.
//
// It loads nothing, and its policy lets it load nothing. The policy names each script and the style sheet by digest, so
// that text which became markup by some mistake would still not run. The data stand in it as JSON in which no character
// can end the element around it; scripts show them as text (assets/dom.js). Pure.
#pragma once

#include <string>
#include <string_view>

namespace hone::page {

enum class Use {
  file,    // opened from disk, or attached to something
  served,  // asks the server that it came from for report.json, again and again
};

// `json`: as to_json() of the content gives it.
std::string html(std::string_view json, Use use);

// JSON that may stand inside of <script>: without <, >, & and the separators that older engines take for line ends.
std::string inside_of_script(std::string_view json);

}  // namespace hone::page
