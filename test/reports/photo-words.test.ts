import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { PhotoVerdict } from '../../src/domain/reports/photo-quality.ts'
import { largestFile } from '../../src/domain/reports/photos.ts'
import { inspectPhoto } from '../../src/web/photos/look-at.ts'
import { doubtsAbout } from '../../src/web/photos/photo-doubt.tsx'

const fine: PhotoVerdict = { tooSmall: false, blurred: false, dark: false }
const titles = (verdict: PhotoVerdict) => doubtsAbout(verdict).map(({ title }) => title)

test('a photo is doubted for what is wrong with it, and for nothing else', () => {
  expect(titles(fine)).toEqual([])
  expect(titles({ ...fine, blurred: true })).toEqual(['Se ve movida o desenfocada'])
  expect(titles({ ...fine, dark: true, tooSmall: true })).toEqual(['Se ve oscura', 'Es muy pequeña'])
})

test('what a browser cannot open is sent as it is, refused in words where the server would not take it', async () => {
  // None of a test draws pictures: this one opens none of them.
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')))
  const heic = readFileSync('test/platform/storage/wall.heic')
  const longest = new Uint8Array(largestFile - heic.length)
  const inspected = (...parts: (string | Uint8Array<ArrayBuffer>)[]) => inspectPhoto(new Blob(parts))
  try {
    expect(await inspected(new Uint8Array(heic), longest)).toMatchObject({ verdict: null, isGood: false })
    expect(await inspected(new Uint8Array(heic), longest, ' ')).toEqual({
      problem: expect.stringMatching(/^Esta foto pesa más de 12\sMB\. Tómala con menos resolución/),
    })
    expect(await inspected('hola')).toEqual({ problem: expect.stringContaining('No pudimos abrir') })
  } finally {
    vi.unstubAllGlobals()
  }
})
