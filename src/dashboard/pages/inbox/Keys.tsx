import { Kbd, Modal } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import { commandKey } from '../../ui/keys.ts'
import styles from './inbox.module.css'

const keys = [
  ['j', 'inbox.key.next'],
  ['k', 'inbox.key.previous'],
  ['r', 'inbox.key.reply'],
  ['/', 'inbox.key.template'],
  [`${commandKey} Enter`, 'inbox.key.send'],
  ['Esc', 'inbox.key.leave'],
  ['e', 'inbox.key.close'],
  ['a', 'inbox.key.assign'],
  ['s', 'inbox.key.sale'],
  ['?', 'inbox.key.help'],
] as const

/** Dialog that lists the keyboard shortcuts of the inbox. */
export const Keys = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const say = useTexts()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('inbox.keys')}
      closeButtonProps={{ 'aria-label': say('panel.close') }}
    >
      <dl className={styles.keys}>
        {keys.map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map(part => (
                <Kbd key={part}>{part}</Kbd>
              ))}
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
