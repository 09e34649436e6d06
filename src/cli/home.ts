/**
 * Must be imported before Graphile Worker, which as it is loaded asks for the home folder, only to know where to stop
 * looking for a configuration it no longer takes. Without HOME, and as a user whom the machine has no entry of, there is
 * no answer, and nothing could be started.
 */
import os from 'node:os'

try {
  os.homedir()
} catch {
  os.homedir = () => '/'
}
