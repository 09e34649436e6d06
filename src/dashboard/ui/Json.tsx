import { ActionIcon, CopyButton, Group, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Hint } from './Hint.tsx'
import styles from './ui.module.css'

/** Rows of JSON that are drawn at once; beyond them it is folded deeper. */
const maxRows = 500
const maxText = 2000

interface Line {
  path: string
  depth: number
  name: string | null
  value: unknown
  children: number | null
}

/**
 * JSON as a person reads it: folded, searched, copied whole or by the path of a value, which is what a condition or a
 * placeholder wants. `prefix` stands before each path (`data` for what came with an event).
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
  /** Another use of a path than copying it. */
  onPath?: ((path: string) => ReactNode) | undefined
}) => {
  const say = useTexts()
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [wanted, setWanted] = useState('')
  const lines = useMemo(() => linesOf(value, prefix, folded), [value, prefix, folded])
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  const toggle = (path: string) =>
    setFolded(before => {
      const after = new Set(before)
      if (!after.delete(path)) after.add(path)
      return after
    })
  const found = wanted.trim().toLowerCase()
  const isShown = (line: Line) =>
    !found ||
    `${line.name ?? ''} ${line.children === null ? JSON.stringify(line.value) : ''}`.toLowerCase().includes(found)
  return (
    <div className={styles.json}>
      <Group justify="flex-end" gap="xs" mb="xs">
        {lines.length > 8 && (
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
        {lines.filter(isShown).map(line => (
          <div key={line.path || '.'} className={styles.jsonLine} style={{ paddingLeft: line.depth * 16 }}>
            {line.children !== null && line.children > 0 ? (
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`${folded.has(line.path) ? say('json.unfold') : say('json.fold')} ${line.name ?? ''}`}
                aria-expanded={!folded.has(line.path)}
                onClick={() => toggle(line.path)}
              >
                {folded.has(line.path) ? '▸' : '▾'}
              </ActionIcon>
            ) : (
              <span className={styles.jsonGap} />
            )}
            {line.name !== null && <Name line={line} />}
            <Value line={line} folded={folded.has(line.path)} />
            {line.children === null && onPath?.(line.path)}
          </div>
        ))}
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

const linesOf = (value: unknown, prefix: string, folded: ReadonlySet<string>): Line[] => {
  const lines: Line[] = []
  const walk = (name: string | null, path: string, depth: number, part: unknown) => {
    if (lines.length >= maxRows) return
    const entries = typeof part === 'object' && part !== null ? Object.entries(part) : null
    if (name !== null || entries === null)
      lines.push({ path, depth, name, value: part, children: entries?.length ?? null })
    if (entries === null || folded.has(path)) return
    for (const [key, child] of entries)
      walk(key, path ? `${path}.${key}` : key, name === null ? depth : depth + 1, child)
  }
  walk(null, prefix, 0, value)
  return lines
}
