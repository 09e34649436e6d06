import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { rowsOf } from '../../api/pages.ts'
import { useTexts } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { Json } from '../../ui/Json.tsx'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Time } from '../../ui/Time.tsx'
import { type Entry, targetPath, useActor, useDeed, useEntries, useTargetName } from './entries.tsx'
import { auditFilters } from './filters.ts'

/** Side panel with one audit entry in full and links to similar entries. */
export const AuditPanel = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const deed = useDeed()
  const filters = auditFilters(useSearch({ strict: false }))
  const { id } = useParams({ strict: false }) as { id: string }
  const { rows, failure, retry, more, loadingMore } = rowsOf(useEntries(filters))
  const entry = rows?.find(row => row.id === id)
  return (
    <Panel
      title={entry ? deed(entry) : say('audit.entry')}
      onClose={() => void navigate({ to: '/audit', search: filters })}
    >
      {failure && !rows ? <Failure of={failure} retry={retry} /> : null}
      {!rows && !failure && <Skeleton height={160} mt="md" />}
      {rows && !entry && (
        <Stack gap="sm" align="flex-start" pt="md">
          <Text size="sm">{say('audit.notHere')}</Text>
          {more && (
            <Button variant="default" loading={loadingMore} onClick={more}>
              {say('list.more')}
            </Button>
          )}
        </Stack>
      )}
      {entry && <Whole entry={entry} />}
    </Panel>
  )
}

const Whole = ({ entry }: { entry: Entry }) => {
  const say = useTexts()
  const actor = useActor()
  const nameOf = useTargetName()
  const path = targetPath(entry)
  return (
    <>
      <Section title={say('audit.entry')}>
        <Facts
          of={{
            [say('audit.when')]: <Time at={entry.at} exact />,
            [say('audit.who')]: (
              <Stack gap="sm" align="flex-start">
                <bdi>{actor(entry)}</bdi>
                {entry.actor.id !== null && (
                  <Anchor
                    size="sm"
                    renderRoot={(props: object) => (
                      <Link {...props} to="/audit" search={{ actorId: entry.actor.id! }} />
                    )}
                  >
                    {say('audit.onlyActor', { name: actor(entry) })}
                  </Anchor>
                )}
              </Stack>
            ),
            [say('audit.target')]: (
              <Stack gap="sm" align="flex-start">
                <span>
                  {say(`audit.targetType.${entry.target.type}`)} <bdi>{nameOf(entry)}</bdi>{' '}
                  <Id value={entry.target.id} />
                </span>
                {path !== null && (
                  <Anchor size="sm" renderRoot={(props: object) => <Link {...props} to={path} />}>
                    {say('audit.openTarget')}
                  </Anchor>
                )}
                <Anchor
                  size="sm"
                  renderRoot={(props: object) => <Link {...props} to="/audit" search={{ targetId: entry.target.id }} />}
                >
                  {say('audit.onlyTarget')}
                </Anchor>
              </Stack>
            ),
            [say('audit.address')]: entry.address,
            [say('audit.request')]: entry.requestId && <Id value={entry.requestId} whole />,
          }}
        />
      </Section>
      {Object.keys(entry.detail).length > 0 && (
        <Section title={say('audit.detail')}>
          <Json value={entry.detail} label={say('audit.detail')} />
        </Section>
      )}
    </>
  )
}
