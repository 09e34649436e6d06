import { Fragment } from 'react'
import { Time } from '../Time.tsx'

/**
 * Matches a timestamp after `since` or `at`. Timestamps from event data, elsewhere in the sentence, are not changed.
 */
const timePattern = /(?<=\b(?:since|at) )(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/

/** Sentence of the API for people, with timestamps in the reader's format. */
export const Explanation = ({ children }: { children: string }) =>
  children.split(timePattern).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
    <Fragment key={index}>{index % 2 === 1 ? <Time at={part} exact /> : part}</Fragment>
  ))
