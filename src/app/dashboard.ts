/** Provides the dashboard of this process. */
import { existsSync } from 'node:fs'
import { createDashboard } from '../api/dashboard.ts'
import { runtime } from '../platform/runtime.ts'

/** File name of the dashboard inside the binary (`bun run build`). */
export const dashboardArchive = 'dashboard.tar'

const source = new URL('../dashboard/index.html', import.meta.url)

/** Dashboard of all services of this process. It loads its files on the first request, unless `prepare` did. */
export const servedDashboard = createDashboard(() => runtime.pageFiles(dashboardArchive, source))

/** Returns whether the dashboard sources exist. The binary contains only the bundle. */
export const hasDashboardSources = (): boolean => existsSync(source)

/** Returns the bundle that `bun run build` adds to the binary. */
export const packDashboard = (): Promise<Uint8Array> => runtime.packPage(source)
