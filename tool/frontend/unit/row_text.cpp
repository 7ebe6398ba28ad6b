#include "tool/frontend/unit/row_text.h"

#include "tool/frontend/unit/slot_text.h"

namespace hone::frontend {

// A few neighbors are exchanged, so that no row lies where the one before it says; many stay, as memory likes it. Under
// AddressSanitizer nobody may touch what lies between two rows.
const char* const kRowSupport = R"(#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) void hone_poison(const void *, hone_address) __asm__("__asan_poison_memory_region");
__attribute__((weak)) void hone_unpoison(const void *, hone_address) __asm__("__asan_unpoison_memory_region");
#ifdef __cplusplus
}
#endif
__attribute__((unused)) static long long hone_row_place(long long hone_row, long long hone_count) {
  const long long hone_other = hone_row ^ 1;
  return ((hone_row & 7) < 2 || (hone_row & 7) > 5) && hone_other < hone_count ? hone_other : hone_row;
}
__attribute__((unused)) static void hone_put_rows(unsigned char *hone_to, hone_address hone_distance,
                                                  const unsigned char *hone_data, long long hone_count,
                                                  hone_address hone_apart) {
  long long hone_i;
  for (hone_i = 0; hone_i < hone_count; ++hone_i)
    hone_put(hone_to + (hone_address)hone_i * hone_distance,
             hone_data + (hone_address)hone_row_place(hone_i, hone_count) * hone_apart);
}
__attribute__((unused)) static void hone_guard_rows(void (*hone_set)(const void *, hone_address),
                                                    const unsigned char *hone_data, long long hone_count,
                                                    hone_address hone_bytes, hone_address hone_apart) {
  long long hone_i;
  for (hone_i = 0; hone_set && hone_data && hone_i + 1 < hone_count; ++hone_i)
    hone_set(hone_data + (hone_address)hone_i * hone_apart + hone_bytes, hone_apart - hone_bytes);
}
__attribute__((unused)) static void hone_guard_tail(void (*hone_set)(const void *, hone_address),
                                                    const unsigned char *hone_at, hone_address hone_end,
                                                    hone_address hone_room) {
  if (hone_set && hone_end < hone_room) hone_set(hone_at + hone_end, hone_room - hone_end);
}
__attribute__((unused)) static void hone_clear_tail(unsigned char *hone_at, hone_address hone_end,
                                                    hone_address hone_room) {
  if (hone_end < hone_room) __builtin_memset(hone_at + hone_end, 0, hone_room - hone_end);
}
__attribute__((unused)) static void hone_clear_pointers(unsigned char *hone_at, hone_address hone_distance,
                                                        hone_address hone_number) {
  for (; hone_number > 0; --hone_number, hone_at += hone_distance) hone_put(hone_at, 0);
}
__attribute__((unused)) static void hone_name_pointers(unsigned char *hone_at, hone_address hone_distance,
                                                       hone_address hone_number, const struct hone_stretch *hone_all,
                                                       unsigned hone_count) {
  for (; hone_number > 0; --hone_number, hone_at += hone_distance) hone_name_pointer(hone_at, 0, hone_all, hone_count);
}
__attribute__((unused)) static void hone_name_rows(unsigned char *hone_at, hone_address hone_distance,
                                                   const unsigned char *hone_data, long long hone_count,
                                                   hone_address hone_apart, const struct hone_stretch *hone_all,
                                                   unsigned hone_number) {
  const hone_address hone_start = (hone_address)hone_data;
  hone_address hone_pointer;
  long long hone_i;
  for (hone_i = 0; hone_i < hone_count; ++hone_i, hone_at += hone_distance) {
    __builtin_memcpy(&hone_pointer, hone_at, sizeof hone_pointer);
    if (hone_pointer < hone_start || hone_pointer - hone_start >= (hone_address)hone_count * hone_apart) {
      hone_name_pointer(hone_at, 0, hone_all, hone_number);
      continue;
    }
    hone_pointer = hone_pointer - hone_start + ((hone_address)0x4000 << 48);
    __builtin_memcpy(hone_at, &hone_pointer, sizeof hone_pointer);
  }
}
)";

namespace {

std::string whole(const Dimension& dimension) {
  return dimension.start ? "(" + length(*dimension.start) + " + " + length(dimension.length) + ")"
                         : length(dimension.length);
}

// The parts of a row of pointers as the support's functions take them.
struct Row {
  const PointerRow& row;
  const Parameter& elements;

  std::string holder() const {
    return "(unsigned char*)" + slot(row.holder) + " + " + std::to_string(row.offset) + ", " +
           std::to_string(row.distance);
  }
  std::string data() const { return "(const unsigned char*)" + slot(row.elements) + ", " + whole(elements.extent[0]); }
  std::string bytes() const {
    std::string product = "(hone_address)" + std::to_string(elements.element.size);
    for (std::size_t d = 1; d < elements.extent.size(); ++d) product += " * (hone_address)" + whole(elements.extent[d]);
    return product;
  }
  std::string apart() const {
    return "(hone_address)" + length(*elements.extent[0].stride) + " * " + std::to_string(elements.element.size);
  }
  std::string guard(const std::string& set) const {
    return "  hone_guard_rows(" + set + ", " + data() + ", " + bytes() + ", " + apart() + ");\n";
  }
};

template <class Text>
std::string for_rows(const Arguments& arguments, const KernelSpec& spec, const Text& text) {
  std::string all;
  for (const PointerRow& row : arguments.rows) all += text(Row{row, spec.parameters[row.elements]});
  return all;
}

}  // namespace

std::string rows_before_call(const Arguments& arguments, const KernelSpec& spec) {
  return for_rows(arguments, spec, [](const Row& row) {
    return "  hone_put_rows(" + row.holder() + ", " + row.data() + ", " + row.apart() + ");\n";
  });
}

std::string guards_before_call(const Arguments& arguments, const KernelSpec& spec) {
  return for_rows(arguments, spec, [](const Row& row) { return row.guard("hone_poison"); });
}

std::string guards_after_call(const Arguments& arguments, const KernelSpec& spec) {
  return for_rows(arguments, spec, [](const Row& row) { return row.guard("hone_unpoison"); });
}

std::string rows_after_call(const Arguments& arguments, const KernelSpec& spec) {
  return for_rows(arguments, spec, [](const Row& row) {
    return "  hone_name_rows(" + row.holder() + ", " + row.data() + ", " + row.apart() + ", hone_known, hone_count);\n";
  });
}

std::string address_text(const Arguments& arguments, const KernelSpec& spec, unsigned datum) {
  for (const PointerRow& row : arguments.rows) {
    if (!row.table || (row.holder != datum && row.elements != datum)) continue;
    if (!spec.parameters[row.elements].null) return slot(row.holder);
    return "(" + slot(row.elements) + " ? " + slot(row.holder) + " : 0)";
  }
  return slot(datum);
}

}  // namespace hone::frontend
