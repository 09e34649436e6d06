/** Provides the files of the dashboard. */
import { existsSync } from 'node:fs'
import { type PageFile, runtime } from '../platform/runtime.ts'

/** File name of the dashboard inside the binary (`bun run build`). */
export const dashboardArchive = 'dashboard.tar'

const source = new URL('../dashboard/index.html', import.meta.url)

let files: Promise<PageFile[] | null> | undefined

/** Returns the dashboard files. They are loaded on the first call and cached for the process. */
export const dashboardFiles = (): Promise<PageFile[] | null> => {
  files ??= runtime.pageFiles(dashboardArchive, source)
  return files
}

/** Returns whether the dashboard sources exist. The binary contains only the bundle. */
export const hasDashboardSources = (): boolean => existsSync(source)

/** Returns the bundle that `bun run build` adds to the binary. */
export const packDashboard = (): Promise<Uint8Array> => runtime.packPage(source)
