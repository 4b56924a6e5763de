import { AsyncResource } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import pg from 'pg'
import { failed, isTracing, statementSpan } from './spans.ts'

/** The pool to open: where spans are gathered, one that tells of every statement; else the library's own, at no cost. */
export const poolClass = (): typeof pg.Pool => (isTracing() ? TracedPool : pg.Pool)

type Done = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void

class TracedPool extends pg.Pool {
  constructor(config: pg.PoolConfig = {}) {
    super({ ...config, Client: TracedClient })
  }

  // Whoever had to wait for a connection is called by whoever gave it back, and would pass as a part of that one.
  override connect(done?: Done): never {
    const connect = super.connect as (done?: Done) => never
    return connect.call(this, done && AsyncResource.bind(done))
  }
}

type Statement = { name?: string; text?: string; callback?: Callback; submit?: unknown }
type Callback = (error: unknown, result: unknown) => void

class TracedClient extends pg.Client {
  // The library takes a text or an object, with values or without, and answers by a promise or a callback.
  override query(...given: unknown[]): never {
    const query = super.query as (...given: unknown[]) => never
    const [statement] = given as [string | Statement]
    const { name, text } = typeof statement === 'string' ? { text: statement } : statement
    const summary = summaryOf(text ?? '')
    const span = statementSpan(name && !isNumbered(name) ? name : summary, summary)
    if (!span) return query.apply(this, given)
    const last = given.at(-1)
    if (typeof last === 'function')
      return query.apply(this, [...given.slice(0, -1), ending(span, last as Callback)])
    const answer = query.apply(this, given) as unknown
    if (answer instanceof Promise) end(span, answer)
    else span.end()
    return answer as never
  }
}

/** Some prepared statements are told apart by a number only, which says nothing. */
const isNumbered = (name: string) => /^form_\d+$/.test(name)

const ending =
  (span: Span, callback: Callback): Callback =>
  (error, result) => {
    if (error) failed(span, error)
    span.end()
    callback(error, result)
  }

const end = (span: Span, answer: Promise<unknown>) =>
  answer.then(
    () => span.end(),
    (error) => {
      failed(span, error)
      span.end()
    },
  )

/** What a statement does and to which table, such as `select appointments`: its text may hold values that were written into it. */
export function summaryOf(text: string): string {
  const [verb = ''] = /^[a-z]+/i.exec(text.trimStart()) ?? []
  const [, table] =
    /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]\w*(?:"?\."?[a-z_]\w*)?)/i.exec(text) ?? []
  return [verb.toLowerCase(), table?.replaceAll('"', '')].filter(Boolean).join(' ')
}
