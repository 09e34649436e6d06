import { Button, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { cursorPagination, listParams, toRows } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTranslate } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Confirm } from '../../ui/form/Confirm.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { type Column, List } from '../../ui/list/List.tsx'
import { OneTimeSecret, Samples } from '../../ui/OneTimeSecret.tsx'
import { Page } from '../../ui/Page.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { firstCalls } from './samples.ts'

type Row = Schemas['ApiKey']

const route = getRouteApi('/signed/api-keys')

/** API keys page: issues and revokes the keys of the workspace. A key is shown in full only when it is issued. */
export const ApiKeys = () => {
  const t = useTranslate()
  if (useIsOwner()) return <Keys />
  return (
    <Page title={t('apiKeys.title')}>
      <Empty title={t('apiKeys.forOwners')} />
    </Page>
  )
}

const Keys = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const isNaming = route.useSearch().new === true
  const setIsNaming = (isOpen: boolean) =>
    void navigate({ to: '/api-keys', search: isOpen ? { new: true } : {}, replace: true })
  const [issued, setIssued] = useState<Schemas['IssuedApiKey'] | null>(null)
  const [keyToRevoke, setKeyToRevoke] = useState<Row | null>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/api-keys', listParams({}), cursorPagination)
  const issue = (
    <Button onClick={() => setIsNaming(true)} size="xs">
      {t('apiKeys.issue')}
    </Button>
  )
  return (
    <Page title={t('apiKeys.title')} text={t('apiKeys.text')} actions={issue}>
      <List
        title={t('apiKeys.title')}
        columns={useColumns(setKeyToRevoke)}
        rows={toRows(query)}
        getId={row => row.id}
        empty={
          <Empty title={t('apiKeys.emptyTitle')} text={t('apiKeys.emptyText')}>
            {issue}
          </Empty>
        }
      />
      <NameDialog
        opened={isNaming}
        onClose={() => setIsNaming(false)}
        onIssued={key => {
          setIssued(key)
          void query.refetch()
        }}
      />
      {issued && (
        <OneTimeSecret
          title={t('apiKeys.onceTitle', { name: issued.name })}
          label={t('apiKeys.value')}
          value={issued.key}
          onDone={() => setIssued(null)}
        >
          <Stack gap="xs">
            <Text size="sm">{t('apiKeys.first')}</Text>
            <Samples title={t('apiKeys.first')} samples={firstCalls(location.origin, issued.key)} />
          </Stack>
        </OneTimeSecret>
      )}
      <RevokeDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(null)} onRevoked={() => void query.refetch()} />
    </Page>
  )
}

const useColumns = (revoke: (row: Row) => void): Column<Row>[] => {
  const t = useTranslate()
  return [
    {
      key: 'name',
      title: t('apiKeys.name'),
      width: 'minmax(160px, 2fr)',
      phone: 'title',
      cell: row => <bdi>{row.name}</bdi>,
    },
    {
      key: 'status',
      title: t('apiKeys.status'),
      width: '150px',
      phone: 'aside',
      cell: row => (
        <>
          <Status tone={row.revoked ? 'off' : 'done'}>{row.revoked ? t('apiKeys.revoked') : t('apiKeys.good')}</Status>{' '}
          {row.revoked && <Time at={row.revoked} />}
        </>
      ),
    },
    {
      key: 'prefix',
      title: t('apiKeys.prefix'),
      width: '120px',
      cell: row => <code>{row.prefix}…</code>,
    },
    {
      key: 'used',
      title: t('apiKeys.used'),
      width: 'minmax(120px, 1fr)',
      phone: 'below',
      cell: row =>
        row.lastUsedAt ? (
          <Sentence id="apiKeys.usedAt" values={{ when: <Time at={row.lastUsedAt} /> }} />
        ) : (
          t('apiKeys.never')
        ),
    },
    { key: 'created', title: t('apiKeys.created'), width: '120px', cell: row => <Time at={row.created} /> },
    {
      key: 'actions',
      title: t('apiKeys.actions'),
      width: '110px',
      align: 'right',
      phone: 'end',
      cell: row =>
        row.revoked ? null : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={t('apiKeys.revokeWhich', { name: row.name })}
            onClick={() => revoke(row)}
          >
            {t('apiKeys.revokeShort')}
          </Button>
        ),
    },
  ]
}

const NameDialog = ({
  opened,
  onClose,
  onIssued,
}: {
  opened: boolean
  onClose: () => void
  onIssued: (key: Schemas['IssuedApiKey']) => void
}) => {
  const t = useTranslate()
  const [name, setName] = useState('')
  const issue = hooks.useMutation('post', '/v1/api-keys')
  return (
    <FormDialog
      opened={opened}
      title={t('apiKeys.issueTitle')}
      action={t('apiKeys.issue')}
      onClose={onClose}
      onSubmit={async () => {
        const issued = await issue.mutateAsync({ body: { name } })
        setName('')
        onIssued(issued)
      }}
    >
      <TextInput
        label={t('apiKeys.name')}
        description={t('apiKeys.nameHint')}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

const RevokeDialog = ({
  apiKey,
  onClose,
  onRevoked,
}: {
  apiKey: Row | null
  onClose: () => void
  onRevoked: () => void
}) => {
  const t = useTranslate()
  const revoke = hooks.useMutation('delete', '/v1/api-keys/{id}')
  // Keeps the name of the key in the dialog while it closes.
  const lastKey = useRef(apiKey)
  if (apiKey) lastKey.current = apiKey
  const name = lastKey.current?.name ?? ''
  return (
    <Confirm
      opened={apiKey !== null}
      title={t('apiKeys.revokeTitle', { name })}
      action={t('apiKeys.revoke')}
      onClose={onClose}
      onConfirm={async () => {
        if (apiKey) await revoke.mutateAsync({ params: { path: { id: apiKey.id } } })
        onRevoked()
      }}
    >
      <Stack gap="sm">
        <span>{t('apiKeys.revokeText')}</span>
        <span>
          {apiKey?.lastUsedAt ? (
            <Sentence id="apiKeys.revokeUsed" values={{ when: <Time at={apiKey.lastUsedAt} /> }} />
          ) : (
            t('apiKeys.revokeUnused')
          )}
        </span>
      </Stack>
    </Confirm>
  )
}
