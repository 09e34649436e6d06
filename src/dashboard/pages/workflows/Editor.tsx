import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { stepIdPattern } from './definition/check.ts'
import { insertStep, removeStep, renameStep, setStep } from './definition/edit.ts'
import { Diagram } from './diagram/Diagram.tsx'
import { findFault } from './faults.ts'
import { FaultText } from './forms/exits.tsx'
import { FormContext } from './forms/forms.ts'
import { StartForm } from './forms/StartForm.tsx'
import { StepForm } from './forms/StepForm.tsx'
import { useReferences } from './references.ts'
import type { ViewProps } from './view-props.ts'
import styles from './workflows.module.css'

/** Visual editor: the graph of the steps, a plus button on every edge, and the form of the open step. */
export const Editor = ({ draft, faults, readOnly, step, open }: ViewProps) => {
  const t = useTranslate()
  const { definition, change } = draft
  const references = useReferences(definition)
  const selectedStep = step !== undefined && step !== 'start' ? definition.steps[step] : undefined
  const prefix = step === 'start' || step === undefined ? '' : `steps.${step}.`
  return (
    <FormContext.Provider
      value={{ ...references, definition, readOnly, getFault: name => findFault(faults, `${prefix}${name}`) }}
    >
      <div className={styles.editor}>
        <Diagram
          definition={definition}
          selected={step}
          open={open}
          faults={faults}
          label={t('workflows.diagram')}
          insert={
            readOnly
              ? undefined
              : (gap, type) => {
                  const inserted = insertStep(definition, gap, type)
                  change(inserted.definition)
                  open(inserted.id)
                }
          }
        />
        {step === 'start' && (
          <Panel nested title={t('workflows.step.start')} onClose={() => open(undefined)}>
            <StartForm onChange={change} />
          </Panel>
        )}
        {step !== undefined && selectedStep && (
          <Panel nested key={step} title={t(`workflows.step.${selectedStep.type}`)} onClose={() => open(undefined)}>
            <Section title={t('workflows.form.summary')}>
              <Stack gap="md">
                <StepForm step={selectedStep} onChange={next => change(setStep(definition, step, next))} />
                <FaultText text={faults.find(({ path: place }) => place === `steps.${step}`)?.reason} />
              </Stack>
            </Section>
            {!readOnly && (
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
                      open(undefined)
                    }}
                  >
                    {t('workflows.form.removeStep')}
                  </Button>
                </Group>
              </Section>
            )}
          </Panel>
        )}
        {step !== undefined && step !== 'start' && !selectedStep && (
          <Panel nested title={step} onClose={() => open(undefined)}>
            <Text size="sm" mt="md">
              {t('workflows.fault.unknownStep', { id: step })}
            </Text>
          </Panel>
        )}
      </div>
    </FormContext.Provider>
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
      value={input}
      error={error}
      onChange={event => setInput(event.currentTarget.value)}
      onBlur={applyName}
      onKeyDown={event => event.key === 'Enter' && applyName()}
    />
  )
}
