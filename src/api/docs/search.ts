/** Builds the search index: the sections of all chapters, the page on receivers, and every operation. */
import type { Section } from './markdown.ts'
import { operationsByTag } from './operations.ts'
import { type PageInfo, receivers } from './shell.ts'

export interface Entry {
  id: number
  title: string
  /** Location that is shown to the reader. */
  where: string
  text: string
  address: string
}

export const entriesOf = (document: string, chapters: { info: PageInfo; sections: Section[] }[]): Entry[] =>
  [...chapters.flatMap(sectionsOf), receiversEntry, ...operationsByTag(document).flatMap(operationsOf)].map(
    (entry, id) => ({ id, ...entry }),
  )

const sectionsOf = ({ info, sections }: { info: PageInfo; sections: Section[] }): Omit<Entry, 'id'>[] =>
  sections.map(({ title, anchor, text }) => ({
    title: title || info.title,
    where: title ? info.title : 'Chapter',
    text: text.trim().slice(0, 2000),
    address: anchor ? `${info.path}#${anchor}` : info.path,
  }))

const receiversEntry: Omit<Entry, 'id'> = {
  title: receivers.title,
  where: 'Code',
  text: 'verify webhook signature X-Service-Signature HMAC SHA256 TypeScript Python PHP Go Ruby Express headers attempt retry',
  address: receivers.path,
}

const operationsOf = ({ tag, operations }: ReturnType<typeof operationsByTag>[number]): Omit<Entry, 'id'>[] =>
  operations.map(({ method, path, summary, description, address }) => ({
    title: summary,
    where: `${tag} · ${method} ${path}`,
    text: description.slice(0, 600),
    address,
  }))
