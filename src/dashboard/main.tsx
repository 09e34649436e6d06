import './fonts.css'
/**
 * Entry point of the dashboard. It creates the router and the query client and renders the app. The dashboard uses only
 * the published API.
 */
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { focusManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RegisteredRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Failure } from './api/client.ts'
import { freshMs } from './api/live.ts'
import { routeTree } from './routes.tsx'
import { ErrorPage } from './shell/ErrorPage.tsx'
import { lazyPage } from './shell/lazyPage.ts'
import { PendingPage } from './shell/PendingPage.tsx'
import { Texts } from './texts/index.tsx'
import { theme, variables } from './theme.ts'
import { keepFocus } from './ui/hooks/focus.ts'

/** Wait before the only retry in milliseconds. A page shows an error within a second, and tries again by itself. */
const retryDelayMs = 300

/** Retries a missing response or a 5xx once. Any other rejection would be repeated unchanged. */
const isRetryable = (count: number, error: unknown): boolean =>
  count === 0 && error instanceof Failure && (error.status === 0 || error.status >= 500) && error.retryAfter === null

// The stream does not announce deletions, so queries are refetched when the person returns to the window or tab.
focusManager.setEventListener(onFocus => {
  const notifyFocus = () => onFocus()
  window.addEventListener('visibilitychange', notifyFocus)
  window.addEventListener('focus', notifyFocus)
  return () => {
    window.removeEventListener('visibilitychange', notifyFocus)
    window.removeEventListener('focus', notifyFocus)
  }
})

/** Repeats a read that the API refused for a time. `useRefetchOnReconnect` repeats those without a response. */
const queryCache = new QueryCache({
  onError: (error, { queryKey }) => {
    if (!(error instanceof Failure) || error.retryAfter === null) return
    const refetch = () => void queries.refetchQueries({ queryKey, exact: true, type: 'active' })
    setTimeout(refetch, (error.retryAfter + Math.random()) * 1000)
  },
})

const queries: QueryClient = new QueryClient({
  queryCache,
  defaultOptions: {
    queries: {
      // A page says that it cannot reach the server, instead of waiting for the network without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: freshMs,
      gcTime: 600_000,
      retry: isRetryable,
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

const router = createRouter({
  routeTree,
  // Search parameters are always text: `?type=1` is the type named "1", not a number.
  parseSearch: search => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: search => {
    const definedEntries = Object.entries(search).filter(([, value]) => value !== undefined)
    return definedEntries.length === 0
      ? ''
      : `?${new URLSearchParams(definedEntries.map(([name, value]) => [name, String(value)]))}`
  },
  // Removes invalid values and unknown parameters from an opened address, before its first request.
  search: { strict: true },
  context: { queries },
  defaultPreload: 'intent',
  defaultNotFoundComponent: lazyPage(() => import('./shell/NotFound.tsx'), 'NotFound'),
  defaultErrorComponent: ErrorPage,
  // The address and the navigation change immediately, so the page before must not stay.
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Fails the type check when the router accepts any address, which happens as soon as one route has an untyped path. */
type LinksAreChecked = string extends keyof RegisteredRouter['routesByPath'] ? never : true
true satisfies LinksAreChecked

/** Nonce for Mantine's style elements. The content security policy blocks styles without it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content

/** Errors of type `Failure` are shown on the page, so they are not logged to the console. */
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof Failure)) console.error(error)
}

keepFocus()

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
