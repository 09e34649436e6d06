import { ActionIcon, CopyButton, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { escapeOverrides } from '../../texts/isolate.ts'
import { Hint } from '../Hint.tsx'
import { ChevronDownIcon, ChevronRightIcon } from '../icons.ts'
import ui from '../ui.module.css'
import styles from './json.module.css'
import { type JsonRow, toJsonRows } from './rows.ts'

/** Maximum length of a text in UTF-16 units. */
const maxTextLength = 2000

/**
 * JSON viewer with folding and search. It copies the whole value, or the path of a value for a condition or a
 * placeholder.
 */
export const Json = ({
  value,
  label,
  onPath,
}: {
  value: unknown
  label: string
  /** Content shown for a path instead of the copy button. */
  onPath?: ((path: string) => ReactNode) | undefined
}) => {
  const t = useTranslate()
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  const query = search.trim().toLowerCase()
  const { rows, hiddenCount, total } = useMemo(() => toJsonRows(value, collapsed, query), [value, collapsed, query])
  const text = useMemo(() => (typeof value === 'string' ? value : JSON.stringify(value, null, 2)), [value])
  const toggle = (key: string) =>
    setCollapsed(before => {
      const after = new Set(before)
      if (!after.delete(key)) after.add(key)
      return after
    })
  return (
    <div className={styles.json}>
      <Group className={styles.jsonTools!} justify="flex-end" gap="xs">
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
          <div key={row.key} className={styles.jsonRow} style={{ paddingLeft: row.depth * 14 }}>
            {row.children !== null && row.children > 0 && !row.closes && row.key !== '' ? (
              <ActionIcon
                size={24}
                variant="subtle"
                color="gray"
                aria-label={`${collapsed.has(row.key) ? t('json.unfold') : t('json.fold')} ${row.name ?? row.path}`}
                aria-expanded={!collapsed.has(row.key)}
                onClick={() => toggle(row.key)}
              >
                {collapsed.has(row.key) ? <ChevronRightIcon width={12} /> : <ChevronDownIcon width={12} />}
              </ActionIcon>
            ) : (
              <span className={styles.jsonIndent} />
            )}
            {row.name !== null && !row.closes && <Name row={row} name={row.name} />}
            <Value row={row} isCollapsed={collapsed.has(row.key)} isSearching={query !== ''} />
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

const toText = (value: unknown): string => escapeOverrides(JSON.stringify(value))

const Name = ({ row, name }: { row: JsonRow; name: string }) => {
  const t = useTranslate()
  return (
    <CopyButton value={row.path}>
      {({ copied, copy }) => (
        <Hint label={() => (copied ? t('id.copied') : t('json.copyPath', { path: row.path }))}>
          <UnstyledButton className={styles.jsonName} onClick={copy}>
            <bdi>{toText(name)}</bdi>:
          </UnstyledButton>
        </Hint>
      )}
    </CopyButton>
  )
}

const Value = ({ row, isCollapsed, isSearching }: { row: JsonRow; isCollapsed: boolean; isSearching: boolean }) => {
  const comma = row.hasComma && !isSearching ? ',' : ''
  if (row.children !== null) {
    const [open, close] = Array.isArray(row.value) ? ['[', ']'] : ['{', '}']
    const isOneLine = row.children === 0 || isCollapsed
    return (
      <span className={styles.jsonMuted}>
        {row.closes ? `${close}${comma}` : isOneLine ? `${open}${row.children || ''}${close}${comma}` : open}
      </span>
    )
  }
  const isText = typeof row.value === 'string'
  const text = toText(row.value)
  const shown = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text
  return (
    <span className={styles.jsonValue}>
      <span data-kind={row.value === null ? 'null' : typeof row.value}>
        {isText ? <Quoted text={shown} /> : <bdi>{shown}</bdi>}
      </span>
      {comma}
    </span>
  )
}

/**
 * The quotes are separate, so that a double click and the search of the browser find the text alone. They keep their
 * places around text that is read from right to left.
 */
const Quoted = ({ text }: { text: string }) => (
  <>
    <span>"</span>
    <bdi data-unspaced={!/\s/.test(text) || undefined}>{text.replace(/^"|"$/g, '')}</bdi>
    <span>"</span>
  </>
)
