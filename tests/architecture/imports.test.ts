/** Import rules. dependency-cruiser draws the graph, including types. This file contains the rules. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { cruise, type ICruiseResult, type IFlattenedRuleSet, type IForbiddenRuleType } from 'dependency-cruiser'

const root = resolve(import.meta.dir, '../..')

/** Folders of `src` from bottom to top. A folder imports only folders before it. */
const layers = [
  'config.ts',
  'platform',
  'core',
  'queue',
  'accounts',
  'webhooks',
  'customers',
  'messaging',
  'workflows',
  'events',
  'privacy',
  'insights',
  'api',
  'app',
  'main.ts',
]

/** Contexts that consist of entities: folders with an `index.ts`, which is their only entry. */
const contexts = ['accounts', 'webhooks', 'messaging', 'privacy', 'insights']

/** Other entities. The rest of their context is one entity. */
const entities = [
  'core/conditions',
  'core/changes',
  'queue/waits',
  'customers/sales',
  'workflows/steps',
  'workflows/template-use',
  'events/rejected-requests',
  'events/trials',
]

const pathOf = (folder: string): string => `^src/${folder.replaceAll('.', '\\.')}(/|$)`

const rules: IForbiddenRuleType[] = [
  ...layers.map((folder, place) => ({
    name: `${folder} imports only lower layers`,
    severity: 'error' as const,
    from: { path: pathOf(folder) },
    to: { path: '^src/', pathNot: layers.slice(0, place + 1).map(pathOf) },
  })),
  {
    name: 'the dashboard imports no other folder',
    severity: 'error',
    from: { path: '^src/dashboard/' },
    to: { path: '^src/', pathNot: '^src/dashboard/' },
  },
  {
    name: 'every file belongs to a layer',
    severity: 'error',
    from: { path: '^src/', pathNot: [...layers, 'dashboard'].map(pathOf) },
    to: {},
  },
  {
    name: 'from outside of src only data comes, such as sql/*.sql',
    severity: 'error',
    from: { path: '^src/' },
    to: {
      path: '\\.[cm]?[jt]sx?$',
      pathNot: ['^src/', 'node_modules/'],
      dependencyTypesNot: ['core'],
      couldNotResolve: false,
    },
  },
  ...[...contexts, 'customers', 'workflows', 'events'].map(context => ({
    name: `${context} is imported through an index`,
    severity: 'error' as const,
    from: { path: '^src/', pathNot: `^src/${context}/` },
    to: { path: `^src/${context}/`, pathNot: '/index\\.ts$' },
  })),
  {
    name: 'an entity is imported through its index',
    severity: 'error',
    from: { path: `^src/(${contexts.join('|')})/([^/]+)/` },
    to: { path: '^src/$1/[^/]+/', pathNot: ['^src/$1/[^/]+/index\\.ts$', '^src/$1/$2/'] },
  },
  ...entities.map(entity => ({
    name: 'an entity is imported through its index',
    severity: 'error' as const,
    from: { path: '^src/', pathNot: `^src/${entity}/` },
    to: { path: `^src/${entity}/`, pathNot: `^src/${entity}/index\\.ts$` },
  })),
  {
    name: 'a runtime is chosen by platform/runtime.ts alone',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/platform/runtime\\.ts$' },
    to: { path: '^src/platform/(bun|deno)\\.ts$' },
  },
  {
    name: 'the client commands import only modules of Node',
    severity: 'error',
    from: { path: '^src/app/cli/client/' },
    to: { pathNot: '^src/app/cli/client/', dependencyTypesNot: ['core'] },
  },
  { name: 'no cycle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'what is imported exists',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^bun:' },
  },
  {
    name: 'production code imports no development dependency',
    severity: 'error',
    from: { path: '^src/' },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
  },
]

/** Returns the package of a file in node_modules, because every package has its own file layout. */
const packageOf = (path: string): string => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path

/** Returns the violations in the `src` of a project, as `rule: from -> to`. */
const violationsIn = async (project: string): Promise<{ modules: number; violations: string[] }> => {
  const ruleSet: IFlattenedRuleSet = { forbidden: rules }
  const { output } = await cruise(['src'], {
    baseDir: project,
    validate: true,
    ruleSet,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Resolves imports like Bun, with the extension in the import.
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  })
  const { modules, summary } = output as ICruiseResult
  return {
    modules: modules.filter(({ source }) => source.startsWith('src/')).length,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${packageOf(to)}`),
  }
}

test('imports go one way, entities are imported through their index, and there are no cycles', async () => {
  const { modules, violations } = await violationsIn(root)
  expect(violations).toEqual([])
  expect(modules).toBeGreaterThan(200)
}, 60_000)

describe('the rules detect each violation', () => {
  let project = ''
  const outside = '../../tests'
  const files: [path: string, text: string, rule: string][] = [
    ['src/events/one.ts', `import { a } from '../api/errors.ts'`, 'events imports only lower layers'],
    ['src/events/two.ts', `export * from '../api/errors.ts'`, 'events imports only lower layers'],
    ['src/core/three.ts', `type A = import('../api/errors.ts').Code`, 'core imports only lower layers'],
    ['src/queue/four.ts', `await import('../api/errors.ts')`, 'queue imports only lower layers'],
    ['src/platform/five.ts', `import type { A } from '../core/a.ts'`, 'platform imports only lower layers'],
    ['src/webhooks/six/index.ts', `import '../../customers/index.ts'`, 'webhooks imports only lower layers'],
    ['src/messaging/seven/index.ts', `import '../eight/sql.ts'`, 'an entity is imported through its index'],
    ['src/queue/host.ts', `import './waits/sql.ts'`, 'an entity is imported through its index'],
    ['src/api/nine.ts', `import '../messaging/eight/sql.ts'`, 'messaging is imported through an index'],
    ['src/core/ten.ts', `import '${outside}/a.ts'`, 'from outside of src only data comes, such as sql/*.sql'],
    ['src/api/eleven.ts', `import '../platform/deno.ts'`, 'a runtime is chosen by platform/runtime.ts alone'],
    ['src/dashboard/twelve.ts', `import '../core/a.ts'`, 'the dashboard imports no other folder'],
    ['src/app/cli/client/a.ts', `import '../other.ts'`, 'the client commands import only modules of Node'],
    ['src/app/cli/client/b.ts', `import 'uuid'`, 'the client commands import only modules of Node'],
    ['src/attic/old.ts', `import 'fs'`, 'every file belongs to a layer'],
    ['src/core/circle.ts', `import type { B } from './round.ts'\nexport type A = B | null`, 'no cycle'],
    ['src/core/lost.ts', `import './nowhere.ts'`, 'what is imported exists'],
    ['src/core/checked.ts', `import 'fast-check'`, 'production code imports no development dependency'],
  ]
  const violationOf = ([from, text, rule]: (typeof files)[number]) => {
    const named = /'(.*?)'/.exec(text)![1]!
    const isFile = named.startsWith('.') && rule !== 'what is imported exists'
    return `${rule}: ${from} -> ${isFile ? join(dirname(from), named) : named}`
  }
  const others = {
    'src/api/errors.ts': `export const a = 1\nexport type Code = string`,
    'src/app/cli/other.ts': `export const a = 1`,
    'src/core/a.ts': `export type A = string`,
    'src/customers/index.ts': `export const a = 1`,
    'src/platform/deno.ts': `export const deno = 1`,
    'src/messaging/eight/sql.ts': `export const a = 1`,
    'src/queue/waits/sql.ts': `export const a = 1`,
    'src/core/round.ts': `import type { A } from './circle.ts'\nexport type B = A`,
    'tests/a.ts': `export const a = 1`,
    'package.json': `{ "type": "module", "devDependencies": { "fast-check": "*" } }`,
  }
  let violations: string[] = []

  beforeAll(async () => {
    project = mkdtempSync(join(tmpdir(), 'imports-'))
    for (const [path, text] of [...files.map(([path, text]) => [path, text] as const), ...Object.entries(others)]) {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), `${text}\n`)
    }
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    violations = (await violationsIn(project)).violations
  }, 60_000)
  afterAll(() => rmSync(project, { recursive: true }))

  test.each(files)('in %s: %s', (from, text, rule) => {
    expect(violations).toContain(violationOf([from, text, rule]))
  })

  test('reports no other violation', () => {
    const expected = new Set(files.map(violationOf))
    const surplus = violations.filter(found => !expected.has(found) && !found.startsWith('no cycle'))
    expect(surplus).toEqual([])
  })
})

test('no folder has more than 30 entries', () => {
  const entries = new Map<string, Set<string>>()
  for (const folder of ['src', 'tests', 'sql', 'docs', 'deploy'])
    for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      const full = join(folder, path)
      if (full.includes('/made/')) continue
      entries.set(dirname(full), (entries.get(dirname(full)) ?? new Set()).add(basename(full)))
    }
  const large = [...entries].filter(([, names]) => names.size > 30).map(([path, names]) => `${path}: ${names.size}`)
  expect(large).toEqual([])
})
