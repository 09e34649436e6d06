import { Button, Group, Stack, Text } from '@mantine/core'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Time, useDuration } from '../../../ui/Time.tsx'
import styles from '../workflows.module.css'
import { useOutcomeTexts } from './StepList.tsx'
import trials from './trials.module.css'

type DryRun = Schemas['TriedWorkflow']

/** Simulated time, with buttons to advance it. */
export const Clock = ({
  steps,
  shownCount,
  dryRun,
  onChange,
}: {
  steps: DryRun['steps']
  shownCount: number
  dryRun: DryRun
  onChange: (shownCount: number) => void
}) => {
  const t = useTranslate()
  const duration = useDuration()
  const { end } = useOutcomeTexts()
  const at = steps[Math.max(0, shownCount - 1)]?.at
  const next = steps[shownCount]?.at
  const elapsed = at && steps[0] ? Date.parse(at) - Date.parse(steps[0].at) : 0
  const isFinished = shownCount === steps.length
  const wait = at && next ? Date.parse(next) - Date.parse(at) : 0
  return (
    <Section title={t('workflows.try.clock')}>
      <Stack gap="sm">
        <Text size="sm" component="div" role="status">
          {at && <Time at={at} exact />}{' '}
          {elapsed > 0 && (
            <span className={styles.quiet}>{t('workflows.try.timeAfterEvent', { time: duration(elapsed) })}</span>
          )}{' '}
          {isFinished && dryRun.endReason && (
            <Status tone={dryRun.endReason === 'completed' ? 'done' : 'off'}>{end(dryRun.endReason)}</Status>
          )}
        </Text>
        <Group gap="sm" className={trials.clockButtons!}>
          <Button variant="default" disabled={shownCount <= 1} onClick={() => onChange(shownCount - 1)}>
            {t('workflows.try.back')}
          </Button>
          <Button variant="default" disabled={isFinished} onClick={() => onChange(shownCount + 1)}>
            {wait > 0 ? t('workflows.try.advance', { time: duration(wait) }) : t('workflows.try.next')}
          </Button>
          <Button variant="default" disabled={isFinished} onClick={() => onChange(steps.length)}>
            {t('workflows.try.skipToEnd')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
