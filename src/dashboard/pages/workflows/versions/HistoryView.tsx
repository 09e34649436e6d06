import { Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../../api/client.ts'
import { cursorPagination, pageSize, toRows } from '../../../api/pages.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { ClockIcon } from '../../../ui/icons.ts'
import { Body } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Panel.tsx'
import { Status } from '../../../ui/Status.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useTeam } from '../../inbox/queries.ts'
import { isEqual } from '../definition/edit.ts'
import type { Definition } from '../definition/types.ts'
import { Diagram } from '../diagram/Diagram.tsx'
import { useVersion } from '../queries.ts'
import trials from '../trials/trials.module.css'
import type { ViewProps } from '../view-props.ts'
import styles from '../workflows.module.css'
import { Differences } from './Differences.tsx'
import own from './versions.module.css'

type Version = Schemas['WorkflowVersion']

/** Published versions with date, author and changes, and a button to restore each. */
export const HistoryView = ({ workflow, draft, readOnly, search, edit }: ViewProps) => {
  const t = useTranslate()
  const { id, publishedVersion } = workflow
  const query = hooks.useInfiniteQuery(
    'get',
    '/v1/workflows/{id}/versions',
    { params: { path: { id }, query: { limit: pageSize } } },
    cursorPagination,
  )
  const { rows, failure, retry, loadMore: more, loadingMore } = toRows(query)
  const selectedVersion = search.version ?? publishedVersion
  const version = useVersion(id, selectedVersion)
  if (publishedVersion === null)
    return (
      <Body>
        <Empty
          icon={ClockIcon}
          title={t('workflows.history.emptyTitle')}
          text={t('workflows.history.emptyText')}
          docs="/docs/workflows"
        >
          {!readOnly && (
            <Button variant="default" onClick={() => edit()}>
              {t('workflows.openEditor')}
            </Button>
          )}
        </Empty>
      </Body>
    )
  const restore = (definition: Definition) => {
    draft.change(definition)
    edit()
  }
  return (
    <div className={styles.diagramAndAside}>
      {version.data ? (
        <Diagram
          definition={version.data.definition}
          label={t('workflows.history.diagram', { version: version.data.version })}
        />
      ) : version.error ? (
        <Body>
          <Failure error={version.error} retry={() => void version.refetch()} />
        </Body>
      ) : (
        <Skeleton className={styles.diagramShape!} />
      )}
      <aside className={styles.aside} aria-label={t('workflows.view.history')}>
        <VisuallyHidden component="h2">{t('workflows.view.history')}</VisuallyHidden>
        <Section title={t('workflows.history.title')}>
          {failure ? <Failure error={failure} retry={retry} /> : null}
          {!rows && !failure && <Skeleton height={120} />}
          <ol className={own.versions}>
            {rows?.map(row => (
              <li key={row.version} aria-current={row.version === selectedVersion || undefined}>
                <VersionHead version={row} id={id} isPublished={row.version === publishedVersion} />
                {row.version === selectedVersion && version.data && (
                  <>
                    <Changes id={id} version={row.version} definition={version.data.definition} />
                    {!readOnly && !isEqual(version.data.definition, draft.definition) && (
                      <Group mt="sm">
                        <Button variant="default" onClick={() => restore(version.data.definition)}>
                          {t('workflows.history.copy')}
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
              {t('list.more')}
            </Button>
          )}
        </Section>
      </aside>
    </div>
  )
}

const VersionHead = ({ version, id, isPublished }: { version: Version; id: string; isPublished: boolean }) => {
  const t = useTranslate()
  const publisher = useTeam().find(({ userId }) => userId === version.publishedBy)
  return (
    <>
      <span className={trials.traceHead}>
        <Link
          to="/workflows/$id"
          params={{ id }}
          search={{ view: 'history', version: version.version }}
          className={own.versionLink}
        >
          {t('workflows.version.published', { version: version.version })}
        </Link>
        {isPublished && <Status tone="done">{t('workflows.history.current')}</Status>}
        <span className={trials.traceTime}>
          <Time at={version.publishedAt} />
        </span>
      </span>
      {publisher && (
        <Text size="xs" c="dimmed">
          {t('workflows.history.by')} <bdi>{publisher.name}</bdi>
        </Text>
      )}
    </>
  )
}

/** Steps that differ from the previous version. */
const Changes = ({ id, version, definition }: { id: string; version: number; definition: Definition }) => {
  const t = useTranslate()
  const previous = useVersion(version > 1 ? id : undefined, version - 1)
  return (
    <div className={own.changes}>
      {version === 1 ? (
        t('workflows.history.first')
      ) : previous.data ? (
        <Differences before={previous.data.definition} after={definition} />
      ) : previous.error ? (
        <Failure error={previous.error} retry={() => void previous.refetch()} />
      ) : (
        <Skeleton height={24} />
      )}
    </div>
  )
}
