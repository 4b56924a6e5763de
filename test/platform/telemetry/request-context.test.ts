import { setJobSecret, unwrapJob, wrapJob } from '../../../src/platform/jobs/queues.ts'
import {
  currentContext,
  newRequestId,
  runWithContext,
  withoutPersonalData,
} from '../../../src/platform/telemetry/log.ts'
import { summaryOf } from '../../../src/platform/telemetry/spans.ts'
import { secret } from '../../kit/people.ts'

test('the id of a request has ten characters, of which none looks like another', () => {
  const ids = Array.from({ length: 500 }, newRequestId)
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  expect(new Set(ids).size).toBe(500)
})

test('the id of a request is known to all that the request awaits, and to nothing outside it', async () => {
  const asked = (request: string) =>
    runWithContext({ request }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return currentContext().request
    })
  expect(await Promise.all([asked('A'), asked('B')])).toEqual(['A', 'B'])
  expect(currentContext()).toEqual({})
})

test('a job carries the id of its request, and its handler gets its own data only', () => {
  const data = { letter: 'booked', to: 'customer' }
  const kept = runWithContext({ request: 'A' }, () => wrapJob(data))
  expect(kept).toEqual({ ...data, cause: { request: 'A' } })
  expect(unwrapJob(kept)).toEqual({ data, caused: { request: 'A' }, carried: undefined })
  expect(wrapJob(data)).toBe(data)
  expect(unwrapJob(data)).toEqual({ data, caused: {}, carried: undefined })
})

test('codes and tokens are stored encrypted in a job', () => {
  setJobSecret(secret)
  const data = { letter: 'invitation', code: 'abre-algo', token: 'otro-que-abre' }
  const kept = wrapJob(data)
  expect(JSON.stringify(kept)).not.toMatch(/abre/)
  expect(kept).toMatchObject({ letter: 'invitation' })
  expect(unwrapJob(kept).data).toEqual(data)
})

test.each([
  ['select "id", "name" from "appointments" where id = $1', 'select appointments'],
  ['insert into pgboss.job (id) values ($1)', 'insert pgboss.job'],
  ['update only "payments" set state = $1', 'update payments'],
  ['begin; select 1', 'begin'],
  ["select 'ana@example.mx'", 'select'],
])('%s is told as %s', (text, summary) => expect(summaryOf(text)).toBe(summary))

test('a report of the job queue that is no Error is logged with its message and place', () => {
  const { message, stack } = new Error('no connection')
  const reported = { message, stack, code: '57P01', queue: 'letter', parameters: ['ana@example.mx'] }
  const line = withoutPersonalData(reported)
  const where = expect.arrayContaining([expect.stringContaining('request-context.test.ts')])
  expect(line).toMatchObject({ type: 'Error', message: 'no connection', code: '57P01', stack: where })
  expect(JSON.stringify(line)).not.toContain('ana@')
})

test.each([
  ['a text', 'string'],
  [null, 'object'],
  [undefined, 'undefined'],
])('%s is told by its type only', (thrown, type) => expect(withoutPersonalData(thrown)).toEqual({ type }))
