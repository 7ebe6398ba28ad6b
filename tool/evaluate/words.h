// Commands of executors and compilers are cut as tool/base/words.h says.
#pragma once

#include "tool/base/words.h"

namespace hone::evaluate {
using hone::split_words;
}  // namespace hone::evaluate
