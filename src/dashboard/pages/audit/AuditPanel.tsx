import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { toRows } from '../../api/pages.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { ActionName, Actor } from './Actor.tsx'
import { EntryChanges } from './EntryChanges.tsx'
import { type Entry, targetLink, useActorText, useEntries, useTargetName } from './entries.tsx'

const route = getRouteApi('/signed/audit/$id')

/** Side panel with one audit entry in full and links to similar entries. */
export const AuditPanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const filters = route.useSearch()
  const { id } = route.useParams()
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(useEntries(filters))
  const entry = rows?.find(row => row.id === id)
  return (
    <Panel
      title={entry ? <ActionName entry={entry} /> : t('audit.entry')}
      onClose={() => void navigate({ to: '/audit', search: filters })}
    >
      {failure && !rows ? <Failure error={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={160} mt="md" />}
      {rows && !entry && (
        <Stack gap="sm" align="flex-start" pt="md">
          <Text size="sm">{t('audit.notLoaded')}</Text>
          {more && (
            <Button variant="default" loading={loadingMore} onClick={more}>
              {t('list.more')}
            </Button>
          )}
        </Stack>
      )}
      {entry && <EntryDetails entry={entry} />}
    </Panel>
  )
}

const EntryDetails = ({ entry }: { entry: Entry }) => {
  const t = useTranslate()
  const actor = useActorText()
  const targetName = useTargetName()
  const link = targetLink(entry)
  return (
    <>
      <Section title={t('audit.entry')}>
        <Facts
          items={{
            [t('audit.time')]: <Time at={entry.at} exact />,
            [t('audit.actorLabel')]: (
              <Stack gap="sm" align="flex-start">
                <Actor entry={entry} />
                {entry.actor.id !== null && (
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => (
                      <Link {...props} to="/audit" search={{ actorId: entry.actor.id! }} />
                    )}
                  >
                    {t('audit.onlyActor', { name: actor(entry) })}
                  </Anchor>
                )}
              </Stack>
            ),
            [t('audit.target')]: (
              <Stack gap="sm" align="flex-start">
                <span>
                  {t(`audit.targetType.${entry.target.type}`)}{' '}
                  {link === null ? (
                    <bdi>{targetName(entry)}</bdi>
                  ) : (
                    <Anchor size="sm" renderRoot={(props: object) => <Link {...props} {...link} />}>
                      <bdi>{targetName(entry) || t('audit.openTarget')}</bdi>
                    </Anchor>
                  )}{' '}
                  <Id value={entry.target.id} full />
                </span>
                <Anchor
                  size="sm"
                  renderRoot={(props: object) => <Link {...props} to="/audit" search={{ targetId: entry.target.id }} />}
                >
                  {t('audit.onlyTarget')}
                </Anchor>
              </Stack>
            ),
            [t('audit.address')]: entry.address,
            [t('audit.request')]: entry.requestId && <Id value={entry.requestId} full />,
          }}
        />
      </Section>
      <EntryChanges entry={entry} />
    </>
  )
}
