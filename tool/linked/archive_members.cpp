#include "tool/linked/archive_members.h"

#include <ar.h>

#include <charconv>
#include <cstring>
#include <optional>

namespace hone::linked {
namespace {

constexpr std::string_view kWhole = "!<arch>\n", kThin = "!<thin>\n";

std::string_view without_spaces(std::string_view field) {
  const std::size_t last = field.find_last_not_of(' ');
  return field.substr(0, last == field.npos ? 0 : last + 1);
}

std::optional<std::size_t> number_in(std::string_view field) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && end == field.data() + field.size() ? std::optional(number) : std::nullopt;
}

// "/17": there in the table of long names. "#1/9": the content begins with it.
std::string name_of(std::string_view field, std::string_view names, std::string_view& content) {
  if (field.starts_with("#1/")) {
    const auto length = number_in(field.substr(3));
    if (!length || *length > content.size()) return "";
    const std::string name(content.substr(0, *length));
    content.remove_prefix(*length);
    return name.substr(0, name.find('\0'));
  }
  if (field.size() > 1 && field[0] == '/') {
    const auto at = number_in(field.substr(1));
    if (!at || *at >= names.size()) return "";
    field = names.substr(*at, names.find('\n', *at) - *at);
  }
  return std::string(field.ends_with('/') ? field.substr(0, field.size() - 1) : field);
}

}  // namespace

bool is_archive(std::string_view bytes) {
  return bytes.starts_with(kWhole) || bytes.starts_with(kThin);
}

Result<std::vector<ArchiveMember>> archive_members(std::string_view bytes) {
  if (bytes.starts_with(kThin))
    return failure("it is a thin archive, which holds no objects", "", "name the objects themselves");
  std::vector<ArchiveMember> members;
  std::string_view names;
  for (std::size_t at = kWhole.size(); at < bytes.size();) {
    ar_hdr header;
    if (bytes.size() - at < sizeof header) return failure("it is an archive that is cut short");
    std::memcpy(&header, bytes.data() + at, sizeof header);
    at += sizeof header;
    const auto size = number_in(without_spaces({header.ar_size, sizeof header.ar_size}));
    if (std::memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) != 0 || !size)
      return failure("it is an archive with a broken member");
    if (*size > bytes.size() - at) return failure("it is an archive that is cut short");
    std::string_view content = bytes.substr(at, *size);
    at += *size + *size % 2;
    const std::string_view name = without_spaces({header.ar_name, sizeof header.ar_name});
    if (name == "//")
      names = content;
    else if (name != "/" && name != "/SYM64/" && !name.starts_with("__.SYMDEF")) {
      std::string shown = name_of(name, names, content);
      members.push_back({std::move(shown), content});
    }
  }
  return members;
}

}  // namespace hone::linked
