/** A process with two cells, `main` and `b`, whose databases can go away. */
import { connectionsLost } from '../faults/support.ts'
import { startProxy } from '../platform/postgres/proxy.ts'
import { testDatabase } from '../support/database.ts'
import { startProcess } from '../support/process.ts'
import { bearer, makeOwned } from '../support/world.ts'

const password = 'correct horse battery'

/** Starts a process with a workspace in each cell. Both databases are behind a proxy. */
export const startCells = async () => {
  const [main, b] = [await testDatabase(), await testDatabase()]
  for (const database of [main, b]) database.expectErrors(...connectionsLost, 'CELL_UNAVAILABLE', 'request failed')
  await makeOwned(main.sql, 'Main shop', 'main@shop.example')
  await makeOwned(main.sql, 'Shop', 'b@shop.example', b.sql)
  const proxies = { main: await startProxy(main.url), b: await startProxy(b.url) }
  const service = await startProcess({ DATABASE_URL: proxies.main.url, CELLS: `b=${proxies.b.url}` })
  const send = (method: string, path: string, as: Record<string, string>, body?: object) =>
    fetch(`${service.url}${path}`, {
      method,
      headers: { ...as, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const open = async (email: string) => {
    const signIn = await send('POST', '/v1/auth/sign-in', {}, { email, password })
    const owner = bearer((await signIn.json()).token)
    const { key } = await (await send('POST', '/v1/api-keys', owner, { name: 'load' })).json()
    return { owner, key: { 'X-API-Key': String(key) } }
  }
  return {
    service,
    send,
    databases: { main, b },
    proxies,
    callers: { main: await open('main@shop.example'), b: await open('b@shop.example') },
    [Symbol.asyncDispose]: async () => {
      await service.end()
      await Promise.all(Object.values(proxies).map(proxy => proxy.stop()))
      await main.drop()
      await b.drop()
    },
  }
}
