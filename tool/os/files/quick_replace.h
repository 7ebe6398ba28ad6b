// A file replaced by rename and without fsync: for what a build makes again where a power cut tears it.
//
// Not written through, since ccache may have linked a file of that name to its own copy.
#pragma once

#include <filesystem>
#include <string_view>

namespace hone::os {

// False: the old one stays as it was.
bool replace_quickly(const std::filesystem::path& file, std::string_view text);

}  // namespace hone::os
