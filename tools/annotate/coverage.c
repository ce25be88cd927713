// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

int gs_session_report(gs_session *session) {
  (void)session;
  return GS_EXIT_OK;
}
