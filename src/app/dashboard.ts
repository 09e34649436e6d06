/** Provides the dashboard of this process. */
import { createDashboard } from '../api/dashboard.ts'
import { runtime } from '../platform/runtime.ts'

/** Written by `bun run setup`, and part of the binary. */
const archive = new URL('../../dist/dashboard.tar', import.meta.url)

/** Dashboard of all services of this process. It loads its files on the first request, unless `load` did. */
export const servedDashboard = createDashboard(() => runtime.pageFiles(archive))
