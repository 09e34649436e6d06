import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { Sentence, useTexts } from '../../texts/index.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Samples, ShownOnce } from '../../ui/ShownOnce.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { firstCalls } from './samples.ts'

type Row = Schemas['ApiKey']

/** API keys page: issues and revokes the keys of the workspace. A key is shown in full only when it is issued. */
export const ApiKeys = () => {
  const say = useTexts()
  if (useIsOwner()) return <Keys />
  return (
    <Page title={say('apiKeys.title')}>
      <Empty title={say('apiKeys.forOwners')} />
    </Page>
  )
}

const Keys = () => {
  const say = useTexts()
  const [naming, setNaming] = useState(false)
  const [issued, setIssued] = useState<Schemas['IssuedApiKey'] | null>(null)
  const [revoking, setRevoking] = useState<Row | null>(null)
  const query = hooks.useInfiniteQuery('get', '/v1/api-keys', listOf({}), byCursor)
  const issue = (
    <Button onClick={() => setNaming(true)} size="xs">
      {say('apiKeys.issue')}
    </Button>
  )
  return (
    <Page title={say('apiKeys.title')} text={say('apiKeys.text')} actions={issue}>
      <List
        title={say('apiKeys.title')}
        columns={useColumns(setRevoking)}
        rows={rowsOf(query)}
        idOf={row => row.id}
        empty={
          <Empty title={say('apiKeys.emptyTitle')} text={say('apiKeys.emptyText')}>
            {issue}
          </Empty>
        }
      />
      <Naming
        opened={naming}
        onClose={() => setNaming(false)}
        onIssued={key => {
          setIssued(key)
          void query.refetch()
        }}
      />
      {issued && (
        <ShownOnce
          title={say('apiKeys.onceTitle', { name: issued.name })}
          label={say('apiKeys.value')}
          value={issued.key}
          onDone={() => setIssued(null)}
        >
          <Stack gap="xs">
            <Text size="sm">{say('apiKeys.first')}</Text>
            <Samples title={say('apiKeys.first')} of={firstCalls(location.origin, issued.key)} />
          </Stack>
        </ShownOnce>
      )}
      <Revoking of={revoking} onClose={() => setRevoking(null)} onRevoked={() => void query.refetch()} />
    </Page>
  )
}

const useColumns = (revoke: (row: Row) => void): Column<Row>[] => {
  const say = useTexts()
  return [
    {
      key: 'name',
      title: say('apiKeys.name'),
      width: 'minmax(160px, 2fr)',
      phone: 'title',
      cell: row => <bdi>{row.name}</bdi>,
    },
    {
      key: 'status',
      title: say('apiKeys.status'),
      width: '150px',
      phone: 'aside',
      cell: row => (
        <>
          <Status tone={row.revoked ? 'off' : 'done'}>
            {row.revoked ? say('apiKeys.revoked') : say('apiKeys.good')}
          </Status>{' '}
          {row.revoked && <Time at={row.revoked} />}
        </>
      ),
    },
    {
      key: 'prefix',
      title: say('apiKeys.prefix'),
      width: '120px',
      cell: row => <code>{row.prefix}…</code>,
    },
    {
      key: 'used',
      title: say('apiKeys.used'),
      width: 'minmax(120px, 1fr)',
      phone: 'below',
      cell: row =>
        row.lastUsedAt ? (
          <Sentence id="apiKeys.usedAt" of={{ when: <Time at={row.lastUsedAt} /> }} />
        ) : (
          say('apiKeys.never')
        ),
    },
    { key: 'created', title: say('apiKeys.created'), width: '120px', cell: row => <Time at={row.created} /> },
    {
      key: 'actions',
      title: say('apiKeys.actions'),
      width: '110px',
      align: 'right',
      phone: 'end',
      cell: row =>
        row.revoked ? null : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={say('apiKeys.revokeWhich', { name: row.name })}
            onClick={() => revoke(row)}
          >
            {say('apiKeys.revokeShort')}
          </Button>
        ),
    },
  ]
}

const Naming = ({
  opened,
  onClose,
  onIssued,
}: {
  opened: boolean
  onClose: () => void
  onIssued: (key: Schemas['IssuedApiKey']) => void
}) => {
  const say = useTexts()
  const [name, setName] = useState('')
  const issue = hooks.useMutation('post', '/v1/api-keys')
  return (
    <FormDialog
      opened={opened}
      title={say('apiKeys.issueTitle')}
      action={say('apiKeys.issue')}
      onClose={onClose}
      onSubmit={async () => {
        const issued = await issue.mutateAsync({ body: { name } })
        setName('')
        onIssued(issued)
      }}
    >
      <TextInput
        label={say('apiKeys.name')}
        description={say('apiKeys.nameHint')}
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

const Revoking = ({ of, onClose, onRevoked }: { of: Row | null; onClose: () => void; onRevoked: () => void }) => {
  const say = useTexts()
  const revoke = hooks.useMutation('delete', '/v1/api-keys/{id}')
  // Keeps the name of the key in the dialog while it closes.
  const asked = useRef(of)
  if (of) asked.current = of
  const name = asked.current?.name ?? ''
  return (
    <Confirm
      opened={of !== null}
      title={say('apiKeys.revokeTitle', { name })}
      action={say('apiKeys.revoke')}
      onClose={onClose}
      onConfirm={async () => {
        if (of) await revoke.mutateAsync({ params: { path: { id: of.id } } })
        onRevoked()
      }}
    >
      <Stack gap="sm">
        <span>{say('apiKeys.revokeText')}</span>
        <span>
          {of?.lastUsedAt ? (
            <Sentence id="apiKeys.revokeUsed" of={{ when: <Time at={of.lastUsedAt} /> }} />
          ) : (
            say('apiKeys.revokeUnused')
          )}
        </span>
      </Stack>
    </Confirm>
  )
}
