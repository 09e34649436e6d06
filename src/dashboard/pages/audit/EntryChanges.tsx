import { isText, useNumbers, useTranslate } from '../../texts/index.tsx'
import { Id } from '../../ui/Id.tsx'
import { Facts, Section } from '../../ui/Panel.tsx'
import styles from './audit.module.css'
import { changesOf, type DetailValue, factsOf } from './changes.ts'
import type { Entry } from './entries.tsx'

/** Changed fields of an entry with their values before and after, and its other details. */
export const EntryChanges = ({ entry }: { entry: Entry }) => {
  const t = useTranslate()
  const nameOf = useFieldName()
  const textOf = useValueText()
  const changes = changesOf(entry)
  const facts = factsOf(entry)
  return (
    <>
      {changes.length > 0 && (
        <Section title={t('audit.changes')}>
          <table className={styles.changes} aria-label={t('audit.changes')}>
            <thead>
              <tr>
                <th scope="col">{t('audit.field')}</th>
                <th scope="col">{t('audit.before')}</th>
                <th scope="col">{t('audit.after')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row">{nameOf(field)}</th>
                  <td>{before === undefined ? <NotRecorded /> : <del>{textOf(field, before)}</del>}</td>
                  <td>{after === undefined ? <NotRecorded /> : <ins>{textOf(field, after)}</ins>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {facts.length > 0 && (
        <Section title={t('audit.detail')}>
          <Facts
            items={Object.fromEntries(
              facts.map(([name, value]) => [
                nameOf(name),
                name.endsWith('Id') && typeof value === 'string' ? (
                  <Id key={name} value={value} />
                ) : (
                  <bdi key={name} className={name === 'emailHash' ? styles.hash : undefined}>
                    {textOf(name, value)}
                  </bdi>
                ),
              ]),
            )}
          />
        </Section>
      )}
    </>
  )
}

const NotRecorded = () => {
  const t = useTranslate()
  return <span className={styles.notRecorded}>{t('audit.notRecorded')}</span>
}

/** Returns the name of a detail. One without a text, from a newer server, has the name of the API. */
const useFieldName = (): ((field: string) => string) => {
  const t = useTranslate()
  return field => {
    const id = `audit.field.${field}`
    return isText(id) ? t(id) : field
  }
}

const useValueText = (): ((field: string, value: DetailValue) => string) => {
  const t = useTranslate()
  const number = useNumbers()
  return (field, value) => {
    if (value === null || value === '') return t('audit.none')
    if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no')
    if (typeof value === 'number') return number(value)
    if (typeof value !== 'string') return value.join(', ') || t('audit.none')
    const id = `team.role.${value}`
    return field === 'role' && isText(id) ? t(id) : value
  }
}
