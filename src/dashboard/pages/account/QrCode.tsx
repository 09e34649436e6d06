import encode from 'qr'
import { useMemo } from 'react'
import styles from './account.module.css'

/** QR code of a text. It is dark on white in both themes, with the margin that scanners need. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { size, dark } = useMemo(() => {
    const rows = encode(text, 'raw', { border: 4 })
    const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { size: rows.length, dark: dark.join('') }
  }, [text])
  return (
    <svg
      className={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark} />
    </svg>
  )
}
