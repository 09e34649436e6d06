import { Tooltip } from '@mantine/core'
import { cloneElement, type PointerEvent, type ReactElement, useEffect, useState } from 'react'

interface Pointed {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void
  onPointerLeave?: () => void
}

/** Tooltip of its child, for mouse users. It is created on hover, because a list has one in each row. */
export const Hint = ({ label, children }: { label: () => string; children: ReactElement<Pointed> }) => {
  const [over, setOver] = useState<HTMLElement | null>(null)
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: event => setOver(event.pointerType === 'mouse' ? event.currentTarget : null),
        onPointerLeave: () => setOver(null),
      })}
      {over && <Said of={over} label={label()} />}
    </>
  )
}

const restMs = 300

const Said = ({ of, label }: { of: HTMLElement; label: string }) => {
  const [rests, setRests] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  return rests && <Tooltip target={of} label={label} defaultOpened />
}
