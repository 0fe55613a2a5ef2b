// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/temporary_folder.h"

#include <stdlib.h>  // mkdtemp is POSIX

#include <string>
#include <system_error>

#include "heliodor/base/error.h"

namespace heliodor::base {

TemporaryFolder::TemporaryFolder() {
  std::error_code ignored;
  std::string name = (std::filesystem::temp_directory_path(ignored) / "heliodor-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error(ErrorCode::io,
                "no temporary folder " + name + " can be made; TMPDIR names its place");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace heliodor::base
