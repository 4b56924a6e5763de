import { expect, test } from 'vitest'
import { refuse } from '../../src/domain/shared/refusal.ts'
import { refusalsAsResponses } from '../../src/web/lib/refusals-as-responses.ts'

test('what was read is the answer', async () => {
  expect(await refusalsAsResponses(async () => 7)).toBe(7)
})

test('a refusal becomes an answer with its status and words, and nothing else of it', async () => {
  const refused = refusalsAsResponses(async () => refuse('not-found', undefined, { secret: 1 }))
  await expect(refused).rejects.toMatchObject({ init: { status: 404 }, data: { title: 'No lo encontramos' } })
  await expect(refused).rejects.not.toHaveProperty('data.details')
})

test('a bug stays a bug', async () => {
  await expect(refusalsAsResponses(() => Promise.reject(new Error('bug')))).rejects.toThrow('bug')
})
