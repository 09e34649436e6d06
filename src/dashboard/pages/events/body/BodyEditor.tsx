import { useMemo } from 'react'
import { CodeEditor } from '../../../ui/json/CodeEditor.tsx'
import { findRanges, findSyntaxError } from '../../../ui/json/ranges.ts'

/** Editor of an event body. It marks a syntax error, and the fields that the last validation rejected. */
export const BodyEditor = ({
  label,
  describedBy,
  value,
  syntaxError,
  rejected,
  onChange,
}: {
  label: string
  describedBy: string
  value: string
  syntaxError: string | null
  /** Reason of each rejected field, by its path. */
  rejected: Readonly<Record<string, string>>
  onChange: (value: string) => void
}) => {
  const marks = useMemo(() => {
    const position = syntaxError === null ? null : findSyntaxError(value)
    if (position) return [{ ...position, message: syntaxError! }]
    const paths = Object.keys(rejected)
    return findRanges(value, paths).map((range, index) => ({ ...range, message: rejected[paths[index]!]! }))
  }, [value, syntaxError, rejected])
  return (
    <CodeEditor
      label={label}
      path="body"
      describedBy={describedBy}
      value={value}
      invalid={syntaxError !== null}
      marks={marks}
      onChange={onChange}
    />
  )
}
