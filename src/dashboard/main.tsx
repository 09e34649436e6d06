import './fonts.css'
/**
 * Entry point of the dashboard. It creates the router and the query client and renders the app. The dashboard uses only
 * the published API.
 */
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, type RegisteredRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Failure } from './api/client.ts'
import { routeTree } from './routes.tsx'
import { ErrorPage } from './shell/ErrorPage.tsx'
import { NotFound } from './shell/NotFound.tsx'
import { Texts } from './texts/index.tsx'
import { theme, variables } from './theme.ts'

const maxRetries = 3
/** Longest automatic wait before a retry. For a longer wait, the page shows the error and when to try again. */
const maxRetryAfterSeconds = 3

/** Retries a missing response, a 429 or a 5xx. Any other rejection would be repeated unchanged. */
const isRetryable = (count: number, error: unknown): boolean =>
  count < maxRetries &&
  error instanceof Failure &&
  (error.status === 0 || error.status === 429 || error.status >= 500) &&
  (error.retryAfter ?? 0) <= maxRetryAfterSeconds

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

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 600_000,
      retry: isRetryable,
      retryDelay: (count, error) =>
        (error instanceof Failure && error.retryAfter ? error.retryAfter : 2 ** count) * 1000,
    },
    mutations: { retry: false },
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
  context: { queries },
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ErrorPage,
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
