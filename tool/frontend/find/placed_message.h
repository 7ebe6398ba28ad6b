// Messages about a main text, told at the places of the files that its parts are from. Pure.
#pragma once

#include <string>

#include "tool/base/result.h"
#include "tool/frontend/describe/diagnostic.h"
#include "tool/frontend/parse/main_text.h"
#include "tool/frontend/parse/parse.h"

namespace hone::frontend {

// `kernel`: whose annotation it is, where that is known.
Diagnostic diagnostic_in(const MainText& file, Mistake mistake, std::string kernel = {});

std::string where(const Message& message);  // "main.cpp:3:7"

// Clang's first error in the text, which it calls `main_file`.
tl::unexpected<Error> unparsed(const MainText& file, const std::string& main_file, Message first);

}  // namespace hone::frontend
