// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an application includes: the schemes, their keys, targets by name. README.md has a program.
#pragma once

#include "heliodor/base/error.h"
#include "heliodor/base/random.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "heliodor/schemes/ckks/encoder.h"
#include "heliodor/schemes/ckks/encryption.h"
#include "heliodor/schemes/ckks/evaluator.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "heliodor/targets/registry/registry.h"
