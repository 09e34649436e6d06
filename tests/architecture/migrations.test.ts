/** Rules for migrations, which also run for the distributed tables of a cell in Citus. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Sql } from '../../src/platform/postgres/client.ts'
import { splitStatements } from '../../src/platform/postgres/migration-file.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'
import { useDatabase } from '../support/database.ts'

/** Last migration of the first release. Up to it, the tables of a new cell are not distributed yet. */
const first = '008_service'

/** Subcommands of `alter table` that Citus 14 accepts for distributed tables, each with what it may not contain. */
const subcommands: [accepted: RegExp, without?: RegExp][] = [
  [
    /^add (?:column )?(?:if not exists )?(?!constraint|check|unique|primary|foreign|exclude)\w+ /,
    /\b(?:check|unique|primary key|references|constraint|as identity|(?:small|big)?serial)\b/,
  ],
  [/^add constraint \w+ /],
  [/^(?:drop|validate) constraint /],
  // A view of each cell has the column until it is made again.
  [/^drop (?:column )?(?:if exists )?\w+ cascade$/],
  [/^alter (?:column )?\w+ (?:set|drop) (?:default|not null)\b/],
  [/^(?:re)?set \(/],
]

/** Other statements that Citus 14 accepts. A `do` block or a function that is called can do anything. */
const accepted =
  /^(?:create (?:unlogged )?table (?!.*\bas select\b)|(?:create|drop) (?:unique )?index |create (?:or replace )?function |create (?:constraint )?trigger |drop (?:trigger|function) |drop table |comment on |update |delete from |insert into (?!.*\bselect\b))/

/** Releases, the newest first. */
const releases = [
  ...readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8').matchAll(/^## \[(\d+\.\d+)\.0\]/gm),
].map(([, release]) => release!)

/** Removes the contents of texts, and joins lines. */
const plain = (statement: string): string =>
  statement
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** Returns the subcommands of an `alter table`. */
const subcommandsOf = (list: string): string[] => {
  const found = ['']
  let depth = 0
  for (const character of list) {
    depth += Number(character === '(') - Number(character === ')')
    if (character === ',' && depth === 0) found.push('')
    else found[found.length - 1] += character
  }
  return found.map(one => one.trim())
}

const isAccepted = (statement: string): boolean => {
  const list = /^alter table (?:if exists )?(?:only )?\w+ (.*)$/.exec(statement)?.[1]
  if (list === undefined) return accepted.test(statement)
  const all = subcommandsOf(list)
  return all.every(
    one =>
      (all.length === 1 || !one.startsWith('add constraint ')) &&
      subcommands.some(([pattern, without]) => pattern.test(one) && !without?.test(one)),
  )
}

/** Returns the columns and tables that a statement drops. */
const droppedBy = (statement: string): string[] => {
  const [, table, list = ''] = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(statement) ?? []
  const columns = subcommandsOf(list).flatMap(
    one => /^drop (?:column )?(?:if exists )?(?!constraint\b)(\w+)/.exec(one)?.[1] ?? [],
  )
  const dropped = /^drop table (?:if exists )?(.*?)(?: cascade)?$/.exec(statement)?.[1]?.split(', ') ?? []
  return [...columns.map(column => `${table}.${column}`), ...dropped]
}

/**
 * Returns the functions and casts of a statement that are not immutable, as PostgreSQL parses it. Citus refuses volatile
 * functions, and stable ones of columns.
 */
const mutableFunctionsOf = async (tx: Sql, statement: string): Promise<string[]> => {
  await tx.unsafe(`create function pg_temp.parsed() returns void language sql begin atomic ${statement}; end`)
  const [row] = await tx`select prosqlbody::text as tree from pg_proc where oid = 'pg_temp.parsed'::regproc`
  await tx`drop function pg_temp.parsed`
  const tree = row!.tree as string
  const idsIn = (pattern: RegExp) => [...tree.matchAll(pattern)].map(([, id]) => id!)
  const rows = await tx<{ name: string }[]>`
    select proname as name from pg_proc where provolatile <> 'i' and oid in (
      select unnest(${idsIn(/:\w*(?:funcid|fnoid) (\d+)/g)}::text[])::oid
      union select typoutput from pg_type where oid = any(${idsIn(/\{COERCEVIAIO :arg .*?type (\d+)/gs)}::text[]::oid[])
      union select typinput from pg_type where oid = any(${idsIn(/:resulttype (\d+)/g)}::text[]::oid[]))`
  return [...rows.map(({ name }) => name), ...(tree.includes('{SQLVALUEFUNCTION') ? ['current_timestamp'] : [])]
}

/**
 * Runs a migration on a database, and returns what is wrong with it. A comment must name the first release that does not use
 * what is dropped, such as `-- unused since 0.2: sales.note`.
 */
const problemsOf = async (tx: Sql, text: string, newestFirst = releases): Promise<string[]> => {
  const problems: string[] = []
  for (const original of splitStatements(text)) {
    const statement = plain(original)
    if (!isAccepted(statement)) problems.push(`Citus does not accept it, or nobody has tried: ${statement}`)
    for (const dropped of droppedBy(statement)) {
      const since = new RegExp(`^-- unused since (\\d+\\.\\d+): ${dropped.replace('.', '\\.')}$`, 'm').exec(text)?.[1]
      if (since === undefined || newestFirst.indexOf(since) < 2)
        problems.push(`A process of an earlier release can use it: ${dropped}`)
    }
    if (/^(?:update|delete|insert)\b/.test(statement))
      for (const name of await mutableFunctionsOf(tx, original)) problems.push(`It is not immutable: ${name}`)
    if (problems.length === 0) await tx.unsafe(original.replace(/\bconcurrently\b/i, ''))
  }
  return problems
}

const database = useDatabase()

class RolledBack extends Error {}

/** Runs work in a transaction that is rolled back. */
const tryOut = async (work: (tx: Sql) => Promise<void>): Promise<void> => {
  const tried = database.sql.begin(async tx => {
    await work(tx)
    throw new RolledBack()
  })
  await tried.catch(error => {
    if (!(error instanceof RolledBack)) throw error
  })
}

const expectProblem = (text: string, problem: string, newestFirst = releases) =>
  tryOut(async tx => {
    const problems = await problemsOf(tx, text, newestFirst)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith(problem)
  })

test('a migration after the first release has only statements that Citus accepts for distributed tables', async () => {
  const later = migrations.filter(({ name }) => name > first)
  expect(migrations.length - later.length).toBe(8)
  await tryOut(async tx => {
    await tx`create schema released`
    await tx`set local search_path = released, public`
    for (const { name, sql } of migrations) {
      if (name <= first) await tx.unsafe(sql)
      else expect(await problemsOf(tx, sql), name).toEqual([])
    }
  })
})

test.each([
  'alter table sales add constraint a check (amount > 0), add column b integer',
  'alter table sales add column b integer, add constraint a check (amount > 0)',
  'alter table sales drop constraint a, add constraint b check (amount > 0)',
  'alter table sales add check (amount > 0), add b integer',
  'alter table sales add column a integer check (a > 0)',
  'alter table sales add a integer check(a > 0)',
  'alter table sales add a uuid references workspaces',
  "alter table sales add b numeric(10, 2), add if not exists a text default 'a (b', add c integer unique",
  'alter table sales add column a integer not null default 3 unique',
  'alter table sales add column a bigint generated always as identity',
  'alter table sales add column a bigserial',
  'alter table sales alter constraint a deferrable',
  'alter table sales alter note set statistics 0',
  'alter table sales alter note set storage main',
  'alter table sales alter column currency type varchar',
  'alter table sales alter currency set data type varchar',
  'alter table sales cluster on sales_pkey',
  'alter table sales rename column note to remark',
  "insert into opt_out_words (workspace_id, words) select id, '{}' from workspaces",
  'with a as (select 1) update workspaces set id = gen_random_uuid()',
  "with a as (select id from workspaces) insert into opt_out_words (workspace_id, words) select id, '{}' from a",
  "merge into workspaces w using (values ('x')) v(name) on v.name = w.name when matched then update set name = 'y'",
  'do $$ begin update workspaces set name = created_at::text; end $$',
  'select now()',
  'create table others as select * from sales',
])('refuses: %s', text => expectProblem(text, 'Citus does not accept it, or nobody has tried: '))

test.each([
  ['timestamptz_out', 'update workspaces set name = created_at::text'],
  ['uuidv7', 'update workspaces set id = uuidv7()'],
  ['concat', "update workspaces set name = concat(name, 'a')"],
  ['to_jsonb', 'update workspaces set name = to_jsonb(name)::varchar'],
  ['format', "update workspaces set name = format('%s', created_at)"],
  ['textanycat', 'update workspaces set name = name || created_at'],
  ['timestamptz_in', 'update sales set created_at = note::timestamptz'],
  ['date', "update sales set note = '' where created_at::date = '2026-01-01'"],
  [
    'timestamptz_out',
    'update sales s set note = w.at from (select id, created_at::text as at from workspaces) w where w.id = s.id',
  ],
  ['current_timestamp', 'update sales set created_at = current_timestamp'],
  ['now', 'delete from sales where created_at < now()'],
  ['random', 'delete from sales where random() < 0.5'],
])('refuses %s in: %s', (name, text) => expectProblem(text, `It is not immutable: ${name}`))

const drops = {
  'sales.note': 'alter table sales drop column note cascade',
  'sales.currency': 'alter table sales add a integer, drop currency cascade',
  opt_out_words: 'drop table opt_out_words cascade',
}

test.each(Object.entries(drops))(
  'drops %s only two releases after the first one that does not use it',
  async (name, text) => {
    const newestFirst = ['0.4', '0.3', '0.2']
    const other = '-- unused since 0.2: sales.amount'
    for (const comment of ['', `-- unused since 0.3: ${name}`, `-- unused since 0.1: ${name}`, other])
      await expectProblem(`${comment}\n${text}`, `A process of an earlier release can use it: ${name}`, newestFirst)
    await tryOut(async tx =>
      expect(await problemsOf(tx, `-- unused since 0.2: ${name}\n${text}`, newestFirst)).toEqual([]),
    )
  },
)

test('a view of a cell keeps a column that is dropped without cascade', () =>
  tryOut(async tx => {
    for (const drop of ['drop note', 'drop column if exists note restrict'])
      expect(await problemsOf(tx, `alter table sales ${drop}`)).toHaveLength(2)
  }))

test.each([
  'alter table sales add constraint a check (amount > 0) not valid; alter table sales validate constraint a',
  "alter table sales add column a integer, add b timestamptz not null default now(), add c text default 'check'",
  'alter table sales alter note set default null, alter column note drop not null; alter table sales set (fillfactor = 70)',
  'update sales set note = lower(note) where voided_at is null',
  "update sales set note = note || 5::text || id::text where created_at < '2026-01-01'",
  'alter table sales add parts integer; update sales set parts = 1 where parts is null',
  "insert into opt_out_words (workspace_id, words) values ('01a2277d-e789-7338-afb9-32c3d5526ea3', '{}')",
  'create table others (id uuid primary key); create index concurrently others_by_id on others (id); drop index others_by_id',
])('accepts: %s', text =>
  tryOut(async tx => {
    await tx`set local session_replication_role = replica`
    expect(await problemsOf(tx, text)).toEqual([])
  }),
)

test('a text is split into its statements, without comments', () => {
  const text = `-- The first; it's short.
create table a (b text default ';'' '); -- Another
create function f() returns text language sql as $body$ select 'x'; -- kept
$body$;
do $$ begin perform 1; end $$; comment on table a is "c;"`
  expect(splitStatements(text)).toEqual([
    "create table a (b text default ';'' ')",
    "create function f() returns text language sql as $body$ select 'x'; -- kept\n$body$",
    'do $$ begin perform 1; end $$',
    'comment on table a is "c;"',
  ])
})
