/** Checks the contract page and all citations of it. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { auditActions, operatorActions } from '../src/accounts/audit/index.ts'
import { Step } from '../src/workflows/steps/index.ts'

const root = resolve(import.meta.dir, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const page = read('openapi/contract.md')
const sections = [...page.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number!)
const subsections = [...page.matchAll(/^### (\d+\.\d+) /gm)].map(([, number]) => number!)

const textsUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.(ts|md|py|php|go|rb)$/.test(path) && !path.endsWith('generated.ts'))
    .map(path => join(folder, path))

// Excludes sql/, because a released migration is never edited.
const citing = [...textsUnder('src'), ...textsUnder('tests'), ...textsUnder('patches'), 'README.md', 'CONTRIBUTING.md']

/** Joins the lines of a comment, which can break in the middle of a citation. */
const unbroken = (text: string): string => text.replaceAll(/\s+(?:(?:\*|\/\/|#) +)?/g, ' ')

const citationsIn = (text: string): string[] =>
  [...unbroken(text).matchAll(/\bcontract (\d+(?:\.\d+)*)/g)].map(([, number]) => number!)

test('the sections and their parts are numbered consecutively', () => {
  expect(sections).toEqual(sections.map((_, index) => `${index + 1}`))
  const within = Map.groupBy(subsections, number => number.split('.', 1)[0]!)
  expect([...within.keys()]).toEqual(sections)
  for (const [section, its] of within) expect(its).toEqual(its.map((_, index) => `${section}.${index + 1}`))
})

test('sections that the page refers to exist', () => {
  const prose = page.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`]*`/g, '')
  const named = [...prose.replaceAll(/^#.*$/gm, '').matchAll(/\b\d+\.\d+\b/g)].map(([number]) => number)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(number => !subsections.includes(number))).toEqual([])
  for (const [, path, anchor] of prose.matchAll(/\]\(([^)#\s]*)#([\w-]+)\)/g))
    expect(anchorsOf(path ? read(join('openapi', path)) : page), `${path}#${anchor}`).toContain(anchor!)
})

test('cited sections exist', () => {
  const citations = citing.flatMap(path => citationsIn(read(path)).map(number => ({ path, number })))
  expect(citations.length).toBeGreaterThan(20)
  expect(citations.filter(({ number }) => !subsections.includes(number))).toEqual([])
})

test('14.3 names the actions of the command line and of single sign-on', () => {
  const [, section] = /^### 14\.3 (.*?)^### /ms.exec(page)!
  const bySso = auditActions.filter(action => /Sso|Identity/.test(action) && action !== 'signInWithSso')
  expect(bySso.length).toBe(4)
  for (const action of [...operatorActions, ...bySso]) expect(section).toContain(`\`${action}\``)
})

test('citations have one form, and name only documents that a reader has', () => {
  const otherwise = /\bContract \d|\bcontract,? section\b|\b[Ii]nterface document\b|\b[Dd]ecisions,? (section|on)\b/
  expect(citing.filter(path => otherwise.test(unbroken(read(path))))).toEqual([])
})

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('every type of step has a row in the section about definitions', () => {
  const section = page.split('### 8.2 ')[1]!.split('\n### ')[0]!
  for (const { properties } of Step.anyOf) expect(section).toContain(`| \`${properties.type!.const}\` |`)
})
