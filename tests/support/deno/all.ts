/**
 * Declares the tests of the files and folders in the arguments. All run in one process of Deno, which would otherwise
 * load the service again for each file.
 */
import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { declareFile } from './bun-test.ts'

const testFilesIn = async (path: string): Promise<string[]> => {
  if (!statSync(path).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries.filter(entry => entry.endsWith('.test.ts')).map(entry => join(path, entry))
}

const files = await Promise.all(process.argv.slice(2).map(testFilesIn))
for (const file of files.flat().sort()) await declareFile(file, () => import(pathToFileURL(resolve(file)).href))
