import { lazyRouteComponent } from '@tanstack/react-router'
import { Failure } from '../api/client.ts'
import { loadLater } from './loadLater.ts'

/**
 * Loads the component of a page and the texts when the page is about to be opened. If loading fails, the page shows the
 * error. The router's default is a full reload, which would then show nothing at all.
 */
// biome-ignore lint/suspicious/noExplicitAny: same type as in the router
export const lazyPage = <Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(async () => (await Promise.all([load(), loadLater()]).catch(throwNotLoaded))[0], name)

const throwNotLoaded = (): never => {
  throw new Failure(0, 'unreachable', 'The service does not answer.')
}
