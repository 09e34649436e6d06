import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { PlayIcon } from '../../../ui/page-icons.ts'
import { Incomplete } from '../faults/Incomplete.tsx'
import { VersionChoice } from '../versions/VersionChoice.tsx'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'
import { AnswerForm } from './AnswerForm.tsx'
import { Clock } from './Clock.tsx'
import { EventFields } from './EventFields.tsx'
import { NotStarted } from './NotStarted.tsx'
import { StepList } from './StepList.tsx'
import { TryPhone } from './TryPhone.tsx'
import trials from './trials.module.css'
import type { Test } from './useTest.ts'

/** Test beside the editor: the event, the clock, the steps and the customer's phone. */
export const TestPanel = ({ workflow, draft, faults, edit, test }: ViewProps & { test: Test }) => {
  const t = useTranslate()
  return (
    <aside className={styles.aside} data-test aria-label={t('workflows.view.try')}>
      <VisuallyHidden component="h2">{t('workflows.view.try')}</VisuallyHidden>
      <Section title={t('workflows.try.title')}>
        <form noValidate onSubmit={test.submit}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t('workflows.try.text')}
            </Text>
            <VersionChoice
              workflow={workflow}
              draft={draft.definition}
              value={test.version}
              onChange={test.setVersion}
            />
            <EventFields test={test} />
            <Group>
              <Button
                type="submit"
                variant={test.result ? 'default' : 'filled'}
                leftSection={<PlayIcon width={14} />}
                loading={test.busy}
              >
                {t('workflows.try.start')}
              </Button>
            </Group>
            {test.version === 'draft' && (
              <Incomplete faults={faults} definition={draft.definition} isRejected={test.isRejected} edit={edit} />
            )}
            {test.failure !== null && <Failure error={test.failure} retry={() => test.run(test.answers)} />}
          </Stack>
        </form>
      </Section>
      {test.result && <TestResult test={test} />}
    </aside>
  )
}

const TestResult = ({ test }: { test: Test }) => {
  const t = useTranslate()
  const { result, shownSteps, shownCount, current, isFinished, last, answers } = test
  if (!result) return null
  const { dryRun, subject } = result
  if (dryRun.verdict.verdict !== 'started') return <NotStarted subject={dryRun} />
  const { steps } = dryRun
  return (
    <>
      {!test.isCurrent && (
        <Text size="sm" role="status">
          {t('workflows.try.outdated')}
        </Text>
      )}
      <div className={trials.clockAndPhone}>
        <div>
          <Clock steps={steps} shownCount={shownCount} onChange={test.setShownCount} dryRun={dryRun} />
        </div>
        <div>
          <TryPhone
            dryRun={dryRun}
            answers={answers}
            until={isFinished ? null : (last?.at ?? null)}
            next={steps[shownCount]?.at ?? null}
            steps={shownSteps.map(one => one.stepId)}
            busy={test.busy}
            onReply={test.reply}
          />
        </div>
      </div>
      <Section title={t('workflows.run.steps')}>
        <StepList trace={shownSteps} definition={subject} current={current} />
        {last?.outcome === 'waiting' && subject.steps[last.stepId]?.type === 'wait_for' && (
          <AnswerForm
            key={shownCount}
            definition={subject}
            since={Date.parse(last.at) - Date.parse(steps[0]!.at)}
            busy={test.busy}
            onAnswer={answer => test.run([...answers, answer], () => shownCount + 1)}
          />
        )}
      </Section>
    </>
  )
}
