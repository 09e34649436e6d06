import { Button, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, toRows } from '../../api/pages.ts'
import { useInvalidate } from '../../api/useInvalidate.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { CommandLineIcon, ComputerDesktopIcon, DevicePhoneMobileIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './account.module.css'
import { parseDevice } from './device.ts'

type OwnSession = Schemas['OwnSession']
const pageSize = 20

/** Sessions of the person, with the device of each. */
export const Sessions = () => {
  const t = useTranslate()
  const notify = useNotify()
  const invalidate = useInvalidate()
  const [isConfirming, dialog] = useDisclosure(false)
  const [endFailure, setEndFailure] = useState<unknown>(null)
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/auth/sessions',
    { params: { query: { limit: pageSize } } },
    cursorPagination,
  )
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(query)
  const endSession = async (session: OwnSession) => {
    setEndFailure(null)
    try {
      await api.DELETE('/v1/auth/sessions/{id}', { params: { path: { id: session.id } } })
      notify(t('account.session.ended'))
    } catch (error) {
      setEndFailure(error)
    }
    void invalidate('/v1/auth/sessions')
  }
  const endOthers = async () => {
    await api.DELETE('/v1/auth/sessions')
    notify(t('account.sessionsEnded'))
    void invalidate('/v1/auth/sessions')
  }
  const hasOthers = rows?.some(session => !session.current) ?? false
  return (
    <Card title={t('account.sessions')}>
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={80} />}
      <ul className={styles.sessions}>
        {rows
          ?.toSorted((a, b) => Number(b.current) - Number(a.current))
          .map(session => (
            <SessionRow key={session.id} session={session} onEnd={() => void endSession(session)} />
          ))}
      </ul>
      {endFailure !== null && <Failure error={endFailure} />}
      {(more || hasOthers) && (
        <Group gap="sm">
          {more && (
            <Button variant="default" loading={loadingMore} onClick={more}>
              {t('list.more')}
            </Button>
          )}
          {hasOthers && (
            <Button variant="default" onClick={dialog.open}>
              {t('account.sessionsEnd')}
            </Button>
          )}
        </Group>
      )}
      <Confirm
        opened={isConfirming}
        title={t('account.sessionsEndTitle')}
        action={t('account.sessionsEnd')}
        onClose={dialog.close}
        onConfirm={endOthers}
      >
        {t('account.sessionsEndText')}
      </Confirm>
    </Card>
  )
}

const SessionRow = ({ session, onEnd }: { session: OwnSession; onEnd: () => void }) => {
  const t = useTranslate()
  const parsedDevice = parseDevice(session.userAgent)
  const device = !parsedDevice
    ? t('account.session.unknown')
    : parsedDevice.system
      ? t('account.session.device', { browser: parsedDevice.browser, system: parsedDevice.system })
      : parsedDevice.browser
  const Icon = deviceIcon(parsedDevice?.system ?? null)
  const address = session.address ?? t('account.session.noAddress')
  return (
    <li>
      <span className={styles.device}>
        <Icon width={18} aria-hidden="true" />
      </span>
      <div className={styles.session}>
        <Group gap="sm">
          <bdi title={session.userAgent ?? undefined}>{device}</bdi>
          {session.current && <Status tone="done">{t('account.session.current')}</Status>}
        </Group>
        <div className={styles.quiet}>
          {address} · {t('account.session.seen')} <Time at={session.lastSeenAt} /> · {t('account.session.since')}{' '}
          <Time at={session.createdAt} />
        </div>
      </div>
      {!session.current && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('account.session.endWhich', { device, address })}
          onClick={onEnd}
        >
          {t('account.session.end')}
        </Button>
      )}
    </li>
  )
}

/** Icon of a device by its system. A program has none. */
const deviceIcon = (system: string | null) =>
  system === null
    ? CommandLineIcon
    : system === 'iOS' || system === 'Android'
      ? DevicePhoneMobileIcon
      : ComputerDesktopIcon
