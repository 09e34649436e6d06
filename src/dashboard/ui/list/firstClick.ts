import type { MouseEvent } from 'react'

/**
 * Returns a handler that ignores the second click of a double click. That click was meant for the button that the first
 * one has replaced.
 */
export const firstClick =
  (handle: () => void) =>
  (event: MouseEvent): void => {
    if (event.detail < 2) handle()
  }
