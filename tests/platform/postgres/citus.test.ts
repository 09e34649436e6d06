/** Tests of the URLs of Citus cells. No server is needed. */
import { expect, test } from 'bun:test'
import { formatNode, nodeUrl, placedUrl } from '../../../src/platform/postgres/citus.ts'
import { pgConfig } from '../../../src/platform/postgres/client.ts'
import { parseTarget, tasksSchemaOf } from '../../../src/platform/postgres/target.ts'

const coordinator = 'postgres://app:s%40cret@coordinator:5432/engage?sslmode=require'
const placement = { name: 'eu', host: 'worker-1', port: 5501 }

test('the URL of a cell has the credentials of the coordinator, the address of the node and the search path', () => {
  const url = placedUrl(coordinator, placement)
  expect(parseTarget(url)).toMatchObject({
    host: 'worker-1',
    port: 5501,
    user: 'app',
    password: 's@cret',
    database: 'engage',
    ssl: { rejectUnauthorized: false },
    parameters: {
      options: '-csearch_path=here_eu -ccitus.enable_ddl_propagation=off -ccitus.override_table_visibility=off',
    },
  })
  expect(pgConfig(url)).toMatchObject({ host: 'worker-1', options: expect.stringContaining('here_eu') })
})

test('the URL of a cell keeps other options', () => {
  const { parameters } = parseTarget(placedUrl('postgres:///engage?options=-cwork_mem%3D8MB', placement))
  expect(parameters.options).toStartWith('-cwork_mem=8MB -csearch_path=here_eu ')
})

test('each cell has its own schema of tasks', () => {
  expect(tasksSchemaOf(placedUrl(coordinator, placement))).toBe('tasks_eu')
  expect(tasksSchemaOf(coordinator)).toBe('graphile_worker')
})

test('the URL of a node leads to its address', () => {
  expect(parseTarget(nodeUrl(coordinator, { host: '::1', port: 5502 }))).toMatchObject({ host: '::1', port: 5502 })
  expect(formatNode({ host: '::1', port: 5502 })).toBe('[::1]:5502')
})
