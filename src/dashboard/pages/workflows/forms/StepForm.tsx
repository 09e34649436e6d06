import { Text } from '@mantine/core'
import { useTranslate } from '../../../texts/index.tsx'
import type { Step } from '../definition/types.ts'
import { Attributes, Decision, Exit, Sale } from './RecordForms.tsx'
import { Message, Template } from './SendForms.tsx'
import { Delay, WaitFor } from './TimeForms.tsx'

/** Form of a step, by its type. */
export const StepForm = ({ step, onChange }: { step: Step; onChange: (step: Step) => void }) => {
  const t = useTranslate()
  switch (step.type) {
    case 'delay':
      return <Delay step={step} onChange={onChange} />
    case 'condition':
      return <Decision step={step} onChange={onChange} />
    case 'send_message':
      return <Message step={step} onChange={onChange} />
    case 'send_template':
      return <Template step={step} onChange={onChange} />
    case 'wait_for':
      return <WaitFor step={step} onChange={onChange} />
    case 'mark_sale':
      return <Sale step={step} onChange={onChange} />
    case 'set_attribute':
      return <Attributes step={step} onChange={onChange} />
    case 'exit':
      return <Exit step={step} onChange={onChange} />
    default:
      return <Text size="sm">{t('workflows.form.unknown')}</Text>
  }
}
