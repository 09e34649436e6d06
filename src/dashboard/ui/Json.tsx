import { ActionIcon, CopyButton, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Hint } from './Hint.tsx'
import styles from './ui.module.css'

/** Maximum number of rows rendered. The number of the remaining rows is shown. */
const maxRows = 500
const maxText = 2000

interface Line {
  /** Unique key of the line. The path is not unique, because a name may contain a dot. */
  key: string
  path: string
  depth: number
  name: string | null
  value: unknown
  children: number | null
}

/**
 * JSON viewer with folding and search. It copies the whole value, or the path of a value for a condition or a
 * placeholder. `prefix` is put before each path (`data` for an event's payload).
 */
export const Json = ({
  value,
  prefix = '',
  label,
  onPath,
}: {
  value: unknown
  prefix?: string
  label: string
  /** Content shown for a path instead of the copy button. */
  onPath?: ((path: string) => ReactNode) | undefined
}) => {
  const say = useTexts()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [wanted, setWanted] = useState('')
  const found = wanted.trim().toLowerCase()
  const { lines, more, total } = useMemo(() => linesOf(value, prefix, folded, found), [value, prefix, folded, found])
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  const toggle = (key: string) =>
    setFolded(before => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  return (
    <div className={styles.json}>
      <Group justify="flex-end" gap="xs" mb="xs">
        {total > 8 && (
          <TextInput
            size="xs"
            aria-label={say('json.search')}
            placeholder={say('json.search')}
            value={wanted}
            onChange={event => setWanted(event.currentTarget.value)}
          />
        )}
        <CopyButton value={text ?? ''}>
          {({ copied, copy }) => (
            <UnstyledButton className={styles.quiet} onClick={copy}>
              {copied ? say('id.copied') : say('json.copy')}
            </UnstyledButton>
          )}
        </CopyButton>
      </Group>
      <div className={styles.jsonLines} role="group" aria-label={label} tabIndex={0}>
        {lines.map(line => (
          <div key={line.key} className={styles.jsonLine} style={{ paddingLeft: line.depth * 16 }}>
            {line.children !== null && line.children > 0 ? (
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`${folded.has(line.key) ? say('json.unfold') : say('json.fold')} ${line.name ?? ''}`}
                aria-expanded={!folded.has(line.key)}
                onClick={() => toggle(line.key)}
              >
                {folded.has(line.key) ? '▸' : '▾'}
              </ActionIcon>
            ) : (
              <span className={styles.jsonGap} />
            )}
            {line.name !== null && <Name line={line} />}
            <Value line={line} folded={folded.has(line.key)} />
            {line.children === null && onPath?.(line.path)}
          </div>
        ))}
        {more > 0 && (
          <Text size="xs" mt="xs">
            {say('json.more', { count: more })}
          </Text>
        )}
      </div>
    </div>
  )
}

const Name = ({ line }: { line: Line }) => {
  const say = useTexts()
  return (
    <CopyButton value={line.path}>
      {({ copied, copy }) => (
        <Hint label={() => (copied ? say('id.copied') : say('json.copyPath', { path: line.path }))}>
          <UnstyledButton className={styles.jsonName} onClick={copy}>
            {line.name}:
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}

const Value = ({ line, folded }: { line: Line; folded: boolean }) => {
  if (line.children !== null) {
    const [open, close] = Array.isArray(line.value) ? ['[', ']'] : ['{', '}']
    return (
      <span className={styles.jsonMuted}>
        {folded || line.children === 0 ? `${open} ${line.children} ${close}` : ''}
      </span>
    )
  }
  const text = typeof line.value === 'string' ? line.value : JSON.stringify(line.value)
  return (
    <bdi className={styles.jsonValue} data-kind={line.value === null ? 'null' : typeof line.value}>
      {text.length > maxText ? `${text.slice(0, maxText)}…` : text}
    </bdi>
  )
}

/** The search also covers folded values and rows beyond the maximum. */
const linesOf = (value: unknown, prefix: string, folded: ReadonlySet<string>, found: string) => {
  const lines: Line[] = []
  let [more, total] = [0, 0]
  const show = (line: Line, isFolded: boolean) => {
    total++
    if (found === '' ? isFolded : !fits(line, found)) return
    if (lines.length < maxRows) lines.push(line)
    else more++
  }
  const walk = (line: Omit<Line, 'children'>, isFolded: boolean) => {
    const { key, path, depth, name, value } = line
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null
    if (name !== null || entries === null) show({ ...line, children: entries?.length ?? null }, isFolded)
    for (const [child, part] of entries ?? [])
      walk(
        {
          key: `${key}/${child.replaceAll('/', '//')}`,
          path: path ? `${path}.${child}` : child,
          depth: name === null ? depth : depth + 1,
          name: child,
          value: part,
        },
        isFolded || folded.has(key),
      )
  }
  walk({ key: '', path: prefix, depth: 0, name: null, value }, false)
  return { lines, more, total }
}

const fits = ({ name, value, children }: Line, found: string): boolean =>
  `${name ?? ''} ${children === null ? JSON.stringify(value) : ''}`.toLowerCase().includes(found)
