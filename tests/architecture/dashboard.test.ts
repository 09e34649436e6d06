/** Rules of the sources of the dashboard: their CSS classes, styles of the library, sizes and routes. */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const dashboard = resolve(import.meta.dir, '../../src/dashboard')
const files = readdirSync(dashboard, { recursive: true, encoding: 'utf8' }).map(path => join(dashboard, path))

/** Returns the classes in the selectors of a CSS module, without those in `:global(…)`. */
const definedIn = (css: string): string[] => {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .matchAll(/([^{};]+)\{/g)
  return [...selectors].flatMap(([, selector]) =>
    [...selector!.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name]) => name!),
  )
}

/** Returns the uses of CSS modules in a source as pairs of the path of the module and the class. */
const usesIn = (path: string, source: string): [module: string, name: string][] =>
  [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].flatMap(([, object, module]) =>
    [...source.matchAll(new RegExp(`(?<![\\w'"\`./-])${object}\\.(\\w+)`, 'g'))].map(
      ([, name]) => [resolve(dirname(path), module!), name!] as [string, string],
    ),
  )

const nameOf = ([module, name]: [string, string]): string => `${relative(dashboard, module)}: ${name}`

test('every CSS class that the dashboard uses is defined, and every defined class is used', () => {
  const modules = files.filter(path => path.endsWith('.module.css'))
  const defined = modules.flatMap(path =>
    definedIn(readFileSync(path, 'utf8')).map(name => [path, name] as [string, string]),
  )
  const used = files.filter(path => /\.tsx?$/.test(path)).flatMap(path => usesIn(path, readFileSync(path, 'utf8')))
  expect(used.length).toBeGreaterThan(300)
  const sorted = (pairs: [string, string][]) => [...new Set(pairs.map(nameOf))].sort()
  expect(sorted(used)).toEqual(sorted(defined))
})

/** Returns the sources that a module imports statically, by default those of the first view. */
const firstView = (path = join(dashboard, 'main.tsx'), found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found
  found.add(path)
  const source = readFileSync(path, 'utf8')
  for (const [, specifier] of source.matchAll(/^(?:import|export) (?!type)[^;]*?from '(\.[^']+\.tsx?)'(?! with)/gm))
    firstView(resolve(dirname(path), specifier!), found)
  return found
}

/** Returns the components that sources import from the library and that have a style sheet. */
const libraryComponents = (paths: Iterable<string>): string[] =>
  [...paths].flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/^import \{([^}]+)\} from '@mantine\/core'/gm)].flatMap(([, names]) =>
      names!
        .split(',')
        .map(name => name.trim())
        .filter(name => existsSync(join(librarySheets, `${name}.css`))),
    ),
  )
const librarySheets = resolve(dashboard, '../../node_modules/@mantine/core/styles')

test('the styles of each library component load with the pages that use it', () => {
  const importsOf = (sheet: string) =>
    [...readFileSync(join(dashboard, sheet), 'utf8').matchAll(/core\/styles\/(\w+)\.css/g)].map(([, name]) => name!)
  const first = new Set(importsOf('styles.css'))
  const all = new Set([...first, ...importsOf('styles-later.css')])
  const sources = firstView(join(dashboard, 'pages/sign-in/SignIn.tsx'), firstView())
  expect(libraryComponents(sources).filter(name => !first.has(name))).toEqual([])
  expect(libraryComponents(files.filter(path => path.endsWith('.tsx'))).filter(name => !all.has(name))).toEqual([])
})

test('no file of the dashboard has more than 300 lines, and routes are typed', () => {
  const sources = files.filter(path => /\.(tsx?|css)$/.test(path) && !path.endsWith('generated.ts'))
  const lineCount = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1
  expect(sources.filter(path => lineCount(path) > 300)).toEqual([])
  const looseRoute =
    /strict: false|\bto=\{[^}]*\} as\b|\buse(Params|Search)\([^)]*\) as\b|\bas LinkProps\b|\bto(?:=\{|: )`/
  expect(sources.filter(path => looseRoute.test(readFileSync(path, 'utf8')))).toEqual([])
  // The router accepts any text as an address.
  const withLinks = sources
    .map(path => [path, readFileSync(path, 'utf8')] as const)
    .filter(([, text]) => /<Link\b/.test(text))
  expect(withLinks.length).toBeGreaterThan(50)
  const textRoute = /\b(?:to|path)\??: string\b/
  expect(withLinks.filter(([, text]) => textRoute.test(text)).map(([path]) => path)).toEqual([])
})

test('no form shows the messages of the browser', () => {
  const forms = files
    .filter(path => path.endsWith('.tsx'))
    .flatMap(path =>
      [...readFileSync(path, 'utf8').matchAll(/<form\b(?:=>|[^>])*>/g)].map(([tag]) => [path, tag] as const),
    )
  expect(forms.length).toBeGreaterThan(15)
  expect(forms.filter(([, tag]) => !/\snoValidate(?=[\s>])/.test(tag)).map(([path]) => path)).toEqual([])
})
