import { Button, Group, Skeleton, Stack, TagsInput, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Failure as ApiFailure, api, hooks } from '../../api/client.ts'
import { useIsOwner } from '../../shell/session.tsx'
import { useTranslate } from '../../texts/index.tsx'
import { Card } from '../../ui/Card.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { useApiForm } from '../../ui/form/useApiForm.ts'
import { useNotify } from '../../ui/useNotify.tsx'
import styles from './settings.module.css'

/** Words that apply in every workspace (contract 9.6). */
const builtInWords =
  'STOP, STOPALL, STOP ALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPTOUT, OPT OUT, OPT-OUT, REMOVE, ARRET, ARRÊT, STOPP, ABMELDEN, BAJA, SAIR, PARAR, CANCELAR'.split(
    ', ',
  )

/** Words by which a customer opts out: the ones that always apply, and those of the workspace. */
export const OptOutWords = () => {
  const t = useTranslate()
  const isOwner = useIsOwner()
  const query = hooks.useQuery('get', '/v1/opt-out-words')
  const words = query.data?.words
  return (
    <>
      <Card title={t('settings.optOutWords')}>
        <Text size="sm" c="dimmed" mb="md">
          {t('settings.optOutText')}
        </Text>
        {query.error && !words && <Failure error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && <Skeleton height={60} />}
        {words && isOwner && <WordsForm words={words} />}
        {words && !isOwner && <WordList words={words} />}
      </Card>
      <Card title={t('settings.builtInWords')}>
        <Text size="sm" c="dimmed" mb="md">
          {t('settings.builtInText')}
        </Text>
        <WordList words={builtInWords} />
      </Card>
    </>
  )
}

const WordList = ({ words }: { words: readonly string[] }) => {
  const t = useTranslate()
  if (words.length === 0) return <Text size="sm">{t('settings.noWords')}</Text>
  return (
    <ul className={styles.words}>
      {words.map(word => (
        <li key={word}>
          <bdi>{word}</bdi>
        </li>
      ))}
    </ul>
  )
}

const { queryKey } = hooks.queryOptions('get', '/v1/opt-out-words')

/** Applies what a person added and removed, so that the words of other people are kept. */
const applyChanges = (words: string[], { added, removed }: { added: string[]; removed: string[] }): string[] => [
  ...words.filter(word => !removed.includes(word)),
  ...added.filter(word => !words.includes(word)),
]

const WordsForm = ({ words }: { words: string[] }) => {
  const t = useTranslate()
  const notify = useNotify()
  const queries = useQueryClient()
  const { form, submit, reset, dismiss, busy, failure, dirty } = useApiForm({
    draft: 'settings.optOutWords',
    initial: { added: [] as string[], removed: [] as string[] },
    onSubmit: async changes => {
      const { data: current } = await api.GET('/v1/opt-out-words')
      queries.setQueryData(queryKey, current)
      const { data } = await api.PUT('/v1/opt-out-words', { body: { words: applyChanges(current!.words, changes) } })
      queries.setQueryData(queryKey, data)
      // Only what was typed during the request is still to be saved.
      const { added, removed } = form.getValues()
      form.setValues({
        added: added.filter(word => !changes.added.includes(word)),
        removed: removed.filter(word => !changes.removed.includes(word)),
      })
      notify(t('settings.saved'))
    },
  })
  const shownWords = applyChanges(words, form.values)
  // The API names a word by its position.
  const wordErrors = failure instanceof ApiFailure ? Object.entries(failure.details) : []
  const wordError = wordErrors.find(([field]) => field === 'words' || field.startsWith('words.'))
  const wrongWord = shownWords[Number(wordError?.[0].split('.')[1])]
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TagsInput
          value={shownWords}
          onChange={next => {
            dismiss()
            form.setValues({
              added: next.filter(word => !words.includes(word)),
              removed: words.filter(word => !next.includes(word)),
            })
          }}
          error={wordError && (wrongWord === undefined ? wordError[1] : `${wrongWord}: ${wordError[1]}`)}
          label={t('settings.ownWords')}
          description={t('settings.ownWordsHint')}
          {...(shownWords.length === 0 && { placeholder: t('settings.ownWordsExample') })}
          splitChars={[',', '\n']}
          acceptValueOnBlur
        />
        {failure !== null && !wordError && <Failure error={failure} />}
        <Group gap="sm">
          <Button type="submit" loading={busy}>
            {t('edit.save')}
          </Button>
          {dirty && (
            <Button variant="subtle" onClick={reset}>
              {t('settings.discard')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
