import { Anchor } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { useMemo } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'

let lastId = 0

interface Notify {
  /**
   * Shows a notification of a completed action, with a button if `action` is given. `label` defaults to undo. Returns a
   * function that hides it, for an action that is undone elsewhere.
   */
  (text: string, action?: () => Promise<unknown>, label?: string): () => void
  /** Shows why an action was not possible: a text, or the error that it threw. */
  error: (reason: unknown) => void
}

/** Returns a function that shows a notification of an action. */
export const useNotify = (): Notify => {
  const t = useTranslate()
  return useMemo(() => {
    const frame = { withBorder: true, closeButtonProps: { 'aria-label': t('panel.close') } }
    const error = (reason: unknown) =>
      void showNotification({
        ...frame,
        color: 'red',
        message:
          reason instanceof ApiFailure ? reason.message : typeof reason === 'string' ? reason : t('failure.page'),
      })
    const notify = (text: string, action?: () => Promise<unknown>, label = t('notification.undo')) => {
      const id = `notification-${++lastId}`
      const runAction = async () => {
        hideNotification(id)
        await action?.()
      }
      showNotification({
        ...frame,
        id,
        color: 'green',
        message: (
          <>
            {text}{' '}
            {action && (
              <Anchor component="button" type="button" size="sm" onClick={() => void runAction().catch(error)}>
                {label}
              </Anchor>
            )}
          </>
        ),
      })
      return () => void hideNotification(id)
    }
    return Object.assign(notify, { error })
  }, [t])
}
