/** Rules and errors of the fields that identify a customer. */
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Failure } from '../../api/client.ts'
import { useTranslate } from '../../texts/index.tsx'
import { CustomerCell } from './CustomerCell.tsx'

const phonePattern = /^\+[1-9]\d{6,14}$/
const emailPattern = /^[^\s@]+@[^\s@]+$/
const holderPattern = /^Belongs to customer ([0-9a-f-]{36})\.$/

/** Maximum number of characters of each field. */
export const maxIdentityLength = { name: 200, phone: 100, email: 254, externalId: 200 }

/** Returns the rules of the fields in plain words. An empty field has no error. */
export const useIdentityRules = () => {
  const t = useTranslate()
  const rule = (pattern: RegExp, error: string) => (text: string) =>
    text.trim() === '' || pattern.test(text.trim()) ? null : error
  return {
    phone: rule(phonePattern, t('customers.phoneInvalid')),
    email: rule(emailPattern, t('customers.emailInvalid')),
  }
}

/** Returns the errors of the API by field. A value that another customer has names that customer. */
export const identityErrors = ({ details }: Failure): Record<string, ReactNode> =>
  Object.fromEntries(
    Object.entries(details).map(([field, reason]) => {
      const holder = holderPattern.exec(reason)?.[1]
      return [field, holder ? <Taken key={field} by={holder} /> : reason]
    }),
  )

const Taken = ({ by }: { by: string }) => {
  const t = useTranslate()
  return (
    <>
      {t('customers.taken')}{' '}
      <Anchor inherit renderRoot={(props: object) => <Link {...props} to="/customers/$id" params={{ id: by }} />}>
        <CustomerCell id={by} />
      </Anchor>
    </>
  )
}
