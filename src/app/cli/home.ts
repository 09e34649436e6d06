/**
 * Must be imported before Graphile Worker, which reads the home folder when it is loaded. It only uses the folder to
 * stop the search for a configuration file, which it no longer supports. Without HOME and without a user entry on the
 * machine, `os.homedir` throws, and the service could not start.
 */
import os from 'node:os'

try {
  os.homedir()
} catch {
  os.homedir = () => '/'
}
