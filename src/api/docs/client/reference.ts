/**
 * Renders the API reference from the published document. `deploy/generate.ts` bundles it into `made/reference.js.txt`.
 */
import { typescript } from '../samples.ts'
import { changedEvent, storedValues } from './store.ts'

interface Scalar {
  createApiReference(selector: string, configuration: object): { updateConfiguration(configuration: object): void }
}

const slugOf = ({ name = '' }: { name?: string }): string => name.toLowerCase().replaceAll(' ', '-')

/** Configures the reference. Everything that loads external resources or sends data to others is disabled. */
const configuration = () => {
  const { key, session } = storedValues()
  return {
    content: withTypeScript(apiDocument, { key, session }),
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideSearch: true,
    hideDarkModeToggle: true,
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

/**
 * Languages hidden in the reference. It shows its own samples for curl, Python and PHP, and our samples for TypeScript.
 */
const hiddenClients = {
  shell: ['httpie', 'wget'],
  php: ['guzzle', 'laravel'],
  python: ['python3', 'aiohttp', 'httpx_sync', 'httpx_async'],
  ...Object.fromEntries(
    'c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml powershell r ruby rust swift'
      .split(' ')
      .map(language => [language, true]),
  ),
}

interface Operation {
  security: Record<string, unknown>[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
}

/** Adds a TypeScript sample to every operation. */
const withTypeScript = (
  document: Document,
  { key, session }: { key: string | undefined; session: string | undefined },
): Document => ({
  ...document,
  paths: mapValues(document.paths, (methods, path) =>
    mapValues(methods, (operation, method) => {
      const body = operation.requestBody?.content['application/json']
      const example = body?.examples ? Object.values(body.examples)[0]?.value : body?.example
      const schemes = operation.security.flatMap(requirement => Object.keys(requirement))
      const credential: [string, string][] = schemes.includes('apiKey')
        ? [['X-API-Key', key ?? 'YOUR_KEY']]
        : schemes.includes('bearer')
          ? [['Authorization', `Bearer ${session ?? 'YOUR_TOKEN'}`]]
          : []
      const source = typescript({
        method: method.toUpperCase(),
        path,
        headers: [...credential, ...(example ? ([['Content-Type', 'application/json']] as [string, string][]) : [])],
        body: example ? JSON.stringify(example) : null,
      })
      return {
        ...operation,
        'x-codeSamples': [
          { lang: 'TypeScript', label: 'TypeScript', source: source.replace('%url%', location.origin) },
        ],
      }
    }),
  ),
})

const mapValues = <Value>(record: Record<string, Value>, change: (value: Value, name: string) => Value) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]))

/** Sets the nonce on style elements, because the policy requires it and the reference omits it on some of them. */
const addNonceToStyles = (): void => {
  const { nonce } = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')!
  const create = document.createElement.bind(document) as (
    name: string,
    options?: ElementCreationOptions,
  ) => HTMLElement
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (name === 'style') element.nonce = nonce
    return element
  }) as typeof document.createElement
}

const load = (address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', reject)
    document.head.append(script)
  })

let apiDocument: Document
try {
  addNonceToStyles()
  apiDocument = await (await fetch('/openapi.json')).json()
  await load('/docs/scalar.js')
  const { Scalar } = window as unknown as { Scalar: Scalar }
  document.querySelector('.waiting')?.remove()
  const reference = Scalar.createApiReference('#reference', configuration())
  window.addEventListener(changedEvent, () => reference.updateConfiguration(configuration()))
} catch {
  document
    .querySelector('.waiting')
    ?.replaceChildren('The reference cannot be loaded. The document itself is /openapi.json.')
}
