/**
 * A real browser for tests of pages: Chromium as a package brings it, or the one that BROWSER_PATH names. Where neither can
 * be started, `browserPath` is null and such tests are skipped.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import manifest from '../../package.json' with { type: 'json' }
import { atEnd } from './at-end.ts'

/** Unpacked once for each version; whoever comes second finds it whole, or makes one of its own that nobody needs. */
const folder = join(tmpdir(), `browser-of-tests-${manifest.devDependencies['@sparticuz/chromium']}`)

const unpack = async (): Promise<string | null> => {
  const path = join(folder, 'chromium')
  if (existsSync(path)) return path
  const mine = mkdtempSync(join(tmpdir(), 'browser-'))
  // By a process of its own: the package unpacks into the folder for temporary files, and as on a machine that lacks
  // libraries it brings these along.
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  const child = Bun.spawn([process.execPath, '-e', script], {
    cwd: import.meta.dir,
    env: { ...process.env, TMPDIR: mine, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  try {
    if ((await child.exited) !== 0 || !existsSync(join(mine, 'chromium'))) return null
    if (!existsSync(path)) {
      mkdirSync(tmpdir(), { recursive: true })
      renameSync(mine, folder)
    }
  } catch {
    // Somebody else was faster.
  } finally {
    rmSync(mine, { recursive: true, force: true })
  }
  return existsSync(path) ? path : null
}

/** Its own libraries only where the machine lacks some: mixed with those of another system they may not go together. */
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
    // Text would else be boxes on a machine without fonts.
    ...(path.startsWith(folder) && !existsSync('/usr/share/fonts') && { FONTCONFIG_PATH: join(folder, 'fonts') }),
  }
}

const launch = async (path: string): Promise<Browser> =>
  await chromium.launch({
    executablePath: path,
    env: await environmentFor(path),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    timeout: 30_000,
  })

/** One for all files of a process: a profile of its own is what a test needs, and starting a browser takes a second. */
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
    // Whoever names a browser wants the tests to run.
    if (process.env.BROWSER_PATH) throw error
    return null
  }
}

/** The browser that tests can start, or null where there is none. */
export const browserPath: string | null = await found()

/** A page that remembers what it complained of: errors of scripts, what its policy forbade, and what it asked elsewhere for. */
export interface WatchedPage {
  page: Page
  context: BrowserContext
  complaints: string[]
  /** What it warned of, which is no error yet. */
  warnings: string[]
  /** Addresses beyond `home` that were asked for. */
  elsewhere: string[]
}

export class TestBrowser {
  static async start(): Promise<TestBrowser> {
    return new TestBrowser(await sharedBrowser(browserPath!))
  }

  readonly #browser: Browser
  readonly #contexts: BrowserContext[] = []

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  /** A page in a profile of its own. `home` is the origin that is tested. */
  async open(home: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const context = await this.#browser.newContext({ baseURL: home, ...options })
    this.#contexts.push(context)
    const complaints: string[] = []
    const warnings: string[] = []
    const elsewhere: string[] = []
    context.on('request', request => {
      const url = request.url()
      if (!url.startsWith(home) && !/^(data|blob):/.test(url)) elsewhere.push(url)
    })
    // Of every page that is opened in it.
    context.on('weberror', error => complaints.push(String(error.error())))
    context.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text())
      if (message.type() === 'warning') warnings.push(message.text())
    })
    const page = await context.newPage()
    return { page, context, complaints, warnings, elsewhere }
  }

  /** Closes all that was opened by it; the browser itself goes on. */
  async stop(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map(context => context.close()))
  }
}
