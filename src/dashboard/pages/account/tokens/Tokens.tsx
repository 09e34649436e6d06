import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { Rows } from '../../../api/pages.ts'
import { Sentence, useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { Confirm } from '../../../ui/form/Confirm.tsx'
import { shortName } from '../../../ui/formats.ts'
import { KeyIcon } from '../../../ui/icons.ts'
import { PlusIcon } from '../../../ui/page-icons.ts'
import { Status } from '../../../ui/Status.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useNotify } from '../../../ui/useNotify.tsx'
import styles from '../account.module.css'
import { expiryOf } from './expiry.ts'
import { NewToken, type Workspaces } from './NewToken.tsx'

export type AccessToken = Schemas['AccessToken']

/** Access tokens of the signed-in person or of a service account, with the dialogs to create and revoke one. */
export const Tokens = ({
  tokens: { rows, failure, retry, loadMore, loadingMore },
  emptyText,
  draft,
  workspaces,
  create,
  revoke,
}: {
  tokens: Rows<AccessToken>
  emptyText: string
  /** Name of the draft of the form, unique per holder. */
  draft: string
  /** Workspaces in which a new token can act. The first one is selected. */
  workspaces: Workspaces
  create: (body: Schemas['CreateAccessToken']) => Promise<Schemas['CreatedAccessToken']>
  revoke: (token: AccessToken) => Promise<unknown>
}) => {
  const t = useTranslate()
  const [isCreating, setIsCreating] = useState(false)
  const [tokenToRevoke, setTokenToRevoke] = useState<AccessToken | null>(null)
  const namesWorkspace =
    new Set([...workspaces, ...(rows ?? []).map(row => row.workspace)].map(({ id }) => id)).size > 1
  return (
    <>
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={80} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          {emptyText}
        </Text>
      )}
      <ul className={styles.sessions} aria-label={t('account.tokens')}>
        {rows?.map(row => (
          <TokenRow key={row.id} token={row} namesWorkspace={namesWorkspace} onRevoke={() => setTokenToRevoke(row)} />
        ))}
      </ul>
      {rows && (
        <Group gap="sm">
          {loadMore && (
            <Button variant="default" loading={loadingMore} onClick={loadMore}>
              {t('list.more')}
            </Button>
          )}
          <Button variant="default" leftSection={<PlusIcon width={16} />} onClick={() => setIsCreating(true)}>
            {t('account.tokenCreate')}
          </Button>
        </Group>
      )}
      {isCreating && (
        <NewToken draft={draft} workspaces={workspaces} create={create} onClose={() => setIsCreating(false)} />
      )}
      <Revoke token={tokenToRevoke} revoke={revoke} onClose={() => setTokenToRevoke(null)} />
    </>
  )
}

const TokenRow = ({
  token,
  namesWorkspace,
  onRevoke,
}: {
  token: AccessToken
  namesWorkspace: boolean
  onRevoke: () => void
}) => {
  const t = useTranslate()
  const { name, prefix, access, workspace, expiresAt, lastUsedAt } = token
  const expiry = expiryOf(token)
  return (
    <li>
      <span className={styles.device}>
        <KeyIcon width={18} aria-hidden="true" />
      </span>
      <div className={styles.session}>
        <Group gap="sm">
          <bdi className={styles.tokenName}>{name}</bdi>
          {expiry !== 'later' && (
            <Status tone={expiry === 'expired' ? 'off' : 'care'}>{t(`account.tokenExpiry.${expiry}`)}</Status>
          )}
        </Group>
        <div className={styles.quiet}>
          <code>{prefix}…</code> · {t(`account.tokenAccess.${access}`)}
          {namesWorkspace && (
            <>
              {' · '}
              <bdi>{workspace.name}</bdi>
            </>
          )}
        </div>
        <div className={styles.quiet}>
          <Sentence
            id={expiry === 'expired' ? 'account.tokenExpired' : 'account.tokenExpires'}
            values={{ when: <Time at={expiresAt} /> }}
          />
          {' · '}
          {lastUsedAt ? (
            <Sentence id="account.tokenUsed" values={{ when: <Time at={lastUsedAt} /> }} />
          ) : (
            t('account.tokenUnused')
          )}
        </div>
      </div>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('account.tokenRevokeWhich', { name })}
        onClick={onRevoke}
      >
        {t('account.tokenRevokeShort')}
      </Button>
    </li>
  )
}

/** Confirmation that names the token and its last use. */
const Revoke = ({
  token,
  revoke,
  onClose,
}: {
  token: AccessToken | null
  revoke: (token: AccessToken) => Promise<unknown>
  onClose: () => void
}) => {
  const t = useTranslate()
  const notify = useNotify()
  // Keeps the token in the dialog while it closes.
  const lastToken = useRef(token)
  if (token) lastToken.current = token
  const shown = lastToken.current
  return (
    <Confirm
      opened={token !== null}
      title={t('account.tokenRevokeTitle', { name: shortName(shown?.name ?? '') })}
      action={t('account.tokenRevoke')}
      onClose={onClose}
      onConfirm={async () => {
        if (!token) return
        await revoke(token)
        notify(t('account.tokenRevoked', { name: token.name }))
      }}
    >
      {t('account.tokenRevokeText')}{' '}
      {shown?.lastUsedAt ? (
        <Sentence id="account.tokenRevokeUsed" values={{ when: <Time at={shown.lastUsedAt} /> }} />
      ) : (
        t('account.tokenRevokeUnused')
      )}
    </Confirm>
  )
}
