import { Kbd, Modal } from '@mantine/core'
import { useTranslate } from '../../texts/index.tsx'
import { commandKey } from '../../ui/keys.ts'
import styles from './inbox.module.css'

const shortcuts = [
  ['j', 'inbox.key.next'],
  ['k', 'inbox.key.previous'],
  ['r', 'inbox.key.reply'],
  ['/', 'inbox.key.template'],
  [`${commandKey} Enter`, 'inbox.key.send'],
  ['Esc', 'inbox.key.leave'],
  ['e', 'inbox.key.close'],
  ['a', 'inbox.key.assign'],
  ['x', 'inbox.key.select'],
  ['s', 'inbox.key.sale'],
  [`${commandKey} K`, 'search.open'],
  ['?', 'inbox.key.help'],
] as const

/** Dialog that lists the keyboard shortcuts of the inbox. */
export const Shortcuts = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const t = useTranslate()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('inbox.keys')}
      closeButtonProps={{ 'aria-label': t('panel.close') }}
    >
      <dl className={styles.keys}>
        {shortcuts.map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map(part => (
                <Kbd key={part} tt="capitalize">
                  {part}
                </Kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
