// What `#pragma hone kernel …` says, as plain values, before any compiler has looked at it.
//
// Expressions stay text with their place in the source: they are C++ over the function's parameters, so the
// compiler evaluates and diagnoses them (at that place); nothing here interprets one.
// GRAMMAR.md has the grammar. std, base/utf8.h and the codes of diagnostics only; no Clang, no file access. Values,
// thread-compatible.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hone::annotations {

struct Location {
  unsigned line = 0;    // 1-based, in the file that holds the pragma
  unsigned column = 0;  // 1-based, bytes
  bool operator==(const Location&) const = default;
};

struct Expression {
  std::string text;  // line splices taken out, comments blanked, otherwise verbatim
  Location location;
  bool operator==(const Expression&) const = default;
};

struct Name {
  std::string text;  // of a path: without blanks
  Location location;
  bool operator==(const Name&) const = default;
};

// One dimension of an array section: [start:length], or [length] for short (start is then absent and means 0);
// [start:length:stride] where from one to the next it is further than what the dimensions behind it take.
struct Dimension {
  std::optional<Expression> start;
  Expression length;
  std::optional<Expression> stride;
  bool operator==(const Dimension&) const = default;
};

enum class Role { in, out, inout };

// x[0:n], A[0:m][0:k]: `dimensions` outermost first; none where what it names says its own size. Of layers[0:n].w[0:k],
// a member of each struct of an array, `name` is layers.w, and `structs` the first part of it.
struct Section {
  Role role = Role::in;
  Name name;  // a path: x, g->cells, app::table
  std::vector<Dimension> dimensions;
  bool null = false;  // x[0:n]|null: the pointer may be null
  std::string structs{};
  bool operator==(const Section&) const = default;
};

struct Assignment {
  Name name;
  Expression value;
  bool operator==(const Assignment&) const = default;
};

struct Problem {
  Location location;
  std::vector<Assignment> values;
  std::optional<Expression> weight;
  bool operator==(const Problem&) const = default;
};

enum class Distribution { uniform, normal, index, sorted, permutation, constant, zeros, file };

// x: uniform(-1,1). `arguments` are expressions; `path` is set for file("x.npy") alone. Two each for normal and index
// (written out where left out), one for constant, two or none for uniform and sorted (none: the type's default range).
struct Init {
  Name name;
  Distribution distribution = Distribution::uniform;
  std::vector<Expression> arguments;
  std::string path;
  bool operator==(const Init&) const = default;
};

// `names` empty: for every output that no other tolerance names; it stands first. rtol and atol go together, ulp and
// exact stand alone.
struct Tolerance {
  Location location;
  std::vector<Name> names;
  std::optional<Expression> rtol;
  std::optional<Expression> atol;
  std::optional<Expression> ulp;
  bool exact = false;
  bool operator==(const Tolerance&) const = default;
};

struct Launch {
  Location location;
  std::vector<Expression> grid;   // one to three
  std::vector<Expression> block;  // one to three
  std::optional<Expression> shared;
  bool operator==(const Launch&) const = default;
};

struct Instantiate {
  Location location;
  std::vector<Assignment> arguments;  // T=float, N=4
  bool operator==(const Instantiate&) const = default;
};

struct Alias {
  std::vector<Name> names;  // two or more
  bool operator==(const Alias&) const = default;
};

struct Directive {
  Location location;  // of the word `kernel`
  std::vector<Section> sections;
  std::vector<Problem> problems;
  std::vector<Init> inits;
  std::vector<Tolerance> tolerances;
  std::optional<Launch> launch;
  std::vector<Instantiate> instantiations;
  std::vector<Alias> aliases;
  std::optional<Expression> threads;
  std::optional<Name> stream;
  std::optional<Name> workload;        // may be qualified: app::make_case
  std::vector<Name> fixed;             // of all fixed(…) clauses
  std::vector<Expression> conditions;  // of all requires(…) clauses
  std::optional<Name> name;            // name(id)
  bool operator==(const Directive&) const = default;
};

}  // namespace hone::annotations
