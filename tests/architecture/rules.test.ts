import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { migrations } from '../../src/platform/postgres/migrations.ts'

const root = resolve(import.meta.dir, '../..')

const filesUnder = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith(ending))
    .map(path => join(folder, path))

const sources: Source[] = filesUnder('src', '.ts').map(path => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Readings of the sources. Parsing all of them takes a second. */
const readings = new Map<Source, Reading>()
const readingOfSource = (source: Source): Reading => {
  const reading = readings.get(source) ?? readingOf(source.text)
  readings.set(source, reading)
  return reading
}

/** What the global `Bun`, its types, its modules and its own fields of `import.meta` have in common: no Node.js has them. */
const usesBun = ({ imports, names, reads, metaFields }: Reading): boolean =>
  [...names, ...reads].some(name => /^Bun([A-Z]|$)/.test(name)) ||
  imports.some(name => /^bun(:|\/|$)/.test(name)) ||
  metaFields.some(field => !['url', 'resolve', 'dirname', 'filename'].includes(field))

/** What the global `Deno` and the addresses of modules that only Deno loads have in common. */
const usesDeno = ({ imports, names, reads }: Reading): boolean =>
  [...names, ...reads].includes('Deno') || imports.some(name => /^(deno|npm|jsr|https?):|^@?deno(\/|$)/.test(name))

/** Versions are what tells one runtime from another. */
const asksWhichRuntime = ({ reads }: Reading): boolean => reads.includes('versions')

const readsEnvironment = ({ reads }: Reading): boolean => reads.includes('env')

describe('each of these is said in one place', () => {
  const says = (said: (reading: Reading) => boolean, allowed: (path: string) => boolean) =>
    sources.filter(source => !allowed(source.path) && said(readingOfSource(source))).map(({ path }) => path)

  test('contexts and the API take the time from platform/clock.ts', () => {
    // Code for receivers, and for browsers, runs elsewhere.
    const isOurs = (path: string) =>
      /^src\/(core|queue|accounts|webhooks|customers|messaging|workflows|events|privacy|insights|api)\//.test(path) &&
      !/^src\/api\/(receivers|docs\/client)\//.test(path)
    const asks = sources.filter(({ path, text }) => isOurs(path) && /\bDate\.now\b|\bnew Date\(\)/.test(text))
    expect(asks.map(({ path }) => path)).toEqual([])
  })

  test('only platform/bun.ts knows Bun', () => {
    expect(says(usesBun, path => path === 'src/platform/bun.ts')).toEqual([])
  })

  test('only platform/deno.ts knows Deno', () => {
    expect(says(usesDeno, path => path === 'src/platform/deno.ts')).toEqual([])
  })

  test('only platform/runtime.ts asks which runtime it is', () => {
    expect(says(asksWhichRuntime, path => path === 'src/platform/runtime.ts')).toEqual([])
  })

  test('only config.ts reads the environment', () => {
    // The client commands are bundled into an npm package without the settings of the service.
    const readers = ['src/config.ts', 'src/app/cli/client/environment.ts']
    expect(says(readsEnvironment, path => readers.includes(path))).toEqual([])
  })

  test('only platform/postgres/listen.ts listens', () => {
    const listens = ({ texts }: Reading) => texts.some(text => /^\s*listen\s|\blisten "/i.test(text))
    // The usage of a command also begins with this word.
    const isCommand = (path: string) => path === 'src/app/cli/client/listen.ts'
    expect(says(listens, isCommand)).toEqual(['src/platform/postgres/listen.ts'])
  })

  test('statements are only in contexts, in platform/postgres and in sql', () => {
    const states = ({ tags }: Reading) => tags.includes('sql') || tags.includes('tx')
    expect(
      says(
        states,
        path =>
          /^src\/(core|queue|accounts|webhooks|customers|messaging|workflows|events|privacy|insights|platform\/postgres)\//.test(
            path,
          ) ||
          path === 'src/platform/postgres/micro-batched.ts' ||
          path === 'src/app/database.ts' ||
          // Moves the history of the demo into the past, in the demo's own database.
          path === 'src/app/cli/demo/history/shift.ts' ||
          path === 'src/platform/embedded-postgres/client.ts',
      ),
    ).toEqual([])
  })

  test('contexts know neither HTTP nor Graphile Worker', () => {
    const knows = ({ imports }: Reading) => imports.some(name => /^(elysia|@elysiajs|graphile-worker)(\/|$)/.test(name))
    expect(
      says(
        knows,
        path =>
          !/^src\/(core|queue|accounts|webhooks|customers|messaging|workflows|events|privacy|insights)\//.test(path),
      ),
    ).toEqual([])
    expect(knows(readingOf(`await import("elysia")`))).toBe(true)
  })

  test.each([
    [usesBun, `import type { Server } from 'bun'`, true],
    [usesBun, `await import('bun:jsc')`, true],
    [usesBun, `require.resolve('bun')`, true],
    [usesBun, `'/*' + Bun.version + '*/'`, true],
    [usesBun, `globalThis['Bun']`, true],
    [usesBun, `const { Bun: runtime } = globalThis`, true],
    [usesBun, `const options: BunFetchRequestInit = {}`, true],
    [usesBun, `import.meta.dir`, true],
    [usesBun, `const meta = import.meta`, true],
    [usesBun, `/* import 'bun' */ const said = 'Bun.version' // require('bun')`, false],
    [usesBun, `const pattern = /Bun.version/`, false],
    [usesBun, `import bunyan from 'bunyan'; import './bun.ts'; import.meta.url`, false],
    [usesDeno, `globalThis.Deno`, true],
    [usesDeno, `import pg from 'npm:pg@8'`, true],
    [usesDeno, `const said = 'Deno.version' // Deno.version`, false],
    [usesDeno, `import './deno.ts'`, false],
    [asksWhichRuntime, `const { versions } = process`, true],
    [asksWhichRuntime, `import { versions } from 'node:process'`, true],
    [readsEnvironment, `process['env'].PORT`, true],
    [readsEnvironment, `const { env } = process`, true],
    [readsEnvironment, `spawn('psql', { env: {} }) // process.env`, false],
  ])('%p is right about %s', (rule, text, holds) => {
    expect(rule(readingOf(text))).toBe(holds)
  })
})

describe('links of the dashboard are checked by the types of the router', () => {
  /** Casts of an address, and links that spread properties of the type `any`: both switch the check off. */
  const uncheckedLinks = (text: string): string[] => {
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (isAddress(node) && holdsCast(node)) found.push(node.getText())
      if (ts.isJsxSpreadAttribute(node) && isLink(node.parent.parent) && !isTypedParameter(node.expression))
        found.push(node.parent.parent.getText())
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
    return found
  }
  const isAddress = (node: ts.Node) =>
    (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && node.name.getText() === 'to'
  const holdsCast = (node: ts.Node): boolean =>
    (ts.isAsExpression(node) && node.type.getText() !== 'const') || ts.forEachChild(node, holdsCast) === true
  const isLink = (node: ts.Node) =>
    (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) && node.tagName.getText() === 'Link'
  /** Whether the name is a parameter that carries a type of its own. */
  const isTypedParameter = (spread: ts.Node): boolean => {
    for (let node = spread.parent; node; node = node.parent)
      if (ts.isArrowFunction(node)) {
        const parameter = node.parameters.find(({ name }) => name.getText() === spread.getText())
        if (parameter) return parameter.type !== undefined && parameter.type.getText() !== 'any'
      }
    return true
  }

  test('no file switches the check off', () => {
    const files = filesUnder('src/dashboard', '.tsx').map(
      path => [path, readFileSync(join(root, path), 'utf8')] as const,
    )
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap(([path, text]) => uncheckedLinks(text).map(link => `${path}: ${link}`))).toEqual([])
  })

  test.each([
    '<Link to={path as string} />',
    'navigate({ to: path as string })',
    '<Anchor renderRoot={props => <Link {...props} to="/events" />} />',
    '<Anchor renderRoot={(props: any) => <Link {...props} to="/events" />} />',
  ])('this is found: %s', text => {
    expect(uncheckedLinks(text)).toHaveLength(1)
  })

  test.each([
    '<Link to="/events/$id" params={{ id }} />',
    "const here = { to: '/inbox' as const }",
    '<Anchor renderRoot={(props: object) => <Link {...props} to="/events" />} />',
  ])('this is checked: %s', text => {
    expect(uncheckedLinks(text)).toEqual([])
  })
})

test('every migration of sql/ is applied, in the order of its number', () => {
  const files = readdirSync(join(root, 'sql'), { withFileTypes: true })
    .filter(one => one.isFile())
    .map(({ name }) => name)
    .sort()
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files)
  for (const { name, sql } of migrations) expect(sql).toBe(readFileSync(join(root, 'sql', `${name}.sql`), 'utf8'))
})

test('docs/configuration.md lists every setting', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const config = sources.find(({ path }) => path === 'src/config.ts')!.text
  const settings = new Set(
    [...config.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)]
      .map(([, name]) => name!)
      .filter(name => name.length > 3 || name === 'PORT'),
  )
  expect(settings.size).toBeGreaterThan(15)
  for (const setting of settings) expect(page, `docs/configuration.md lacks ${setting}`).toContain(`\`${setting}\``)
})

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'openapi', 'patches', 'src', 'tests'].flatMap(folder => filesUnder(folder, '.md')),
]

test('every file that a document names exists', () => {
  for (const document of documents) {
    const folder = document.includes('/') ? document.slice(0, document.lastIndexOf('/')) : '.'
    const text = readFileSync(join(root, document), 'utf8')
    const named = [...text.matchAll(/`((?:deploy|docs|src|tests|sql|openapi|patches)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    )
    const linked = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)/g)].map(([, path]) => join(folder, path!))
    for (const path of [...named, ...linked])
      expect(existsSync(join(root, path)), `${document} names ${path}`).toBe(true)
  }
})

/** Returns the anchors of a document's headings, as on GitHub. */
const anchorsOf = (document: string): string[] =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('every heading that a document links to exists', () => {
  let links = 0
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8')
    for (const [, path, anchor] of text.matchAll(/\]\((?!https?:|\/)([^)#]*)#([^)]+)\)/g)) {
      const linked = path === '' ? document : join(dirname(document), path!)
      if (!linked.endsWith('.md')) continue
      links++
      expect(anchorsOf(linked), `${document} links to ${linked}#${anchor}`).toContain(anchor!)
    }
  }
  expect(links).toBeGreaterThan(100)
})

test('docs/architecture.md names existing files and functions', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const places = [...page.matchAll(/`(src\/[\w./-]+)`\s+`(#?\w+)`/g)].map(([, path, name]) => [path!, name!] as const)
  expect(places.length).toBeGreaterThan(25)
  for (const [path, name] of places)
    expect(readFileSync(join(root, path), 'utf8'), `${path} lacks ${name}`).toMatch(
      new RegExp(`(^|[^\\w.])${name}\\b`, 'm'),
    )
})

interface Source {
  /** From the root. */
  path: string
  text: string
}

/** What a rule may ask of a source. Comments are no part of it, and strings only where they name something. */
interface Reading {
  /** What is imported, required or re-exported, as it is written. */
  imports: string[]
  /** Every identifier. */
  names: string[]
  /** Fields that are read of something, also by a string, by taking it apart or by importing it from a module. */
  reads: string[]
  /** Fields of `import.meta`; empty where it is used as a whole. */
  metaFields: string[]
  /** Tags of templates: the last name, as in `this.#sql`. */
  tags: string[]
  /** Strings, and the pieces of templates. */
  texts: string[]
}

/** Read by the compiler's own parser: a search in the text takes quotes, comments and patterns for each other. */
const readingOf = (text: string): Reading => {
  const reading: Reading = { imports: [], names: [], reads: [], metaFields: [], tags: [], texts: [] }
  const visit = (node: ts.Node): void => {
    note(node, reading)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true))
  return reading
}

const note = (node: ts.Node, reading: Reading): void => {
  const module = moduleOf(node)
  if (module && ts.isStringLiteralLike(module)) reading.imports.push(module.text)
  if (ts.isIdentifier(node)) reading.names.push(node.text)
  const field = fieldOf(node)
  if (field !== null) reading.reads.push(field)
  if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
    const isRead = isFieldOfSomething(node.parent) && node.parent.expression === node
    reading.metaFields.push((isRead && fieldOf(node.parent)) || '')
  }
  if (ts.isTaggedTemplateExpression(node)) reading.tags.push(/\w*$/.exec(node.tag.getText())![0])
  if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
    reading.texts.push(node.text)
}

/** The node that says from where, in everything that imports. */
const moduleOf = (node: ts.Node): ts.Node | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  const isCall = ts.isCallExpression(node) && /^(import|(.*\.)?require(\.resolve)?)$/.test(node.expression.getText())
  return isCall ? node.arguments[0] : undefined
}

const isFieldOfSomething = (node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)

/** The field that is read here, where it has a name; null where nothing is read. */
const fieldOf = (node: ts.Node): string | null => {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : null
  const isPart = ts.isImportSpecifier(node) || (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
  const name = isPart ? (node.propertyName ?? node.name) : null
  return name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? name.text : null
}
