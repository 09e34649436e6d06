import { Anchor, Button, Group, Skeleton, Text, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import type { Column } from '../../ui/list/columns.ts'
import { ExportButton } from '../../ui/list/Toolbar.tsx'
import { useExport } from '../../ui/list/useExport.ts'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { tones } from '../../ui/tones.ts'
import styles from './customers.module.css'
import { useUpdateCache } from './useChangeCustomer.ts'

type Customer = Schemas['Customer']
type Entry = Schemas['Consent']
type ConsentAction = 'optIn' | 'optOut' | 'lift'

/** Consent history of a customer with the recorded wording. Entries are never removed. */
export const Ledger = ({ customer, name }: { customer: Customer; name: string }) => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const [action, setAction] = useState<ConsentAction | null>(null)
  const optedOut = customer.optedOutAt !== null
  return (
    <Section
      title={t('customers.ledger')}
      actions={
        <Group gap="xs">
          <Button size="compact-xs" variant="default" onClick={() => setAction('optIn')}>
            {t('customers.optInNow')}
          </Button>
          {!optedOut && (
            <Button size="compact-xs" variant="default" onClick={() => setAction('optOut')}>
              {t('customers.optOutNow')}
            </Button>
          )}
          {optedOut && isOwner && (
            <Button size="compact-xs" variant="default" onClick={() => setAction('lift')}>
              {t('customers.liftNow')}
            </Button>
          )}
        </Group>
      }
    >
      <Entries customerId={customer.id} />
      {(['optIn', 'optOut', 'lift'] as const).map(one => (
        <ConsentDialog
          key={one}
          action={one}
          opened={action === one}
          customer={customer}
          name={name}
          onClose={() => setAction(null)}
        />
      ))}
    </Section>
  )
}

const Entries = ({ customerId }: { customerId: string }) => {
  const t = useTranslate()
  const params = { params: { path: { id: customerId }, query: { limit: 10 } } }
  const query = hooks.useInfiniteQuery('get', '/v1/customers/{id}/consents', params, cursorPagination)
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(query)
  const recorderOf = useRecorderOf(rows?.some(({ source }) => source === 'dashboard') ?? false)
  const exporting = useExport({
    name: 'consent',
    columns: useExportColumns(recorderOf),
    rows,
    readPage: more === null ? undefined : pageReader<Entry>('/v1/customers/{id}/consents', params),
  })
  if (failure && !rows) return <Failure error={failure} retry={retry} />
  if (!rows) return <Skeleton height={44} />
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('customers.ledgerEmpty')}
      </Text>
    )
  }
  return (
    <>
      <ol className={styles.consent}>
        {rows.map(entry => (
          <li key={entry.id}>
            <div className={styles.consentHead}>
              <Status tone={tones.consent[entry.kind]}>{t(`customers.kind.${entry.kind}`)}</Status>
              <Time at={entry.at} />
            </div>
            {entry.words && <bdi className={styles.quote}>{entry.words}</bdi>}
            <div className={styles.quiet}>
              {recorderOf(entry)}
              {entry.eventId && (
                <>
                  {', '}
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => <Link {...props} to="/events/$id" params={{ id: entry.eventId! }} />}
                  >
                    {t('customers.withEvent')}
                  </Anchor>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      <Group gap="xs" mt="xs">
        {more && (
          <Button size="compact-xs" variant="default" loading={loadingMore} onClick={more}>
            {t('list.more')}
          </Button>
        )}
        {exporting && <ExportButton exporting={exporting} />}
      </Group>
    </>
  )
}

/** Returns a function that says who made an entry. `hasMembers` tells that a member made one of them. */
const useRecorderOf = (hasMembers: boolean): ((entry: Entry) => string) => {
  const t = useTranslate()
  const team = hooks.useQuery(
    'get',
    '/v1/members',
    { params: { query: { limit: 100 } } },
    { enabled: hasMembers, staleTime: 300_000 },
  )
  return ({ source, userId }) => {
    if (source !== 'dashboard') return t(`customers.source.${source}`)
    const member = team.data?.data.find(one => one.userId === userId)
    if (!member) return t('customers.source.member')
    return t('customers.source.dashboard', { name: member.name || member.email || '' })
  }
}

const useExportColumns = (recorderOf: (entry: Entry) => string): Column<Entry>[] => {
  const t = useTranslate()
  const column = (key: string, title: string, value: (entry: Entry) => string | null): Column<Entry> => ({
    key,
    title,
    value,
    cell: value,
  })
  return [
    column('at', t('customers.ledgerTime'), ({ at }) => at),
    column('kind', t('customers.consent'), ({ kind }) => t(`customers.kind.${kind}`)),
    column('words', t('customers.evidence'), ({ words }) => words),
    column('by', t('customers.ledgerBy'), recorderOf),
    column('event', t('customers.ledgerEvent'), ({ eventId }) => eventId),
  ]
}

const maxTextLength: Record<ConsentAction, number> = { optIn: 2000, optOut: 500, lift: 500 }

const ConsentDialog = ({
  action,
  opened,
  customer,
  name,
  onClose,
}: {
  action: ConsentAction
  opened: boolean
  customer: Customer
  name: string
  onClose: () => void
}) => {
  const t = useTranslate()
  const updateCache = useUpdateCache(customer.id)
  const field = action === 'optIn' ? 'evidence' : 'reason'
  const label = { optIn: 'customers.evidence', optOut: 'customers.reason', lift: 'customers.liftReason' } as const
  const apiForm = useApiForm({
    draft: `customers.${customer.id}.${action}`,
    initial: { evidence: '', reason: '' },
    validate: { [field]: (text: string) => (text.trim() ? null : t('form.missing')) },
    onSubmit: async ({ evidence, reason }) => {
      const params = { params: { path: { id: customer.id } } }
      const { data } =
        action === 'optIn'
          ? await api.POST('/v1/customers/{id}/opt-in', { ...params, body: { evidence: evidence.trim() } })
          : action === 'optOut'
            ? await api.POST('/v1/customers/{id}/opt-out', { ...params, body: { reason: reason.trim() } })
            : await api.POST('/v1/customers/{id}/opt-out/lift', { ...params, body: { reason: reason.trim() } })
      apiForm.reset()
      onClose()
      updateCache(data!)
    },
  })
  return (
    <FormDialog
      opened={opened}
      title={t(`customers.${action}Now`)}
      text={
        <>
          {t(`customers.${action}Text`, { name })}
          {action === 'optIn' && customer.optedOutAt !== null && ` ${t('customers.optInWithoutEffect')}`}
        </>
      }
      action={t(`customers.${action}Now`)}
      onClose={onClose}
      form={apiForm}
    >
      <Textarea
        {...apiForm.form.getInputProps(field)}
        label={t(label[action])}
        {...(action === 'optIn' && { description: t('customers.evidenceHint') })}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxTextLength[action]}
        data-autofocus
      />
    </FormDialog>
  )
}
