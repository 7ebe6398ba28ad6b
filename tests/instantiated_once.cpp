#define HONE_MATCHERS_INSTANTIATED
#include "tests/instantiated_once.h"
