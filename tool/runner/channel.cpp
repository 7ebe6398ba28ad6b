#include "tool/runner/channel.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/ucontext.h>
#include <sys/uio.h>
#include <unistd.h>

namespace hone::runner {

Request request;
Reply reply;

bool receive(int* files) {
  iovec vector{&request, sizeof request};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))];
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do got = recvmsg(socket_descriptor, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got <= 0) return false;
  files[0] = files[1] = -1;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(2 * sizeof(int)))
    memcpy(files, CMSG_DATA(header), 2 * sizeof(int));
  return true;
}

void send_reply(Answer answer, size_t bytes) {
  reply.answer = answer;
  reply.version = protocol_version;
  reply.id = request.id;
  if (send(socket_descriptor, &reply, bytes, MSG_NOSIGNAL) < 0) _exit(3);
}

void fail(const char* what, const char* why) {
  snprintf(reply.text, text_bytes, "%s: %s", what, why);
  send_reply(Answer::failed, short_reply);
}

[[noreturn]] void device_failed(const char* why) {
  snprintf(reply.text, text_bytes, "%s", why);
  send_reply(Answer::device, short_reply);
  _exit(4);
}

void check_device(const char* why) {
  if (why) device_failed(why);
}

namespace {

// Says what happened and ends: unwinding out of a fault is unsafe once the kernel has threads.
void on_fault(int number, siginfo_t* info, void* context) {
  static Reply last;  // the handler's own, the loop's may be half written
  last.answer = Answer::fault;
  last.version = protocol_version;
  last.id = request.id;
  last.fault.signal = number;
  last.fault.code = info->si_code;
  last.fault.address = reinterpret_cast<uint64_t>(info->si_addr);
  last.fault.write = 2;
#if defined(__x86_64__)
  const auto* registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  last.fault.stack = static_cast<uint64_t>(registers[REG_RSP]);
  if (number == SIGSEGV || number == SIGBUS) last.fault.write = (registers[REG_ERR] & 2) ? 1 : 0;
#elif defined(__aarch64__)
  last.fault.stack = static_cast<const ucontext_t*>(context)->uc_mcontext.sp;
#else
  (void)context;
#endif
  void* probe = mmap(nullptr, 32u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  last.fault.out_of_memory = probe == MAP_FAILED;
  send(socket_descriptor, &last, short_reply, MSG_NOSIGNAL);
  _exit(128 + number);
}

}  // namespace

void install_fault_handler() {
  if (getenv("HONE_RUNNER_SANITIZED")) return;
  constexpr size_t size = 64u << 10;
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = size;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  constexpr int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
  for (int number : fatal) sigaction(number, &action, nullptr);
}

}  // namespace hone::runner
