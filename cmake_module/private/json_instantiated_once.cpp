#define HONE_INSTANTIATED
#include "cmake_module/private/json_instantiated_once.h"
