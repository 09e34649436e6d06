import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { useTitlePart } from '../../ui/hooks/title.ts'
import { CreditCardIcon } from '../../ui/icons.ts'
import { Body, Page } from '../../ui/Page.tsx'
import { BellIcon, BuildingStorefrontIcon, NoSymbolIcon, ShieldCheckIcon } from '../../ui/page-icons.ts'
import styles from './settings.module.css'

const pages = [
  { to: '/settings/workspace', label: 'settings.workspace', icon: BuildingStorefrontIcon },
  { to: '/settings/plan', label: 'plan.title', icon: CreditCardIcon },
  { to: '/settings/security', label: 'settings.security', icon: ShieldCheckIcon },
  { to: '/settings/opt-out-words', label: 'settings.optOutWords', icon: NoSymbolIcon },
  { to: '/settings/notifications', label: 'settings.notifications', icon: BellIcon },
] as const

/** Layout of the settings: the names of the pages, and the open one. */
export const Settings = () => {
  const t = useTranslate()
  const { pathname } = useLocation()
  const open = pages.find(({ to }) => to === pathname)
  useTitlePart(open ? t(open.label) : '')
  // The settings of the notifications belong to the person, and say themselves what an agent receives.
  const isPersonal = open?.to === '/settings/notifications'
  return (
    <Page title={t('settings.title')} readOnly={!useIsOwner() && !isPersonal}>
      <Body>
        <div className={styles.settings}>
          <nav className={styles.pages} aria-label={t('settings.title')}>
            {pages.map(({ to, label, icon: Icon }) => (
              <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
                <Icon width={16} aria-hidden="true" />
                {t(label)}
              </Link>
            ))}
          </nav>
          <div className={styles.content}>
            <Outlet />
          </div>
        </div>
      </Body>
    </Page>
  )
}
