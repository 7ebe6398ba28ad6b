#include "tool/model/kernel_language.h"

namespace hone {
namespace {

// "17" of c17 and gnu17; "" where it is another language's.
std::string_view year_of(std::string_view name) {
  if (name.starts_with("iso9899:")) return "94";
  if (name.starts_with("gnu"))
    name.remove_prefix(3);
  else if (name.starts_with("c"))
    name.remove_prefix(1);
  return !name.empty() && name.front() >= '0' && name.front() <= '9' ? name : std::string_view();
}

}  // namespace

bool is_c_name(std::string_view language) {
  return !year_of(language).empty();
}

bool is_c89_name(std::string_view language) {
  const std::string_view year = year_of(language);
  return year == "89" || year == "90" || year == "94";
}

bool is_c(const KernelIdentity& kernel) {
  return is_c_name(kernel.language);
}

}  // namespace hone
