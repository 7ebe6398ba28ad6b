// Messages from the judge to a runner, several in a row: each a byte of length (in 16 bytes) and the request. The whole
// runner is in here, with a kernel that does nothing; what it maps is a memory file of 64 KiB.
#define main runner_main
#include "tool/runner/main.cpp"
#undef main

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>

#include "tests/fuzz/fuzz.h"

namespace {

int judge_end = -1;
int files[2] = {-1, -1};
constexpr size_t file_bytes = 64 << 10;

void start() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0) abort();
  judge_end = fcntl(pair[0], F_DUPFD, 100);
  if (dup2(pair[1], socket_descriptor) < 0) abort();
  for (int& file : files) {
    file = fcntl(memfd_create("fuzz", 0), F_DUPFD, 100);
    if (ftruncate(file, file_bytes) != 0) abort();
  }
  unit.call = [](void* const*, void*) {};
  unit.problem = [](unsigned, void* const*) {};
  unit.evaluate = [](void* const*, long long*, double*) {};
}

// What the judge never asks for, because it would only take long or kill the fuzzer: reading behind a file's end,
// billions of calls, gigabytes.
void tame() {
  if (request.command == Command::map) {
    for (Region& region : request.regions) {
      region.length %= file_bytes + 1;
      region.offset = region.offset % (file_bytes - region.length + 1) / 4096 * 4096;
      region.length = region.length / 4096 * 4096;
    }
  }
  request.calls %= 100;
  // To fill what calls left behind is to write where AddressSanitizer keeps its own.
  if (request.command == Command::renew) request.command = Command::evaluate;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (judge_end < 0) start();
  while (size > 1) {
    const size_t bytes = std::min<size_t>({size - 1, data[0] * size_t{16}, sizeof request});
    memcpy(&request, data + 1, bytes);
    data += 1 + bytes;
    size -= 1 + bytes;
    tame();
    if (request.command == Command::map && request.set < most_sets && request.number <= most_parameters)
      map(files);
    else
      serve();
    Reply heard;
    const ssize_t got = recv(judge_end, &heard, sizeof heard, MSG_DONTWAIT);
    hone::fuzz::require(got >= static_cast<ssize_t>(short_reply), "each request has its reply");
    hone::fuzz::require(heard.id == request.id, "a reply names its request");
    hone::fuzz::require(recv(judge_end, &heard, sizeof heard, MSG_DONTWAIT) < 0, "there is one reply to a request");
  }
  for (Set& set : sets) unmap(set);
  return 0;
}
