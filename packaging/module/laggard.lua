-- SPDX-License-Identifier: GPL-3.0-or-later
-- Lmod: put as laggard/0.1.0.lua into a folder of MODULEPATH.
help([[Laggard says why a parallel job hangs, crashes or runs slow: laggard-record, laggard-attach, laggard-analyze, laggard.]])
whatis("Name: Laggard")
whatis("Description: trace explorer and visual debugger for parallel jobs")
local root = os.getenv("LAGGARD_ROOT") or "/opt/laggard"
prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("XDG_DATA_DIRS", pathJoin(root, "share"))
