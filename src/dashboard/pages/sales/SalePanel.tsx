import { Anchor, Button, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { hooks } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Id } from '../../ui/Id.tsx'
import { InboxIcon } from '../../ui/icons.ts'
import { Facts, Panel, Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time } from '../../ui/Time.tsx'
import { CustomerCell } from '../customers/CustomerCell.tsx'
import { Amount } from './Amount.tsx'
import { parseSaleFilters, type Sale } from './filters.ts'
import { RecordedBy, useRecorderNames } from './RecordedBy.tsx'
import styles from './sales.module.css'
import { VoidDialog } from './VoidDialog.tsx'

const route = getRouteApi('/signed/sales/$id')

/** Side panel of a sale: the amount, where it comes from, and the action that voids it. */
export const SalePanel = () => {
  const t = useTranslate()
  const navigate = useNavigate()
  const { id } = route.useParams()
  const search = parseSaleFilters(route.useSearch())
  const query = hooks.useQuery('get', '/v1/sales/{id}', { params: { path: { id } } })
  return (
    <Panel title={t('sales.one')} onClose={() => void navigate({ to: '/sales', search })}>
      {query.error && !query.data && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton height={240} mt="md" />}
      {query.data && <SaleDetails sale={query.data} />}
    </Panel>
  )
}

const SaleDetails = ({ sale }: { sale: Sale }) => {
  const t = useTranslate()
  const [isVoiding, voidDialog] = useDisclosure(false)
  const recorder = useRecorderNames()(sale)
  return (
    <>
      <p className={styles.total}>
        <Amount sale={sale} />
      </p>
      {sale.voidedAt && <Status tone="off">{t('sales.voided')}</Status>}
      <Group gap="sm" pt="md">
        <Button
          variant="default"
          leftSection={<InboxIcon width={16} />}
          renderRoot={(props: object) => <Link {...props} to="/inbox/$id" params={{ id: sale.conversationId }} />}
        >
          {t('sales.open')}
        </Button>
        {!sale.voidedAt && (
          <Button variant="default" onClick={voidDialog.open}>
            {t('sales.void')}
          </Button>
        )}
      </Group>
      <Section title={t('sales.details')}>
        <Facts
          items={{
            [t('sales.customer')]: (
              <Anchor
                size="sm"
                renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: sale.customerId }} />}
              >
                <CustomerCell id={sale.customerId} />
              </Anchor>
            ),
            [t('sales.note')]: sale.note && <bdi>{sale.note}</bdi>,
            [t('sales.time')]: <Time at={sale.createdAt} exact />,
            [t('sales.origin')]: t(`sales.origin.${sale.markedBy.type}`),
            [t('sales.by')]: <RecordedBy sale={sale} name={recorder} />,
            [t('sales.voidedAt')]: sale.voidedAt && <Time at={sale.voidedAt} exact />,
            [t('sales.voidReason')]: sale.voidReason && <bdi>{sale.voidReason}</bdi>,
            [t('sales.id')]: <Id value={sale.id} full />,
          }}
        />
      </Section>
      <VoidDialog sale={sale} opened={isVoiding} onClose={voidDialog.close} />
    </>
  )
}
