import { Fragment } from 'react'
import { Time } from './Time.tsx'

/** ` (run <id>)` and ` (by user <id>)`: pages link to the record instead. */
const ids = / \((?:run|by user) [0-9a-f-]{36}\)/g
/** A moment behind `since` or `at`. Values of events, which stand elsewhere in a sentence, stay as they are. */
const moments = /(?<=\b(?:since|at) )(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/

/** A sentence of the interface for people: without ids, and with moments as times of the reader. */
export const Explanation = ({ children }: { children: string }) =>
  children
    .replaceAll(ids, '')
    .split(moments)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
      <Fragment key={index}>{index % 2 === 1 ? <Time at={part} exact /> : part}</Fragment>
    ))
