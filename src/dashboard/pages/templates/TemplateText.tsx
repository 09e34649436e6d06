import { Fragment } from 'react'
import { splitPlaceholders } from './body.ts'
import styles from './templates.module.css'

/** Text of a template. A line ends before a placeholder, or after a dot or `|` within it. */
export const TemplateText = ({ children }: { children: string }) =>
  splitPlaceholders(children).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
      <span key={index} className={styles.placeholder}>
        {part.split(/(?<=[.|])/).map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word is identified by its position.
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {word}
          </Fragment>
        ))}
      </span>
    ),
  )
