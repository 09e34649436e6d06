import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { Panel, Section } from '../../ui/Panel.tsx'
import { stepIdPattern } from './definition/check.ts'
import { inserted, removed, renamed, withStep } from './definition/edit.ts'
import { faultAt } from './faults.ts'
import { Problem } from './forms/exits.tsx'
import { FormsOf } from './forms/forms.ts'
import { StartForm } from './forms/StartForm.tsx'
import { StepForm } from './forms/StepForm.tsx'
import { useKnown } from './known.ts'
import { Picture } from './picture/Picture.tsx'
import type { ViewOf } from './view.ts'
import styles from './workflows.module.css'

/** Visual editor: the graph of the steps, a plus button on every edge, and the form of the open step. */
export const Editor = ({ draft, faults, readOnly, step, open }: ViewOf) => {
  const say = useTexts()
  const { definition, change } = draft
  const known = useKnown(definition)
  const chosen = step !== undefined && step !== 'start' ? definition.steps[step] : undefined
  const prefix = step === 'start' || step === undefined ? '' : `steps.${step}.`
  return (
    <FormsOf.Provider value={{ ...known, definition, readOnly, fault: name => faultAt(faults, `${prefix}${name}`) }}>
      <div className={styles.beside}>
        <Picture
          definition={definition}
          selected={step}
          open={open}
          faults={faults}
          label={say('workflows.picture')}
          insert={
            readOnly
              ? undefined
              : (gap, type) => {
                  const after = inserted(definition, gap, type)
                  change(after.definition)
                  open(after.id)
                }
          }
        />
        {step === 'start' && (
          <Panel inside title={say('workflows.step.start')} onClose={() => open(undefined)}>
            <StartForm onChange={change} />
          </Panel>
        )}
        {step !== undefined && chosen && (
          <Panel inside key={step} title={say(`workflows.step.${chosen.type}`)} onClose={() => open(undefined)}>
            <Section title={say('workflows.form.does')}>
              <Stack gap="md">
                <StepForm step={chosen} onChange={next => change(withStep(definition, step, next))} />
                <Problem of={faults.find(({ place }) => place === `steps.${step}`)?.reason} />
              </Stack>
            </Section>
            {!readOnly && (
              <Section title={say('workflows.form.itself')}>
                <Group align="flex-end" justify="space-between">
                  <StepName
                    id={step}
                    taken={id => Object.hasOwn(definition.steps, id)}
                    onChange={id => {
                      change(renamed(definition, step, id))
                      open(id)
                    }}
                  />
                  <Button
                    variant="default"
                    disabled={Object.keys(definition.steps).length === 1}
                    onClick={() => {
                      change(removed(definition, step))
                      open(undefined)
                    }}
                  >
                    {say('workflows.form.removeStep')}
                  </Button>
                </Group>
              </Section>
            )}
          </Panel>
        )}
        {step !== undefined && step !== 'start' && !chosen && (
          <Panel inside title={step} onClose={() => open(undefined)}>
            <Text size="sm" mt="md">
              {say('workflows.fault.unknownStep', { id: step })}
            </Text>
          </Panel>
        )}
      </div>
    </FormsOf.Provider>
  )
}

/** Field for the id of a step. The change is applied when the field loses focus. */
const StepName = ({
  id,
  taken,
  onChange,
}: {
  id: string
  taken: (id: string) => boolean
  onChange: (id: string) => void
}) => {
  const say = useTexts()
  const [typed, setTyped] = useState(id)
  const error =
    typed === id
      ? undefined
      : !stepIdPattern.test(typed)
        ? say('workflows.fault.idPattern')
        : taken(typed)
          ? say('workflows.form.idTaken')
          : undefined
  const take = () => {
    if (typed !== id && !error) onChange(typed)
  }
  return (
    <TextInput
      label={say('workflows.form.id')}
      value={typed}
      error={error}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={event => event.key === 'Enter' && take()}
    />
  )
}
