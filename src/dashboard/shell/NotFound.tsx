import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../texts/index.tsx'
import { Empty } from '../ui/Empty.tsx'

export const NotFound = () => {
  const say = useTexts()
  return (
    <Empty title={say('notFound.title')}>
      <Anchor renderRoot={props => <Link {...props} to="/" />}>{say('notFound.back')}</Anchor>
    </Empty>
  )
}
