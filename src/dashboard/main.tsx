import './fonts.css'
/** The dashboard: puts its parts together and draws them. It is a client of the published interface alone. */
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Failure } from './api/client.ts'
import { routeTree } from './routes.tsx'
import { NotFound } from './shell/NotFound.tsx'
import { Texts } from './texts/index.tsx'
import { theme, variables } from './theme.ts'
import { Failure as FailureShown } from './ui/Failure.tsx'

const maxRetries = 3

/** What was refused is refused again; what was not answered, or is asked to wait, may be asked anew. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < maxRetries && error instanceof Failure && (error.status === 0 || error.status === 429 || error.status >= 500)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 600_000,
      retry: isWorthRetrying,
      retryDelay: (count, error) =>
        Math.min((error instanceof Failure && error.retryAfter ? error.retryAfter : 2 ** count) * 1000, 30_000),
    },
    mutations: { retry: false },
  },
})

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <FailureShown of={error} retry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** Mantine's own style elements carry it: the page allows no others. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content

createRoot(document.getElementById('root')!).render(
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
