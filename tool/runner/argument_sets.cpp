#include "tool/runner/argument_sets.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/runner/channel.h"

namespace hone::runner {
namespace {

void forget_regions(Set& set) {
  set.region_count = set.binding_count = 0;
}

bool map_region(const Region& region, const int* files, Mapped& mapped) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  constexpr uint64_t largest = uint64_t{1} << 46;
  if (region.length > largest || region.output > 1) return errno = EINVAL, false;
  mapped.bytes = region.length;
  mapped.writable = region.output != 0;
  mapped.length = region.length + 2 * page;
  void* base = mmap(nullptr, mapped.length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return false;
  mapped.base = static_cast<char*>(base);
  mapped.memory = mapped.base + page;
  const int protection = region.output ? PROT_READ | PROT_WRITE : PROT_READ;
  const int flags = MAP_SHARED | MAP_FIXED | (region.populate ? MAP_POPULATE : 0);
  return region.length == 0 || mmap(mapped.memory, region.length, protection, flags, files[region.output],
                                    static_cast<off_t>(region.offset)) != MAP_FAILED;
}

// The whole of what is lent is one mapping; regions are places in it.
void map_device_memory(const int* files, Set& set) {
  if (request.lent == Lending::anew)
    if (const char* why = map_lent(files, request.lent_bytes, set.lent)) return fail("cannot map the arguments", why);
  for (unsigned i = 0; i < request.number; ++i) {
    const Region& region = request.regions[i];
    const size_t room = set.lent.bytes[region.output != 0];
    if (region.offset > room || region.length > room - region.offset)
      return fail("cannot map the arguments", "a region lies outside");
    const uint64_t address = set.lent.addresses[region.output != 0] + region.offset;
    set.regions[i] = Mapped{nullptr, 0, reinterpret_cast<char*>(address), region.length, region.output != 0};
    set.region_count = i + 1;
    reply.addresses[i] = address;
  }
  send_reply(Answer::ok, sizeof reply);
}

// The judge is trusted; a build of another version is not.
bool fits(const Binding& binding, const Set& set) {
  if (binding.region == stream_region) return has_device();
  if (binding.region < 0) return true;
  if (binding.region >= static_cast<int>(set.region_count)) return false;
  const size_t room = set.regions[binding.region].bytes;
  if (!set.regions[binding.region].memory && (binding.offset | binding.bytes | binding.stride) != 0) return false;
  if (binding.copy_out && !set.regions[binding.region].writable) return false;
  if ((binding.alignment & (binding.alignment - 1)) != 0) return false;
  return binding.lead <= binding.bytes && binding.offset <= room && binding.bytes <= room - binding.offset &&
         binding.stride <= room;
}

}  // namespace

Set sets[most_sets];

void unmap(Set& set) {
  for (unsigned i = 0; i < set.region_count; ++i)
    if (set.regions[i].base) munmap(set.regions[i].base, set.regions[i].length);
  unmap_lent(set.lent);
  forget_regions(set);
}

void map(const int* files) {
  Set& set = sets[request.set];
  if (request.lent == Lending::as_before)
    forget_regions(set);
  else
    unmap(set);
  if (request.lent != Lending::none) return map_device_memory(files, set);
  for (unsigned i = 0; i < request.number; ++i) {
    set.regions[i] = Mapped{};
    set.region_count = i + 1;
    if (!map_region(request.regions[i], files, set.regions[i]))
      return fail("cannot map the arguments", strerror(errno));
    reply.addresses[i] = reinterpret_cast<uint64_t>(set.regions[i].memory);
  }
  send_reply(Answer::ok, sizeof reply);
}

void bind() {
  Set& set = sets[request.set];
  for (unsigned i = 0; i < request.number; ++i)
    if (!fits(request.bindings[i], set)) return fail("a binding", "names no place");
  const uint32_t result_binding = request.result_binding;
  if (result_binding != no_binding && (result_binding >= request.number || request.bindings[result_binding].region < 0))
    return fail("a binding", "for results is none");
  set.binding_count = request.number;
  set.result_binding = result_binding;
  memcpy(set.bindings, request.bindings, sizeof set.bindings);
  memcpy(set.scalars, request.scalars, sizeof set.scalars);
  send_reply(Answer::ok, short_reply);
}

char* array_of(const Set& set, unsigned parameter, unsigned slot) {
  const Binding& binding = set.bindings[parameter];
  return binding.region < 0 ? nullptr : set.regions[binding.region].memory + binding.offset + slot * binding.stride;
}

size_t bytes_of(const Set& set) {
  size_t bytes = 0;
  for (unsigned i = 0; i < set.region_count; ++i) bytes += set.regions[i].bytes;
  return bytes;
}

}  // namespace hone::runner
