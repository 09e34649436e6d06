import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useCustomer } from '../../api/customers.ts'
import { useTranslate } from '../../texts/index.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import styles from './customers.module.css'
import { customerName } from './name.ts'

/** Avatar and label of a customer in a row. */
export const NamedCustomer = ({ name, label }: { name: string | null; label: string | null }) => {
  const t = useTranslate()
  return (
    <span className={styles.named}>
      <Avatar name={name} size={20} />
      <bdi>{label === null ? t('customers.erasedName') : label}</bdi>
    </span>
  )
}

/** Avatar and name of a customer who is known only by id. Requests are cached. */
export const CustomerCell = ({ id }: { id: string }) => {
  const t = useTranslate()
  const { data, isPending } = useCustomer(id)
  if (isPending)
    return (
      <Skeleton component="span" display="inline-block" width={120} height={12}>
        <VisuallyHidden>{t('list.loadingMore')}</VisuallyHidden>
      </Skeleton>
    )
  return <NamedCustomer name={data?.name ?? null} label={data ? customerName(data) : null} />
}
