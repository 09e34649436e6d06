/** Tests of a workspace that is created in another cell than the directory, and whose creation fails there. */
import { expect, test } from 'bun:test'
import { createFirstWorkspace, createWorkspace } from '../../src/accounts/workspaces/index.ts'
import { useDatabase } from '../support/database.ts'

const [directory, cell] = [useDatabase('P0001'), useDatabase()]
const owner = { email: 'owner@shop.example', password: 'correct horse battery' }
const workspace = { name: 'Shop', planId: 'unlimited', owner }

/** Makes the last write of the directory fail while `work` runs. */
const withoutMembers = async (work: () => Promise<unknown>) => {
  await directory.sql`
    create or replace function fail() returns trigger language plpgsql as 'begin raise exception ''no members''; end'`
  await directory.sql`create trigger fails before insert on members for each row execute function fail()`
  await expect(work()).rejects.toThrow('no members')
  await directory.sql`drop trigger fails on members`
}

const counts = async () => {
  const [inCell] = await cell.sql`
    select (select count(*)::integer from workspaces) as workspaces, (select count(*)::integer from audit_entries) as entries`
  const [inDirectory] = await directory.sql`
    select (select count(*)::integer from users) as users, (select count(*)::integer from members) as members`
  return { ...inCell, ...inDirectory }
}

test('creating the first workspace can be repeated after the directory failed', async () => {
  const create = () => createFirstWorkspace(directory.sql, workspace, cell.sql)
  await withoutMembers(create)
  expect(await counts()).toEqual({ workspaces: 0, entries: 0, users: 0, members: 0 })
  const created = await create()
  expect(await counts()).toEqual({ workspaces: 1, entries: 1, users: 1, members: 1 })
  const members = await directory.sql`select user_id from members where workspace_id = ${created!.id}`
  expect([...members]).toEqual([{ user_id: created!.ownerId }])
})

test.each(['new@shop.example', owner.email])('so can creating another one for %s', async email => {
  const create = () => createWorkspace(directory.sql, { ...workspace, owner: { ...owner, email } }, cell.sql)
  const before = await counts()
  await withoutMembers(create)
  expect(await counts()).toEqual(before)
  const { id, invitation } = await create()
  expect(await cell.sql`select id from workspaces where id = ${id}`).toHaveLength(1)
  const [member] = await directory.sql`select role, user_id from members where workspace_id = ${id}`
  expect([member!.role, member!.user_id === null]).toEqual(['owner', invitation !== null])
})
