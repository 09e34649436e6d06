import { Alert, Button, Combobox, Group, Select, Text, Textarea, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useChannelKind } from '../../api/channel-kinds.ts'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useFieldsDraft } from '../../ui/hooks/draft.ts'
import { commandKey } from '../../ui/keys.ts'
import { Time } from '../../ui/Time.tsx'
import styles from './inbox.module.css'
import { useInvalidate, useTemplates } from './queries.ts'
import {
  findTemplateRestriction,
  findTemplatesRestriction,
  findTextRestriction,
  isWindowClosed,
  type ReplyContext,
} from './restrictions.ts'

type Template = Schemas['Template']

interface Reply {
  text: string
  templateId: string | null
  variables: Record<string, string>
  /** Idempotency key of the last attempt. Sending the same content again is the same message. */
  sent: { key: string; content: string } | null
}
const noReply: Reply = { text: '', templateId: null, variables: {}, sent: null }

/** Share of the character limit from which the count is shown. */
const counterThreshold = 0.8

/** Composer for a free-text reply or a template. It says what cannot be sent before the person writes it. */
export const Composer = ({
  conversation,
  customer,
  channel,
  isOpenedByCustomer: customerOpened,
  field,
}: Omit<ReplyContext, 'now'> & {
  /** Element that gets the focus to reply. */
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const draft = useFieldsDraft<Reply>(`reply/${conversation.id}`, noReply)
  const { text, templateId, variables } = draft.value
  const current = useRef(draft.value)
  current.current = draft.value
  const templates = useTemplates()
  const template = templates?.find(one => one.id === templateId)
  const now = useNowAfter(conversation.windowClosesAt)
  const context: ReplyContext = { conversation, customer, channel, isOpenedByCustomer: customerOpened, now }
  const textRestriction = findTextRestriction(context)
  const templatesRestriction = findTemplatesRestriction(context)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const selectTemplate = (selected: Template) => {
    draft.change({
      templateId: selected.id,
      variables: prefillVariables(selected, customer),
      ...(text.startsWith('/') && { text: '' }),
    })
  }
  // The template was removed after it was chosen.
  const isTemplateMissing = templateId !== null && templates !== undefined && !template
  const isTemplateReply = template !== undefined && !isTemplateMissing
  const maxCharacters = useChannelKind(conversation.channelKind)?.capabilities.maxCharacters
  const isTooLong = !isTemplateReply && maxCharacters !== undefined && [...text].length > maxCharacters
  const missingVariables = isTemplateReply ? template.variables.filter(({ name }) => !variables[name]?.trim()) : []
  const templateQuery = parseTemplateQuery(text)
  const isChoosingTemplate = templateQuery !== null && filterTemplates(templates, templateQuery).length > 0
  const isReady = isTemplateReply
    ? missingVariables.length === 0 && findTemplateRestriction(context, template) === null
    : text.trim() !== '' && !isTooLong && textRestriction === null && !isChoosingTemplate

  const send = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setFailure(null)
    const content = isTemplateReply
      ? { templateId: template.id, variables: pickVariables(template, variables) }
      : { text }
    const serialized = JSON.stringify(content)
    const { sent } = draft.value
    const key = sent?.content === serialized ? sent.key : crypto.randomUUID()
    draft.change({ sent: { key, content: serialized } })
    try {
      await api.POST('/v1/conversations/{id}/messages', {
        params: { path: { id: conversation.id } },
        body: { ...content, idempotencyKey: key },
      })
      const currentText = current.current.text
      draft.clear()
      // Text typed while the message was sent becomes the start of the next message.
      if (!isTemplateReply && currentText !== text)
        draft.change({ text: currentText.startsWith(text) ? currentText.slice(text.length) : currentText })
      await invalidate('/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void send()
    }
    if (event.key === 'Escape' && !event.defaultPrevented) (event.target as HTMLElement).blur()
  }

  return (
    <form
      className={styles.composer}
      aria-label={t('inbox.reply')}
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <Restrictions context={context} />
      {failure !== null && <Failure error={failure} retry={() => void send()} />}
      {isTemplateReply && (
        <TemplateForm
          template={template}
          variables={variables}
          context={context}
          field={field}
          onChange={change => draft.change({ variables: { ...variables, ...change } })}
          onDiscard={() => draft.change({ templateId: null, variables: {} })}
        />
      )}
      {!isTemplateReply && textRestriction === null && (
        <FreeText
          text={text}
          onChange={next => draft.change({ text: next })}
          onChoose={selectTemplate}
          context={context}
          field={field}
        />
      )}
      {!isTemplateReply && textRestriction !== null && templatesRestriction === null && (
        <TemplateSelect context={context} onChoose={selectTemplate} field={field} />
      )}
      {(isTemplateReply || textRestriction === null) && (
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <Text size="xs" c="dimmed" className={styles.hint}>
            {isTemplateReply
              ? missingVariables.length > 0 &&
                t('inbox.missing', { names: missingVariables.map(({ name }) => name).join(', ') })
              : t('inbox.hint', { key: commandKey })}
          </Text>
          <Group gap="sm" wrap="nowrap">
            {!isTemplateReply && maxCharacters !== undefined && <Count text={text} most={maxCharacters} />}
            <Button type="submit" loading={busy} disabled={!isReady}>
              {t('inbox.send')}
            </Button>
          </Group>
        </Group>
      )}
    </form>
  )
}

/** Returns the template search text: everything after a `/` at the start. null if the text is not a search. */
const parseTemplateQuery = (text: string): string | null =>
  /^\/[^\n/]*$/.test(text) ? text.slice(1).trim().toLowerCase() : null

const filterTemplates = (templates: Template[] | undefined, templateQuery: string | null): Template[] =>
  (templates ?? []).filter(
    ({ name, body }) => !templateQuery || `${name} ${body}`.toLowerCase().includes(templateQuery),
  )

/** Returns the current time, and renders again when the moment has passed. */
const useNowAfter = (moment: string | null): number => {
  const [, setTick] = useState(0)
  useEffect(() => {
    const delayMs = moment === null ? 0 : new Date(moment).getTime() - Date.now()
    if (delayMs <= 0) return
    const timer = setTimeout(() => setTick(Date.now()), Math.min(delayMs + 500, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [moment])
  return Date.now()
}

const Restrictions = ({ context }: { context: ReplyContext }) => {
  const t = useTranslate()
  const { conversation, customer, isOpenedByCustomer: customerOpened } = context
  const restriction = findTextRestriction(context)
  const notice = (children: ReactNode) => (
    <Alert color="gray" variant="light" p="sm">
      <Text size="sm">{children}</Text>
    </Alert>
  )
  if (restriction === 'channel_disconnected' || restriction === 'no_address')
    return notice(t(`inbox.why.${restriction}`))
  const hasOptedOut = customer?.optedOutAt != null
  if (hasOptedOut && (restriction !== null || customerOpened === false)) return notice(t('inbox.why.nothing'))
  if (hasOptedOut) return notice(t(customerOpened ? 'inbox.why.textOnly' : 'inbox.why.textIfOpened'))
  if (isWindowClosed(context)) return notice(t('inbox.why.window_closed'))
  if (conversation.windowClosesAt === null) return null
  return (
    <Text size="xs" c="dimmed">
      {t('inbox.windowCloses')} <Time at={conversation.windowClosesAt} />
    </Text>
  )
}

const FreeText = ({
  text,
  onChange,
  onChoose,
  context,
  field,
}: {
  text: string
  onChange: (text: string) => void
  onChoose: (template: Template) => void
  context: ReplyContext
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const templates = useTemplates()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const templateQuery = parseTemplateQuery(text)
  const isSearching = templateQuery !== null
  const matches = filterTemplates(templates, templateQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the combobox changes on every render, the options with the text.
  useEffect(() => {
    if (isSearching) {
      combobox.openDropdown()
      combobox.selectFirstOption()
    } else combobox.closeDropdown()
  }, [isSearching, templateQuery])
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      classNames={{ option: styles.option! }}
      position="top-start"
      width="target"
      onOptionSubmit={id => {
        const selected = templates?.find(one => one.id === id)
        if (selected) onChoose(selected)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withAriaAttributes={isSearching} withKeyboardNavigation={isSearching}>
        <Textarea
          ref={element => {
            field.current = element
          }}
          aria-label={t('inbox.reply')}
          placeholder={t('inbox.placeholder')}
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={event => {
            if (event.key === 'Escape' && combobox.dropdownOpened) event.preventDefault()
            const firstUsable = matches.find(template => findTemplateRestriction(context, template) === null)
            // The list has just opened and no option is selected yet, so Enter chooses the first one.
            if (event.key === 'Enter' && isSearching && firstUsable && combobox.getSelectedOptionIndex() === -1) {
              event.preventDefault()
              onChoose(firstUsable)
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={t('inbox.templates')}>
          {matches.map(template => (
            <TemplateOption key={template.id} template={template} context={context} />
          ))}
          {matches.length === 0 && (
            <Combobox.Empty>{t(templates?.length === 0 ? 'inbox.noTemplates' : 'inbox.noSuchTemplate')}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const TemplateOption = ({ template, context }: { template: Template; context: ReplyContext }) => {
  const t = useTranslate()
  const restriction = findTemplateRestriction(context, template)
  return (
    <Combobox.Option value={template.id} disabled={restriction !== null}>
      <Text size="sm" fw={500}>
        {template.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {restriction === null ? template.body : t(`inbox.whyNot.${restriction}`)}
      </Text>
    </Combobox.Option>
  )
}

/** Template choice, shown when only a template can be sent. */
const TemplateSelect = ({
  context,
  onChoose,
  field,
}: {
  context: ReplyContext
  onChoose: (template: Template) => void
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const templates = useTemplates()
  const usableTemplates = templates?.filter(template => findTemplateRestriction(context, template) === null)
  return (
    <Select
      ref={element => {
        field.current = element
      }}
      aria-label={t('inbox.chooseTemplate')}
      placeholder={t(usableTemplates?.length === 0 ? 'inbox.noneApproved' : 'inbox.chooseTemplate')}
      disabled={usableTemplates?.length === 0}
      searchable
      comboboxProps={{ withinPortal: false, position: 'top-start' }}
      data={usableTemplates?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={null}
      onChange={id => {
        const selected = usableTemplates?.find(one => one.id === id)
        if (selected) onChoose(selected)
      }}
    />
  )
}

/** Fields for the variables of a template, with the text as the customer will read it. */
const TemplateForm = ({
  template,
  variables,
  context,
  field,
  onChange,
  onDiscard,
}: {
  template: Template
  variables: Record<string, string>
  context: ReplyContext
  field: RefObject<HTMLElement | null>
  onChange: (change: Record<string, string>) => void
  onDiscard: () => void
}) => {
  const t = useTranslate()
  const restriction = findTemplateRestriction(context, template)
  const values = pickVariables(template, variables)
  const [debouncedValues] = useDebouncedValue(JSON.stringify(values), 200)
  const preview = hooks.useQuery(
    'post',
    '/v1/templates/{id}/preview',
    { params: { path: { id: template.id } }, body: { variables: JSON.parse(debouncedValues) } },
    { placeholderData: keepPreviousData, enabled: template.variables.length > 0 },
  )
  const firstUsable = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current = firstUsable.current
    firstUsable.current?.focus()
  }, [field])
  return (
    <div className={styles.template}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {t('inbox.template', { name: template.name })}
        </Text>
        <Button variant="subtle" onClick={onDiscard}>
          {t('inbox.discardTemplate')}
        </Button>
      </Group>
      {restriction !== null && <Text size="sm">{t(`inbox.whyNot.${restriction}`)}</Text>}
      <div className={styles.variables}>
        {template.variables.map(({ name, sample }, index) => (
          <TextInput
            key={name}
            ref={index === 0 ? firstUsable : undefined}
            label={name}
            placeholder={sample}
            value={variables[name] ?? ''}
            onChange={event => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <div className={styles.previewed} role="status" aria-label={t('inbox.preview')}>
        {preview.error ? (
          <Failure error={preview.error} />
        ) : (
          <bdi dir="auto">{preview.data?.text ?? template.body}</bdi>
        )}
      </div>
    </div>
  )
}

const Count = ({ text, most }: { text: string; most: number }) => {
  const t = useTranslate()
  const number = useNumbers()
  const count = [...text].length
  if (count < most * counterThreshold) return null
  return (
    <Text size="xs" className="tabular" role="status" fw={count > most ? 600 : 400}>
      {t(count > most ? 'inbox.tooLong' : 'inbox.count', { count: number(count), most: number(most) })}
    </Text>
  )
}

/** Fills variables with the customer's fields of the same name. */
const prefillVariables = (
  { variables }: Template,
  customer: Schemas['Customer'] | undefined,
): Record<string, string> => {
  if (!customer) return {}
  const customerValues: Record<string, unknown> = { ...customer.attributes, name: customer.name, phone: customer.phone }
  return Object.fromEntries(
    variables.flatMap(({ name }) => {
      const value = customerValues[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}

/** Keeps only the variables of this template, because another one may have been filled in before. */
const pickVariables = ({ variables }: Template, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, values[name] ?? '']))
