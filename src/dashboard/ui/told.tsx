import { Anchor } from '@mantine/core'
import { hideNotification, showNotification } from '@mantine/notifications'
import { useCallback } from 'react'
import { Failure as ApiFailure } from '../api/client.ts'
import { useTexts } from '../texts/index.tsx'

let last = 0

/** Returns a function that shows a notification of a completed action, with an undo button if `undo` is given. */
export const useTell = (): ((text: string, undo?: () => Promise<unknown>) => void) => {
  const say = useTexts()
  return useCallback(
    (text, undo) => {
      const id = `told-${++last}`
      const takeBack = async () => {
        hideNotification(id)
        try {
          await undo?.()
        } catch (error) {
          showNotification({ message: error instanceof ApiFailure ? error.message : say('failure.page') })
        }
      }
      showNotification({
        id,
        withBorder: true,
        closeButtonProps: { 'aria-label': say('panel.close') },
        message: (
          <>
            {text}{' '}
            {undo && (
              <Anchor component="button" type="button" size="sm" onClick={() => void takeBack()}>
                {say('told.undo')}
              </Anchor>
            )}
          </>
        ),
      })
    },
    [say],
  )
}
