import './fonts.css'
/** The dashboard: puts its parts together and draws them. It is a client of the published interface alone. */
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RegisteredRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Failure } from './api/client.ts'
import { routeTree } from './routes.tsx'
import { Broken } from './shell/Broken.tsx'
import { NotFound } from './shell/NotFound.tsx'
import { Texts } from './texts/index.tsx'
import { theme, variables } from './theme.ts'

const maxRetries = 3
/** Who is to wait for longer is told so, and when to try again. */
const longestWaitSeconds = 3

/** What was refused is refused again; what was not answered, or is asked to wait a moment, may be asked anew. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < maxRetries &&
  error instanceof Failure &&
  (error.status === 0 || error.status === 429 || error.status >= 500) &&
  (error.retryAfter ?? 0) <= longestWaitSeconds

// The stream tells of nothing that is removed: who comes back to the window, or to the tab, sees what there is.
focusManager.setEventListener(look => {
  const cameBack = () => look()
  window.addEventListener('visibilitychange', cameBack)
  window.addEventListener('focus', cameBack)
  return () => {
    window.removeEventListener('visibilitychange', cameBack)
    window.removeEventListener('focus', cameBack)
  }
})

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 600_000,
      retry: isWorthRetrying,
      retryDelay: (count, error) =>
        (error instanceof Failure && error.retryAfter ? error.retryAfter : 2 ** count) * 1000,
    },
    mutations: { retry: false },
  },
})

const router = createRouter({
  routeTree,
  // What stands in an address is text, whatever it looks like: `?type=1` is a type that is called so.
  parseSearch: search => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: search => {
    const said = Object.entries(search).filter(([, value]) => value !== undefined)
    return said.length === 0 ? '' : `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`
  },
  context: { queries },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Fails the type check when the router accepts any address: a single route whose path is untyped is enough for that. */
type LinksAreChecked = string extends keyof RegisteredRouter['routesByPath'] ? never : true
true satisfies LinksAreChecked

/** Mantine's own style elements carry it: the page allows no others. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content

/** What a page says in its place is no fault of the page: it need not stand in the console. */
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof Failure)) console.error(error)
}

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(nonce && { getStyleNonce: () => nonce })}
    >
      <Texts>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Texts>
    </MantineProvider>
  </StrictMode>,
)
