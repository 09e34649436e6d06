import { SimpleGrid, Text, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, type SVGProps, useState } from 'react'
import { api } from '../../../api/client.ts'
import { useInvalidate } from '../../../api/useInvalidate.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { Failure } from '../../../ui/Failure.tsx'
import { BoltIcon } from '../../../ui/icons.ts'
import { PlusIcon } from '../../../ui/page-icons.ts'
import { useNotify } from '../../../ui/useNotify.tsx'
import { initialDefinition } from '../definition/edit.ts'
import type { Workflow } from '../definition/types.ts'
import { useUpdateCache } from '../queries.ts'
import { StepDrawing } from '../steps/StepDrawing.tsx'
import { createFrom } from './create.ts'
import styles from './gallery.module.css'
import { startingPoints } from './starting-points.ts'

/** Starting points of a new workflow. Each opens the editor with a published version, which the person turns on. */
export const Gallery = ({ onFromEvent }: { onFromEvent: () => void }) => {
  const t = useTranslate()
  const navigate = useNavigate()
  const notify = useNotify()
  const invalidate = useInvalidate()
  const updateCache = useUpdateCache()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const create = async (key: string, action: () => Promise<Workflow | undefined>, search: { step?: string } = {}) => {
    setBusy(key)
    setFailure(null)
    try {
      const workflow = await action()
      if (!workflow) return
      updateCache(workflow)
      // The template and the channel may be new.
      void invalidate('/v1/templates', '/v1/channels')
      await navigate({ to: '/workflows/$id', params: { id: workflow.id }, search })
      const { publishedVersion: version, triggerType: type } = workflow
      if (version !== null) notify(t('workflows.publish.doneOff', { version, type }))
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(null)
    }
  }
  const createBlank = async () => {
    const definition = initialDefinition('', t('workflows.firstText', { name: '{{customer.name|there}}' }))
    const { data } = await api.POST('/v1/workflows', { body: { name: t('workflows.untitled'), definition } })
    return data
  }
  return (
    <div className={styles.gallery}>
      {failure !== null && <Failure error={failure} />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md" component="ul" className={styles.cards!}>
        {startingPoints.map(point => (
          <li key={point.key}>
            <Choice
              icon={point.icon}
              title={t(`workflows.gallery.${point.key}`)}
              text={t(`workflows.gallery.${point.key}.text`)}
              note={point.template.category === 'marketing' ? t('workflows.gallery.optIn') : undefined}
              isBusy={busy === point.key}
              disabled={busy !== null}
              onClick={() => void create(point.key, () => createFrom(point, t))}
            >
              <StepDrawing definition={point.define('', t)} />
            </Choice>
          </li>
        ))}
        <li>
          <Choice
            icon={BoltIcon}
            title={t('workflows.gallery.fromEvent')}
            text={t('workflows.gallery.fromEvent.text')}
            disabled={busy !== null}
            onClick={onFromEvent}
          />
          <Choice
            icon={PlusIcon}
            title={t('workflows.gallery.blank')}
            text={t('workflows.gallery.blank.text')}
            isBusy={busy === 'blank'}
            disabled={busy !== null}
            onClick={() => void create('blank', createBlank, { step: 'start' })}
          />
        </li>
      </SimpleGrid>
    </div>
  )
}

const Choice = ({
  icon: Icon,
  title,
  text,
  note,
  isBusy = false,
  disabled,
  onClick,
  children,
}: {
  icon: ComponentType<SVGProps<SVGSVGElement>>
  title: string
  text: string
  note?: string | undefined
  isBusy?: boolean
  disabled: boolean
  onClick: () => void
  children?: ReactNode
}) => (
  <UnstyledButton className={styles.card!} disabled={disabled} aria-busy={isBusy} onClick={onClick}>
    <span className={styles.title}>
      <span className={styles.icon} aria-hidden="true">
        <Icon width={16} />
      </span>
      {title}
    </span>
    {[text, note].map(
      line =>
        line && (
          <Text key={line} size="xs" c="dimmed" component="span">
            {line}
          </Text>
        ),
    )}
    {children && <span className={styles.foot}>{children}</span>}
  </UnstyledButton>
)
