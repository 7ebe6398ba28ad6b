#include <hone/hone.h>

HONE_TUNABLE(BLOCK, 64, 128, 256);
HONE_TUNABLE(ALONE, 3);

template <int N>
struct Sized {
  float data[N];
};

int tunables_in_use();
int tunables_in_use() {
  HONE_TUNABLE(UNROLL, 4, 8);
  HONE_TUNABLE(UNUSED, true, false);
  Sized<BLOCK* UNROLL> sized = {};
  return static_cast<int>(sizeof(sized.data) / sizeof(float)) + static_cast<int>(sized.data[0]);
}
