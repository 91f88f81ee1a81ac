// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/Definitions.h"
#include "ingest/otf2/Tables.h"
#include "trace/Trace.h"

namespace laggard::otf2 {

/// Reads what archives that Laggard writes say beyond OTF2's own records (ingest/otf2/OperationText.h): numbers of attributes
/// into `references`, properties into `trace`, whose other tables are filled. Of locations, `events` takes what belongs to no
/// event: EventSink::finish adds the rest.
void readExtras(const Definitions &definitions, Trace &trace, References &references);

} // namespace laggard::otf2
