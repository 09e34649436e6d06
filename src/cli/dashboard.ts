/** `dashboard`: prints the bundled dashboard as an archive; `bun run build` puts it into the binary. */
import { packDashboard } from '../service/dashboard.ts'

export const dashboard = async (): Promise<number> => {
  process.stdout.write(await packDashboard())
  return 0
}
