import { Anchor } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { useCallback } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'

let lastId = 0

/** Color of a notification: a completed action, or one that was not possible. */
const colors = { done: 'green', failed: 'red' }

/**
 * Returns a function that shows a notification of an action, with an undo button if `undo` is given. The tone `failed`
 * is for an action that was not possible.
 */
export const useNotify = (): ((text: string, undo?: () => Promise<unknown>, tone?: keyof typeof colors) => void) => {
  const t = useTranslate()
  return useCallback(
    (text, undo, tone = 'done') => {
      const id = `notification-${++lastId}`
      const runUndo = async () => {
        hideNotification(id)
        try {
          await undo?.()
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
            {undo && (
              <Anchor component="button" type="button" size="sm" onClick={() => void runUndo()}>
                {t('notification.undo')}
              </Anchor>
            )}
          </>
        ),
      })
    },
    [t],
  )
}
