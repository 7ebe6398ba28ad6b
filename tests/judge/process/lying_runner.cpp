// A hone-runner that lies. Which lie: the text of its object.
//
// It stands for a candidate that has taken the runner's process over, which is why it speaks the protocol itself.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

#include "tool/runner/protocol.h"

using namespace hone::runner;

namespace {

Request request;
Reply reply;
char lie_text[128];
std::string_view lie;

void answer(std::size_t bytes, Answer kind = Answer::ok) {
  reply.answer = kind;
  reply.version = protocol_version;
  reply.id = request.id;
  send(socket_descriptor, &reply, bytes, MSG_NOSIGNAL);
}

std::size_t honest_length() {
  switch (request.command) {
    case Command::call:
      return call_reply;
    case Command::bind:
    case Command::unmap:
      return short_reply;
    default:
      return sizeof reply;
  }
}

// With a descriptor of its own attached.
void answer_with_descriptor() {
  reply.answer = Answer::ok;
  reply.version = protocol_version;
  reply.id = request.id;
  iovec vector{&reply, honest_length()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  const int file = object_descriptor;
  memcpy(CMSG_DATA(header), &file, sizeof file);
  sendmsg(socket_descriptor, &message, MSG_NOSIGNAL);
}

void say_in(const char* text) {
  snprintf(reply.text, text_bytes, "%s", text);
}

void tell() {
  if (lie == "twice") {
    answer(honest_length());
    answer(honest_length());
  } else if (lie == "early") {
    answer(honest_length());
    if (request.command == Command::bind) {  // the call's answer before the call
      request.id += 1;
      answer(call_reply);
    }
  } else if (lie == "other request") {
    request.id ^= 1;
    answer(honest_length());
  } else if (lie == "short") {
    answer(short_reply);
  } else if (lie == "long") {
    answer(sizeof reply);
  } else if (lie == "enormous") {
    static char megabytes[100'000];
    memcpy(megabytes, &reply, sizeof reply);
    auto* front = reinterpret_cast<Reply*>(megabytes);
    front->answer = Answer::ok;
    front->version = protocol_version;
    front->id = request.id;
    send(socket_descriptor, megabytes, sizeof megabytes, MSG_NOSIGNAL);
  } else if (lie == "empty") {
    send(socket_descriptor, &reply, 0, MSG_NOSIGNAL);
    pause();
  } else if (lie == "one byte") {
    send(socket_descriptor, &reply, 1, MSG_NOSIGNAL);
  } else if (lie == "unknown answer") {
    answer(honest_length(), static_cast<Answer>(77));
  } else if (lie == "fault of full length") {
    answer(honest_length(), Answer::fault);
  } else if (lie == "fault") {
    reply.fault.signal = -12345;
    reply.fault.address = ~std::uint64_t{0};
    reply.fault.write = 99;
    answer(short_reply, Answer::fault);
    pause();
  } else if (lie == "escapes") {
    say_in("\x1b]0;owned\x07\x1b[2Jfaster: 9.00x\r\n\xff\xe2\x80\xae");
    answer(short_reply, Answer::failed);
  } else if (lie == "unterminated") {
    memset(reply.text, 'x', text_bytes);
    answer(short_reply, Answer::failed);
  } else if (lie == "addresses") {
    memset(reply.addresses, 0xff, sizeof reply.addresses);
    answer(honest_length());
  } else if (lie == "lending") {  // where it was told that the memory comes from, as the first address
    reply.addresses[0] = static_cast<std::uint64_t>(request.lent);
    answer(honest_length());
  } else if (lie == "closed") {
    close(socket_descriptor);
    pause();
  } else if (lie == "half closed") {
    shutdown(socket_descriptor, SHUT_WR);
    pause();
  } else if (lie == "deaf") {
    answer(honest_length());
    shutdown(socket_descriptor, SHUT_RD);
    pause();
  } else if (lie == "silent") {
    pause();
  } else if (lie == "descriptor") {
    answer_with_descriptor();
  } else {
    answer(honest_length());
  }
}

}  // namespace

int main() {
  const ssize_t got = pread(object_descriptor, lie_text, sizeof lie_text, 0);
  lie = std::string_view(lie_text, got < 0 ? 0 : static_cast<std::size_t>(got));
  if (lie == "stale version") {
    reply.version = protocol_version - 1;
    send(socket_descriptor, &reply, short_reply, MSG_NOSIGNAL);
    pause();
  }
  if (lie == "hello with escapes") {
    say_in("\x1b[31mno such\nfile\x1b[0m");
    answer(short_reply, Answer::failed);
    return 2;
  }
  if (lie == "hello without symbol") {
    say_in("undefined symbol: zlib_crc");
    answer(short_reply, Answer::failed);
    return 2;
  }
  answer(short_reply);
  if (lie == "two hellos") answer(short_reply);
  while (recv(socket_descriptor, &request, sizeof request, 0) > 0) tell();
}
