#include "tool/search/text/patch.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "tool/search/text/fenced_text.h"

namespace hone::search {
namespace {

using Lines = std::vector<std::string>;

struct Edit {
  Lines before;
  Lines after;
};

Lines split_lines(std::string_view text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string_view without_trailing_blanks(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

bool same(std::string_view a, std::string_view b, bool indentation) {
  return indentation ? without_trailing_blanks(a) == without_trailing_blanks(b) : trimmed(a) == trimmed(b);
}

std::optional<std::size_t> find_lines(const Lines& lines, const Lines& wanted, std::size_t from, bool indentation) {
  const auto equal = [&](const std::string& a, const std::string& b) { return same(a, b, indentation); };
  if (from > lines.size()) return {};
  const auto found =
      std::search(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.end(), wanted.begin(), wanted.end(), equal);
  if (found == lines.end()) return {};
  return static_cast<std::size_t>(found - lines.begin());
}

bool blank(const std::string& line) {
  return trimmed(line).empty();
}

// A model is free with empty lines around what it quotes.
Edit without_outer_blank_lines(Edit edit) {
  while (!edit.before.empty() && blank(edit.before.front())) {
    edit.before.erase(edit.before.begin());
    if (!edit.after.empty() && blank(edit.after.front())) edit.after.erase(edit.after.begin());
  }
  while (!edit.before.empty() && blank(edit.before.back())) {
    edit.before.pop_back();
    if (!edit.after.empty() && blank(edit.after.back())) edit.after.pop_back();
  }
  return edit;
}

tl::expected<std::string, std::string> apply(std::string_view parent, const std::vector<Edit>& edits,
                                             const char* noun) {
  Lines lines = split_lines(parent);
  std::size_t after_last = 0;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Edit edit = without_outer_blank_lines(edits[i]);
    const std::string which = noun + (" " + std::to_string(i + 1));
    if (edit.before.empty()) return tl::unexpected(which + " quotes no line of the parent, so it has no place");
    std::optional<std::size_t> at;
    for (const bool indentation : {true, false})
      for (const std::size_t from : {after_last, std::size_t{0}})
        if (!at) at = find_lines(lines, edit.before, from, indentation);
    if (!at)
      return tl::unexpected("the text that " + which + " replaces, beginning with '" +
                            std::string(trimmed(edit.before.front())).substr(0, 80) + "', is not in the parent");
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(*at);
    lines.erase(first, first + static_cast<std::ptrdiff_t>(edit.before.size()));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(*at), edit.after.begin(), edit.after.end());
    after_last = *at + edit.after.size();
  }
  return joined(lines);
}

bool is_hunk_header(std::string_view line) {
  return line.starts_with("@@");
}

bool is_file_header(std::string_view line) {
  return line.starts_with("--- ") || line.starts_with("+++ ") || line.starts_with("diff ") ||
         line.starts_with("index ") || line.starts_with("*** ") || line.starts_with("\\ No newline");
}

}  // namespace

bool is_unified_diff(std::string_view text) {
  bool hunk = false;
  bool change = false;
  for (const std::string& line : split_lines(text)) {
    hunk = hunk || is_hunk_header(line) || line.starts_with("--- ");
    change = change || (hunk && !is_file_header(line) && (line.starts_with("+") || line.starts_with("-")));
  }
  return hunk && change;
}

bool is_search_replace(std::string_view text) {
  const std::size_t search = text.find("<<<<<<<");
  const std::size_t divider = text.find("=======", search == std::string_view::npos ? 0 : search);
  return search != std::string_view::npos && divider != std::string_view::npos &&
         text.find(">>>>>>>", divider) != std::string_view::npos;
}

tl::expected<std::string, std::string> apply_unified_diff(std::string_view parent, std::string_view diff) {
  std::vector<Edit> edits;
  bool in_hunk = false;
  for (const std::string& line : split_lines(diff)) {
    if (is_hunk_header(line) || is_file_header(line)) {
      in_hunk = is_hunk_header(line) || line.starts_with("+++ ");
      if (is_hunk_header(line)) edits.emplace_back();
      continue;
    }
    if (!in_hunk) continue;
    if (edits.empty()) edits.emplace_back();  // no @@ at all
    const std::string rest = line.empty() ? "" : line.substr(1);
    if (line.starts_with("+")) {
      edits.back().after.push_back(rest);
    } else if (line.starts_with("-")) {
      edits.back().before.push_back(rest);
    } else {  // context; some leave out its blank
      const std::string& context = line.starts_with(" ") ? rest : line;
      edits.back().before.push_back(context);
      edits.back().after.push_back(context);
    }
  }
  std::erase_if(edits, [](const Edit& edit) { return edit.before.empty() && edit.after.empty(); });
  if (edits.empty()) return tl::unexpected(std::string("the diff has no hunk"));
  return apply(parent, edits, "hunk");
}

tl::expected<std::string, std::string> apply_search_replace(std::string_view parent, std::string_view text) {
  std::vector<Edit> edits;
  enum { outside, searching, replacing } state = outside;
  for (const std::string& line : split_lines(text)) {
    if (line.starts_with("<<<<<<<")) {
      edits.emplace_back();
      state = searching;
    } else if (state == searching && line.starts_with("=======")) {
      state = replacing;
    } else if (state == replacing && line.starts_with(">>>>>>>")) {
      state = outside;
    } else if (state == searching) {
      edits.back().before.push_back(line);
    } else if (state == replacing) {
      edits.back().after.push_back(line);
    }
  }
  if (state != outside) return tl::unexpected(std::string("the last search/replace block is not closed"));
  if (edits.empty()) return tl::unexpected(std::string("there is no search/replace block"));
  return apply(parent, edits, "search/replace block");
}

}  // namespace hone::search
