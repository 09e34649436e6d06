import { lazyRouteComponent } from '@tanstack/react-router'
import { Failure, timeoutMs } from '../api/client.ts'
import { loadLater } from './loadLater.ts'

/**
 * Loads the component of a page and the texts when the page is about to be opened. If loading fails or takes 20
 * seconds, the page shows the error. The router's default is a full reload, which would then show nothing at all.
 */
// biome-ignore lint/suspicious/noExplicitAny: same type as in the router
export const lazyPage = <Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(async () => (await withTimeout(Promise.all([load(), loadLater()])))[0], name)

const withTimeout = <Result>(work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const fail = () => reject(new Failure(0, 'unreachable', 'The service does not answer.'))
    const timer = setTimeout(fail, timeoutMs)
    void work.then(resolve, fail).finally(() => clearTimeout(timer))
  })
