import { ActionIcon, CopyButton, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Hint } from '../Hint.tsx'
import ui from '../ui.module.css'
import styles from './json.module.css'

/** Maximum number of rows rendered. The number of the remaining rows is shown. */
const maxRows = 500
const maxTextLength = 2000

interface JsonRow {
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
  const t = useTranslate()
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const { rows, hiddenCount, total } = useMemo(
    () => toJsonRows(value, prefix, collapsed, query),
    [value, prefix, collapsed, query],
  )
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  const toggle = (key: string) =>
    setCollapsed(before => {
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
            aria-label={t('json.search')}
            placeholder={t('json.search')}
            value={search}
            onChange={event => setSearch(event.currentTarget.value)}
          />
        )}
        <CopyButton value={text ?? ''}>
          {({ copied, copy }) => (
            <UnstyledButton className={ui.quiet} onClick={copy}>
              {copied ? t('id.copied') : t('json.copy')}
            </UnstyledButton>
          )}
        </CopyButton>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by the keyboard. */}
      <section className={styles.jsonRows} aria-label={label} tabIndex={0}>
        {rows.map(row => (
          <div key={row.key} className={styles.jsonRow} style={{ paddingLeft: row.depth * 16 }}>
            {row.children !== null && row.children > 0 ? (
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`${collapsed.has(row.key) ? t('json.unfold') : t('json.fold')} ${row.name ?? ''}`}
                aria-expanded={!collapsed.has(row.key)}
                onClick={() => toggle(row.key)}
              >
                {collapsed.has(row.key) ? '▸' : '▾'}
              </ActionIcon>
            ) : (
              <span className={styles.jsonIndent} />
            )}
            {row.name !== null && <Name row={row} />}
            <Value row={row} collapsed={collapsed.has(row.key)} />
            {row.children === null && onPath?.(row.path)}
          </div>
        ))}
        {hiddenCount > 0 && (
          <Text size="xs" mt="xs">
            {t('json.more', { count: hiddenCount })}
          </Text>
        )}
      </section>
    </div>
  )
}

const Name = ({ row }: { row: JsonRow }) => {
  const t = useTranslate()
  return (
    <CopyButton value={row.path}>
      {({ copied, copy }) => (
        <Hint label={() => (copied ? t('id.copied') : t('json.copyPath', { path: row.path }))}>
          <UnstyledButton className={styles.jsonName} onClick={copy}>
            {row.name}:
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}

const Value = ({ row, collapsed }: { row: JsonRow; collapsed: boolean }) => {
  if (row.children !== null) {
    const [open, close] = Array.isArray(row.value) ? ['[', ']'] : ['{', '}']
    return (
      <span className={styles.jsonMuted}>
        {collapsed || row.children === 0 ? `${open} ${row.children} ${close}` : ''}
      </span>
    )
  }
  const text = typeof row.value === 'string' ? row.value : JSON.stringify(row.value)
  return (
    <bdi className={styles.jsonValue} data-kind={row.value === null ? 'null' : typeof row.value}>
      {text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}
    </bdi>
  )
}

/** The search also covers folded values and rows beyond the maximum. */
const toJsonRows = (value: unknown, prefix: string, collapsed: ReadonlySet<string>, query: string) => {
  const rows: JsonRow[] = []
  let [hiddenCount, total] = [0, 0]
  const addRow = (row: JsonRow, isCollapsed: boolean) => {
    total++
    if (query === '' ? isCollapsed : !matchesQuery(row, query)) return
    if (rows.length < maxRows) rows.push(row)
    else hiddenCount++
  }
  const visit = (row: Omit<JsonRow, 'children'>, isCollapsed: boolean) => {
    const { key, path, depth, name, value } = row
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null
    if (name !== null || entries === null) addRow({ ...row, children: entries?.length ?? null }, isCollapsed)
    for (const [child, part] of entries ?? [])
      visit(
        {
          key: `${key}/${child.replaceAll('/', '//')}`,
          path: path ? `${path}.${child}` : child,
          depth: name === null ? depth : depth + 1,
          name: child,
          value: part,
        },
        isCollapsed || collapsed.has(key),
      )
  }
  visit({ key: '', path: prefix, depth: 0, name: null, value }, false)
  return { rows: rows, hiddenCount: hiddenCount, total }
}

const matchesQuery = ({ name, value, children }: JsonRow, query: string): boolean =>
  `${name ?? ''} ${children === null ? JSON.stringify(value) : ''}`.toLowerCase().includes(query)
