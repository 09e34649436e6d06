import { Anchor } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { useCallback } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTranslate } from '../texts/index.tsx'

let lastId = 0

/** Returns a function that shows a notification of a completed action, with an undo button if `undo` is given. */
export const useNotify = (): ((text: string, undo?: () => Promise<unknown>) => void) => {
  const t = useTranslate()
  return useCallback(
    (text, undo) => {
      const id = `notification-${++lastId}`
      const runUndo = async () => {
        hideNotification(id)
        try {
          await undo?.()
        } catch (error) {
          showNotification({ message: error instanceof ApiFailure ? error.message : t('failure.page') })
        }
      }
      showNotification({
        id,
        withBorder: true,
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
