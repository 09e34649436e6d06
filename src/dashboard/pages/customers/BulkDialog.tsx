import { Button, Group, Modal, Progress, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, Failure, type Schemas } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import { parseAttribute } from './attribute.ts'
import { NamedCustomer } from './CustomerCell.tsx'
import styles from './customers.module.css'
import { customerName } from './name.ts'

type Customer = Schemas['Customer']
export const bulkActions = ['optIn', 'optOut', 'attribute'] as const
export type BulkAction = (typeof bulkActions)[number]

/** Number of requests at a time. */
const concurrency = 4
/** Number of customers named in the preview. */
const maxNamed = 5
const maxTextLength = { optIn: 2000, optOut: 500, attribute: 2000 }

interface Fault {
  customer: Customer
  message: string
}

/** Changes the selected customers. It first shows the customers that it changes and skips, and afterwards the failures. */
export const BulkDialog = ({
  action,
  customers,
  onClose,
  onDone,
}: {
  action: BulkAction
  customers: readonly Customer[]
  onClose: () => void
  /** Called when all changes succeeded. */
  onDone: () => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null)
  const [faults, setFaults] = useState<Fault[] | null>(null)
  const affected = faults ? faults.map(({ customer }) => customer) : customers.filter(one => isAffected(action, one))
  const skippedCount = faults ? 0 : customers.length - affected.length
  const missing = { name: action === 'attribute' && name.trim() === '', text: text.trim() === '' }

  const run = async (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (missing.name || missing.text) return
    const found: Fault[] = []
    let done = 0
    setProgress({ done, count: affected.length })
    const queue = [...affected]
    const worker = async () => {
      for (let customer = queue.shift(); customer; customer = queue.shift()) {
        try {
          await change(action, customer.id, name.trim(), text.trim())
        } catch (error) {
          found.push({ customer, message: error instanceof Failure ? error.message : t('failure.page') })
        }
        done++
        setProgress({ done, count: affected.length })
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    setProgress(null)
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/v1/customers') })
    if (found.length > 0) return setFaults(found)
    notify(t('customers.bulk.done', { count: affected.length }))
    onDone()
  }

  return (
    <Modal
      opened
      onClose={() => progress === null && onClose()}
      title={t(`customers.bulk.${action}`)}
      closeButtonProps={{ 'aria-label': t('confirm.cancel') }}
    >
      <form noValidate onSubmit={event => void run(event)}>
        <Stack gap="md">
          <Text size="sm">{t(`customers.bulk.${action}Text`, { count: affected.length })}</Text>
          {faults ? (
            <div role="alert">
              <Text size="sm" fw={500} mb="xs">
                {t('customers.bulk.failed', { count: faults.length })}
              </Text>
              <ul className={styles.faults}>
                {faults.map(({ customer, message }) => (
                  <li key={customer.id}>
                    <NamedCustomer name={customer.name} label={customerName(customer)} />
                    <Text size="xs" c="dimmed">
                      {message}
                    </Text>
                  </li>
                ))}
              </ul>
            </div>
          ) : (
            <ul className={styles.preview} aria-label={t('customers.bulk.affected')}>
              {affected.slice(0, maxNamed).map(customer => (
                <li key={customer.id}>
                  <Avatar name={customer.name} size={20} />
                  <bdi>{customerName(customer)}</bdi>
                </li>
              ))}
              {affected.length > maxNamed && <li>{t('customers.bulk.more', { count: affected.length - maxNamed })}</li>}
            </ul>
          )}
          {skippedCount > 0 && (
            <Text size="sm" c="dimmed">
              {t(`customers.bulk.${action}Skipped`, { count: skippedCount })}
            </Text>
          )}
          {action === 'attribute' && (
            <TextInput
              label={t('customers.attributeName')}
              maxLength={100}
              data-autofocus
              value={name}
              error={isChecked && missing.name && t('form.missing')}
              onChange={event => setName(event.currentTarget.value)}
            />
          )}
          <Textarea
            label={t(`customers.bulk.${action}Field`)}
            description={action === 'attribute' ? t('customers.attributeHint') : undefined}
            autosize
            minRows={action === 'attribute' ? 1 : 2}
            maxLength={maxTextLength[action]}
            value={text}
            error={isChecked && missing.text && t('form.missing')}
            onChange={event => setText(event.currentTarget.value)}
          />
          {progress && (
            <Progress
              value={(progress.done / progress.count) * 100}
              aria-label={t('customers.bulk.progress', { done: progress.done, count: progress.count })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" disabled={progress !== null} onClick={onClose}>
              {t('confirm.cancel')}
            </Button>
            <Button type="submit" loading={progress !== null} disabled={affected.length === 0}>
              {faults ? t('customers.bulk.retry') : t(`customers.bulk.${action}Do`, { count: affected.length })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** An opt-in has no effect after an opt-out. */
const isAffected = (action: BulkAction, { optedInAt, optedOutAt }: Customer): boolean =>
  action === 'attribute' || (optedOutAt === null && (action === 'optOut' || optedInAt === null))

const change = (action: BulkAction, id: string, name: string, text: string): Promise<unknown> => {
  const params = { params: { path: { id } } }
  if (action === 'optIn') return api.POST('/v1/customers/{id}/opt-in', { ...params, body: { evidence: text } })
  if (action === 'optOut') return api.POST('/v1/customers/{id}/opt-out', { ...params, body: { reason: text } })
  return api.PATCH('/v1/customers/{id}', { ...params, body: { attributes: { [name]: parseAttribute(text) } } })
}
