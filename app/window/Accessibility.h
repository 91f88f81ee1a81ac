// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard {

/// Tells screen readers what the widgets are that paint themselves (timelines, graphs, charts): Qt would call them "client
/// areas". Their names and descriptions are those of the widgets, which keep them up to date with what is selected. Once is
/// enough; more often does no harm.
void nameRolesOfPictures();

} // namespace laggard
