/** Selects the runtime. No other module checks which one it is. */
import { bun } from './bun.ts'
import { deno } from './deno.ts'
import type { Runtime } from './runtime-interface.ts'

export type {
  DirectOptions,
  NamedRequest,
  PageFile,
  PinnedPost,
  RawResponse,
  Runtime,
  ServeOptions,
  Server,
} from './runtime-interface.ts'

/** Runtime of this process. */
export const runtime: Runtime = process.versions.deno === undefined ? bun : deno
