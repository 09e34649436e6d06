import { Button, Group, Skeleton, Stack, TagsInput, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api, hooks } from '../../api/client.ts'
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
        {words && isOwner && <WordsForm key={words.join('\n')} words={words} />}
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

const WordsForm = ({ words }: { words: string[] }) => {
  const t = useTranslate()
  const notify = useNotify()
  const queries = useQueryClient()
  const { form, submit, reset, busy, failure, dirty } = useApiForm({
    draft: 'settings.optOutWords',
    initial: { words },
    onSubmit: async values => {
      const { data } = await api.PUT('/v1/opt-out-words', { body: values })
      queries.setQueryData(hooks.queryOptions('get', '/v1/opt-out-words').queryKey, data)
      notify(t('settings.saved'))
    },
  })
  const { error, ...input } = form.getInputProps('words')
  // The API names a word by its position.
  const wordError = Object.entries(form.errors).find(([field]) => field.startsWith('words.'))
  const shownError = error ?? (wordError && `${form.values.words[Number(wordError[0].split('.')[1])]}: ${wordError[1]}`)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TagsInput
          {...input}
          error={shownError}
          label={t('settings.ownWords')}
          description={t('settings.ownWordsHint')}
          {...(form.values.words.length === 0 && { placeholder: t('settings.ownWordsExample') })}
          splitChars={[',', '\n']}
          acceptValueOnBlur
        />
        {failure !== null && <Failure error={failure} />}
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
