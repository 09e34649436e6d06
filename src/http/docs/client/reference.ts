/** Starts the reference over the published document. `bun run docs` makes `made/reference.js.txt` of it. */
import { changed, kept } from './store.ts'

interface Scalar {
  createApiReference(place: string, configuration: object): { updateConfiguration(configuration: object): void }
}

const slugOf = ({ name = '' }: { name?: string }): string => name.toLowerCase().replaceAll(' ', '-')

/** Everything that would be loaded from elsewhere, or told to somebody, is off. */
const configuration = () => {
  const { key, session } = kept()
  return {
    url: '/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideSearch: true,
    theme: 'none',
    layout: 'modern',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients,
    authentication: {
      preferredSecurityScheme: key ? 'apiKey' : 'bearer',
      securitySchemes: { apiKey: { value: key ?? '' }, bearer: { token: session ?? '' } },
    },
    generateTagSlug: slugOf,
    generateOperationSlug: ({ operationId }: { operationId?: string }) => `operation/${operationId}`,
    metaData: { title: document.title },
  }
}

const hiddenClients = true

const load = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', reject)
    document.head.append(script)
  })

try {
  await load('/docs/scalar.js')
  const { Scalar } = window as unknown as { Scalar: Scalar }
  document.querySelector('.waiting')?.remove()
  const reference = Scalar.createApiReference('#reference', configuration())
  window.addEventListener(changed, () => reference.updateConfiguration(configuration()))
} catch {
  document
    .querySelector('.waiting')
    ?.replaceChildren('The reference cannot be loaded. The document itself is /openapi.json.')
}
