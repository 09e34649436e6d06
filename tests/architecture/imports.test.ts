/** Import rules. dependency-cruiser draws the graph, including types. This file contains the rules. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cruise, type ICruiseResult, type IFlattenedRuleSet, type IForbiddenRuleType } from 'dependency-cruiser'

const root = resolve(import.meta.dir, '../..')

const leaves = ['config.ts', 'platform', 'embedded']

/** Maps each module to the modules below it. Leaf modules import only types of platform. */
const below: Record<string, readonly string[]> = {
  'config.ts': [],
  platform: [],
  embedded: [],
  dashboard: [],
  db: leaves,
  domain: ['db', ...leaves],
  actors: ['domain', 'db', ...leaves],
  tasks: ['actors', 'domain', 'db', ...leaves],
  http: ['domain', 'db', ...leaves],
  service: ['http', 'tasks', 'actors', 'domain', 'db', ...leaves],
  cli: ['service', 'http', 'tasks', 'actors', 'domain', 'db', ...leaves],
  'main.ts': ['cli'],
}

const pathOf = (room: string): string => `^src/${room.replaceAll('.', '\\.')}(/|$)`

const rules: IForbiddenRuleType[] = [
  ...Object.entries(below).map(([room, allowed]) => ({
    name: `${room} imports only what lies below it`,
    severity: 'error' as const,
    from: { path: pathOf(room) },
    to: { path: '^src/', pathNot: [room, ...allowed].map(pathOf) },
  })),
  {
    name: 'every file lies in a room',
    severity: 'error',
    from: { path: '^src/', pathNot: Object.keys(below).map(pathOf) },
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
  {
    name: 'a noun of the domain is entered by its index',
    severity: 'error',
    from: { path: '^src/domain/([^/]+)/' },
    to: { path: '^src/domain/[^/]+/', pathNot: ['^src/domain/[^/]+/index\\.ts$', '^src/domain/$1/'] },
  },
  {
    name: 'a noun of the domain is entered by its index',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/domain/[^/]+/' },
    to: { path: '^src/domain/[^/]+/', pathNot: '^src/domain/[^/]+/index\\.ts$' },
  },
  {
    name: 'a runtime is chosen by platform/runtime.ts alone',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/platform/runtime\\.ts$' },
    to: { path: '^src/platform/(bun|deno)\\.ts$' },
  },
  { name: 'no circle', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'what is imported is there',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true, pathNot: '^bun:' },
  },
  {
    name: 'what runs is no development dependency',
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
  const files: [path: string, text: string, found: string][] = [
    [
      'src/domain/one.ts',
      `import { a } from '../http/errors.ts'\nexport const b = a`,
      'domain imports only what lies below it: src/domain/one.ts -> src/http/errors.ts',
    ],
    [
      'src/domain/two.ts',
      `export * from "../http/errors.ts"`,
      'domain imports only what lies below it: src/domain/two.ts -> src/http/errors.ts',
    ],
    [
      'src/domain/three.ts',
      `export type Code = import('../http/errors.ts').Code`,
      'domain imports only what lies below it: src/domain/three.ts -> src/http/errors.ts',
    ],
    [
      'src/domain/four.ts',
      `export const load = () => import('../http/errors.ts')`,
      'domain imports only what lies below it: src/domain/four.ts -> src/http/errors.ts',
    ],
    [
      'src/db/five.ts',
      `import type { Code } from '../http/errors.ts'\nexport type Same = Code`,
      'db imports only what lies below it: src/db/five.ts -> src/http/errors.ts',
    ],
    [
      'src/platform/six.ts',
      `import { a } from '../db/pool.ts'\nexport const b = a`,
      'platform imports only what lies below it: src/platform/six.ts -> src/db/pool.ts',
    ],
    [
      'src/domain/seven/index.ts',
      `import { a } from '../eight/sql.ts'\nexport const b = a`,
      'a noun of the domain is entered by its index: src/domain/seven/index.ts -> src/domain/eight/sql.ts',
    ],
    [
      'src/http/nine.ts',
      `import { a } from '../domain/eight/sql.ts'\nexport const b = a`,
      'a noun of the domain is entered by its index: src/http/nine.ts -> src/domain/eight/sql.ts',
    ],
    [
      'src/domain/ten.ts',
      `import { a } from '../../tests/support/world.ts'\nexport const b = a`,
      'from outside of src only data comes, such as sql/*.sql: src/domain/ten.ts -> tests/support/world.ts',
    ],
    [
      'src/http/eleven.ts',
      `import { deno } from '../platform/deno.ts'\nexport const a = deno`,
      'a runtime is chosen by platform/runtime.ts alone: src/http/eleven.ts -> src/platform/deno.ts',
    ],
    ['src/attic/old.ts', `import 'node:fs'`, 'every file lies in a room: src/attic/old.ts -> fs'],
    [
      'src/domain/circle.ts',
      `import type { B } from './round.ts'\nexport type A = B | null`,
      'no circle: src/domain/circle.ts -> src/domain/round.ts',
    ],
    ['src/domain/lost.ts', `import './nowhere.ts'`, 'what is imported is there: src/domain/lost.ts -> ./nowhere.ts'],
    [
      'src/domain/checked.ts',
      `import fc from 'fast-check'\nexport const a = fc`,
      'what runs is no development dependency: src/domain/checked.ts -> fast-check',
    ],
  ]
  const others = {
    'src/http/errors.ts': `export const a = 1\nexport type Code = string`,
    'src/db/pool.ts': `export const a = 1`,
    'src/platform/deno.ts': `export const deno = 1`,
    'src/domain/eight/sql.ts': `export const a = 1`,
    'src/domain/round.ts': `import type { A } from './circle.ts'\nexport type B = A`,
    'tests/support/world.ts': `export const a = 1`,
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

  test.each(files)('in %s: %s', (_path, _text, found) => {
    expect(violations).toContain(found)
  })

  test('reports no other violation', () => {
    const expected = new Set(files.map(([, , found]) => found))
    const surplus = violations.filter(found => !expected.has(found) && !found.startsWith('no circle'))
    expect(surplus).toEqual([])
  })
})
