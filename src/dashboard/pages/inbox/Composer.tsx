import { Alert, Button, Combobox, Group, Select, Text, Textarea, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { useNumbers, useTexts } from '../../texts/index.tsx'
import { useFieldsDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { commandKey } from '../../ui/keys.ts'
import { Time } from '../../ui/Time.tsx'
import styles from './inbox.module.css'
import { hindersTemplate, hindersTemplates, hindersText, isWindowClosed, maxCharacters, type Place } from './may.ts'
import { useAnew, useTemplates } from './queries.ts'

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
const countFrom = 0.8

/** Composer for a free-text reply or a template. It says what cannot be sent before the person writes it. */
export const Composer = ({
  conversation,
  customer,
  channel,
  customerOpened,
  field,
}: Omit<Place, 'now'> & {
  /** Element that gets the focus to reply. */
  field: RefObject<HTMLElement | null>
}) => {
  const say = useTexts()
  const anew = useAnew()
  const draft = useFieldsDraft<Reply>(`reply/${conversation.id}`, noReply)
  const { text, templateId, variables } = draft.value
  const current = useRef(draft.value)
  current.current = draft.value
  const templates = useTemplates()
  const template = templates?.find(one => one.id === templateId)
  const now = useNowAfter(conversation.windowClosesAt)
  const place: Place = { conversation, customer, channel, customerOpened, now }
  const whyNoText = hindersText(place)
  const whyNoTemplates = hindersTemplates(place)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const choose = (chosen: Template) => {
    draft.change({
      templateId: chosen.id,
      variables: guessed(chosen, customer),
      ...(text.startsWith('/') && { text: '' }),
    })
  }
  // The template was removed after it was chosen.
  const isGone = templateId !== null && templates !== undefined && !template
  const inTemplate = template !== undefined && !isGone
  const tooLong = !inTemplate && [...text].length > maxCharacters(conversation.channelKind)
  const missing = inTemplate ? template.variables.filter(({ name }) => !variables[name]?.trim()) : []
  const wanted = wantedTemplate(text)
  const isStillChoosing = wanted !== null && fitting(templates, wanted).length > 0
  const isReady = inTemplate
    ? missing.length === 0 && hindersTemplate(place, template) === null
    : text.trim() !== '' && !tooLong && whyNoText === null && !isStillChoosing

  const send = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setFailure(null)
    const content = inTemplate ? { templateId: template.id, variables: ofTemplate(template, variables) } : { text }
    const whole = JSON.stringify(content)
    const { sent } = draft.value
    const key = sent?.content === whole ? sent.key : crypto.randomUUID()
    draft.change({ sent: { key, content: whole } })
    try {
      await api.POST('/v1/conversations/{id}/messages', {
        params: { path: { id: conversation.id } },
        body: { ...content, idempotencyKey: key },
      })
      const typed = current.current.text
      draft.clear()
      // Text typed while the message was sent becomes the start of the next message.
      if (!inTemplate && typed !== text)
        draft.change({ text: typed.startsWith(text) ? typed.slice(text.length) : typed })
      await anew('/v1/conversations', '/v1/conversations/{id}', '/v1/conversations/{id}/messages')
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
      aria-label={say('inbox.reply')}
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      <Hindrances place={place} />
      {failure !== null && <Failure of={failure} retry={() => void send()} />}
      {inTemplate && (
        <TemplateForm
          template={template}
          variables={variables}
          place={place}
          field={field}
          onChange={change => draft.change({ variables: { ...variables, ...change } })}
          onLeave={() => draft.change({ templateId: null, variables: {} })}
        />
      )}
      {!inTemplate && whyNoText === null && (
        <FreeText
          text={text}
          onChange={next => draft.change({ text: next })}
          onChoose={choose}
          place={place}
          field={field}
        />
      )}
      {!inTemplate && whyNoText !== null && whyNoTemplates === null && (
        <ChooseTemplate place={place} onChoose={choose} field={field} />
      )}
      {(inTemplate || whyNoText === null) && (
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <Text size="xs" c="dimmed" className={styles.hint}>
            {inTemplate
              ? missing.length > 0 && say('inbox.missing', { names: missing.map(({ name }) => name).join(', ') })
              : say('inbox.hint', { key: commandKey })}
          </Text>
          <Group gap="sm" wrap="nowrap">
            {!inTemplate && <Count text={text} most={maxCharacters(conversation.channelKind)} />}
            <Button type="submit" loading={busy} disabled={!isReady}>
              {say('inbox.send')}
            </Button>
          </Group>
        </Group>
      )}
    </form>
  )
}

/** Returns the template search text: everything after a `/` at the start. null if the text is not a search. */
const wantedTemplate = (text: string): string | null =>
  /^\/[^\n/]*$/.test(text) ? text.slice(1).trim().toLowerCase() : null

const fitting = (templates: Template[] | undefined, wanted: string | null): Template[] =>
  (templates ?? []).filter(({ name, body }) => !wanted || `${name} ${body}`.toLowerCase().includes(wanted))

/** Returns the current time, and renders again when the moment has passed. */
const useNowAfter = (moment: string | null): number => {
  const [, tick] = useState(0)
  useEffect(() => {
    const wait = moment === null ? 0 : new Date(moment).getTime() - Date.now()
    if (wait <= 0) return
    const timer = setTimeout(() => tick(Date.now()), Math.min(wait + 500, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }, [moment])
  return Date.now()
}

const Hindrances = ({ place }: { place: Place }) => {
  const say = useTexts()
  const { conversation, customer, customerOpened } = place
  const why = hindersText(place)
  const notice = (children: ReactNode) => (
    <Alert color="gray" variant="light" p="sm">
      <Text size="sm">{children}</Text>
    </Alert>
  )
  if (why === 'channel_disconnected' || why === 'no_address') return notice(say(`inbox.why.${why}`))
  const isOut = customer?.optedOutAt != null
  if (isOut && (why !== null || customerOpened === false)) return notice(say('inbox.why.nothing'))
  if (isOut) return notice(say(customerOpened ? 'inbox.why.textAlone' : 'inbox.why.perhapsText'))
  if (isWindowClosed(place)) return notice(say('inbox.why.window_closed'))
  if (conversation.windowClosesAt === null) return null
  return (
    <Text size="xs" c="dimmed">
      {say('inbox.windowCloses')} <Time at={conversation.windowClosesAt} />
    </Text>
  )
}

const FreeText = ({
  text,
  onChange,
  onChoose,
  place,
  field,
}: {
  text: string
  onChange: (text: string) => void
  onChoose: (template: Template) => void
  place: Place
  field: RefObject<HTMLElement | null>
}) => {
  const say = useTexts()
  const templates = useTemplates()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const wanted = wantedTemplate(text)
  const isAsking = wanted !== null
  const found = fitting(templates, wanted)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the combobox changes on every render, the options with the text.
  useEffect(() => {
    if (isAsking) {
      combobox.openDropdown()
      combobox.selectFirstOption()
    } else combobox.closeDropdown()
  }, [isAsking, wanted])
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      classNames={{ option: styles.option! }}
      position="top-start"
      width="target"
      onOptionSubmit={id => {
        const chosen = templates?.find(one => one.id === id)
        if (chosen) onChoose(chosen)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withAriaAttributes={isAsking} withKeyboardNavigation={isAsking}>
        <Textarea
          ref={element => {
            field.current = element
          }}
          aria-label={say('inbox.reply')}
          placeholder={say('inbox.placeholder')}
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
          value={text}
          onChange={event => onChange(event.currentTarget.value)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={event => {
            if (event.key === 'Escape' && combobox.dropdownOpened) event.preventDefault()
            const first = found.find(template => hindersTemplate(place, template) === null)
            // The list has just opened and no option is selected yet, so Enter chooses the first one.
            if (event.key === 'Enter' && isAsking && first && combobox.getSelectedOptionIndex() === -1) {
              event.preventDefault()
              onChoose(first)
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={say('inbox.templates')}>
          {found.map(template => (
            <TemplateOption key={template.id} template={template} place={place} />
          ))}
          {found.length === 0 && (
            <Combobox.Empty>
              {say(templates?.length === 0 ? 'inbox.noTemplates' : 'inbox.noSuchTemplate')}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const TemplateOption = ({ template, place }: { template: Template; place: Place }) => {
  const say = useTexts()
  const why = hindersTemplate(place, template)
  return (
    <Combobox.Option value={template.id} disabled={why !== null}>
      <Text size="sm" fw={500}>
        {template.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {why === null ? template.body : say(`inbox.whyNot.${why}`)}
      </Text>
    </Combobox.Option>
  )
}

/** Template choice, shown when only a template can be sent. */
const ChooseTemplate = ({
  place,
  onChoose,
  field,
}: {
  place: Place
  onChoose: (template: Template) => void
  field: RefObject<HTMLElement | null>
}) => {
  const say = useTexts()
  const templates = useTemplates()
  const possible = templates?.filter(template => hindersTemplate(place, template) === null)
  return (
    <Select
      ref={element => {
        field.current = element
      }}
      aria-label={say('inbox.chooseTemplate')}
      placeholder={say(possible?.length === 0 ? 'inbox.noneApproved' : 'inbox.chooseTemplate')}
      disabled={possible?.length === 0}
      searchable
      comboboxProps={{ withinPortal: false, position: 'top-start' }}
      data={possible?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      value={null}
      onChange={id => {
        const chosen = possible?.find(one => one.id === id)
        if (chosen) onChoose(chosen)
      }}
    />
  )
}

/** Fields for the variables of a template, with the text as the customer will read it. */
const TemplateForm = ({
  template,
  variables,
  place,
  field,
  onChange,
  onLeave,
}: {
  template: Template
  variables: Record<string, string>
  place: Place
  field: RefObject<HTMLElement | null>
  onChange: (change: Record<string, string>) => void
  onLeave: () => void
}) => {
  const say = useTexts()
  const why = hindersTemplate(place, template)
  const given = ofTemplate(template, variables)
  const [settled] = useDebouncedValue(JSON.stringify(given), 200)
  const preview = hooks.useQuery(
    'post',
    '/v1/templates/{id}/preview',
    { params: { path: { id: template.id } }, body: { variables: JSON.parse(settled) } },
    { placeholderData: keepPreviousData, enabled: template.variables.length > 0 },
  )
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current = first.current
    first.current?.focus()
  }, [field])
  return (
    <div className={styles.template}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {say('inbox.template', { name: template.name })}
        </Text>
        <Button variant="subtle" onClick={onLeave}>
          {say('inbox.leaveTemplate')}
        </Button>
      </Group>
      {why !== null && <Text size="sm">{say(`inbox.whyNot.${why}`)}</Text>}
      <div className={styles.variables}>
        {template.variables.map(({ name, sample }, index) => (
          <TextInput
            key={name}
            ref={index === 0 ? first : undefined}
            label={name}
            placeholder={sample}
            value={variables[name] ?? ''}
            onChange={event => onChange({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <div className={styles.previewed} role="status" aria-label={say('inbox.preview')}>
        {preview.error ? <Failure of={preview.error} /> : <bdi dir="auto">{preview.data?.text ?? template.body}</bdi>}
      </div>
    </div>
  )
}

const Count = ({ text, most }: { text: string; most: number }) => {
  const say = useTexts()
  const number = useNumbers()
  const count = [...text].length
  if (count < most * countFrom) return null
  return (
    <Text size="xs" className="tabular" role="status" fw={count > most ? 600 : 400}>
      {say(count > most ? 'inbox.tooLong' : 'inbox.count', { count: number(count), most: number(most) })}
    </Text>
  )
}

/** Fills variables with the customer's fields of the same name. */
const guessed = ({ variables }: Template, customer: Schemas['Customer'] | undefined): Record<string, string> => {
  if (!customer) return {}
  const known: Record<string, unknown> = { ...customer.attributes, name: customer.name, phone: customer.phone }
  return Object.fromEntries(
    variables.flatMap(({ name }) => {
      const value = known[name]
      return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : []
    }),
  )
}

/** Keeps only the variables of this template, because another one may have been filled in before. */
const ofTemplate = ({ variables }: Template, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(variables.map(({ name }) => [name, values[name] ?? '']))
