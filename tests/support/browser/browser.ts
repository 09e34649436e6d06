/**
 * A real browser for page tests: the Chromium of an npm package, or the one that BROWSER_PATH names. If neither can
 * start, `browserPath` is null and these tests are skipped.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import manifest from '../../../package.json' with { type: 'json' }
import { atEnd } from '../use.ts'

/**
 * Unpacked once for each version and checkout, because it takes three seconds of processor time. A second process finds
 * the complete folder, or unpacks its own copy and discards it.
 */
const folder = resolve(import.meta.dirname, `../../../.data/browser-${manifest.devDependencies['@sparticuz/chromium']}`)

const unpack = async (): Promise<string | null> => {
  const path = join(folder, 'chromium')
  if (existsSync(path)) return path
  mkdirSync(dirname(folder), { recursive: true })
  const mine = mkdtempSync(`${folder}-`)
  // Runs in a separate process, because the package unpacks into the folder of TMPDIR. AWS_LAMBDA_JS_RUNTIME makes it
  // also unpack the libraries that the machine can lack.
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  const child = Bun.spawn([process.execPath, '-e', script], {
    cwd: import.meta.dir,
    env: { ...process.env, TMPDIR: mine, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    if ((await child.exited) !== 0 || !existsSync(join(mine, 'chromium'))) return null
    if (!existsSync(path)) renameSync(mine, folder)
  } catch {
    // Another process finished first.
  } finally {
    rmSync(mine, { recursive: true, force: true })
  }
  return existsSync(path) ? path : null
}

/**
 * Adds the package's own libraries only if the machine lacks some. They can conflict with the libraries of another
 * system.
 */
const environmentFor = async (path: string): Promise<Record<string, string>> => {
  const all = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  const needed = Bun.spawn(['ldd', path], { stdout: 'pipe', stderr: 'ignore' })
  const lacksSome = (await new Response(needed.stdout).text()).includes('not found')
  return {
    ...all,
    ...(lacksSome && { LD_LIBRARY_PATH: join(folder, 'al2023/lib') }),
    // A machine without fonts would show boxes instead of text.
    ...(path.startsWith(folder) && !existsSync('/usr/share/fonts') && { FONTCONFIG_PATH: join(folder, 'fonts') }),
  }
}

/**
 * A tested page lives for a few seconds, in which compiling its JavaScript for speed costs a seventh of the processor
 * time of its process and saves nothing. A young generation of 64 MB saves collections. The bench measures the defaults.
 */
const forShortLives =
  process.env.NODE_ENV === 'test' ? ['--js-flags=--no-maglev --no-turbofan --min-semi-space-size=64'] : []

const launch = async (path: string): Promise<Browser> =>
  await chromium.launch({
    executablePath: path,
    env: await environmentFor(path),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none', ...forShortLives],
    timeout: 30_000,
  })

/**
 * One browser for all files of a process, because starting it takes a second. Each test needs only its own profile.
 */
let shared: Promise<Browser> | undefined

const sharedBrowser = async (path: string): Promise<Browser> => {
  const running = await shared
  if (running?.isConnected()) return running
  shared = launch(path)
  return shared
}

const found = async (): Promise<string | null> => {
  try {
    const path = process.env.BROWSER_PATH ?? (await unpack())
    if (path === null) return null
    await sharedBrowser(path)
    atEnd(async () => (await shared)?.close())
    return path
  } catch (error) {
    // If BROWSER_PATH is set, the tests must run, so the error is not hidden.
    if (process.env.BROWSER_PATH) throw error
    return null
  }
}

/** Path of the browser that tests can start, or null if there is none. */
export const browserPath: string | null = await found()

/** A page that records its complaints: script errors, policy violations and requests to other origins. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  complaints: string[]
  /** Warnings, which are not errors yet. */
  warnings: string[]
  /** Requested addresses outside `home`. */
  elsewhere: string[]
}

/**
 * A browser that empties its last profile for the next test: storage, routes, scripts and settings. Its tab remains, in
 * which the same page costs half the processor time. playwright-core does not publish these functions, so its version is
 * fixed.
 */
type ReusingBrowser = Browser & {
  _newContextForReuse(options: BrowserContextOptions): Promise<ReusedContext>
  _disconnectFromReusedContext(reason: string): Promise<void>
}

type ReusedContext = BrowserContext & {
  _connection: { toImpl(context: BrowserContext): { clearCache(): Promise<void> } }
}

/** Keeps the HTTP cache of a profile. Its files of the dashboard are immutable, and loading them costs an eighth of a page load. */
const keepCache = (context: ReusedContext): void => {
  context._connection.toImpl(context).clearCache = () => Promise.resolve()
}

export class TestBrowser {
  static async start(): Promise<TestBrowser> {
    return new TestBrowser(await sharedBrowser(browserPath!))
  }

  readonly #browser: ReusingBrowser
  readonly #contexts: BrowserContext[] = []
  /** Whether a test uses the reused profile. Further profiles of the same test are new. */
  #isReused = false

  private constructor(browser: Browser) {
    this.#browser = browser as ReusingBrowser
  }

  /** Opens a page in an empty profile. `home` is the origin under test. */
  async open(home: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const context = await this.#newContext({ baseURL: home, ...options })
    const complaints: string[] = []
    const warnings: string[] = []
    const elsewhere: string[] = []
    context.on('request', request => {
      const url = request.url()
      if (!url.startsWith(home) && !/^(data|blob):/.test(url)) elsewhere.push(url)
    })
    // Covers every page that is opened in this context.
    context.on('weberror', error => complaints.push(String(error.error())))
    context.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
      if (message.type() === 'warning') warnings.push(message.text())
    })
    const page = context.pages()[0] ?? (await context.newPage())
    return { page, context, complaints, warnings, elsewhere }
  }

  async #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    if (!this.#isReused) {
      this.#isReused = true
      const context = await this.#browser._newContextForReuse(options)
      keepCache(context)
      return context
    }
    const context = await this.#browser.newContext(options)
    this.#contexts.push(context)
    return context
  }

  /** Closes everything that this instance opened. The browser keeps running. */
  async stop(): Promise<void> {
    if (this.#isReused) await this.#browser._disconnectFromReusedContext('The test has ended.')
    this.#isReused = false
    await Promise.all(this.#contexts.splice(0).map(context => context.close()))
  }
}
