/** Where the files of the dashboard come from. */
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

/** What `bun run build` puts into the binary. */
export const packDashboard = (): Promise<Uint8Array> => runtime.packPage(source)
