// Environment variables as a value, so that tests need not change those of their process.
#pragma once

#include <map>
#include <string>

namespace hone::llm {

using Environment = std::map<std::string, std::string>;

// The whole environment of this process, keys too. Not while another thread changes it.
Environment own_environment();

}  // namespace hone::llm
