#define HONE_INSTANTIATED
#include "tests/instantiated_once.h"
