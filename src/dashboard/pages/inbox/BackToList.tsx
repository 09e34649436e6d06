import { Anchor } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslate } from '../../texts/index.tsx'
import { ArrowLeftIcon } from '../../ui/page-icons.ts'
import styles from './inbox.module.css'

const route = getRouteApi('/signed/inbox')

/** Link back to the list, on a phone, where a conversation fills the page. */
export const BackToList = () => {
  const t = useTranslate()
  const search = route.useSearch()
  return (
    <Anchor
      className={styles.back!}
      c="inherit"
      aria-label={t('inbox.back')}
      renderRoot={(props: object) => <Link {...props} to="/inbox" search={search} />}
    >
      <ArrowLeftIcon width={18} />
    </Anchor>
  )
}
