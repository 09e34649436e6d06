/** Person or workflow that recorded a sale. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import type { Sale } from './filters.ts'

const all = { params: { query: { limit: 100 } } }
const cacheOptions = { staleTime: 300_000 }

/** Returns the name of the person or workflow. Former members and archived workflows have only a general name. */
export const useRecorderNames = (): ((sale: Sale) => string) => {
  const t = useTranslate()
  const team = hooks.useQuery('get', '/v1/members', all, cacheOptions)
  const workflows = hooks.useQuery('get', '/v1/workflows', all, cacheOptions)
  return ({ markedBy: { type, id } }) => {
    if (type === 'workflow') return workflows.data?.data.find(one => one.id === id)?.name ?? t('sales.by.workflow')
    const member = team.data?.data.find(({ userId }) => userId === id)
    return member?.name || member?.email || t('sales.by.user')
  }
}

/** Name of the person, or a link to the workflow. */
export const RecordedBy = ({ sale, name }: { sale: Sale; name: string }) =>
  sale.markedBy.type === 'user' ? (
    <bdi>{name}</bdi>
  ) : (
    <Anchor
      size="sm"
      renderRoot={(props: object) => <Link {...props} to="/workflows/$id" params={{ id: sale.markedBy.id }} />}
    >
      <bdi>{name}</bdi>
    </Anchor>
  )
