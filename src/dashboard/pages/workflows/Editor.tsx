import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { stepIdPattern } from './definition/check.ts'
import { insertStep, removeStep, renameStep, setStep } from './definition/edit.ts'
import type { Definition, Step } from './definition/types.ts'
import { Diagram } from './diagram/Diagram.tsx'
import { findFault } from './faults/faults.ts'
import { FaultText } from './forms/exits.tsx'
import { FormContext } from './forms/forms.ts'
import { StartForm } from './forms/StartForm.tsx'
import { StepForm } from './forms/StepForm.tsx'
import { useReferences } from './references.ts'
import { StepIcon } from './steps/StepIcon.tsx'
import { toExecutedPath } from './trials/executed-path.ts'
import { useStepBadges } from './trials/StepList.tsx'
import { TestPanel } from './trials/TestPanel.tsx'
import { useTest } from './trials/useTest.ts'
import type { ViewProps } from './view-props.ts'
import styles from './workflows.module.css'

/** Visual editor: the graph of the steps, a plus button on every edge, the form of the open step, and the test. */
export const Editor = (props: ViewProps) => {
  const t = useTranslate()
  const { draft, faults, shownFaults, readOnly, isTesting, step, open } = props
  const { change } = draft
  const test = useTest(props)
  const badges = useStepBadges()
  const definition = isTesting ? test.definition : draft.definition
  const isEditable = !readOnly && definition === draft.definition
  const references = useReferences(definition)
  const prefix = step === 'start' || step === undefined ? '' : `steps.${step}.`
  useLeave(step, shownFaults.leaveStep)
  const { result, shownSteps } = test
  return (
    <FormContext.Provider
      value={{
        ...references,
        definition,
        readOnly: !isEditable,
        getFault: name =>
          name === '' ? faults.find(({ path }) => `${path}.` === prefix)?.reason : findFault(faults, prefix + name),
        onLeave: name => shownFaults.leaveField(prefix + name),
      }}
    >
      <div className={styles.editor} data-step={step} data-test={isTesting || undefined}>
        <Diagram
          definition={definition}
          selected={step}
          open={open}
          faults={faults}
          label={t(isTesting ? 'workflows.try.diagram' : 'workflows.diagram')}
          {...(isTesting &&
            result &&
            test.isCurrent && {
              path: toExecutedPath(definition, shownSteps, test.isFinished && result.dryRun.endReason === 'completed'),
              badges: badges(shownSteps, test.current),
            })}
          insert={
            isEditable && !isTesting
              ? (gap, type) => {
                  const inserted = insertStep(definition, gap, type)
                  shownFaults.addStep(inserted.id)
                  change(inserted.definition)
                  open(inserted.id)
                }
              : undefined
          }
        />
        {step !== undefined && (
          <StepPanel key={step} {...props} step={step} definition={definition} isEditable={isEditable} />
        )}
        {isTesting && <TestPanel {...props} test={test} />}
      </div>
    </FormContext.Provider>
  )
}

/** Calls `onLeave` with the previous step when another step, or none, is open. */
const useLeave = (step: string | undefined, onLeave: (step: string) => void) => {
  const previous = useRef(step)
  useEffect(() => {
    if (previous.current !== undefined && previous.current !== step) onLeave(previous.current)
    previous.current = step
  }, [step, onLeave])
}

/** Form of the trigger or of a step. */
const StepPanel = ({
  draft: { change },
  step,
  open,
  definition,
  isEditable,
}: ViewProps & { step: string; definition: Definition; isEditable: boolean }) => {
  const t = useTranslate()
  const selected = Object.hasOwn(definition.steps, step) ? definition.steps[step] : undefined
  const close = () => open(undefined)
  if (step === 'start')
    return (
      <Panel nested title={<StepTitle type="start" />} onClose={close}>
        <StartForm onChange={change} />
      </Panel>
    )
  if (!selected)
    return (
      <Panel nested title={step} onClose={close}>
        <Text size="sm" mt="md">
          {t('workflows.fault.unknownStep', { id: step })}
        </Text>
      </Panel>
    )
  return (
    <Panel nested title={<StepTitle type={selected.type} />} onClose={close}>
      <Stack gap="md" mt="md" mb="lg">
        <StepForm step={selected} onChange={next => change(setStep(definition, step, next))} />
        <FaultText name="" />
      </Stack>
      {isEditable && (
        <Section title={t('workflows.form.settings')}>
          <Group align="flex-end" justify="space-between">
            <StepName
              id={step}
              isTaken={id => Object.hasOwn(definition.steps, id)}
              onChange={id => {
                change(renameStep(definition, step, id))
                open(id)
              }}
            />
            <Button
              variant="default"
              disabled={Object.keys(definition.steps).length === 1}
              onClick={() => {
                change(removeStep(definition, step))
                close()
              }}
            >
              {t('workflows.form.removeStep')}
            </Button>
          </Group>
        </Section>
      )}
    </Panel>
  )
}

const StepTitle = ({ type }: { type: Step['type'] | 'start' }) => {
  const t = useTranslate()
  return (
    <span className={`${styles.stepTitle} ${styles.panelTitle}`}>
      <StepIcon type={type} />
      {t(`workflows.step.${type}`)}
    </span>
  )
}

/** Field for the id of a step. The change is applied when the field loses focus. */
const StepName = ({
  id,
  isTaken,
  onChange,
}: {
  id: string
  isTaken: (id: string) => boolean
  onChange: (id: string) => void
}) => {
  const t = useTranslate()
  const [input, setInput] = useState(id)
  const error =
    input === id
      ? undefined
      : !stepIdPattern.test(input)
        ? t('workflows.fault.idPattern')
        : isTaken(input)
          ? t('workflows.form.idTaken')
          : undefined
  const applyName = () => {
    if (input !== id && !error) onChange(input)
  }
  return (
    <TextInput
      label={t('workflows.form.id')}
      description={t('workflows.form.idHint')}
      value={input}
      error={error}
      onChange={event => setInput(event.currentTarget.value)}
      onBlur={applyName}
      onKeyDown={event => event.key === 'Enter' && applyName()}
    />
  )
}
