#include "tool/judge/data/npy.h"

#include <charconv>

#include "tool/os/files/files.h"

namespace hone::judge {
namespace {

tl::unexpected<Error> malformed(const std::string& name, const std::string& why) {
  return failure("not a usable .npy file: " + why, name, "save it with numpy.save as a plain little-endian array");
}

// The text behind 'key': in the header's Python dictionary, up to the end of the header.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "'";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos) return {};
  header.remove_prefix(at + quoted.size());
  const std::size_t start = header.find_first_not_of(": ");
  return start == std::string_view::npos ? std::string_view() : header.substr(start);
}

bool read_type(std::string_view value, ScalarType& type) {
  if (value.size() < 5 || value[0] != '\'' || (value[1] != '<' && value[1] != '|' && value[1] != '=')) return false;
  const std::size_t end = value.find('\'', 1);
  if (end == std::string_view::npos || end < 4) return false;
  switch (value[2]) {
    case 'f':
      type.kind = ScalarKind::floating;
      break;
    case 'i':
      type.kind = ScalarKind::signed_integer;
      break;
    case 'u':
      type.kind = ScalarKind::unsigned_integer;
      break;
    case 'b':
      type.kind = ScalarKind::boolean;
      break;
    default:
      return false;
  }
  const auto [stop, error] = std::from_chars(value.data() + 3, value.data() + end, type.size);
  return error == std::errc() && stop == value.data() + end && type.size >= 1 && type.size <= 16;
}

bool read_shape(std::string_view value, std::size_t& elements) {
  const std::size_t end = value.find(')');
  if (value.empty() || value[0] != '(' || end == std::string_view::npos) return false;
  elements = 1;
  std::string_view list = value.substr(1, end - 1);
  while (!list.empty()) {
    const std::size_t start = list.find_first_of("0123456789");
    if (start == std::string_view::npos) break;
    list.remove_prefix(start);
    std::size_t length = 0;
    const auto [stop, error] = std::from_chars(list.data(), list.data() + list.size(), length);
    if (error != std::errc() || __builtin_mul_overflow(elements, length, &elements)) return false;
    list.remove_prefix(static_cast<std::size_t>(stop - list.data()));
  }
  return true;
}

}  // namespace

Result<NpyArray> parse_npy(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12) return malformed(name, "the magic bytes are missing");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  const bool wide = byte(6) >= 2;
  const std::size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
  const std::size_t start = wide ? 12 : 10;
  if (length > bytes.size() - start) return malformed(name, "the header is cut short");
  const std::string_view header = bytes.substr(start, length);
  NpyArray array;
  if (!read_type(value_of(header, "descr"), array.type))
    return malformed(name, "its type is not plain and little-endian");
  if (!value_of(header, "fortran_order").starts_with("False")) return malformed(name, "it is in Fortran order");
  std::size_t size = 0;
  if (!read_shape(value_of(header, "shape"), array.elements) ||
      __builtin_mul_overflow(array.elements, static_cast<std::size_t>(array.type.size), &size))
    return malformed(name, "its shape is not readable");
  bytes.remove_prefix(start + length);
  if (bytes.size() < size) return malformed(name, "the data are cut short");
  array.data.assign(bytes.substr(0, size));
  return array;
}

Result<NpyArray> read_npy(const std::string& path) {
  HONE_TRY(const std::string bytes, os::read_file(path));
  return parse_npy(bytes, path);
}

}  // namespace hone::judge
