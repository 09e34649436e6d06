/** Keeps comments, documentation, messages, test names, the published document and the dashboard free of idioms. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { first } from '../../src/dashboard/texts/en/first.ts'
import { later } from '../../src/dashboard/texts/en/later.ts'

const root = resolve(import.meta.dir, '../..')

/**
 * Number of findings in each area: quotations and sentences that are no idioms. Any other finding fails. Lower a number
 * when you remove one.
 */
const accepted: Record<string, number> = {
  'the source': 6,
  'errors, log messages and CLI texts': 5,
  'the tests': 20,
  documentation: 0,
  'the chapters at /docs': 0,
  'the dashboard': 2,
  'the contract': 3,
  'SQL, containers and patches': 1,
  'the published document': 2,
}

/** Free relatives and prepositions that no comment, heading or description begins with. */
const opening =
  /^(who|whoever|whom|whose|what|whatever|of|for whom|those|told|the same|besides?|behind|where|by which|to whom|how|nobody|nothing|none)\b/i

/** Idioms that a reader has to translate. */
const idioms =
  /\b(at once|anew|once more|of late|in vain|for good|thereby|by then|so long|so many|all the same|as it is|what became of|becomes of|came of|goes on|going on|whoever|whom|in hand|under way|is to be|are to be|gives? way|looks after|to the letter|by themselves|nobody|tells of|told of|telling of|rouse|bury|hears of|sees? to|as ever|mends?|mended|parted by|turned away|come to pass|signs? of life|kept out)\b/gi

const filesUnder = (path: string, endings: RegExp): string[] =>
  readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter(name => endings.test(name) && !/(^|\/)(generated\.ts|made\/)/.test(name))
    .map(name => join(path, name))

/** Returns the paragraphs, list items and table rows of Markdown, without code. */
const textsOfMarkdown = (text: string): string[] =>
  text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/\n\s*\n|\n(?=[-|#\d])/)

/** Returns the comments of a source file, and the names of its tests and waits. */
const textsOfSource = (text: string, isTest: boolean): string[] => [
  ...[...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, comment]) => comment!.replaceAll(/^\s*\* ?/gm, '')),
  ...[...text.matchAll(/(?:^[ \t]*\/\/.*\n)+/gm)].map(([comment]) => comment.replaceAll(/^\s*\/\/ ?/gm, '')),
  ...(isTest
    ? [...text.matchAll(/\b(?:test|describe|eventually)(?:\.\w+)*\(\s*(['"`])(.*?)\1/g)].map(([, , name]) => name!)
    : []),
]

const textsOf = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8')
  return path.endsWith('.md') ? textsOfMarkdown(text) : textsOfSource(text, path.startsWith('tests/'))
}

/** Returns the comments of SQL, YAML and a Dockerfile. */
const textsOfScript = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/(?:^[ \t]*(?:--|#).*\n)+/gm)].map(([comment]) =>
    comment.replaceAll(/^\s*(--|#) ?/gm, ''),
  )

/** Returns every summary and description of the published document. */
const textsOfDocument = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'description' || name === 'summary') && typeof inner === 'string'
      ? textsOfMarkdown(inner)
      : textsOfDocument(inner),
  )
}

/** Returns each sentence and label of the dashboard, and each form of a plural. */
const textsOfDashboard = (texts: Record<string, string>): string[] =>
  Object.values(texts)
    .flatMap(text =>
      text
        .replaceAll(/\{\w+(?:, number)?\}/g, 'x')
        .replaceAll(/\{\w+, (?:plural|select),|(?:=\d+|\w+) \{/g, '\n')
        .split(/[\n}]|(?<=[.!?:;]) /),
    )
    .map(text => text.trim())
    .filter(text => /\w/.test(text))

/** Fields and functions whose text is published. The published document is an area of its own. */
const published = /^(description|summary|described)$/

/**
 * Returns the string literals of a source file that contain at least three words, with the fixed parts of templates.
 * These are error messages, log messages and texts of the command line. Statements, types and imports are left out.
 */
const stringsOf = (path: string): string[] => {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const strings: string[] = []
  const read = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isPropertyAssignment(node) && published.test(node.name.getText())) return
    if (ts.isCallExpression(node) && published.test(node.expression.getText())) return
    if (ts.isStringLiteralLike(node)) strings.push(node.text)
    if (ts.isTemplateExpression(node))
      strings.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…'))
    // The text of a tagged template is a statement. Its values can be messages.
    if (ts.isTaggedTemplateExpression(node)) ts.forEachChild(node.template, read)
    else ts.forEachChild(node, read)
  }
  read(file)
  // A literal that begins with white space continues a sentence.
  return strings.filter(text => /[a-z]+ [\w`"…-]+ [a-z]/i.test(text)).map(text => text.replace(/^\s+/, '…'))
}

const findingsIn = (text: string): string[] => {
  const plain = text.trim().replaceAll(/`[^`]*`/g, 'code')
  return [...(opening.exec(plain) ? [plain.slice(0, 60)] : []), ...(plain.match(idioms) ?? [])]
}

const areas: Record<string, () => string[]> = {
  'the source': () => [...filesUnder('src', /\.tsx?$/), ...filesUnder('deploy', /\.ts$/)].flatMap(textsOf),
  'errors, log messages and CLI texts': () =>
    filesUnder('src', /\.ts$/)
      .filter(path => !path.startsWith('src/dashboard/'))
      .flatMap(stringsOf),
  'the tests': () => filesUnder('tests', /\.tsx?$/).flatMap(textsOf),
  documentation: () =>
    ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesUnder('docs', /\.md$/)].flatMap(textsOf),
  'the chapters at /docs': () => filesUnder('src/api/docs/chapters', /\.md$/).flatMap(textsOf),
  'the dashboard': () => textsOfDashboard({ ...first, ...later }),
  'the contract': () => textsOf('openapi/contract.md'),
  'SQL, containers and patches': () => [
    ...[...filesUnder('sql', /\.sql$/), 'Dockerfile', ...filesUnder('deploy', /\.(yaml|service)$/)].flatMap(
      textsOfScript,
    ),
    ...textsOf('patches/README.md'),
  ],
  'the published document': () =>
    textsOfDocument(JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8')) as unknown),
}

test.each(Object.entries(areas))('%s is written in plain words', (area, read) => {
  const texts = read()
  const words = texts.reduce((sum, text) => sum + text.split(/\s+/).filter(Boolean).length, 0)
  const findings = texts.flatMap(findingsIn)
  expect(words).toBeGreaterThan(500)
  expect(findings.length, findings.join('\n')).toBe(accepted[area]!)
})

test.each([
  ['Whoever has the lease acts.', 2],
  ['Of what there may be so many.', 2],
  ['Returns the tenant of an item.', 0],
  ['What happened', 1],
])('an odd comment is found: %s', (text, count) => {
  expect(findingsIn(text)).toHaveLength(count)
})
