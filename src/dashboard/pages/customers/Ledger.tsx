import { Anchor, Button, Group, Skeleton, Text, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Failure } from '../../ui/Failure.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { ConsentStatus } from './Consent.tsx'
import styles from './customers.module.css'
import { useTake } from './useChange.ts'

type Customer = Schemas['Customer']
type Entry = Schemas['Consent']
type Deed = 'optIn' | 'optOut' | 'lift'

export const consentTone: Record<Entry['kind'], Tone> = { opt_in: 'done', opt_out: 'failed', lift: 'off' }

/** Consent history of a customer with the recorded wording. Entries are never removed. */
export const Ledger = ({ customer, name }: { customer: Customer; name: string }) => {
  const say = useTexts()
  const owner = useIsOwner()
  const [deed, setDeed] = useState<Deed | null>(null)
  const optedOut = customer.optedOutAt !== null
  return (
    <Section title={say('customers.ledger')} actions={<ConsentStatus of={customer} />}>
      <Group gap="xs" mb="sm">
        <Button size="compact-xs" variant="default" onClick={() => setDeed('optIn')}>
          {say('customers.optInNow')}
        </Button>
        {!optedOut && (
          <Button size="compact-xs" variant="default" onClick={() => setDeed('optOut')}>
            {say('customers.optOutNow')}
          </Button>
        )}
        {optedOut && owner && (
          <Button size="compact-xs" variant="default" onClick={() => setDeed('lift')}>
            {say('customers.liftNow')}
          </Button>
        )}
      </Group>
      <Entries customerId={customer.id} />
      {(['optIn', 'optOut', 'lift'] as const).map(one => (
        <Declare
          key={one}
          deed={one}
          opened={deed === one}
          customer={customer}
          name={name}
          onClose={() => setDeed(null)}
        />
      ))}
    </Section>
  )
}

const Entries = ({ customerId }: { customerId: string }) => {
  const say = useTexts()
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/customers/{id}/consents',
    { params: { path: { id: customerId }, query: { limit: 10 } } },
    byCursor,
  )
  const { rows, failure, retry, more, loadingMore } = rowsOf(query)
  if (failure && !rows) return <Failure of={failure} retry={retry} />
  if (!rows) return <Skeleton height={44} />
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {say('customers.ledgerEmpty')}
      </Text>
    )
  }
  return (
    <>
      <ol className={styles.ledger}>
        {rows.map(entry => (
          <li key={entry.id}>
            <div className={styles.ledgerHead}>
              <Status tone={consentTone[entry.kind]}>{say(`customers.kind.${entry.kind}`)}</Status>
              <Time at={entry.at} />
            </div>
            {entry.words && <bdi className={styles.words}>{entry.words}</bdi>}
            <div className={styles.quiet}>
              <By entry={entry} />
              {entry.eventId && (
                <>
                  {', '}
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => <Link {...props} to="/events/$id" params={{ id: entry.eventId! }} />}
                  >
                    {say('customers.withEvent')}
                  </Anchor>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      {more && (
        <Button size="compact-xs" variant="default" loading={loadingMore} onClick={more}>
          {say('list.more')}
        </Button>
      )}
    </>
  )
}

const By = ({ entry }: { entry: Entry }) => {
  const say = useTexts()
  const team = hooks.useQuery(
    'get',
    '/v1/members',
    { params: { query: { limit: 100 } } },
    { enabled: entry.source === 'dashboard', staleTime: 300_000 },
  )
  if (entry.source !== 'dashboard') return say(`customers.source.${entry.source}`)
  const member = team.data?.data.find(({ userId }) => userId === entry.userId)
  if (!member) return say('customers.source.somebody')
  return say('customers.source.dashboard', { name: member.name || member.email })
}

const maxWords: Record<Deed, number> = { optIn: 2000, optOut: 500, lift: 500 }

const Declare = ({
  deed,
  opened,
  customer,
  name,
  onClose,
}: {
  deed: Deed
  opened: boolean
  customer: Customer
  name: string
  onClose: () => void
}) => {
  const say = useTexts()
  const take = useTake(customer.id)
  const [words, setWords, clear] = useDraft(`customers.${customer.id}.${deed}`)
  const label = { optIn: 'customers.evidence', optOut: 'customers.reason', lift: 'customers.liftReason' } as const
  const declare = async () => {
    const at = { params: { path: { id: customer.id } } }
    const told = words.trim()
    const { data } =
      deed === 'optIn'
        ? await api.POST('/v1/customers/{id}/opt-in', { ...at, body: { evidence: told } })
        : deed === 'optOut'
          ? await api.POST('/v1/customers/{id}/opt-out', { ...at, body: { reason: told } })
          : await api.POST('/v1/customers/{id}/opt-out/lift', { ...at, body: { reason: told } })
    clear()
    take(data!)
  }
  return (
    <FormDialog
      opened={opened}
      title={say(`customers.${deed}Now`)}
      text={
        <>
          {say(`customers.${deed}Text`, { name })}
          {deed === 'optIn' && customer.optedOutAt !== null && ` ${say('customers.optInStill')}`}
        </>
      }
      action={say(`customers.${deed}Now`)}
      onClose={onClose}
      onSubmit={declare}
    >
      <Textarea
        label={say(label[deed])}
        {...(deed === 'optIn' && { description: say('customers.evidenceHint') })}
        required
        withAsterisk={false}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={maxWords[deed]}
        data-autofocus
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
