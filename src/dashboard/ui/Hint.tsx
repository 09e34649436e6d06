import { Tooltip } from '@mantine/core'
import { cloneElement, type PointerEvent, type ReactElement, useEffect, useState } from 'react'

interface PointerProps {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  onPointerLeave?: () => void
}

/** Tooltip of its child, for mouse users. It is created on hover, because a list has one in each row. */
export const Hint = ({ label, children }: { label: () => string; children: ReactElement<PointerProps> }) => {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: event => setTarget(event.pointerType === 'mouse' ? event.currentTarget : null),
        onPointerLeave: () => setTarget(null),
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
