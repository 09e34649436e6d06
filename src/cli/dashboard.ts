/** `dashboard`: prints the bundled dashboard as an archive. `bun run build` adds it to the binary. */
import { hasDashboardSources, packDashboard } from '../service/dashboard.ts'
import { UsageError } from './usage.ts'

export const dashboard = async (): Promise<number> => {
  if (!hasDashboardSources())
    throw new UsageError('The dashboard is bundled from the sources, and this is the binary, which has it already.', [
      'dashboard',
    ])
  process.stdout.write(await packDashboard())
  return 0
}
