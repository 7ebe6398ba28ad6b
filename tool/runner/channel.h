// The line to the judge: one request at a time comes in, one reply goes out, and a fault is told before the process
// ends.
#pragma once

#include <stddef.h>

#include "tool/runner/protocol.h"

namespace hone::runner {

extern Request request;  // the one that is served
extern Reply reply;      // to it

// A request and the descriptors that came with it. False: the judge is gone.
bool receive(int* files);

void send_reply(Answer answer, size_t bytes);
void fail(const char* what, const char* why);

// A context that met an error is of no more use, so that the process ends with it.
[[noreturn]] void device_failed(const char* why);
void check_device(const char* why);  // nullptr: all is well

// Does nothing under a sanitizer, which has handlers of its own that know more.
void install_fault_handler();

}  // namespace hone::runner
