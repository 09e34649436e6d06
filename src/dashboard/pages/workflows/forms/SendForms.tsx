/** Forms of the steps that send a message. */
import { ActionIcon, Anchor, Button, Menu, Select, Text, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslate } from '../../../texts/index.tsx'
import { PlusIcon } from '../../../ui/page-icons.ts'
import type { Step, StepOf } from '../definition/types.ts'
import { useTemplate } from '../references.ts'
import { ChannelField, Next } from './fields.tsx'
import { type FormOf, useField, useFormContext } from './forms.ts'

/** Menu that inserts a placeholder for a field of the event or the customer. */
const PlaceholderMenu = ({ target, onSelect }: { target: ReactNode; onSelect: (placeholder: string) => void }) => {
  const { paths } = useFormContext()
  return (
    <Menu position="bottom-end">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
        {paths.map(path => (
          <Menu.Item key={path} onClick={() => onSelect(`{{${path}}}`)}>
            <code>{path}</code>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Message with a text. */
export const Message = ({ step, onChange }: FormOf<'send_message'>) => {
  const t = useTranslate()
  const { readOnly } = useFormContext()
  const field = useField()
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (placeholder: string) => {
    const at = area.current?.selectionStart ?? step.text.length
    onChange({ ...step, text: `${step.text.slice(0, at)}${placeholder}${step.text.slice(at)}` })
    area.current?.focus()
  }
  return (
    <>
      <div>
        <Textarea
          ref={area}
          label={t('workflows.form.text')}
          description={t('workflows.form.textHint', { example: '{{customer.name|there}}' })}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={4096}
          value={step.text}
          {...field('text')}
          onChange={event => onChange({ ...step, text: event.currentTarget.value })}
        />
        {!readOnly && (
          <PlaceholderMenu
            onSelect={insert}
            target={
              <Button variant="subtle" mt="xs" size="compact-xs" leftSection={<PlusIcon width={12} />}>
                {t('workflows.form.placeholder')}
              </Button>
            }
          />
        )}
      </div>
      <Channel step={step} onChange={onChange} />
      <Next step={step} onChange={onChange} />
    </>
  )
}

const Channel = ({
  step,
  onChange,
}: {
  step: StepOf<'send_message'> | StepOf<'send_template'>
  onChange: (step: Step) => void
}) => {
  return (
    <ChannelField
      value={step.channelId}
      name="channelId"
      onChange={channelId => {
        const { channelId: _, ...rest } = step
        onChange(channelId === undefined ? rest : { ...rest, channelId })
      }}
    />
  )
}

/** Initial value of a variable. Most templates greet the customer by name. */
const initialValue = (name: string): string => (name === 'name' ? '{{customer.name|there}}' : '')

/** Message from a template, with a text for each of its variables. */
export const Template = ({ step, onChange }: FormOf<'send_template'>) => {
  const t = useTranslate()
  const { readOnly, templates } = useFormContext()
  const field = useField()
  const listed = templates.find(({ id }) => id === step.templateId)
  const template = useTemplate(listed ? '' : step.templateId) ?? listed
  const data = templates.map(({ id, name }) => ({ value: id, label: name }))
  if (step.templateId && !listed)
    data.push({ value: step.templateId, label: template?.name ?? `…${step.templateId.slice(-8)}` })
  const sampleText = (sample: string | undefined) => (sample ? t('workflows.form.sample', { sample }) : '')
  const setVariable = (name: string, value: string) =>
    onChange({ ...step, variables: { ...step.variables, [name]: value } })
  const names = [...new Set([...(template?.variables ?? []).map(({ name }) => name), ...Object.keys(step.variables)])]
  return (
    <>
      <Select
        label={t('workflows.form.template')}
        placeholder={t(templates.length > 0 ? 'workflows.form.templateWanted' : 'workflows.form.templateNone')}
        data={data}
        value={step.templateId || null}
        {...field('templateId')}
        searchable
        allowDeselect={false}
        onChange={templateId => {
          const selected = templates.find(({ id }) => id === templateId)
          const variables = Object.fromEntries(
            (selected?.variables ?? []).map(({ name }) => [name, step.variables[name] || initialValue(name)]),
          )
          onChange({ ...step, templateId: templateId ?? '', variables })
        }}
      />
      {templates.length === 0 && !readOnly && (
        <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to="/templates/new" />}>
          {t('workflows.form.newTemplate')}
        </Anchor>
      )}
      {template && (
        <Text size="sm" c="dimmed" component="bdi">
          {template.body}
        </Text>
      )}
      {names.map(name => (
        <TextInput
          key={name}
          label={<code>{`{{${name}}}`}</code>}
          placeholder={sampleText(template?.variables.find(one => one.name === name)?.sample)}
          value={step.variables[name] ?? ''}
          maxLength={1024}
          {...field(`variables.${name}`)}
          rightSection={
            !readOnly && (
              <PlaceholderMenu
                onSelect={placeholder => setVariable(name, (step.variables[name] ?? '') + placeholder)}
                target={
                  <ActionIcon variant="subtle" color="gray" aria-label={t('workflows.form.placeholderFor', { name })}>
                    <PlusIcon width={14} />
                  </ActionIcon>
                }
              />
            )
          }
          onChange={event => setVariable(name, event.currentTarget.value)}
        />
      ))}
      <Channel step={step} onChange={onChange} />
      <Next step={step} onChange={onChange} />
    </>
  )
}
