import { Anchor, Button, Text } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { api, hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, pageReader, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Card } from '../../ui/Card.tsx'
import { Empty, OwnersOnly } from '../../ui/Empty.tsx'
import { Samples } from '../../ui/form/OneTimeSecret.tsx'
import { Id } from '../../ui/Id.tsx'
import { KeyIcon } from '../../ui/icons.ts'
import { type Column, List } from '../../ui/list/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Facts } from '../../ui/Panel.tsx'
import { PlusIcon } from '../../ui/page-icons.ts'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import styles from './api-keys.module.css'
import { RevokeDialog } from './RevokeDialog.tsx'
import { firstCalls } from './samples.ts'

type Row = Schemas['ApiKey']

/** Stands for the key in the samples of the page, because a key is shown only once. */
const placeholderKey = 'YOUR_API_KEY'

/** API keys page: issues and revokes the keys of the workspace. A key is shown in full only when it is issued. */
export const ApiKeys = () => {
  const t = useTranslate()
  if (useIsOwner()) return <Keys />
  return (
    <Page title={t('apiKeys.title')}>
      <OwnersOnly what={t('apiKeys.title')} />
    </Page>
  )
}

const Keys = () => {
  const t = useTranslate()
  const [keyToRevoke, setKeyToRevoke] = useState<Row | null>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/api-keys', listParams({}), cursorPagination)
  const isEmpty = query.data?.pages[0]?.data.length === 0
  const issue = (
    <Button
      leftSection={<PlusIcon width={16} />}
      renderRoot={(props: object) => <Link {...props} to="/api-keys/new" />}
    >
      {t('apiKeys.issue')}
    </Button>
  )
  const samples = <Samples title={t('apiKeys.samples')} samples={firstCalls(location.origin, placeholderKey)} />
  return (
    <Page title={t('apiKeys.title')} text={t('apiKeys.text')} actions={isEmpty ? undefined : issue}>
      <div className={styles.content}>
        <div
          className={isEmpty || !query.data ? styles.full : styles.list}
          style={listHeight(query.data?.pages.flatMap(({ data }) => data).length ?? 0)}
        >
          <List
            title={t('apiKeys.title')}
            columns={useColumns(setKeyToRevoke)}
            rows={toRows(query)}
            getId={row => row.id}
            selection={keys => [
              {
                key: 'revoke',
                label: t('apiKeys.revokeShort'),
                reason: keys.every(({ revoked }) => revoked) ? t('apiKeys.bulk.none') : null,
                title: t('apiKeys.bulk.title'),
                text: t('apiKeys.bulk.text'),
                confirm: count => t('apiKeys.bulk.do', { count }),
                items: keys.map(({ id, name, prefix, revoked }) => ({
                  id,
                  label: t('apiKeys.bulk.item', { name, prefix }),
                  skip: revoked ? t('apiKeys.bulk.isRevoked') : undefined,
                })),
                send: id => api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }),
                changes: path => path === '/v1/api-keys',
              },
            ]}
            exportName="api-keys"
            readPage={pageReader('/v1/api-keys', listParams({}))}
            empty={
              <Empty
                title={t('apiKeys.emptyTitle')}
                text={t('apiKeys.emptyText')}
                icon={KeyIcon}
                docs="/docs/credentials"
                below={samples}
              >
                {issue}
              </Empty>
            }
          />
        </div>
        {query.data && !isEmpty && (
          <aside className={styles.samples} aria-label={t('apiKeys.samples')}>
            <Card title={t('apiKeys.samples')}>
              <div className={styles.guide}>
                <div>{samples}</div>
                <div className={styles.facts}>
                  <Facts
                    items={{
                      [t('apiKeys.baseUrl')]: <Id value={location.origin} full />,
                      [t('apiKeys.header')]: <Id value="X-API-Key" full />,
                    }}
                  />
                  <Text size="sm" c="dimmed">
                    {t('apiKeys.access')}
                  </Text>
                  <Anchor size="sm" href="/docs/credentials" underline="always" target="_blank">
                    {t('apiKeys.docs')}
                  </Anchor>
                </div>
              </div>
            </Card>
          </aside>
        )}
      </div>
      <RevokeDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(null)} onRevoked={() => void query.refetch()} />
      <Outlet />
    </Page>
  )
}

/** CSS variable with the number of rows. */
const listHeight = (rows: number): CSSProperties => ({ ['--rows' as string]: rows })

const useColumns = (revoke: (row: Row) => void): Column<Row>[] => {
  const t = useTranslate()
  return [
    {
      key: 'name',
      title: t('apiKeys.name'),
      width: 'minmax(150px, 2fr)',
      phone: 'title',
      value: row => row.name,
      cell: row => (
        <>
          <KeyIcon className={styles.icon} width={16} aria-hidden="true" />
          <bdi className={styles.name}>{row.name}</bdi>
        </>
      ),
    },
    {
      key: 'status',
      title: t('apiKeys.status'),
      width: '150px',
      phone: 'aside',
      value: row => t(row.revoked ? 'apiKeys.revoked' : 'apiKeys.good'),
      cell: row => (
        <>
          <Status tone={row.revoked ? 'off' : 'done'}>{row.revoked ? t('apiKeys.revoked') : t('apiKeys.good')}</Status>{' '}
          {row.revoked && (
            <span className={styles.quiet}>
              <Time at={row.revoked} />
            </span>
          )}
        </>
      ),
    },
    {
      key: 'prefix',
      title: t('apiKeys.prefix'),
      width: '130px',
      value: row => row.prefix,
      cell: row => <code className={styles.quiet}>{row.prefix}…</code>,
    },
    {
      key: 'used',
      title: t('apiKeys.used'),
      width: 'minmax(110px, 1fr)',
      phone: 'below',
      value: row => row.lastUsedAt,
      cell: row => (
        <span className={styles.quiet}>{row.lastUsedAt ? <Time at={row.lastUsedAt} /> : t('apiKeys.never')}</span>
      ),
      phoneCell: row => (
        <span className={styles.quiet}>
          <code>{row.prefix}…</code>
          {' · '}
          {row.lastUsedAt ? (
            <>
              {t('apiKeys.used')} <Time at={row.lastUsedAt} />
            </>
          ) : (
            t('apiKeys.never')
          )}
        </span>
      ),
    },
    {
      key: 'creator',
      title: t('apiKeys.creator'),
      width: 'minmax(130px, 1fr)',
      value: row => row.createdBy.name,
      cell: ({ createdBy: { name } }) =>
        name === null ? (
          <span className={styles.quiet}>{t('apiKeys.formerMember')}</span>
        ) : (
          <span className={styles.person}>
            <Avatar name={name} size={20} />
            <bdi>{name}</bdi>
          </span>
        ),
    },
    {
      key: 'created',
      title: t('apiKeys.created'),
      width: '110px',
      value: row => row.created,
      cell: row => (
        <span className={styles.quiet}>
          <Time at={row.created} />
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('apiKeys.actions'),
      width: '90px',
      align: 'right',
      phone: 'end',
      cell: row =>
        row.revoked ? null : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            className={styles.revoke!}
            aria-label={t('apiKeys.revokeWhich', { name: row.name })}
            onClick={() => revoke(row)}
          >
            {t('apiKeys.revokeShort')}
          </Button>
        ),
    },
  ]
}
