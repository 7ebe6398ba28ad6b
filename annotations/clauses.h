// One reader for each clause: from behind its first word to behind its last bracket, into the Directive.
//
// A reader returns false once the cursor has failed; the Directive is then of no use. None keeps state.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotations/cursor.h"
#include "annotations/directive.h"

namespace hone::annotations {

// `word` is the clause's name, where it stands.
using ClauseReader = bool (*)(Cursor& in, const Name& word, Directive& out);

bool read_sections(Cursor& in, const Name& word, Directive& out);  // in, out, inout
bool read_problem(Cursor& in, const Name& word, Directive& out);
bool read_init(Cursor& in, const Name& word, Directive& out);
bool read_tolerance(Cursor& in, const Name& word, Directive& out);
bool read_exact(Cursor& in, const Name& word, Directive& out);
bool read_launch(Cursor& in, const Name& word, Directive& out);
bool read_instantiate(Cursor& in, const Name& word, Directive& out);
bool read_alias(Cursor& in, const Name& word, Directive& out);
bool read_fixed(Cursor& in, const Name& word, Directive& out);
bool read_requires(Cursor& in, const Name& word, Directive& out);
bool read_threads(Cursor& in, const Name& word, Directive& out);
bool read_stream(Cursor& in, const Name& word, Directive& out);
bool read_workload(Cursor& in, const Name& word, Directive& out);
bool read_name(Cursor& in, const Name& word, Directive& out);

// The words inside clauses, for whoever meets one outside: `ulp=4` wants to be tolerance(ulp=4).
bool is_distribution(std::string_view word);
bool is_tolerance(std::string_view word);
bool is_launch_part(std::string_view word);

// What several clauses share.
std::string counted(std::size_t arguments);  // "1 argument", "2 arguments"
bool contains_name(const std::vector<Name>& names, std::string_view text);
bool read_arguments(Cursor& in, std::vector<Expression>& to);  // one or more, up to the closing bracket
bool add_assignment(Cursor& in, Assignment value, std::vector<Assignment>& to);  // each name once

}  // namespace hone::annotations
