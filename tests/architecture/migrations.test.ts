/** Rules for migrations, which also run for the distributed tables of a cell in Citus. */
import { expect, test } from 'bun:test'
import { splitStatements } from '../../src/platform/postgres/migration-file.ts'
import { migrations } from '../../src/platform/postgres/migrations.ts'

/** Last migration of the first release. Up to it, the tables of a new cell are not distributed yet. */
const first = '008_service'

/** Statements that Citus 14 refuses for distributed tables, and what to write instead. */
const refused: [statement: RegExp, advice: string][] = [
  [
    /^alter table .*\badd constraint\b.*,\s*(add|alter|drop|set|reset|validate)\b/is,
    'one subcommand with a constraint',
  ],
  [/^alter table .*,\s*add constraint\b/is, 'one subcommand with a constraint'],
  [/^alter table .*\badd column\b.*\b(check|unique|primary key|references|constraint)\b/is, 'a constraint of its own'],
  [/^alter table .*\badd column\b.*\bas identity\b/is, 'an id from uuidv7()'],
  [/^alter table .*\balter constraint\b/is, 'another constraint'],
  [/^alter table .*\bset statistics\b/is, 'statistics in the first release only'],
  [/^alter table .*\balter (column )?\w+ (set data )?type\b/is, 'another column, because a view has this one'],
  [/^alter table .*\bdrop column (?!.*\bcascade\b)/is, 'cascade, because a view has the column until it is made again'],
  [/^insert into .*\bselect\b/is, 'values'],
  [
    /^(update|delete from) .*\b(uuidv7|random|clock_timestamp|date_trunc|to_char|gen_random_uuid)\(/is,
    'immutable functions',
  ],
  [/^(update|delete from) .*\w::(text|timestamptz|date)\b/is, 'immutable functions'],
]

const problemsOf = (text: string): string[] =>
  splitStatements(text).flatMap(statement =>
    refused.flatMap(([pattern, advice]) => (pattern.test(statement) ? [advice] : [])),
  )

test('a migration after the first release has only statements that Citus accepts for distributed tables', () => {
  const later = migrations.filter(({ name }) => name > first)
  expect(migrations.length - later.length).toBe(8)
  for (const { name, sql } of later) expect(problemsOf(sql), name).toEqual([])
})

test.each([
  'alter table sales add constraint a check (amount > 0), add column b integer',
  'alter table sales drop constraint a, add constraint b check (amount > 0)',
  'alter table sales add column a integer check (a > 0)',
  'alter table sales add column a integer not null default 3 unique',
  'alter table sales add column a bigint generated always as identity',
  'alter table sales alter constraint a deferrable',
  'alter table sales alter note set statistics 0',
  'alter table sales alter column currency type varchar',
  'alter table sales drop column note',
  "insert into opt_out_words (workspace_id, words) select id, '{}' from workspaces",
  'update workspaces set name = created_at::text',
  'update workspaces set id = uuidv7()',
])('refuses: %s', statement => {
  expect(problemsOf(statement)).toHaveLength(1)
})

test.each([
  'alter table sales add constraint a check (amount > 0) not valid',
  'alter table sales add column a integer, add column b timestamptz not null default now()',
  'alter table sales drop column note cascade',
  'update sales set note = lower(note) where voided_at is null',
])('accepts: %s', statement => {
  expect(problemsOf(statement)).toEqual([])
})

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
