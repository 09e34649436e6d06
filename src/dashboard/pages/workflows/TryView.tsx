import {
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  VisuallyHidden,
} from '@mantine/core'
import { useEffect, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, type Schemas } from '../../api/client.ts'
import { parseJson } from '../../api/json.ts'
import { isText, type TextId, useTexts } from '../../texts/index.tsx'
import { keptAs } from '../../ui/draft.ts'
import { Explanation } from '../../ui/Explanation.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Status } from '../../ui/Status.tsx'
import { Time, useDuration } from '../../ui/Time.tsx'
import { useZone } from '../../ui/zone.ts'
import { customerName } from '../customers/name.ts'
import type { Definition } from './definition/types.ts'
import { msOf } from './duration.ts'
import { DurationField } from './forms/fields.tsx'
import { FormsOf } from './forms/forms.ts'
import { Incomplete } from './Incomplete.tsx'
import { useEventsOf } from './known.ts'
import { Picture } from './picture/Picture.tsx'
import { usePublished } from './queries.ts'
import { Trace, useMarks, useOutcomes } from './Trace.tsx'
import { TryPhone } from './TryPhone.tsx'
import { VersionChoice, type WhichVersion } from './Version.tsx'
import type { ViewOf } from './view.ts'
import { wayOf } from './way.ts'
import styles from './workflows.module.css'

type Tried = Schemas['TriedWorkflow']
type Answer = NonNullable<Schemas['TryWorkflow']['answers']>[number]
type Event = Schemas['RecordEvent']

interface Result {
  of: Definition
  tried: Tried
}

/** Input of this page, kept when the person leaves it. */
interface Kept {
  kind: 'past' | 'own'
  eventId: string | null
  phone: string
  name: string
  data: string
}

const keyOf = (id: string) => keptAs(`workflow-try/${id}`)
const readKept = (id: string): Kept => {
  const none: Kept = { kind: 'past', eventId: null, phone: '', name: '', data: '{\n  "total": 120\n}' }
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(keyOf(id)) ?? '{}') }
  } catch {
    return none
  }
}

const dataOf = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = text.trim() === '' ? {} : parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

const pastEvents = 25

type Moment = { at: string } | undefined
const msBetween = (from: Moment, to: Moment): number => (from && to ? Date.parse(to.at) - Date.parse(from.at) : 0)

/** Dry run of one event, step by step, with a simulated clock. Nothing is sent. */
export const TryView = ({ workflow, draft, readOnly, event, faults, edit, save, refused }: ViewOf) => {
  const say = useTexts()
  const marks = useMarks()
  const { id } = workflow
  const [kept, setKept] = useState<Kept>(() => {
    const before = readKept(id)
    return event ? { ...before, kind: 'past', eventId: event } : before
  })
  useEffect(() => sessionStorage.setItem(keyOf(id), JSON.stringify(kept)), [id, kept])
  const [which, setWhich] = useState<WhichVersion>('draft')
  const [answers, setAnswers] = useState<Answer[]>([])
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  /** Draft that was not run because it is incomplete. */
  const [incomplete, setIncomplete] = useState<Definition | null>(null)
  const [result, setResult] = useState<Result | null>(null)
  /** Number of steps that the clock has passed. */
  const [passed, setPassed] = useState(0)
  const published = usePublished(workflow)
  const type = draft.definition.trigger.eventType
  const events = useEventsOf(type, pastEvents)
  const eventId = kept.eventId ?? events?.[0]?.id ?? null
  const data = dataOf(kept.data)
  const own = kept.kind === 'own' || events?.length === 0
  const unsaved = draft.changed && which === 'draft' && !readOnly

  const attempt = async (answered: Answer[], passedOf: (steps: Tried['steps']) => number = () => 1) => {
    setBusy(true)
    setFailure(null)
    setIncomplete(null)
    try {
      const saved = unsaved ? await save() : workflow
      if (!saved) return
      const version = which === 'published' ? workflow.publishedVersion : null
      const made: Event = {
        type: saved.draft.trigger.eventType,
        ...(kept.phone.trim() && { phone: kept.phone.trim() }),
        ...(kept.name.trim() && { name: kept.name.trim() }),
        data: data ?? {},
      }
      const answer = await api.POST('/v1/workflows/{id}/try', {
        params: { path: { id } },
        body: {
          ...(own ? { event: made } : eventId && { eventId }),
          ...(version !== null && { version }),
          ...(answered.length > 0 && { answers: answered }),
        },
      })
      if (!answer.data) return
      setAnswers(answered)
      setResult({
        of: version === null ? saved.draft : (published.data?.definition ?? saved.draft),
        tried: answer.data,
      })
      setPassed(Math.min(passedOf(answer.data.steps), answer.data.steps.length))
    } catch (error) {
      if (refused(error)) setIncomplete(draft.definition)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  const steps = result?.tried.steps ?? []
  const shown = steps.slice(0, passed)
  const last = shown.at(-1)
  const isOver = passed === steps.length
  const definition = result?.of ?? (which === 'published' ? published.data?.definition : null) ?? draft.definition
  /** Replies one second after the clock's time. The clock then moves to the steps that follow immediately. */
  const reply = (text: string) => {
    const seconds = Math.ceil(msBetween(steps[0], last) / 1000) + 1
    void attempt([...answers, { after: `${seconds}s`, reply: text }], now =>
      Math.max(passed, now.filter(step => msBetween(now[0], step) <= seconds * 1000).length),
    )
  }
  const current = last?.outcome === 'waiting' && !isOver ? last.stepId : null
  return (
    <div className={styles.pictureAndAside}>
      <Picture
        definition={definition}
        label={say('workflows.try.picture')}
        {...(result && {
          way: wayOf(result.of, shown, isOver && result.tried.endReason === 'completed'),
          marks: marks(shown, current),
        })}
      />
      <aside className={styles.aside} aria-label={say('workflows.view.try')}>
        <VisuallyHidden component="h2">{say('workflows.view.try')}</VisuallyHidden>
        <Section title={say('workflows.try.title')}>
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {say('workflows.try.text')}
            </Text>
            <VersionChoice workflow={workflow} draft={draft.definition} value={which} onChange={setWhich} />
            <SegmentedControl
              aria-label={say('workflows.try.kind')}
              fullWidth
              size="xs"
              data={[
                { value: 'past', label: say('workflows.try.past') },
                { value: 'own', label: say('workflows.try.own') },
              ]}
              value={kept.kind}
              onChange={kind => setKept({ ...kept, kind: kind === 'own' ? 'own' : 'past' })}
            />
            {own ? (
              <>
                {kept.kind === 'past' && <Text size="sm">{say('workflows.try.noPast', { type })}</Text>}
                <TextInput
                  label={say('workflows.try.phone')}
                  description={say('workflows.try.phoneHint')}
                  placeholder="+12025550199"
                  value={kept.phone}
                  onChange={event => setKept({ ...kept, phone: event.currentTarget.value })}
                />
                <TextInput
                  label={say('workflows.try.name')}
                  value={kept.name}
                  onChange={event => setKept({ ...kept, name: event.currentTarget.value })}
                />
                <Textarea
                  label={say('workflows.try.data')}
                  autosize
                  minRows={3}
                  maxRows={12}
                  spellCheck={false}
                  classNames={{ input: styles.code! }}
                  value={kept.data}
                  error={data === null ? say('workflows.try.dataBroken') : undefined}
                  onChange={event => setKept({ ...kept, data: event.currentTarget.value })}
                />
              </>
            ) : (
              <PastEvent events={events} value={eventId} onChange={eventId => setKept({ ...kept, eventId })} />
            )}
            <Group>
              <Button loading={busy} disabled={own ? data === null : eventId === null} onClick={() => void attempt([])}>
                {say(unsaved ? 'workflows.try.saveAndGo' : 'workflows.try.go')}
              </Button>
            </Group>
            {which === 'draft' && <Incomplete faults={faults} refused={incomplete === draft.definition} edit={edit} />}
            {failure !== null && <Failure of={failure} retry={() => void attempt(answers)} />}
          </Stack>
        </Section>
        {result && result.tried.verdict.verdict !== 'started' && <NotStarted of={result.tried} />}
        {result && result.tried.verdict.verdict === 'started' && (
          <>
            <Clock steps={steps} passed={passed} onChange={setPassed} tried={result.tried} />
            <Section title={say('workflows.run.steps')}>
              <Trace trace={shown} definition={result.of} current={current} />
              {last?.outcome === 'waiting' && result.of.steps[last.stepId]?.type === 'wait_for' && (
                <AnswerForm
                  key={passed}
                  definition={result.of}
                  since={Date.parse(last.at) - Date.parse(steps[0]!.at)}
                  busy={busy}
                  onAnswer={answer => void attempt([...answers, answer], () => passed + 1)}
                />
              )}
            </Section>
            <TryPhone
              tried={result.tried}
              answers={answers}
              until={isOver ? null : (last?.at ?? null)}
              next={steps[passed]?.at ?? null}
              steps={shown.map(one => one.stepId)}
              busy={busy}
              onReply={reply}
            />
          </>
        )}
      </aside>
    </div>
  )
}

const PastEvent = ({
  events,
  value,
  onChange,
}: {
  events: Schemas['ActivityEvent'][] | undefined
  value: string | null
  onChange: (id: string | null) => void
}) => {
  const say = useTexts()
  const { locale } = useIntl()
  const zone = useZone()
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone })
  const options = (events ?? []).map(one => ({
    value: one.id,
    label: `${format.format(new Date(one.createdAt))} · ${customerName(one.customer) ?? say('workflows.try.erased')}`,
  }))
  if (value && !options.some(option => option.value === value)) options.push({ value, label: value })
  return (
    <Select
      label={say('workflows.try.past')}
      data={options}
      value={value}
      searchable
      allowDeselect={false}
      onChange={onChange}
    />
  )
}

const opWord = (op: string) => `condition.sign.${op}` as TextId

const NotStarted = ({ of: { verdict } }: { of: Tried }) => {
  const say = useTexts()
  return (
    <Section title={say('workflows.try.notStarted')}>
      <Text size="sm" role="status">
        <Explanation>{verdict.explanation}</Explanation>
      </Text>
      {verdict.comparisons.map(({ path, op, value, found, negated }) => (
        <Text size="sm" key={`${path} ${op}`} mt="sm">
          {say(negated ? 'workflows.try.comparedNot' : 'workflows.try.compared', {
            path,
            op: isText(opWord(op)) ? say(opWord(op)) : op,
            value: JSON.stringify(value) ?? '',
            found: found === undefined ? say('workflows.try.nothing') : JSON.stringify(found),
          })}
        </Text>
      ))}
    </Section>
  )
}

/** Simulated time, with buttons to advance it. */
const Clock = ({
  steps,
  passed,
  tried,
  onChange,
}: {
  steps: Tried['steps']
  passed: number
  tried: Tried
  onChange: (passed: number) => void
}) => {
  const say = useTexts()
  const duration = useDuration()
  const { end } = useOutcomes()
  const at = steps[Math.max(0, passed - 1)]?.at
  const next = steps[passed]?.at
  const elapsed = at && steps[0] ? Date.parse(at) - Date.parse(steps[0].at) : 0
  const isOver = passed === steps.length
  const wait = at && next ? Date.parse(next) - Date.parse(at) : 0
  return (
    <Section title={say('workflows.try.clock')}>
      <Stack gap="sm">
        <Text size="sm" component="div" role="status">
          {at && <Time at={at} exact />}{' '}
          {elapsed > 0 && (
            <span className={styles.none}>{say('workflows.try.later', { time: duration(elapsed) })}</span>
          )}{' '}
          {isOver && tried.endReason && (
            <Status tone={tried.endReason === 'completed' ? 'done' : 'off'}>{end(tried.endReason)}</Status>
          )}
        </Text>
        <Group gap="sm">
          <Button variant="default" disabled={passed <= 1} onClick={() => onChange(passed - 1)}>
            {say('workflows.try.back')}
          </Button>
          <Button variant="default" disabled={isOver} onClick={() => onChange(passed + 1)}>
            {wait > 0 ? say('workflows.try.advance', { time: duration(wait) }) : say('workflows.try.next')}
          </Button>
          <Button variant="default" disabled={isOver} onClick={() => onChange(steps.length)}>
            {say('workflows.try.toEnd')}
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}

/** Form for what the customer does while the run waits. */
const AnswerForm = ({
  definition,
  since,
  busy,
  onAnswer,
}: {
  definition: Definition
  /** Start of the wait, in milliseconds from the start of the run. */
  since: number
  busy: boolean
  onAnswer: (answer: Answer) => void
}) => {
  const say = useTexts()
  const [kind, setKind] = useState<'reply' | 'event'>('reply')
  const [text, setText] = useState('')
  const [data, setData] = useState('{}')
  const [wait, setWait] = useState('1m')
  const parsed = dataOf(data)
  const after = `${Math.max(1, Math.ceil((since + (msOf(wait) ?? 0)) / 1000))}s`
  return (
    <FormsOf.Provider
      value={{ definition, readOnly: false, channels: [], templates: [], paths: [], fault: () => undefined }}
    >
      <form
        className={styles.answer}
        onSubmit={event => {
          event.preventDefault()
          onAnswer(
            kind === 'reply' ? { after, reply: text } : { after, event: { type: text.trim(), data: parsed ?? {} } },
          )
        }}
      >
        <Stack gap="sm">
          <Text size="sm" fw={600}>
            {say('workflows.try.answer')}
          </Text>
          <SegmentedControl
            aria-label={say('workflows.try.answer')}
            size="xs"
            data={[
              { value: 'reply', label: say('workflows.form.reply') },
              { value: 'event', label: say('workflows.form.event') },
            ]}
            value={kind}
            onChange={next => setKind(next === 'event' ? 'event' : 'reply')}
          />
          <TextInput
            label={say(kind === 'reply' ? 'workflows.try.replyText' : 'workflows.form.eventType')}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          {kind === 'event' && (
            <Textarea
              label={say('workflows.try.data')}
              autosize
              minRows={2}
              spellCheck={false}
              classNames={{ input: styles.code! }}
              value={data}
              error={parsed === null ? say('workflows.try.dataBroken') : undefined}
              onChange={event => setData(event.currentTarget.value)}
            />
          )}
          <DurationField label={say('workflows.try.answerAfter')} value={wait} onChange={setWait} />
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={busy}
              disabled={text.trim() === '' || (kind === 'event' && parsed === null)}
            >
              {say('workflows.try.answerGo')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormsOf.Provider>
  )
}
