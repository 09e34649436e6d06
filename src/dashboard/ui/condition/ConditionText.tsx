import { Text } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { type Condition, getKind, listParts } from './condition.ts'
import { conditionText } from './condition-text.ts'

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Read-only condition in words, one part per line. The names of paths without a label are in quotes. */
export const ConditionText = ({
  condition,
  names = [],
  prefix = '',
  sentence,
}: {
  condition: Condition
  /** Labels of known paths. */
  names?: { path: string; label: string }[]
  /** Common prefix of the paths, which is not shown. */
  prefix?: string
  /** Returns the sentence of a condition with only one part. */
  sentence: (condition: string) => string
}) => {
  const t = useTranslate()
  const kind = getKind(condition)
  const pathLabel = (path: string) =>
    names.find(one => one.path === path)?.label ?? `“${path.startsWith(prefix) ? path.slice(prefix.length) : path}”`
  if (kind === 'compare') return <bdi>{sentence(conditionText(condition, t, { pathLabel }))}</bdi>
  return (
    <>
      <Text size="sm">{t(kind === 'not' ? 'condition.notThese' : `condition.${kind}`)}</Text>
      {listParts(condition).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
        <div key={index}>
          <bdi>{upperFirst(conditionText(part, t, { pathLabel }))}</bdi>
        </div>
      ))}
    </>
  )
}
