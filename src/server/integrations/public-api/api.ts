import { type Hook, OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { refusals } from '../../../domain/shared/refusal.ts'
import type { Deps } from '../../app/deps.ts'
import { log } from '../../app/log.ts'
import { clientRow, clientRows } from './client-rows.ts'
import { codeRows } from './code-rows.ts'
import { apiDocument } from './document.ts'
import { eventRows, sendAgain } from './event-rows.ts'
import { type ApiEnv, withKey } from './key-access.ts'
import { answerProblem, Problem } from './problems.ts'
import { invalid, problemOf } from './refused.ts'
import { register } from './register.ts'
import { createClient, getClient, listClients, listCodes, listEvents, replay } from './routes.ts'

/** Larger than any client one could register. */
const largest = 64 * 1024

/**
 * The interface of dealerships' own systems, below /api/v1. A key says whose system it is, in a header that no browser
 * sends by itself: neither sessions nor the origin of a request mean anything here. Its page is a screen.
 */
export function dealershipApi({ db, env, site }: Pick<Deps, 'db' | 'env' | 'site'>) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseWrong })
  const document = JSON.stringify(apiDocument(site.brand, env.baseUrl))
  app.get('/openapi.json', (c) =>
    c.body(document, 200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }),
  )
  app.use('/:operation/*', withKey(db))
  app.use('/:operation/*', bodyLimit({ maxSize: largest, onError: refuseLarge }))
  answerClients(app, { db, baseUrl: env.baseUrl, termsVersion: env.TERMS_VERSION })
  answerTheRest(app, db)
  app.all('/:operation/*', () => {
    throw new Problem('not_found')
  })
  app.onError((error, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const problem = problemOf(error) ?? new Problem('internal')
    if (problem.code === 'internal') log.error({ err: error, req: c.get('requestId') }, 'the api failed')
    if (problem.code === 'unavailable') c.header('retry-after', '2')
    return answerProblem(c, problem, env.baseUrl)
  })
  return app
}

type Parts = { db: Deps['db']; baseUrl: string; termsVersion: string }

function answerClients(app: OpenAPIHono<ApiEnv>, { db, ...address }: Parts) {
  app.openapi(createClient, async (c) => {
    const { 'idempotency-key': name } = c.req.valid('header')
    const sent = { name, sent: c.req.valid('json') }
    const { client, isNew } = await register(db, c.get('caller'), sent, address, new Date())
    return isNew ? c.json(client, 201) : c.json(client, 200)
  })
  app.openapi(listClients, async (c) =>
    c.json(await clientRows(db, c.get('caller').agencyId, c.req.valid('query'), new Date()), 200),
  )
  app.openapi(getClient, async (c) => {
    const row = await clientRow(db, c.get('caller').agencyId, c.req.valid('param').id, new Date())
    if (!row) throw new Problem('not_found')
    return c.json(row, 200)
  })
}

function answerTheRest(app: OpenAPIHono<ApiEnv>, db: Deps['db']) {
  app.openapi(listCodes, async (c) =>
    c.json(await codeRows(db, c.get('caller').agencyId, c.req.valid('query'), new Date()), 200),
  )
  app.openapi(listEvents, async (c) =>
    c.json(await eventRows(db, c.get('caller').agencyId, c.req.valid('query')), 200),
  )
  app.openapi(replay, async (c) =>
    c.json({ deliveries: await sendAgain(db, c.get('caller').agencyId, c.req.valid('param').id) }, 202),
  )
}

/** An id that can't be one is nobody's, like any other that is not theirs. */
const refuseWrong: Hook<unknown, ApiEnv, string, never> = (result) => {
  if (result.success) return undefined as never
  if (result.target === 'param') throw new Problem('not_found')
  throw invalid(result.error.issues)
}

const refuseLarge = (_: Context) => {
  throw new Problem('body_too_large')
}
