import { Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, pageSize, rowsOf } from '../../api/pages.ts'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Body } from '../../ui/Page.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTeam } from '../inbox/queries.ts'
import type { WorkflowSearch } from './address.ts'
import { Differences } from './Differences.tsx'
import { same } from './definition/edit.ts'
import type { Definition } from './definition/types.ts'
import { Picture } from './picture/Picture.tsx'
import { useVersion } from './queries.ts'
import type { ViewOf } from './view.ts'
import styles from './workflows.module.css'

type Version = Schemas['WorkflowVersion']

/** Published versions with date, author and changes, and a button to restore each. */
export const HistoryView = ({ workflow, draft, readOnly, edit }: ViewOf) => {
  const say = useTexts()
  const { id, publishedVersion } = workflow
  const search: WorkflowSearch = useSearch({ strict: false })
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/workflows/{id}/versions',
    { params: { path: { id }, query: { limit: pageSize } } },
    byCursor,
  )
  const { rows, failure, retry, more, loadingMore } = rowsOf(query)
  const chosen = search.version ?? publishedVersion
  const version = useVersion(id, chosen)
  if (publishedVersion === null)
    return (
      <Body>
        <Empty title={say('workflows.history.emptyTitle')} text={say('workflows.history.emptyText')} />
      </Body>
    )
  const take = (definition: Definition) => {
    draft.change(definition)
    edit()
  }
  return (
    <div className={styles.pictureAndAside}>
      {version.data ? (
        <Picture
          definition={version.data.definition}
          label={say('workflows.history.picture', { version: version.data.version })}
        />
      ) : version.error ? (
        <Body>
          <Failure of={version.error} retry={() => void version.refetch()} />
        </Body>
      ) : (
        <Skeleton className={styles.pictureShape!} />
      )}
      <aside className={styles.aside} aria-label={say('workflows.view.history')}>
        <VisuallyHidden component="h2">{say('workflows.view.history')}</VisuallyHidden>
        <Section title={say('workflows.history.title')}>
          {failure ? <Failure of={failure} retry={retry} /> : null}
          {!rows && !failure && <Skeleton height={120} />}
          <ol className={styles.versions}>
            {rows?.map(row => (
              <li key={row.version} aria-current={row.version === chosen || undefined}>
                <Head of={row} id={id} isPublished={row.version === publishedVersion} />
                {row.version === chosen && version.data && (
                  <>
                    <Changes id={id} version={row.version} definition={version.data.definition} />
                    {!readOnly && !same(version.data.definition, draft.definition) && (
                      <Group mt="sm">
                        <Button variant="default" onClick={() => take(version.data.definition)}>
                          {say('workflows.history.take')}
                        </Button>
                      </Group>
                    )}
                  </>
                )}
              </li>
            ))}
          </ol>
          {more && (
            <Button variant="default" mt="sm" loading={loadingMore} onClick={more}>
              {say('list.more')}
            </Button>
          )}
        </Section>
      </aside>
    </div>
  )
}

const Head = ({ of, id, isPublished }: { of: Version; id: string; isPublished: boolean }) => {
  const say = useTexts()
  const by = useTeam().find(({ userId }) => userId === of.publishedBy)
  return (
    <>
      <span className={styles.traceHead}>
        <Link
          to="/workflows/$id"
          params={{ id }}
          search={{ view: 'history', version: of.version }}
          className={styles.versionLink}
        >
          {say('workflows.version.published', { version: of.version })}
        </Link>
        {isPublished && <Status tone="done">{say('workflows.history.current')}</Status>}
        <span className={styles.traceTime}>
          <Time at={of.publishedAt} />
        </span>
      </span>
      {by && (
        <Text size="xs" c="dimmed">
          {say('workflows.history.by')} <bdi>{by.name}</bdi>
        </Text>
      )}
    </>
  )
}

/** Steps that differ from the previous version. */
const Changes = ({ id, version, definition }: { id: string; version: number; definition: Definition }) => {
  const say = useTexts()
  const before = useVersion(version > 1 ? id : undefined, version - 1)
  return (
    <div className={styles.changes}>
      {version === 1 ? (
        say('workflows.history.first')
      ) : before.data ? (
        <Differences before={before.data.definition} after={definition} />
      ) : before.error ? (
        <Failure of={before.error} retry={() => void before.refetch()} />
      ) : (
        <Skeleton height={24} />
      )}
    </div>
  )
}
