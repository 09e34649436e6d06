import { useEffect, useRef } from 'react'

const overlays = '[role=dialog]:not([data-docked]), [role=menu]'
const fields = 'input, textarea, select, [contenteditable=true], [role=dialog]'

/** Returns true while a dialog or a menu is open above the page. */
const isOverlayOpen = (): boolean => document.querySelector(overlays) !== null

/** Returns the action of a shortcut, which does nothing while a dialog or a menu is open above the page. */
export const outsideOverlays = (action: () => void) => (): void => {
  if (!isOverlayOpen()) action()
}

/**
 * Calls `action` when Escape is pressed outside fields and overlays. The listener runs before those of React, because a
 * menu that handles the key is gone when the event arrives at the page.
 */
export const useEscape = (action: () => void): void => {
  const current = useRef(action)
  current.current = action
  useEffect(() => {
    const onKeyDown = ({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => {
      if (key !== 'Escape' || altKey || ctrlKey || metaKey || shiftKey) return
      if (isOverlayOpen() || (target instanceof Element && target.closest(fields))) return
      current.current()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
