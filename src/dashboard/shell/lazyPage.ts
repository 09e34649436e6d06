import { lazyRouteComponent } from '@tanstack/react-router'
import { loadTexts } from '../texts/index.tsx'

/** What is drawn at an address, with its words: loaded when somebody is about to open it. */
// biome-ignore lint/suspicious/noExplicitAny: as the router's own
export const lazyPage = <Module extends Record<string, any>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) => lazyRouteComponent(async () => (await Promise.all([load(), loadTexts()]))[0], name)
