import { Button, Menu, TextInput } from '@mantine/core'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslate } from '../../texts/index.tsx'
import { Failure } from '../Failure.tsx'
import { FormDialog } from '../form/FormDialog.tsx'
import { useApiForm } from '../form/useApiForm.ts'
import { type SavedView, useSavedViews, type ViewList } from '../hooks/useSavedViews.ts'
import { CheckIcon } from '../icons.ts'
import { BookmarkIcon, TrashIcon } from '../page-icons.ts'
import { useNotify } from '../useNotify.tsx'
import styles from './filters.module.css'
import { firstClick } from './firstClick.ts'

/** The list that the views belong to, and the path of the page that shows it. */
export interface ViewsOf {
  list: ViewList
  path: string
  /** Whether the address has filters to save. Defaults to whether the filters can be cleared. */
  isFiltered?: boolean
}

/** Menu of the saved views of the open list. */
export const SavedViews = ({ list, path, isFiltered }: ViewsOf & { isFiltered: boolean }) => {
  const t = useTranslate()
  const router = useRouter()
  const notify = useNotify()
  const current = filtersOf(useLocation().searchStr)
  const { views, failure, retry, save, remove } = useSavedViews(list)
  const [isNaming, setIsNaming] = useState(false)
  const apiForm = useApiForm({
    draft: null,
    initial: { name: '' },
    validate: { name: name => (name.trim() ? null : t('views.nameMissing')) },
    onSubmit: async ({ name }) => {
      await save({ name: name.trim(), search: current })
      setIsNaming(false)
      notify(t('views.saved', { name: name.trim() }))
    },
  })
  const isReplacing = views?.some(({ name }) => name === apiForm.form.values.name.trim())
  const removeView = ({ id, name, search }: SavedView) =>
    remove(id).then(() => notify(t('views.removed', { name }), () => save({ name, search })), notify.error)
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button variant="default" leftSection={<BookmarkIcon width={16} />}>
            {t('views.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {failure && !views ? <Failure error={failure} retry={retry} /> : null}
          <div className={styles.savedViews}>
            {views?.map(view => (
              <div key={view.id} className={styles.savedView}>
                <Menu.Item
                  onClick={() => router.history.push(view.search ? `${path}?${view.search}` : path)}
                  aria-current={view.search === current ? 'true' : undefined}
                  rightSection={view.search === current && <CheckIcon width={14} aria-hidden="true" />}
                >
                  <bdi>{view.name}</bdi>
                </Menu.Item>
                <Menu.Item
                  aria-label={t('views.remove', { name: view.name })}
                  closeMenuOnClick={false}
                  onClick={firstClick(() => void removeView(view))}
                >
                  <TrashIcon width={14} />
                </Menu.Item>
              </div>
            ))}
          </div>
          {views && views.length > 0 && <Menu.Divider />}
          {isFiltered ? (
            <Menu.Item onClick={() => setIsNaming(true)}>{t('views.save')}</Menu.Item>
          ) : (
            // An item, because a menu without items is empty for a screen reader.
            <Menu.Item aria-disabled="true" closeMenuOnClick={false} fz="xs" c="dimmed">
              {t(views?.length ? 'views.filterToSave' : 'views.none')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <FormDialog
        opened={isNaming}
        title={t('views.save')}
        text={t('views.saveText')}
        action={t(isReplacing ? 'views.replace' : 'edit.save')}
        onClose={() => setIsNaming(false)}
        form={apiForm}
      >
        <TextInput
          {...apiForm.form.getInputProps('name')}
          label={t('views.name')}
          description={isReplacing && t('views.replaceText')}
          maxLength={60}
          data-autofocus
        />
      </FormDialog>
    </>
  )
}

/** Returns the query string without the parameters that open a dialog. */
const filtersOf = (searchStr: string): string => {
  const search = new URLSearchParams(searchStr)
  for (const name of ['new', 'phone']) search.delete(name)
  return String(search)
}
