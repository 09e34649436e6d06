import '../fonts.css'
/**
 * Entry point of the page of states: the components in every state, each at its own address (`/?state=failures`). Only
 * tests and `bun tests/support/browser/states.ts` serve it; no build contains it.
 */
import '../styles.css'
import '../styles-later.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { loadTexts, Texts } from '../texts/index.tsx'
import { theme, variables } from '../theme.ts'
import { States } from './States.tsx'

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
const router = createRouter({ routeTree: createRootRoute({ component: States }) })

await loadTexts()
createRoot(document.getElementById('root')!).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={variables}
    defaultColorScheme="auto"
    {...(nonce && { getStyleNonce: () => nonce })}
  >
    <Texts>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </Texts>
  </MantineProvider>,
)
