import { Combobox, Text, Textarea, useCombobox } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { useTemplates } from '../queries.ts'
import styles from './composer.module.css'
import { findTemplateRestriction, findTemplatesRestriction, type ReplyContext } from './restrictions.ts'

type Template = Schemas['Template']

/** Returns the template search text: everything after a `/` at the start. null if the text is not a search. */
export const parseTemplateQuery = (text: string): string | null =>
  /^\/[^\n/]*$/.test(text) ? text.slice(1).trim().toLowerCase() : null

export const filterTemplates = (templates: Template[] | undefined, templateQuery: string | null): Template[] =>
  (templates ?? []).filter(
    ({ name, body }) => !templateQuery || `${name} ${body}`.toLowerCase().includes(templateQuery),
  )

/** Field for a free-text reply. A slash at the start searches the templates. */
export const FreeText = ({
  text,
  error,
  onChange,
  onChoose,
  context,
  field,
}: {
  text: string
  error: ReactNode
  onChange: (text: string) => void
  onChoose: (template: Template) => void
  context: ReplyContext
  field: RefObject<HTMLElement | null>
}) => {
  const t = useTranslate()
  const templates = useTemplates()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const templateQuery = parseTemplateQuery(text)
  const isSearching = templateQuery !== null
  const matches = filterTemplates(templates, templateQuery)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the combobox changes on every render, the options with the text.
  useEffect(() => {
    if (isSearching) {
      combobox.openDropdown()
      combobox.selectFirstOption()
    } else combobox.closeDropdown()
  }, [isSearching, templateQuery])
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      classNames={{ option: styles.option! }}
      position="top-start"
      width="target"
      onOptionSubmit={id => {
        const selected = templates?.find(one => one.id === id)
        if (selected) onChoose(selected)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withAriaAttributes={isSearching} withKeyboardNavigation={isSearching}>
        <Textarea
          ref={element => {
            field.current = element
          }}
          classNames={{ input: styles.text! }}
          aria-label={t('inbox.reply')}
          placeholder={t(
            findTemplatesRestriction(context) === null ? 'inbox.placeholder' : 'inbox.placeholderTextOnly',
          )}
          autosize
          minRows={2}
          maxRows={10}
          dir="auto"
          value={text}
          error={error}
          onChange={event => onChange(event.currentTarget.value)}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={event => {
            if (event.key === 'Escape' && combobox.dropdownOpened) event.preventDefault()
            const firstUsable = matches.find(template => findTemplateRestriction(context, template) === null)
            // The list has just opened and no option is selected yet, so Enter chooses the first one.
            if (event.key === 'Enter' && isSearching && firstUsable && combobox.getSelectedOptionIndex() === -1) {
              event.preventDefault()
              onChoose(firstUsable)
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label={t('inbox.templates')}>
          {matches.map(template => (
            <TemplateOption key={template.id} template={template} context={context} />
          ))}
          {matches.length === 0 && (
            <Combobox.Empty>{t(templates?.length === 0 ? 'inbox.noTemplates' : 'inbox.noSuchTemplate')}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

const TemplateOption = ({ template, context }: { template: Template; context: ReplyContext }) => {
  const t = useTranslate()
  const restriction = findTemplateRestriction(context, template)
  return (
    <Combobox.Option value={template.id} disabled={restriction !== null}>
      <Text size="sm" fw={500}>
        {template.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1}>
        {restriction === null ? template.body : t(`inbox.whyNot.${restriction}`)}
      </Text>
    </Combobox.Option>
  )
}
