import { Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { type Condition, kindOf, partsOf } from './condition.ts'
import { conditionText } from './words.ts'

/** Read-only condition as text, one part per line. */
export const ConditionWords = ({
  of,
  names = [],
  under = '',
}: {
  of: Condition
  /** Labels of known paths. */
  names?: { path: string; label: string }[]
  /** Common prefix of the paths, which is not shown. */
  under?: string
}) => {
  const say = useTexts()
  const kind = kindOf(of)
  const nameOf = (path: string) =>
    names.find(one => one.path === path)?.label ?? (path.startsWith(under) ? path.slice(under.length) : path)
  return (
    <>
      {kind !== 'compare' && <Text size="sm">{say(kind === 'not' ? 'condition.notThese' : `condition.${kind}`)}</Text>}
      {partsOf(of).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position.
        <div key={index}>
          <bdi>{conditionText(part, say, { nameOf })}</bdi>
        </div>
      ))}
    </>
  )
}
