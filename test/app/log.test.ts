import { expect, test } from 'vitest'
import { withoutPersonalData } from '../../src/server/platform/telemetry/log.ts'

test('what the job queue reports, like an error without being one, says what and where', () => {
  const { message, stack } = new Error('no connection')
  const reported = { message, stack, code: '57P01', queue: 'letter', parameters: ['ana@example.mx'] }
  const line = withoutPersonalData(reported)
  const where = expect.arrayContaining([expect.stringContaining('log.test.ts')])
  expect(line).toMatchObject({ type: 'Error', message: 'no connection', code: '57P01', stack: where })
  expect(JSON.stringify(line)).not.toContain('ana@')
})

test.each([
  ['a text', 'string'],
  [null, 'object'],
  [undefined, 'undefined'],
])('%s is told by its type only', (thrown, type) => {
  expect(withoutPersonalData(thrown)).toEqual({ type })
})
