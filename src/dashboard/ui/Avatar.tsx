import styles from './avatar.module.css'
import { UserIcon } from './icons.ts'

const hueCount = 6

/** Initials of a person on a color that follows from the name. Without a name: an icon. Decorative, beside the name. */
export const Avatar = ({ name, size = 24 }: { name: string | null | undefined; size?: 20 | 24 | 32 | 40 }) => {
  const initials = toInitials(name ?? '')
  return (
    <span
      className={styles.avatar}
      data-size={size}
      data-hue={initials && hueOf(name!)}
      data-initials={initials}
      aria-hidden="true"
    >
      {!initials && <UserIcon width={size * 0.6} />}
    </span>
  )
}

/** First letters of the first and the last word. A phone number has none. */
const toInitials = (name: string): string => {
  const words = name.split(/\s+/).filter(word => /^\p{L}/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}

const hueOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 997, 7) % hueCount
