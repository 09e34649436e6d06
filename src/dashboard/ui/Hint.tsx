import { Tooltip } from '@mantine/core'
import { cloneElement, type FocusEvent, type PointerEvent, type ReactElement, useEffect, useState } from 'react'

interface TargetProps {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  onPointerLeave?: () => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: () => void
}

/** Tooltip of its child, for the mouse and the keyboard. It is created when needed, because a list has one in each row. */
export const Hint = ({ label, children }: { label: () => string; children: ReactElement<TargetProps> }) => {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: event => setTarget(event.pointerType === 'mouse' ? event.currentTarget : null),
        onPointerLeave: () => setTarget(null),
        onFocus: event => setTarget(event.currentTarget.matches(':focus-visible') ? event.currentTarget : null),
        onBlur: () => setTarget(null),
      })}
      {target && <DelayedTooltip target={target} label={label()} />}
    </>
  )
}

const hoverDelayMs = 300

const DelayedTooltip = ({ target, label }: { target: HTMLElement; label: string }) => {
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsVisible(true), hoverDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return isVisible && <Tooltip target={target} label={label} defaultOpened />
}
