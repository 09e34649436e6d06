import { Group } from '@mantine/core'
import { useTranslate } from '../texts/index.tsx'

/** Mark of the product: an event that becomes a message. `favicon.svg` has the same shape. */
export const LogoMark = ({ size = 24 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
    <path
      fill="#fff"
      fillRule="evenodd"
      d="M10 6h12a4 4 0 0 1 4 4v8.5a4 4 0 0 1-4 4h-5.3l-4.7 3.9a.6.6 0 0 1-1-.4v-3.5h-1a4 4 0 0 1-4-4V10a4 4 0 0 1 4-4zM13 10.5l1.9-1.9 5.7 5.7-5.7 5.7L13 18.1l3.8-3.8z"
    />
  </svg>
)

/** Mark and name of the product. */
export const Logo = ({ size = 24 }: { size?: number }) => {
  const t = useTranslate()
  return (
    <Group component="span" gap={8} fw={600} wrap="nowrap">
      <LogoMark size={size} />
      {t('app.shortName')}
    </Group>
  )
}
