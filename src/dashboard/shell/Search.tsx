import { Input, Kbd, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslate } from '../texts/index.tsx'
import { withoutOverrides } from '../texts/isolate.ts'
import { overlayProps } from '../theme.ts'
import { Failure } from '../ui/Failure.tsx'
import { MagnifyingGlassIcon } from '../ui/icons.ts'
import { type Command, matches, useActions, usePages } from './commands.ts'
import { takeEarlyKeys } from './early-keys.ts'
import { iconOf } from './navigation.ts'
import { addRecent, readRecent, type SearchItem } from './recent.ts'
import styles from './shell.module.css'
import { useSearchResults } from './useSearchResults.ts'

const debounceMs = 150
const listId = 'search-results'
/** Number of recent records shown. */
const maxRecent = 5

const [store, search] = createSpotlight()
export const openSearch = search.open

/** Key of the command that searches the messages, which is always the last. */
const messagesKey = 'messages'

interface Group {
  label: string
  commands: Command[]
}

/** Command palette. It finds records, pages and actions, and works by keyboard alone. */
export const Search = () => {
  const t = useTranslate()
  const [query, setQuery] = useState('')
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [isEnterPending, setIsEnterPending] = useState(false)
  const debouncedQuery = useDebouncedValue(query.trim(), debounceMs)[0]
  const { groups, isFetching, failure, retry } = useGroups(debouncedQuery)
  const commands = groups.flatMap(group => group.commands)
  const isBusy = query.trim() !== debouncedQuery || isFetching
  // The selection stays at its result when others arrive.
  const selected = Math.max(
    commands.findIndex(({ key }) => key === selectedKey),
    0,
  )
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when another result is selected.
  useEffect(() => list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }), [selected])
  const run = (command: Command | undefined) => {
    if (!command) return
    search.close()
    command.run()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs the first result once, when it arrives.
  useEffect(() => {
    if (!isEnterPending || isBusy) return
    setIsEnterPending(false)
    if (debouncedQuery !== '') run(commands[0])
  }, [isEnterPending, isBusy])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      setSelectedKey(commands[(selected + step + commands.length) % commands.length]!.key)
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    // Enter pressed before the results arrive waits for them, so that it does not run a result of the previous query. A
    // result that the person has selected is run immediately.
    if (isBusy && selected === 0) setIsEnterPending(true)
    else run(commands[selected])
  }
  let index = -1
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={() => {
        takeEarlyKeys()
        setQuery('')
        setSelectedKey(null)
      }}
      shortcut={null}
      scrollable
      maxHeight={460}
      centered={false}
      overlayProps={overlayProps}
      attributes={{ content: { 'aria-label': t('search.open') } }}
    >
      <Input
        size="lg"
        variant="unstyled"
        className={styles.paletteInput!}
        leftSection={<MagnifyingGlassIcon width={18} aria-hidden="true" />}
        placeholder={t('search.placeholder')}
        aria-label={t('search.open')}
        role="combobox"
        aria-expanded={commands.length > 0}
        aria-controls={listId}
        aria-activedescendant={commands[selected] && `${listId}-${selected}`}
        autoComplete="off"
        data-autofocus
        value={query}
        onFocus={() => {
          const typed = takeEarlyKeys()
          setQuery(before => before + typed)
        }}
        onKeyDown={onKeyDown}
        onChange={event => {
          setIsEnterPending(false)
          setSelectedKey(null)
          setQuery(event.currentTarget.value)
        }}
      />
      <Spotlight.ActionsList>
        <div id={listId} ref={list} role="listbox" aria-label={t('search.results')}>
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own.
            <div key={group.label} role="group" aria-label={group.label}>
              <div className={styles.paletteGroup} aria-hidden="true">
                {group.label}
              </div>
              {group.commands.map(command => {
                index++
                const position = index
                return (
                  <Option
                    key={command.key}
                    id={`${listId}-${position}`}
                    command={command}
                    isSelected={position === selected}
                    onHover={() => setSelectedKey(command.key)}
                  />
                )
              })}
            </div>
          ))}
        </div>
        {failure !== null && !isBusy && (
          <Spotlight.Empty>
            <Failure error={failure} retry={retry} />
          </Spotlight.Empty>
        )}
        {commands.every(({ key }) => key === messagesKey) && !isBusy && failure === null && (
          <Spotlight.Empty>{t('search.noResults', { query: debouncedQuery })}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <Spotlight.Footer className={styles.paletteFooter!}>
        <span>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {t('search.keys.move')}
        </span>
        <span>
          <Kbd size="xs">↵</Kbd> {t('search.keys.open')}
        </span>
        <span>
          <Kbd size="xs">Esc</Kbd> {t('search.keys.close')}
        </span>
      </Spotlight.Footer>
    </Spotlight.Root>
  )
}

const Option = ({
  id,
  command: { title, detail, icon: Icon, run },
  isSelected,
  onHover,
}: {
  id: string
  command: Command
  isSelected: boolean
  onHover: () => void
}) => (
  <UnstyledButton
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isSelected}
    data-selected={isSelected || undefined}
    className={styles.action}
    // Keeps the focus in the field.
    onMouseDown={event => event.preventDefault()}
    onMouseMove={onHover}
    onClick={() => {
      search.close()
      run()
    }}
  >
    <Icon width={18} aria-hidden="true" className={styles.actionIcon} />
    <div className={styles.result}>
      <bdi>{withoutOverrides(title)}</bdi>
      {detail && <bdi className={styles.resultDetail}>{detail}</bdi>}
    </div>
  </UnstyledButton>
)

/** Without a query: recent records, actions and pages. With one: those that match, and the records that the API finds. */
const useGroups = (query: string) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const actions = useActions(useSpotlight(store).opened)
  const pages = usePages()
  const { records, isFetching, failure, retry } = useSearchResults(query)
  const toCommand = (item: SearchItem): Command => ({
    key: `${item.to} ${item.params.id}`,
    title: item.title,
    detail: item.detail,
    icon: iconOf(item.to),
    run: () => {
      addRecent(item)
      void navigate({ to: item.to, params: item.params })
    },
  })
  const searchMessages: Command = {
    key: messagesKey,
    title: t('search.inMessages', { query }),
    icon: iconOf('/messages'),
    run: () => void navigate({ to: '/messages', search: { q: query } }),
  }
  const matching = (commands: Command[]) =>
    commands.filter(({ title, aliases = '' }) => query === '' || matches(query, `${title} ${aliases}`))
  const all: Group[] = [
    { label: t('search.recent'), commands: query === '' ? readRecent().slice(0, maxRecent).map(toCommand) : [] },
    ...(query === ''
      ? [
          { label: t('search.actions'), commands: actions },
          { label: t('search.pages'), commands: pages },
        ]
      : [
          { label: t('search.pages'), commands: matching(pages) },
          { label: t('search.actions'), commands: matching(actions) },
          { label: t('search.records'), commands: records.map(toCommand) },
          // The search does not read texts of messages, because it would have to read all of them.
          { label: t('search.messages'), commands: [searchMessages] },
        ]),
  ]
  return { groups: all.filter(({ commands }) => commands.length > 0), isFetching, failure, retry }
}
