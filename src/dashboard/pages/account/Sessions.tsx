import { Button, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { byCursor, rowsOf } from '../../api/pages.ts'
import { useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTell } from '../../ui/told.tsx'
import styles from './account.module.css'
import { deviceOf } from './device.ts'

type OwnSession = Schemas['OwnSession']
const pageSize = 20

export const Sessions = () => {
  const say = useTexts()
  const tell = useTell()
  const queries = useQueryClient()
  const [asking, dialog] = useDisclosure(false)
  const [refused, setRefused] = useState<unknown>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/auth/sessions', { params: { query: { limit: pageSize } } }, byCursor)
  const { rows, failure, retry, more, loadingMore } = rowsOf(query)
  const anew = () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === '/v1/auth/sessions' })
  const end = async (session: OwnSession) => {
    setRefused(null)
    try {
      await api.DELETE('/v1/auth/sessions/{id}', { params: { path: { id: session.id } } })
      tell(say('account.session.ended'))
    } catch (error) {
      setRefused(error)
    }
    void anew()
  }
  const endOthers = async () => {
    await api.DELETE('/v1/auth/sessions')
    tell(say('account.sessionsEnded'))
    void anew()
  }
  const hasOthers = rows?.some(session => !session.current) ?? false
  return (
    <Section title={say('account.sessions')}>
      {failure && !rows ? <Failure of={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={80} />}
      <ul className={styles.sessions}>
        {rows?.map(session => (
          <Line key={session.id} session={session} onEnd={() => void end(session)} />
        ))}
      </ul>
      {refused !== null && <Failure of={refused} />}
      <Group gap="sm">
        {more && (
          <Button variant="default" loading={loadingMore} onClick={more}>
            {say('list.more')}
          </Button>
        )}
        {hasOthers && (
          <Button variant="default" onClick={dialog.open}>
            {say('account.sessionsEnd')}
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking}
        title={say('account.sessionsEndTitle')}
        action={say('account.sessionsEnd')}
        onClose={dialog.close}
        onConfirm={endOthers}
      >
        {say('account.sessionsEndText')}
      </Confirm>
    </Section>
  )
}

const Line = ({ session, onEnd }: { session: OwnSession; onEnd: () => void }) => {
  const say = useTexts()
  const known = deviceOf(session.userAgent)
  const device = !known
    ? say('account.session.unknown')
    : known.system
      ? say('account.session.device', { browser: known.browser, system: known.system })
      : known.browser
  const address = session.address ?? say('account.session.noAddress')
  return (
    <li>
      <div>
        <Group gap="sm">
          <bdi title={session.userAgent ?? undefined}>{device}</bdi>
          {session.current && <Status tone="done">{say('account.session.current')}</Status>}
        </Group>
        <div className={styles.quiet}>
          {address}, {say('account.session.seen')} <Time at={session.lastSeenAt} />, {say('account.session.since')}{' '}
          <Time at={session.createdAt} />
        </div>
      </div>
      {!session.current && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={say('account.session.endWhich', { device, address })}
          onClick={onEnd}
        >
          {say('account.session.end')}
        </Button>
      )}
    </li>
  )
}
