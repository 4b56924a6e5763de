import type { Page } from '@playwright/test'
import { enters, isIn, theirPicture } from '../kit/call-steps.ts'
import { expect, test } from '../kit/call-world.ts'
import { bothWays, comesIn, measured, tells, watchConnections } from '../kit/media.ts'

test('a page that is read anew, a browser that crashed and another tab come back by themselves', async ({
  newCall,
  arrive,
}) => {
  const { customer, analyst } = await newCall()
  const [hers, his] = [customer.page, analyst.page]
  await enters(customer)
  const began = performance.now()
  await enters(analyst)
  await bothWays([hers, his])
  // Five seconds; on a machine so busy that one who enters is not seen and heard in half of that, twice what that took.
  const limit = Math.max(5_000, 2 * (performance.now() - began))
  const backInTime = (...back: Back) => comesBack(limit, ...back)
  await test.step('read anew', async () => {
    for (const page of [hers, his]) {
      await backInTime(page, [hers, his], 'reload', () => page.reload())
      await expect(theirPicture(page)).toHaveCount(1)
    }
    await backInTime(hers, [hers, his], 'reload of both at once', () =>
      Promise.all([hers.reload(), his.reload()]),
    )
  })
  await test.step('in another tab', async () => {
    const other = await hers.context().newPage()
    await other.goto(customer.room)
    await expect(other.getByText('Ya estás en la llamada en otra pestaña')).toBeVisible()
    await other.getByRole('button', { name: 'Entrar aquí' }).click()
    await bothWays([other, his])
    await expect(hers.getByText('Abriste la llamada en otra pestaña o dispositivo')).toBeVisible()
    expect((await measured(hers)).open).toBe(0)
    await hers.getByRole('button', { name: 'Entrar aquí' }).click()
    await bothWays([hers, his])
    await expect(other.getByText('Abriste la llamada en otra pestaña o dispositivo')).toBeVisible()
    await other.close()
  })
  await test.step('after a crash', async () => {
    const context = hers.context()
    const storageState = await context.storageState()
    const crash = await context.newCDPSession(hers)
    const gone = hers.waitForEvent('crash')
    void crash.send('Page.crash').catch(() => {})
    await gone
    await context.close()
    const again = await arrive({ storageState })
    await watchConnections(again.context())
    await backInTime(again, [again, his], 'crash', () => again.goto(customer.room))
  })
})

type Back = [page: Page, both: Page[], what: string, happens: () => Promise<unknown>]

/** In the room again, by itself and with picture and sound, within so many milliseconds. */
async function comesBack(limit: number, ...[page, both, what, happens]: Back) {
  const start = performance.now()
  await happens()
  await isIn(page)
  await comesIn(page)
  const took = performance.now() - start
  tells(what, took)
  expect(took).toBeLessThan(limit)
  await bothWays(both)
}
