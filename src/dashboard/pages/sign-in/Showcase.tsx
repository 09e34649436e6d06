import { useTranslate } from '../../texts/index.tsx'
import { BoltIcon, ChatBubbleLeftRightIcon, ClockIcon } from '../../ui/icons.ts'
import styles from './sign-in.module.css'

/** Picture of the product beside the form, on wide screens: an event, a delay and the message. Decorative. */
export const Showcase = () => {
  const t = useTranslate()
  return (
    <aside className={styles.showcase} aria-hidden="true">
      <p className={styles.tagline}>{t('app.tagline')}</p>
      <ol className={styles.flow}>
        <li>
          <BoltIcon width={18} />
          <code>{t('signIn.example.event')}</code>
        </li>
        <li>
          <ClockIcon width={18} />
          {t('signIn.example.delay')}
        </li>
        <li data-message>
          <ChatBubbleLeftRightIcon width={18} />
          {t('signIn.example.message')}
        </li>
        <li data-reply>{t('signIn.example.reply')}</li>
      </ol>
    </aside>
  )
}
