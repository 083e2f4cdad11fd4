// The last thing that a program does which has to end at once: what its runs have begun to write goes away.
//
// For a program that is told to stop and whose runs do not come back in time. A run that comes back, whatever its end, has
// removed its temporary files itself.
#pragma once

namespace thicket {

// Removes all that this process has claimed. After it returned true nothing else can be claimed or committed: the threads
// that try wait for the end of the process, which must follow. False: something has been committed; let it finish.
bool RemoveTemporaries();

}  // namespace thicket
