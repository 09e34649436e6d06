import { Button, Group, Text } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useChannelKind } from '../../../api/channel-kinds.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { useInvalidate } from '../../../api/useInvalidate.ts'
import { useNumbers, useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import { DocumentTextIcon, PaperAirplaneIcon } from '../../../ui/icons.ts'
import { commandKey } from '../../../ui/keys.ts'
import { useRefreshConversation, useTemplates } from '../queries.ts'
import styles from './composer.module.css'
import { FreeText, filterTemplates, parseTemplateQuery } from './FreeText.tsx'
import { ReplyNotice } from './ReplyNotice.tsx'
import {
  findTemplateRestriction,
  findTemplatesRestriction,
  findTextRestriction,
  type ReplyContext,
} from './restrictions.ts'
import { pickVariables, prefillVariables, TemplateForm, TemplateSelect } from './TemplateReply.tsx'

interface Reply extends Record<string, unknown> {
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
  isOpenedByCustomer,
  field,
}: Omit<ReplyContext, 'now'> & {
  /** Element that gets the focus to reply. */
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const invalidate = useInvalidate()
  const refresh = useRefreshConversation()
  const { form, submit, reset, busy, failure } = useApiForm<Reply>({
    draft: `reply/${conversation.id}`,
    initial: noReply,
    isKept: true,
    onSubmit: () => send(),
  })
  const { text, templateId, variables, sent } = form.values
  const templates = useTemplates()
  const template = templates?.find(one => one.id === templateId)
  const now = useNowAfter(conversation.windowClosesAt)
  const context: ReplyContext = { conversation, customer, channel, isOpenedByCustomer, now }
  const textRestriction = findTextRestriction(context)
  const templatesRestriction = findTemplatesRestriction(context)
  const selectTemplate = (selected: Schemas['Template']) => {
    form.setValues({
      templateId: selected.id,
      variables: prefillVariables(selected, customer),
      ...(text.startsWith('/') && { text: '' }),
    })
  }
  // False also if the template was removed after it was chosen.
  const isTemplateReply = template !== undefined
  const maxCharacters = useChannelKind(conversation.channelKind)?.capabilities.maxCharacters
  const isTooLong = !isTemplateReply && maxCharacters !== undefined && [...text].length > maxCharacters
  const missingVariables = isTemplateReply ? template.variables.filter(({ name }) => !variables[name]?.trim()) : []
  const templateQuery = parseTemplateQuery(text)
  const isChoosingTemplate = templateQuery !== null && filterTemplates(templates, templateQuery).length > 0
  const isReady = isTemplateReply
    ? missingVariables.length === 0 && findTemplateRestriction(context, template) === null
    : text.trim() !== '' && !isTooLong && textRestriction === null && !isChoosingTemplate

  const send = async () => {
    const content = isTemplateReply
      ? { templateId: template.id, variables: pickVariables(template, variables) }
      : { text }
    const serialized = JSON.stringify(content)
    const key = sent?.content === serialized ? sent.key : crypto.randomUUID()
    form.setFieldValue('sent', { key, content: serialized })
    await api.POST('/v1/conversations/{id}/messages', {
      params: { path: { id: conversation.id } },
      body: { ...content, idempotencyKey: key },
    })
    const { text: currentText } = form.getValues()
    reset()
    // Text typed while the message was sent becomes the start of the next message.
    if (!isTemplateReply && currentText !== text)
      form.setFieldValue('text', currentText.startsWith(text) ? currentText.slice(text.length) : currentText)
    await Promise.all([refresh(), invalidate('/v1/conversations/{id}/messages')])
  }
  const sendIfReady = () => {
    if (isReady && !busy) submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      sendIfReady()
    }
    if (event.key === 'Escape' && !event.defaultPrevented) (event.target as HTMLElement).blur()
  }
  const isTextReply = !isTemplateReply && textRestriction === null

  return (
    <form
      className={styles.composer}
      aria-label={t('inbox.reply')}
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault()
        sendIfReady()
      }}
    >
      <ReplyNotice context={context} />
      {failure !== null && <Failure error={failure} retry={sendIfReady} />}
      {!isTemplateReply && textRestriction !== null && templatesRestriction === null && (
        <TemplateSelect context={context} onChoose={selectTemplate} field={field} />
      )}
      {(isTemplateReply || isTextReply) && (
        <div className={styles.box}>
          {isTemplateReply ? (
            <TemplateForm
              template={template}
              variables={variables}
              errors={form.errors}
              context={context}
              field={field}
              onChange={change => form.setValues({ variables: { ...variables, ...change } })}
              onDiscard={() => form.setValues({ templateId: null, variables: {} })}
            />
          ) : (
            <FreeText
              text={text}
              error={form.errors.text}
              onChange={next => form.setFieldValue('text', next)}
              onChoose={selectTemplate}
              context={context}
              field={field}
            />
          )}
          <Group className={styles.toolbar!} justify="space-between" gap="sm" wrap="nowrap">
            <Group gap="sm" wrap="nowrap" className={styles.hint!}>
              {isTextReply && templatesRestriction === null && (
                <Button
                  variant="subtle"
                  color="gray"
                  leftSection={<DocumentTextIcon width={16} />}
                  disabled={text !== '' && !text.startsWith('/')}
                  onClick={() => {
                    form.setFieldValue('text', '/')
                    field.current?.focus()
                  }}
                >
                  {t('inbox.templates')}
                </Button>
              )}
              <Text size="xs" c="dimmed" {...(isTextReply && { className: styles.keys! })}>
                {isTemplateReply
                  ? missingVariables.length > 0 &&
                    t('inbox.missing', { names: missingVariables.map(({ name }) => name).join(', ') })
                  : t('inbox.hint', { key: commandKey })}
              </Text>
            </Group>
            <Group gap="sm" wrap="nowrap">
              {isTextReply && maxCharacters !== undefined && <Count text={text} most={maxCharacters} />}
              <Button
                type="submit"
                loading={busy}
                disabled={!isReady}
                rightSection={<PaperAirplaneIcon width={14} aria-hidden="true" />}
              >
                {t('inbox.send')}
              </Button>
            </Group>
          </Group>
        </div>
      )}
    </form>
  )
}

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
