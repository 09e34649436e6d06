import { UnstyledButton } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import styles from './clamp.module.css'

/** Text that ends after a number of lines. If lines are hidden, a button shows them. */
export const Clamp = ({ lines, children }: { lines: number; children: ReactNode }) => {
  const t = useTranslate()
  const text = useRef<HTMLSpanElement>(null)
  const [isCut, setIsCut] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text can have another height.
  useLayoutEffect(() => {
    const element = text.current
    if (element && !isOpen) setIsCut(element.scrollHeight > element.clientHeight + 1)
  }, [children, isOpen])
  return (
    <>
      <span ref={text} className={isOpen ? undefined : styles.clamp} style={{ WebkitLineClamp: lines }}>
        {children}
      </span>
      {isCut && (
        <UnstyledButton className={styles.more} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'clamp.less' : 'clamp.more')}
        </UnstyledButton>
      )}
    </>
  )
}
