/** Finds the cell that answers a request. */

import { isWellFormedKey } from '../../accounts/api-keys/index.ts'
import { createApp, type Handler, type Route } from '../../api/app.ts'
import { noteRoutedByWorkspace } from '../../api/routed-requests.ts'
import { isId } from '../../core/ids.ts'
import { hashSecret } from '../../core/secrets.ts'
import { CellUnavailable } from '../../platform/postgres/cells.ts'
import type { Cell } from './cell.ts'
import type { FurtherCell } from './further-cell.ts'
import type { FurtherCells } from './further-cells.ts'
import type { CellLocator } from './locator.ts'

/** First segments below /v1 of operations on people and their memberships, which are in the directory. */
const directorySegments = new Set(['auth', 'members', 'saved-views'])

/**
 * A key names its workspace, a callback its channel, and a person the header X-Workspace-Id. Without the header, it is the
 * workspace that the person has joined first. Rejects with CellUnavailable if the cell does not respond.
 */
export const createRoute = ({
  locator,
  main,
  others,
}: {
  locator: CellLocator
  main: Pick<Cell, 'api' | 'isAway'>
  others: FurtherCells
}): Route => {
  const requireMain = () => {
    if (main.isAway()) throw new CellUnavailable()
  }
  const handlers = new WeakMap<FurtherCell, Promise<Handler>>()
  const handlerOf = async (name: string | null): Promise<Handler | null> => {
    const cell = await others.findWorking(name)
    if (!cell?.api) {
      requireMain()
      return null
    }
    const known = handlers.get(cell)
    if (known) return known
    const created = createApp(null, cell.api, true, null)
    handlers.set(cell, created)
    return created
  }
  return async request => {
    const [version, segment, , channelId] = pathOf(request).split('/').slice(1)
    if (version !== 'v1') return null
    if (segment === 'inbound')
      return isId(channelId ?? '') ? handlerOf(await locator.find('channel', channelId!)) : null
    const key = request.headers.get('x-api-key')
    // The first cell answers a value that cannot be a key.
    if (key !== null) return isWellFormedKey(key) ? handlerOf(await locator.find('key', hashSecret(key))) : null
    // The directory has the credentials of people.
    requireMain()
    if (segment === undefined || directorySegments.has(segment)) return null
    const named = request.headers.get('x-workspace-id')
    const workspaceId = named ?? (await main.api.authenticator.firstWorkspaceOf(request))
    if (workspaceId === null || !isId(workspaceId)) return null
    // The handler must act in the workspace that determines the cell.
    if (named === null) setHeader(request, 'x-workspace-id', workspaceId)
    noteRoutedByWorkspace(request)
    return handlerOf(await locator.find('workspace', workspaceId.toLowerCase()))
  }
}

/** Sets a header of a request. The headers of a received request cannot be changed. */
const setHeader = (request: Request, name: string, value: string): void => {
  const headers = new Headers(request.headers)
  headers.set(name, value)
  Object.defineProperty(request, 'headers', { value: headers })
}

/** Avoids parsing the URL, because the caller chooses the host and may make the URL invalid. */
const pathOf = ({ url }: Request): string =>
  url.slice(url.startsWith('/') ? 0 : url.indexOf('/', 8)).split(/[?#]/, 1)[0]!
