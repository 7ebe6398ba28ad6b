#include <clang/AST/Decl.h>

#include <set>
#include <string>
#include <vector>

#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/null_tests.h"
#include "tool/frontend/arguments/parameter_type.h"
#include "tool/frontend/describe/describer.h"

namespace hone::frontend {

using annotations::Expression;
using annotations::Location;

std::optional<unsigned> Describer::section_datum(const annotations::Section& section, const char* word) {
  if (section.structs.empty()) return datum(section.name, word, &ArgumentPlan::array);
  const auto found = plan_.array_in_structs(section.structs, section.name.text.substr(section.structs.size() + 1));
  if (const unsigned* index = std::get_if<unsigned>(&found)) return *index;
  mistake(DiagnosticCode::bad_path, section.name.location,
          "'" + section.name.text + "' " + std::get<std::string>(found));
  return std::nullopt;
}

void Describer::add_sections() {
  std::set<unsigned> seen;
  for (const annotations::Section& section : directive_.sections) {
    const char* word = section.role == annotations::Role::in    ? "in"
                       : section.role == annotations::Role::out ? "out"
                                                                : "inout";
    const std::optional<unsigned> index = section_datum(section, word);
    if (!index || refused_.contains(*index)) continue;
    if (spec_.parameters[*index].composed) {
      mistake(DiagnosticCode::members_instead, section.name.location,
              "'" + section.name.text + "' is put together of its members; name those");
    } else if (!spec_.parameters[*index].pointer) {
      mistake(DiagnosticCode::not_a_pointer, section.name.location,
              "'" + section.name.text + "' is not a pointer; scalars need no " + word + " clause");
    } else if (!seen.insert(*index).second) {
      mistake(DiagnosticCode::role_repeated, section.name.location,
              "'" + section.name.text + "' has a role already; name it in one clause");
    } else if (plan_.facts(*index).constant && section.role != annotations::Role::in) {
      mistake(DiagnosticCode::const_output, section.name.location,
              "'" + section.name.text + "' points to const data, so it can only be in(…)");
    } else {
      spec_.parameters[*index].role = static_cast<Role>(section.role);
      has_role_.insert(*index);
      add_extent(section, *index);
    }
  }
}

ExpressionId Describer::extent(const Expression& expression) {
  for (const unsigned scalar : note_scalars(expression)) sizes_.insert(scalar);
  return number(expression);
}

void Describer::add_extent(const annotations::Section& section, unsigned index) {
  std::vector<Dimension> extents;
  for (const annotations::Dimension& dimension : section.dimensions) {
    Dimension one;
    if (dimension.start && plain_number(dimension.start->text) != 0.0) one.start = extent(*dimension.start);
    one.length = extent(dimension.length);
    if (dimension.stride) one.stride = extent(*dimension.stride);
    extents.push_back(one);
  }
  if (section.null && !plan_.facts(index).pointer)
    mistake(DiagnosticCode::not_a_pointer, section.name.location,
            "'" + section.name.text + "' is no pointer, so it cannot be null");
  const DatumFacts& facts = plan_.facts(index);
  Parameter& described = spec_.parameters[index];
  described.extent = std::move(extents);
  described.null = described.null_declared = section.null;
  const std::vector<std::string>& inner = facts.inner;
  if (section.dimensions.empty() && declared_extent(index).empty())
    return mistake(
        DiagnosticCode::extent_missing, section.name.location,
        "the extent of '" + section.name.text + "' is missing; write " + section.name.text + sample_extent(index));
  if (facts.rows) return add_row_extent(section, index);
  if (facts.ends && !section.dimensions.empty()) add_room(section, index);
  if (inner.empty() || section.dimensions.empty() || section.dimensions.size() == inner.size() + 1) return;
  if (section.dimensions.size() != 1)
    return mistake(DiagnosticCode::extent_dimensions, section.name.location,
                   "'" + section.name.text + "' has " + std::to_string(inner.size() + 1) +
                       " dimensions; give one extent or one for each");
  for (const std::string& length : inner)
    described.extent.push_back({std::nullopt, declared_length_number(length, section.name.location), std::nullopt});
}

// Rows are further apart than they are long (docs/decisions/0043): far where all are in a cache anyway, elsewhere as
// far as malloc would put them.
void Describer::add_row_extent(const annotations::Section& section, unsigned index) {
  constexpr std::size_t kCached = 256 << 10, kFar = 64, kNear = 8, kAligned = 16;
  const std::vector<std::string>& inner = plan_.facts(index).inner;
  const std::vector<annotations::Dimension>& given = section.dimensions;
  Parameter& described = spec_.parameters[index];
  if (given.size() != 2 && given.size() != inner.size() + 2)
    return mistake(DiagnosticCode::extent_dimensions, section.name.location,
                   "'" + section.name.text +
                       "' points to pointers; say how many there are and how long each row is, as in " +
                       section.name.text + sample_extent(index));
  for (const annotations::Dimension& dimension : given)
    if (dimension.stride)
      return mistake(
          DiagnosticCode::extent_dimensions, dimension.stride->location,
          "'" + section.name.text + "' has rows that are memory of their own; a distance belongs to plain arrays");
  if (given.size() == 2)
    for (const std::string& length : inner)
      described.extent.push_back({std::nullopt, declared_length_number(length, section.name.location), std::nullopt});
  std::string behind = "1";  // elements in each of a row's
  for (std::size_t i = 0; i < inner.size(); ++i)
    behind += " * (" + (given.size() == 2 ? inner[i] : given[i + 2].length.text) + ")";
  const auto length = [](const annotations::Dimension& dimension) {
    return dimension.start ? "((" + dimension.start->text + ") + (" + dimension.length.text + "))"
                           : "(" + dimension.length.text + ")";
  };
  const std::size_t size = described.element.size;
  const auto elements = [&](std::size_t bytes) { return std::to_string((bytes + size - 1) / size); };
  const std::string even = std::to_string(kAligned % size == 0 ? kAligned / size : 1), row = length(given[1]);
  const std::string gap = "(1.0 * " + length(given[0]) + " * " + row + " < " + std::to_string(kCached / size) + " ? " +
                          elements(kFar) + " : " + elements(kNear) + ")";
  described.extent[0].stride =
      number({behind + " * ((" + row + " + " + gap + " + " + even + " - 1) / " + even + " * " + even + ")",
              section.name.location});
  const Dimension rows{described.extent[0].start, described.extent[0].length, std::nullopt};
  const unsigned holder = description_.arguments.row_of(index)->holder;
  const auto [known, first] = rows_of_.emplace(holder, length(given[0]));
  if (!first && known->second != length(given[0]))
    return mistake(DiagnosticCode::extent_dimensions, section.name.location,
                   "'" + section.structs + "' has another extent in another clause, " + known->second +
                       "; give each clause the same");
  if (first) spec_.parameters[holder].extent = {rows};
}

// The object has the room that it and the array at its end need, whichever needs more.
void Describer::add_room(const annotations::Section& section, unsigned index) {
  const ArgumentPlan::Room room = plan_.open(index);
  std::string end = std::to_string(room.offset) + " + " + std::to_string(spec_.parameters[index].element.size);
  for (const annotations::Dimension& dimension : section.dimensions)
    end += " * (" + (dimension.start ? "(" + dimension.start->text + ") + " : "") + "(" + dimension.length.text + "))";
  if (section.dimensions.size() == 1)
    for (const std::string& length : plan_.facts(index).inner) end += " * (" + length + ")";
  const std::string size = std::to_string(room.size), rest = std::to_string(room.alignment - 1);
  const ExpressionId units = number(
      {"((" + end + " > " + size + " ? " + end + " : " + size + ") + " + rest + ") / " + std::to_string(room.alignment),
       section.name.location});
  spec_.parameters[room.datum].extent = {{std::nullopt, units, std::nullopt}};
}

// As messages write it.
std::string Describer::sample_extent(unsigned index) const {
  return plan_.facts(index).rows ? "[0:n][0:m]" : "[0:n]";
}

// `float x[16]` says its extent itself, and so do C's `float x[n][m]`, std::array, a container of x.size() elements
// and a single object.
std::vector<std::string> Describer::declared_extent(unsigned index) const {
  const DatumFacts& facts = plan_.facts(index);
  std::vector<std::string> lengths = facts.declared;
  if (!facts.size.empty()) {
    lengths = {facts.size};
  } else if (lengths.empty() && plan_.declared(index)) {
    const std::string outermost = declared_length(*plan_.declared(index));
    if (!outermost.empty()) lengths = {outermost};
  } else {
    return lengths;
  }
  if (!lengths.empty()) lengths.insert(lengths.end(), facts.inner.begin(), facts.inner.end());
  return lengths;
}

bool Describer::add_declared_extent(unsigned index) {
  for (const std::string& length : declared_extent(index)) {
    for (const unsigned scalar : note_scalars({length, directive_.location})) sizes_.insert(scalar);
    const ExpressionId id = declared_length_number(length, directive_.location);
    spec_.parameters[index].extent.push_back({std::nullopt, id, std::nullopt});
  }
  return !spec_.parameters[index].extent.empty();
}

ExpressionId Describer::declared_length_number(const std::string& length, Location location) {
  for (std::string& word : identifiers_in(length)) in_declared_lengths_.insert(std::move(word));
  return number({length, location});
}

void Describer::check_pointers() {
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    if (!spec_.parameters[i].pointer || description_.arguments.is_table(i)) continue;
    const bool whole = !spec_.parameters[i].extent.empty() || add_declared_extent(i);
    const Parameter& described = spec_.parameters[i];
    if (!plan_.facts(i).constant && !plan_.facts(i).role_by_rule && !has_role_.contains(i)) {
      mistake(DiagnosticCode::role_missing, directive_.location,
              "the function may change what '" + described.name +
                  "' holds; say whether it is read, written or both: in(…), out(…) or inout(" + described.name +
                  sample_extent(i) + ")");
    } else if (!whole) {
      mistake(DiagnosticCode::extent_missing, directive_.location,
              "the extent of '" + described.name + "' is missing; write " +
                  (described.role == Role::in    ? "in("
                   : described.role == Role::out ? "out("
                                                 : "inout(") +
                  described.name + sample_extent(i) + ")");
    }
    if (described.enumerators.empty() && !described.init && points_to_enum(i))
      mistake(DiagnosticCode::enumeration_values, directive_.location,
              "'" + described.name + "' points to an enumeration; say which values it may hold with init(" +
                  described.name + ": index(low, high))");
  }
}

bool Describer::points_to_enum(unsigned index) const {
  if (!plan_.declared(index)) return false;
  clang::QualType type = plan_.declared(index)->getType();
  return type->isPointerType() && type->getPointeeType()->isEnumeralType();
}

void Describer::add_aliases() {
  int group = 0;
  for (const annotations::Alias& alias : directive_.aliases) {
    for (const annotations::Name& name : alias.names) {
      const std::optional<unsigned> index = datum(name, "alias", &ArgumentPlan::array);
      if (!index) continue;
      Parameter& described = spec_.parameters[*index];
      if (!described.pointer)
        mistake(DiagnosticCode::not_a_pointer, name.location,
                "'" + name.text + "' is not a pointer; only pointers can overlap");
      else if (described.alias_group >= 0 && described.alias_group != group)
        mistake(DiagnosticCode::alias_twice, name.location,
                "'" + name.text + "' stands in two alias clauses; name all that overlap in one");
      else
        described.alias_group = group;
    }
    ++group;
  }
}

// A pointer that the function tests may be null, whether a clause says so or not; whether the original bears it shows
// when it runs.
void Describer::look_for_null_tests() {
  const std::set<const clang::Decl*> tested = tested_against_null(function_);
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    Parameter& described = spec_.parameters[i];
    const bool apart = described.alias_group < 0 && !description_.arguments.object_of.contains(i);
    if (described.pointer && apart && tested.contains(plan_.facts(i).pointer)) described.null = true;
  }
  refuse_fixed_behind_null(tested);
}

// The linked code asks for a fixed member before the function's own test of the pointer.
void Describer::refuse_fixed_behind_null(const std::set<const clang::Decl*>& tested) {
  for (const annotations::Name& name : directive_.fixed) {
    const std::vector<std::string> words = words_of(name.text);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const auto is_it = [&](const clang::Decl* decl) {
        const auto* named = llvm::dyn_cast_or_null<clang::NamedDecl>(decl);
        return named && named->getDeclName().isIdentifier() && named->getName() == words[i];
      };
      if (words[i + 1] == "->" && std::ranges::any_of(tested, is_it))
        mistake(DiagnosticCode::fixed_behind_null, name.location,
                "'" + name.text + "' is fixed, and the function expects that '" + words[i] +
                    "' may be null; drop it from fixed(…), or test '" + words[i] + "' in the caller");
    }
  }
}

}  // namespace hone::frontend
