/** Records requests for pages in the log and in the metrics, as the pipeline does for operations. */
import { newId } from '../../core/ids.ts'
import type { Page } from '../asset.ts'
import { correlationOf } from '../correlation.ts'
import type { PipelineDeps } from '../pipeline.ts'

/**
 * Adds an `X-Request-Id` to each answer of a page, logs the request, and counts it under `route`. The level is always
 * `debug`, because probes and scrapers ask every few seconds. The caller records the failure of a page that throws.
 */
export const recordPage =
  (route: string, serve: Page, { log, onResponse }: Pick<PipelineDeps, 'log' | 'onResponse'>) =>
  async (request: Request): Promise<Response> => {
    const startedAt = performance.now()
    const response = await serve(request)
    const { headers, status } = response
    const requestId = headers.get('X-Request-Id') ?? newId()
    headers.set('X-Request-Id', requestId)
    const { method } = request
    const ms = performance.now() - startedAt
    onResponse({ method, path: route, status, code: undefined, ms })
    const line = { request_id: requestId, ...correlationOf(request), method, path: route, status, ms: Math.round(ms) }
    log.debug(line, 'request')
    return response
  }
