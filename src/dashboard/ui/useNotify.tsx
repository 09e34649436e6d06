import { Anchor } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { useCallback } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'

let lastId = 0

/** Color of a notification: a completed action, or one that was not possible. */
const colors = { done: 'green', failed: 'red' }

/**
 * Returns a function that shows a notification of an action, with a button if `action` is given. `label` defaults to
 * undo. The tone `failed` is for an action that was not possible.
 */
export const useNotify = (): ((
  text: string,
  action?: () => Promise<unknown>,
  tone?: keyof typeof colors,
  label?: string,
) => void) => {
  const t = useTranslate()
  return useCallback(
    (text, action, tone = 'done', label = t('notification.undo')) => {
      const id = `notification-${++lastId}`
      const runAction = async () => {
        hideNotification(id)
        try {
          await action?.()
        } catch (error) {
          showNotification({
            color: colors.failed,
            message: error instanceof ApiFailure ? error.message : t('failure.page'),
          })
        }
      }
      showNotification({
        id,
        withBorder: true,
        color: colors[tone],
        closeButtonProps: { 'aria-label': t('panel.close') },
        message: (
          <>
            {text}{' '}
            {action && (
              <Anchor component="button" type="button" size="sm" onClick={() => void runAction()}>
                {label}
              </Anchor>
            )}
          </>
        ),
      })
    },
    [t],
  )
}
