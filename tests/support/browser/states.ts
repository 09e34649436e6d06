/**
 * Serves the page of states. `bun tests/support/browser/states.ts` keeps it running for a person:
 * `http://localhost:3999` lists the states.
 */
import { bundlePage } from '../../../deploy/page.ts'
import { createDashboard } from '../../../src/api/dashboard.ts'
import { runtime } from '../../../src/platform/runtime.ts'

const source = new URL('../../../src/dashboard/states/index.html', import.meta.url)

/** Serves the page on a port, by default any free one, with the policy of the dashboard. */
export const serveStates = async (port = 0): Promise<{ url: string; stop: () => Promise<void> }> => {
  const page = createDashboard(() => bundlePage(source))
  const server = runtime.serve({
    host: '127.0.0.1',
    port,
    keepAliveMs: 5000,
    fetch: async request => {
      const file = await page.asset(new URL(request.url).pathname.slice(1))
      return file ? file(request) : page.page(request)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

if (import.meta.main) console.log((await serveStates(3999)).url)
