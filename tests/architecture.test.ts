import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { migrations } from '../src/db/migrations.ts'

const root = resolve(import.meta.dir, '..')

const filesUnder = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .map(path => join(folder, path))

const sources = filesUnder('src', '.ts').map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Every relative import of a source file, as a path from the root. */
const importsOf = ({ path, text }: { path: string; text: string }): string[] =>
  [...text.matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, target]) =>
    relative(root, resolve(root, path, '..', target!)),
  )

const mayUse: Record<string, string[]> = {
  db: [],
  domain: ['db'],
  actors: ['domain', 'db'],
  tasks: ['actors', 'domain', 'db'],
  http: ['domain', 'db'],
  cli: ['http', 'tasks', 'actors', 'domain', 'db'],
}

const roomOf = (path: string): string => path.split('/')[1]!

describe('imports go one way: cli -> http | tasks -> actors -> domain -> db', () => {
  test.each(Object.keys(mayUse))('%s imports only what lies below it', room => {
    for (const source of sources.filter(({ path }) => roomOf(path) === room)) {
      for (const target of importsOf(source)) {
        const other = roomOf(target)
        if (other === room || !(other in mayUse)) continue
        expect(mayUse[room], `${source.path} imports ${target}`).toContain(other)
      }
    }
  })

  test('platform imports no room of ours', () => {
    for (const source of sources.filter(({ path }) => roomOf(path) === 'platform')) {
      expect(
        importsOf(source).filter(target => roomOf(target) !== 'platform'),
        source.path,
      ).toEqual([])
    }
  })

  test('a noun of the domain is entered by its index', () => {
    for (const source of sources) {
      for (const target of importsOf(source)) {
        const [, room, noun, file] = target.split('/')
        if (room !== 'domain' || file === undefined || source.path.startsWith(`src/domain/${noun}/`)) continue
        expect(file, `${source.path} imports ${target}`).toBe('index.ts')
      }
    }
  })
})

describe('each of these is said in one place', () => {
  const says = (pattern: RegExp, allowed: (path: string) => boolean) =>
    sources.filter(({ path, text }) => pattern.test(withoutComments(text)) && !allowed(path)).map(({ path }) => path)

  test('only platform/runtime.ts knows Bun, so that the service also starts elsewhere', () => {
    const runtime = (path: string) => path === 'src/platform/runtime.ts'
    expect(says(/\bBun\./, runtime)).toEqual([])
    expect(says(/from 'bun(:[a-z]+)?'|import\('bun/, runtime)).toEqual([])
  })

  test('only config.ts reads the environment', () => {
    expect(says(/process\.env/, path => path === 'src/config.ts')).toEqual([])
  })

  test('only db/listen.ts listens', () => {
    expect(says(/\blisten "|`listen /i, path => path === 'src/db/listen.ts')).toEqual([])
  })

  test('statements live in the domain, in db and in sql', () => {
    expect(
      says(/\b(sql|tx)(<[^`]*>)?`/, path => /^src\/(domain|db)\//.test(path) || path === 'src/cli/database.ts'),
    ).toEqual([])
  })

  test('the domain knows neither HTTP nor the alarms', () => {
    expect(says(/from '(elysia|graphile-worker)'/, path => !path.startsWith('src/domain/'))).toEqual([])
  })
})

test('every migration of sql/ is applied, in the order of its number', () => {
  const files = readdirSync(join(root, 'sql')).sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
  for (const { name, sql } of migrations) expect(sql).toBe(readFileSync(join(root, 'sql', `${name}.sql`), 'utf8'))
})

test('every setting is in the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const config = sources.find(({ path }) => path === 'src/config.ts')!.text
  const settings = new Set(
    [...config.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)]
      .map(([, name]) => name!)
      .filter(name => name.length > 3 || name === 'PORT'),
  )
  expect(settings.size).toBeGreaterThan(15)
  for (const setting of settings) expect(readme, `README.md lacks ${setting}`).toContain(`\`${setting}\``)
})

test('every file that README.md and CONTRIBUTING.md name exists', () => {
  for (const document of ['README.md', 'CONTRIBUTING.md', 'src/actors/README.md', 'src/domain/README.md']) {
    const folder = document.includes('/') ? document.slice(0, document.lastIndexOf('/')) : '.'
    const text = readFileSync(join(root, document), 'utf8')
    const named = [...text.matchAll(/`((?:src|tests|sql|openapi|patches)\/[\w./-]+)`/g)].map(([, path]) => path!)
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => join(folder, path!))
    for (const path of [...named, ...linked])
      expect(existsSync(join(root, path)), `${document} names ${path}`).toBe(true)
  }
})

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
