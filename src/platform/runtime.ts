/** Which of the runtimes this is: the one place that asks. */
import { bun } from './bun.ts'
import { deno } from './deno.ts'
import type { Runtime } from './runtime-interface.ts'

export type {
  Answer,
  DirectOptions,
  NamedRequest,
  PageFile,
  PinnedPost,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/** The runtime this process runs under. */
export const runtime: Runtime = process.versions.deno === undefined ? bun : deno
