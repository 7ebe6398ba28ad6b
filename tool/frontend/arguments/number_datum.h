// Data of the harness's own making: single numbers that no declaration of the user's spells. Pure.
#pragma once

#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// The element type of one number, spelled so that C and C++ both know it: "unsigned int".
ElementType number_element(const ScalarType& type, bool c);

// What stands for what others make up: no data of its own.
void compose(Parameter& parameter);

}  // namespace hone::frontend
