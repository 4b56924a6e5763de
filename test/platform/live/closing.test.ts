import { expect, test } from 'vitest'
import { listen } from '../../../src/server/platform/live/announcements.ts'
import { freshDatabase } from '../../kit/fresh-database.ts'

test('who ends before the connection is there holds nothing up', async () => {
  const db = await freshDatabase()
  const heard: unknown[] = []
  const stop = listen(db, (people) => heard.push(people))
  await stop()
  await db.$client.end()
  expect(heard).toEqual([])
  expect(db.$client.totalCount).toBe(0)
})
