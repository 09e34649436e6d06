import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { useApiForm } from '../form/useApiForm.ts'
import { useSavedViews } from '../hooks/useSavedViews.ts'
import { BookmarkIcon, TrashIcon } from '../page-icons.ts'

/** Menu of the saved views of the open list. `list` is the path of the page. `compact` shows only the icon. */
export const SavedViews = ({
  list,
  isFiltered,
  compact = false,
}: {
  list: string
  isFiltered: boolean
  compact?: boolean
}) => {
  const t = useTranslate()
  const router = useRouter()
  const { searchStr } = useLocation()
  const { views, save, remove } = useSavedViews(list)
  const [isNaming, setIsNaming] = useState(false)
  const apiForm = useApiForm({
    draft: null,
    initial: { name: '' },
    validate: { name: name => (name.trim() ? null : t('views.nameMissing')) },
    onSubmit: async ({ name }) => {
      save({ name: name.trim(), search: searchStr.replace(/^\?/, '') })
      setIsNaming(false)
    },
  })
  if (!isFiltered && views.length === 0) return null
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          {compact ? (
            <ActionIcon variant="default" size={30} aria-label={t('views.title')}>
              <BookmarkIcon width={16} />
            </ActionIcon>
          ) : (
            <Button variant="default" leftSection={<BookmarkIcon width={16} />}>
              {t('views.title')}
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          {views.map(view => (
            <Menu.Item
              key={view.name}
              onClick={() => router.history.push(`${list}?${view.search}`)}
              rightSection={
                <ActionIcon
                  component="span"
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('views.remove', { name: view.name })}
                  onClick={event => {
                    event.stopPropagation()
                    remove(view.name)
                  }}
                >
                  <TrashIcon width={14} />
                </ActionIcon>
              }
            >
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          {views.length > 0 && isFiltered && <Menu.Divider />}
          {isFiltered && <Menu.Item onClick={() => setIsNaming(true)}>{t('views.save')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        opened={isNaming}
        title={t('views.save')}
        text={t('views.saveText')}
        action={t('edit.save')}
        onClose={() => setIsNaming(false)}
        form={apiForm}
      >
        <TextInput {...apiForm.form.getInputProps('name')} label={t('views.name')} maxLength={60} data-autofocus />
      </FormDialog>
    </>
  )
}
