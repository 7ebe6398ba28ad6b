// fingerprint(): a candidate's tokens, one a line, so that two layouts of one program are not taken for two programs.
#include "tool/frontend/gate/fingerprint.h"
#include "cache/digest.h"
#include "tool/frontend/parse/source_tokens.h"

namespace hone::frontend {

std::string fingerprint(const std::string& source) {
  const SourceTokens tokens(source, permissive_language());
  std::string canonical;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    // Where a directive begins and ends is meaning, not layout.
    const bool boundary = tokens[i].line_start && (tokens[i].directive || (i > 0 && tokens[i - 1].directive));
    if (boundary) canonical.push_back('\n');
    canonical.append(tokens.spelling(i)).push_back('\n');
  }
  return cache::sha256(canonical);
}

}  // namespace hone::frontend
