// What a program that was built with HONE_MODE=capture writes while `hone capture` runs it: a file for each process,
// and in it for each shared object with kernels, in the folder that HONE_CAPTURE names.
//
//   file    = { record }
//   record  = magic:u32  kind:u32  bytes:u64  payload           bytes: of the payload
//   inputs  = kernel:text  scalars:list  arrays:list            kind 1: a call whose inputs were kept
//   calls   = kernel:text  scalars:list  calls:u64  ns:u64      kind 2: the calls with these scalars, and their time
//   list    = count:u32 { name:text  size:u32  kind:u32  count:u64  data }   data: size * count bytes
//   text    = bytes:u32 data                                                 the kind in a list is a ScalarKind
//
// Numbers as the machine has them: a recording is read where it was written. A file may end in the middle of a record,
// where the process was killed. Plain values.
#pragma once

#include <stdint.h>

namespace hone::capture {

constexpr uint32_t record_magic = 0x50434e48;  // "HNCP"
constexpr uint32_t inputs_record = 1, calls_record = 2;

constexpr unsigned most_problems = 64;                // of a kernel: calls with others are counted as one
constexpr unsigned most_inputs = 8;                   // of a problem
constexpr uint64_t most_bytes = uint64_t{256} << 20;  // of a file, unless HONE_CAPTURE_BYTES says otherwise

}  // namespace hone::capture

extern "C" {

// As the text says it that is put into a kernel's body (frontend/find/recording_text.cpp).
struct hone_capture_value {
  const char* name;
  const void* at;
  unsigned long long count;
  unsigned size;
  unsigned kind;
};

// A call while it lasts; zero in front of it.
struct hone_capture_mark {
  unsigned long long hone_state[3];
};

// A call begins: of a kernel by its mangled name. 0: that is all; else the inputs of this call are wanted.
int hone_capture_call(struct hone_capture_mark* mark, const char* kernel, const struct hone_capture_value* scalars,
                      unsigned number);
void hone_capture_inputs(struct hone_capture_mark* mark, const char* kernel, const struct hone_capture_value* scalars,
                         unsigned number, const struct hone_capture_value* arrays, unsigned number_of_arrays);
// It ends, however it does.
void hone_capture_end(struct hone_capture_mark* mark);
}
