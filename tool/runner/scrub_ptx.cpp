#include "tool/runner/scrub_ptx.h"

// Registers: as many as a block of 512 threads may have. All are read before any is used up, so that they are alive at
// the same time.
#define HONE_UNITS(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define HONE_LOAD(n) " ld.volatile.u32 %v" #n ", [%own + 4 * " #n "];\n"
#define HONE_SUM(n) " xor.b32 %sum, %sum, %v" #n ";\n"
#define HONE_USE(n) " mad.lo.u32 %all, %v" #n ", %sum, %all;\n"
#define HONE_EACH(X) \
  HONE_UNITS(X, )    \
  HONE_UNITS(X, 1)   \
  HONE_UNITS(X, 2) HONE_UNITS(X, 3) HONE_UNITS(X, 4) HONE_UNITS(X, 5) HONE_UNITS(X, 6) HONE_UNITS(X, 7) HONE_UNITS(X, 8)

namespace hone::runner {

// A block takes all of a multiprocessor's shared memory and stays a while, so that each multiprocessor gets one.
const char scrub_ptx[] = R"(.version 6.3
.target sm_60
.address_size 64
.extern .shared .align 16 .b8 room[];
.visible .entry scrub(.param .u32 key, .param .u32 shared_bytes)
.maxntid 512, 1, 1
{
 .local .align 16 .b8 own[384];
 .reg .pred %more, %stored;
 .reg .b32 %v<96>;
 .reg .b64 %own, %local;
 .reg .b32 %word, %thread, %block, %bytes, %at, %to, %sum, %all, %start, %now;
 ld.param.u32 %word, [key];
 ld.param.u32 %bytes, [shared_bytes];
 mov.u32 %start, %clock;
 mov.u32 %thread, %tid.x;
 mov.u32 %block, %ctaid.x;
 mad.lo.u32 %word, %thread, 0x9e3779b1, %word;
 mad.lo.u32 %word, %block, 0x85ebca6b, %word;
 shl.b32 %at, %thread, 2;
shared_word:
 mov.u32 %to, room;
 add.u32 %to, %to, %at;
 mad.lo.u32 %word, %word, 1664525, 1013904223;
 setp.lt.u32 %more, %at, %bytes;
 @%more st.volatile.shared.u32 [%to], %word;
 add.u32 %at, %at, 2048;
 @%more bra shared_word;
 mov.u64 %local, own;
 cvta.local.u64 %own, %local;
 mov.u64 %local, %own;
 mov.u32 %at, 0;
local_word:
 mad.lo.u32 %word, %word, 1664525, 1013904223;
 st.volatile.u32 [%local], %word;
 add.u64 %local, %local, 4;
 add.u32 %at, %at, 4;
 setp.lt.u32 %more, %at, 384;
 @%more bra local_word;
 mov.u32 %sum, 0;
 mov.u32 %all, 0;
)" HONE_EACH(HONE_LOAD) HONE_EACH(HONE_SUM) HONE_EACH(HONE_USE) R"( bar.sync 0;
 setp.eq.u32 %stored, %all, 0x7fedcba9;
 @%stored st.volatile.shared.u32 [room], %all;
wait:
 mov.u32 %now, %clock;
 sub.u32 %now, %now, %start;
 setp.lt.u32 %more, %now, 12000;
 @%more bra wait;
 ret;
}
)";

}  // namespace hone::runner
