/** `dashboard`: prints the bundled dashboard as an archive; `bun run build` puts it into the binary. */
import { embeddedPostgresIsInstalled } from '../embedded/index.ts'
import { packDashboard } from '../service/dashboard.ts'
import { UsageError } from './usage.ts'

export const dashboard = async (): Promise<number> => {
  // Like the demo's PostgreSQL, the sources it is bundled from are no part of the binary.
  if (!embeddedPostgresIsInstalled())
    throw new UsageError('The dashboard is bundled from the sources, and this is the binary, which has it already.', [
      'dashboard',
    ])
  process.stdout.write(await packDashboard())
  return 0
}
