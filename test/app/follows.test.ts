import { readFileSync } from 'node:fs'
import { registered } from '../../src/app/follows.ts'
import { followed, happened } from '../../src/platform/follows.ts'

const changed = followed<{ seen: string[] }, null>('changed')

test('runs what follows in the order of its list, and returns what it added', async () => {
  changed.follows = ['first', 'second'].map(
    (name) =>
      async (_, { seen }) =>
        void seen.push(name),
  )
  expect(await happened(null, changed, { seen: [] })).toEqual({ seen: ['first', 'second'] })
})

test('a follow that refuses ends the change, and nothing after it runs', async () => {
  const seen: string[] = []
  changed.follows = [() => Promise.reject(new Error('no')), async () => void seen.push('second')]
  await expect(happened(null, changed, { seen })).rejects.toThrow('no')
  expect(seen).toEqual([])
})

test('refuses a change that nothing follows', async () => {
  await expect(happened(null, followed('forgotten'), {})).rejects.toThrow('Nothing follows "forgotten"')
})

test('the architecture’s page lists what follows from what', () => {
  const [, list = ''] = readFileSync('docs/architecture.md', 'utf8').split('## What follows from what\n')
  const lines = registered.map(
    ({ follows, when }) => `- ${when}: ${follows.map((one) => `\`${one}\``).join(', ')}`,
  )
  expect(
    list
      .split('\n## ')[0]!
      .split('\n')
      .filter((line) => line.startsWith('- ')),
  ).toEqual(lines)
})
