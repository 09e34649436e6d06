import { Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { isText, type TextId, useTranslate } from '../../../texts/index.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { Explanation } from '../../../ui/text/Explanation.tsx'

type DryRun = Schemas['TriedWorkflow']

const operatorTextId = (op: string) => `condition.sign.${op}` as TextId

/** Reason that the event would start no run, with the compared values. */
export const NotStarted = ({ subject: { verdict } }: { subject: DryRun }) => {
  const t = useTranslate()
  return (
    <Section title={t('workflows.try.notStarted')}>
      <Text size="sm" role="status">
        <Explanation>{verdict.explanation}</Explanation>
      </Text>
      {verdict.comparisons.map(({ path, op, value, found, negated }) => (
        <Text size="sm" key={`${path} ${op}`} mt="sm">
          {t(negated ? 'workflows.try.comparedNot' : 'workflows.try.compared', {
            path,
            op: isText(operatorTextId(op)) ? t(operatorTextId(op)) : op,
            value: JSON.stringify(value) ?? '',
            found: found === undefined ? t('workflows.try.nothing') : JSON.stringify(found),
          })}
        </Text>
      ))}
    </Section>
  )
}
