/** Runs before the first test of a run, and once after the last. */
import { afterAll } from 'bun:test'
import { releaseTestServer } from './database.ts'

afterAll(releaseTestServer)
