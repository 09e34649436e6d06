/** Dry run of one event, step by step, with a simulated clock. Nothing is sent. */
import { type FormEvent, useEffect, useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useTranslate } from '../../../texts/index.tsx'
import { useApiForm } from '../../../ui/form/useApiForm.ts'
import { useIdentityRules } from '../../customers/identity.tsx'
import { isEqual } from '../definition/edit.ts'
import type { Definition } from '../definition/types.ts'
import { usePublished } from '../queries.ts'
import { useEventsOfType } from '../references.ts'
import type { WhichVersion } from '../versions/VersionChoice.tsx'
import type { ViewProps } from '../view-props.ts'
import { emptyInput, parseData, type TestInput } from './test-input.ts'

export type DryRun = Schemas['TriedWorkflow']
export type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]

const pastEvents = 25

type Moment = { at: string } | undefined
const msBetween = (from: Moment, to: Moment): number => (from && to ? Date.parse(to.at) - Date.parse(from.at) : 0)

export type Test = ReturnType<typeof useTest>

export const useTest = ({ workflow, draft, event, readOnly, prepare, showApiFaults }: ViewProps) => {
  const t = useTranslate()
  const { id } = workflow
  const [version, setVersion] = useState<WhichVersion>('draft')
  const [answers, setAnswers] = useState<Answer[]>([])
  /** Draft that was not run because it is incomplete. */
  const [rejected, setRejected] = useState<Definition | null>(null)
  const [result, setResult] = useState<{ subject: Definition; dryRun: DryRun } | null>(null)
  /** Number of steps that the clock has passed. */
  const [shownCount, setShownCount] = useState(0)
  const published = usePublished(workflow).data?.definition
  const type = draft.definition.trigger.eventType
  const events = useEventsOfType(type, pastEvents)
  const selectEvent = (chosen: string | null) => chosen ?? events?.[0]?.id ?? null
  const isOwnEvent = ({ kind }: TestInput) => kind === 'own' || events?.length === 0
  const rules = useIdentityRules()
  const { form, submit, submitWith, busy, failure } = useApiForm<TestInput>({
    draft: `workflow-try/${id}`,
    initial: emptyInput,
    isKept: true,
    validate: input => ({
      ...(isOwnEvent(input)
        ? {
            'event.phone': rules.phone(input.event.phone),
            'event.data': parseData(input.event.data) === null ? t('workflows.try.dataBroken') : null,
          }
        : // Without a type the draft is incomplete, and the run says so.
          type.trim() !== '' && selectEvent(input.eventId) === null && { eventId: t('form.missing') }),
    }),
    onSubmit: input => tryEvent(input, []),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an event that the person chooses later is kept.
  useEffect(() => {
    if (event) form.setValues({ kind: 'past', eventId: event })
  }, [event])

  /** Returns the definition to run, or null if it is incomplete or was not saved. */
  const getSubject = async (): Promise<Definition | null> => {
    if (version === 'published') return published ?? null
    const prepared = await prepare()
    if (prepared && prepared.faults.length > 0) setRejected(draft.definition)
    return prepared && prepared.faults.length === 0 ? prepared.workflow.draft : null
  }
  const tryEvent = async (
    input: TestInput,
    nextAnswers: Answer[],
    countShown: (steps: DryRun['steps']) => number = () => 1,
  ) => {
    const { phone, name, data } = input.event
    const eventId = selectEvent(input.eventId)
    setRejected(null)
    try {
      const subject = readOnly && version === 'draft' ? workflow.draft : await getSubject()
      if (!subject) return
      const testEvent: Schemas['RecordEvent'] = {
        type: subject.trigger.eventType,
        ...(phone.trim() && { phone: phone.trim() }),
        ...(name.trim() && { name: name.trim() }),
        data: parseData(data) ?? {},
      }
      const { data: dryRun } = await api.POST('/v1/workflows/{id}/try', {
        params: { path: { id } },
        body: {
          ...(isOwnEvent(input) ? { event: testEvent } : eventId && { eventId }),
          ...(version === 'published' && workflow.publishedVersion && { version: workflow.publishedVersion }),
          ...(nextAnswers.length > 0 && { answers: nextAnswers }),
        },
      })
      if (!dryRun) return
      setAnswers(nextAnswers)
      setResult({ subject, dryRun })
      setShownCount(Math.min(countShown(dryRun.steps), dryRun.steps.length))
    } catch (error) {
      if (nextAnswers.length === 0) setResult(null)
      if (!showApiFaults(error)) throw error
      setRejected(draft.definition)
    }
  }
  const run = (nextAnswers: Answer[], countShown?: (steps: DryRun['steps']) => number) =>
    submitWith(input => tryEvent(input, nextAnswers, countShown))
  const steps = result?.dryRun.steps ?? []
  const shownSteps = steps.slice(0, shownCount)
  const last = shownSteps.at(-1)
  const isFinished = shownCount === steps.length
  /** Replies one second after the clock's time. The clock then moves to the steps that follow immediately. */
  const reply = (text: string) => {
    const seconds = Math.ceil(msBetween(steps[0], last) / 1000) + 1
    run([...answers, { after: `${seconds}s`, reply: text }], now =>
      Math.max(shownCount, now.filter(step => msBetween(now[0], step) <= seconds * 1000).length),
    )
  }
  const definition = version === 'published' && published ? published : draft.definition
  return {
    form,
    /** Runs the event. A rejected input removes the result of the one before. */
    submit: (event: FormEvent<HTMLFormElement>) => {
      if (form.validate().hasErrors) setResult(null)
      submit(event)
    },
    version,
    setVersion,
    busy,
    failure,
    isRejected: rejected === draft.definition,
    type,
    events,
    eventId: selectEvent(form.values.eventId),
    isOwnEvent: isOwnEvent(form.values),
    answers,
    run,
    reply,
    /** Definition to draw. */
    definition,
    result,
    /** The result is of the drawn definition. */
    isCurrent: result !== null && isEqual(result.subject, definition),
    shownCount,
    setShownCount,
    shownSteps,
    isFinished,
    last,
    current: last?.outcome === 'waiting' && !isFinished ? last.stepId : null,
  }
}
