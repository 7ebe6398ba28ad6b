// in, out, inout, alias: what stands behind the pointers.
#include "annotations/clauses.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "annotations/nearest_word.h"

namespace hone::annotations {
namespace {

std::optional<Dimension> read_dimension(Cursor& in) {
  Dimension dimension;
  if (!in.at(":")) {
    auto first = in.expression("expected start:length, or a length");
    if (!first) return std::nullopt;
    if (in.at("]"))
      dimension.length = std::move(*first);
    else
      dimension.start = std::move(*first);
  }
  if (dimension.length.text.empty()) {
    if (!in.expect(":", "expected ':' and a length, or ']'")) return std::nullopt;
    auto length = in.expression("expected a length");
    if (!length) return std::nullopt;
    dimension.length = std::move(*length);
  }
  if (dimension.start && in.take(":")) {
    auto stride = in.expression("expected the distance from one to the next");
    if (!stride) return std::nullopt;
    dimension.stride = std::move(*stride);
  }
  if (!in.expect("]", "expected ']': an extent is start:length:stride, start:length or a length")) return std::nullopt;
  return dimension;
}

bool read_dimensions(Cursor& in, Section& section) {
  while (in.take("[")) {
    auto dimension = read_dimension(in);
    if (!dimension) return false;
    section.dimensions.push_back(std::move(*dimension));
  }
  return true;
}

// layers[0:n].w[0:k]: what stands behind the first extent.
bool read_member(Cursor& in, Section& section) {
  if (section.dimensions.size() != 1 || !in.take(".")) return true;
  const auto member = in.path("expected a member's name, as in layers[0:n].weights[0:k]");
  if (!member) return false;
  section.structs = section.name.text;
  section.name.text += "." + member->text;
  return read_dimensions(in, section);
}

bool read_section(Cursor& in, Role role, Directive& out) {
  const auto name = in.path("expected a parameter's name, as in x[0:n]");
  if (!name) return false;
  Section section{role, *name, {}, false};
  if (!read_dimensions(in, section) || !read_member(in, section)) return false;
  for (const Section& other : out.sections)
    if (other.name.text == section.name.text)
      return in.repeated(name->location, "section of '" + section.name.text + "'", other.name.location);
  if (in.take("|")) {
    const auto word = in.identifier("expected null, as in " + name->text + "[0:n]|null");
    if (!word) return false;
    if (word->text != "null")
      return in.fail(DiagnosticCode::unexpected_token, word->location, "unexpected '" + word->text + "'",
                     "expected null: the pointer may be null");
    section.null = true;
  }
  out.sections.push_back(std::move(section));
  return true;
}

bool is_free(Cursor& in, const Name& name, const Alias& alias, const Directive& out) {
  if (contains_name(alias.names, name.text))
    return in.fail(DiagnosticCode::repeated_clause, name.location, "'" + name.text + "' twice", "expected it once");
  for (const Alias& other : out.aliases)
    if (contains_name(other.names, name.text))
      return in.fail(DiagnosticCode::alias_twice, name.location, "'" + name.text + "' is in an alias clause already",
                     "expected one clause with all that may overlap");
  return true;
}

}  // namespace

// in(x[0:n], A[0:m:lda][0:k], y[n], sum, mask[0:n]|null, g->cells[0:g->w])
bool read_sections(Cursor& in, const Name& word, Directive& out) {
  const Role role = word.text == "in" ? Role::in : word.text == "out" ? Role::out : Role::inout;
  return in.list(word.text, word.text + "(x[0:n])", [&] { return read_section(in, role, out); });
}

// alias(x, y)
bool read_alias(Cursor& in, const Name& word, Directive& out) {
  Alias alias;
  const bool read = in.list("alias", "alias(x, y)", [&] {
    auto name = in.path("expected a parameter's name");
    return name && is_free(in, *name, alias, out) && (alias.names.push_back(std::move(*name)), true);
  });
  if (!read) return false;
  if (alias.names.size() < 2)
    return in.fail(DiagnosticCode::argument_count, word.location, "alias of one parameter",
                   "expected two or more that may overlap, as in alias(x, y)");
  out.aliases.push_back(std::move(alias));
  return true;
}

}  // namespace hone::annotations
