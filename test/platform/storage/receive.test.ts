import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { sweepReceived } from '../../../src/server/platform/storage/receive.ts'

test('what a killed process left of a photo on its way goes at the next start; what may still come stays', async () => {
  const [old, young] = [1, 2].map(() => mkdtempSync(path.join(tmpdir(), 'carga-photo-')))
  for (const folder of [old, young]) writeFileSync(path.join(folder!, 'sent'), 'x')
  // Stamped here: files carry the time of the kernel, which test:clocks can't move.
  for (const [folder, age] of [
    [old!, 2 * 3_600_000],
    [young!, 0],
  ] as const)
    utimesSync(folder, new Date(), new Date(Date.now() - age))
  const end = sweepReceived()
  await vi.waitFor(() => expect(existsSync(old!)).toBe(false), 5_000)
  end()
  expect(existsSync(young!)).toBe(true)
  rmSync(young!, { recursive: true })
})
