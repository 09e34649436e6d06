/** Where the files of the dashboard come from. */
import { existsSync } from 'node:fs'
import { type PageFile, runtime } from '../platform/runtime.ts'

/** Under which the binary holds them (`bun run build`). */
export const dashboardArchive = 'dashboard.tar'

const source = new URL('../dashboard/index.html', import.meta.url)

let files: Promise<PageFile[] | null> | undefined

/** Asked for when somebody first opens the dashboard; once for the process. */
export const dashboardFiles = (): Promise<PageFile[] | null> => {
  files ??= runtime.pageFiles(dashboardArchive, source)
  return files
}

/** Whether there is anything to bundle it from: the binary holds the outcome alone. */
export const hasDashboardSources = (): boolean => existsSync(source)

/** What `bun run build` puts into the binary. */
export const packDashboard = (): Promise<Uint8Array> => runtime.packPage(source)
