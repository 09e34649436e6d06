import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { hooks, type Schemas } from '../../api/client.ts'
import { byCursor, listOf, rowsOf } from '../../api/pages.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Column, List } from '../../ui/List.tsx'
import { Page } from '../../ui/Page.tsx'
import { Time } from '../../ui/Time.tsx'
import ui from '../../ui/ui.module.css'

type Row = Schemas['Template']

/** Templates page: reusable message texts. */
export const Templates = () => {
  const say = useTexts()
  const navigate = useNavigate()
  const owner = useIsOwner()
  const query = hooks.useInfiniteQuery('get', '/v1/templates', listOf({}), byCursor)
  const columns: Column<Row>[] = [
    {
      key: 'name',
      title: say('templates.name'),
      width: 'minmax(150px, 1fr)',
      phone: 'title',
      cell: row => (
        <Link className={ui.rowLink} to="/templates/$id" params={{ id: row.id }}>
          <bdi>{row.name}</bdi>
        </Link>
      ),
    },
    {
      key: 'category',
      title: say('templates.category'),
      width: '100px',
      phone: 'end',
      cell: row => say(`templates.category.${row.category}`),
    },
    {
      key: 'body',
      title: say('templates.begins'),
      width: 'minmax(180px, 3fr)',
      phone: 'below',
      cell: row => <bdi>{row.body.slice(0, 200)}</bdi>,
    },
    {
      key: 'provider',
      title: say('templates.provider'),
      width: 'minmax(130px, 1fr)',
      wide: true,
      cell: row => (row.provider ? <bdi>{`${row.provider.name} (${row.provider.language})`}</bdi> : '–'),
    },
    {
      key: 'changed',
      title: say('templates.changed'),
      width: '110px',
      phone: 'aside',
      cell: row => <Time at={row.updatedAt} />,
    },
  ]
  const make = owner && (
    <Button renderRoot={(props: object) => <Link {...props} to="/templates/new" />}>{say('templates.new')}</Button>
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  return (
    <Page
      title={say('templates.title')}
      text={say('templates.text')}
      readOnly={!owner}
      actions={isEmpty ? undefined : make}
    >
      <List
        title={say('templates.title')}
        columns={columns}
        rows={rowsOf(query)}
        idOf={row => row.id}
        open={row => void navigate({ to: '/templates/$id', params: { id: row.id } })}
        empty={
          <Empty title={say('templates.emptyTitle')} text={say('templates.emptyText')}>
            {make}
          </Empty>
        }
      />
    </Page>
  )
}
