import { lazyRouteComponent } from '@tanstack/react-router'
import { Failure } from '../api/client.ts'
import { loadTexts } from '../texts/index.tsx'

/**
 * What is drawn at an address, with its words: loaded when somebody is about to open it. Where it cannot be loaded that is
 * told in its place, as of any call; the router by itself would have the browser load everything anew, which then shows
 * nothing at all.
 */
// biome-ignore lint/suspicious/noExplicitAny: as the router's own
export const lazyPage = <Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(async () => (await Promise.all([load(), loadTexts()]).catch(notLoaded))[0], name)

const notLoaded = (): never => {
  throw new Failure(0, 'unreachable', 'The service does not answer.')
}
