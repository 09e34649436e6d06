/** Placeholder of a page or a part of it whose code is loading. */
import { Box, Skeleton, VisuallyHidden } from '@mantine/core'
import { useLocation, useMatches } from '@tanstack/react-router'
import { useTranslate } from '../texts/index.tsx'
import { Body, Page } from '../ui/Page.tsx'
import { sectionAt } from './navigation.ts'

/** Position of a page in its address, inside the root and the layout of signed-in people. */
const pageDepth = 2

export const PendingPage = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const depth = useMatches({ select: matches => matches.findIndex(({ status }) => status === 'pending') })
  const isPage = depth <= pageDepth
  const placeholder = (
    <>
      <VisuallyHidden role="status">{t('list.loadingMore')}</VisuallyHidden>
      <Skeleton height={160} aria-hidden />
    </>
  )
  // As wide as a panel beside a list.
  if (!isPage)
    return (
      <Box flex={{ base: 1, sm: '0 1 min(560px, 48vw)' }} p="lg">
        {placeholder}
      </Box>
    )
  return (
    <Page title={t(sectionAt(pathname))}>
      <Body>{placeholder}</Body>
    </Page>
  )
}
