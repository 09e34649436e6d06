/** Placeholder of a page or a part of it whose code is loading. */
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useLocation, useMatch, useRouter } from '@tanstack/react-router'
import { useTranslate } from '../texts/index.tsx'
import { Body, Page } from '../ui/Page.tsx'
import ui from '../ui/ui.module.css'
import { sectionAt } from './navigation.ts'

export const PendingPage = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const { routesById } = useRouter()
  const { routeId } = useMatch({ strict: false })
  const isPage = routesById[routeId].parentRoute?.id === '/signed'
  const placeholder = (
    <>
      <VisuallyHidden role="status">{t('list.loadingMore')}</VisuallyHidden>
      <Skeleton height={160} aria-hidden />
    </>
  )
  if (!isPage) return <div className={ui.pending}>{placeholder}</div>
  return (
    <Page title={t(sectionAt(pathname))}>
      <Body>{placeholder}</Body>
    </Page>
  )
}
