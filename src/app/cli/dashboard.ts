/** `dashboard`: prints the bundled dashboard as an archive. `bun run build` adds it to the binary. */
import { hasDashboardSources, packDashboard } from '../dashboard.ts'
import { UsageError } from './usage.ts'

export const dashboard = async (): Promise<number> => {
  if (!hasDashboardSources())
    throw new UsageError('The dashboard can only be bundled from the sources. The binary already contains it.', [
      'dashboard',
    ])
  process.stdout.write(await packDashboard())
  return 0
}
