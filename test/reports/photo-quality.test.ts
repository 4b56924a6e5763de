import { readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { inspectPhoto } from '../../src/kit/look-at.ts'
import { doubtsAbout } from '../../src/photos/photo-doubt.tsx'
import {
  greyOf,
  isFine,
  leastBrightness,
  leastSharpness,
  measure,
  measuredSide,
  type PhotoVerdict,
  shrink,
  verdictOn,
} from '../../src/reports/rules/photo-quality.ts'
import { largestFile } from '../../src/reports/rules/photos.ts'

const scenes = ['panel', 'meter', 'garage', 'facade']
/** How far the nearest sample has to stay from a limit. */
const margin = 1.5

async function sample(name: string) {
  const file = path.join(import.meta.dirname, '../photos', `${name}.jpg`)
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return measure(greyOf(data, info.width, info.height), Math.max(info.width, info.height))
}

const samples = ['sharp', 'blurred', 'dark'].flatMap((kind) => scenes.map((scene) => [kind, scene] as const))
test.each(samples)('judges the sample of a %s %s', async (kind, scene) => {
  const measured = await sample(`${kind}-${scene}`)
  const isBlurred = kind === 'blurred'
  const isDark = kind === 'dark'
  expect(verdictOn(measured)).toEqual({ tooSmall: false, blurred: isBlurred, dark: isDark })
  const sharpness = measured.sharpness / leastSharpness
  if (!isDark) expect(isBlurred ? 1 / sharpness : sharpness).toBeGreaterThan(margin)
  const brightness = measured.brightness / leastBrightness
  expect(isDark ? 1 / brightness : brightness).toBeGreaterThan(margin)
})

test('a picture of less than 1280 pixels warns, whatever else it is', () => {
  const fine = { sharpness: leastSharpness, brightness: leastBrightness }
  expect(isFine(verdictOn({ ...fine, longSide: 1280 }))).toBe(true)
  expect(verdictOn({ ...fine, longSide: 1279 })).toEqual({ tooSmall: true, blurred: false, dark: false })
})

test('is measured at one size, whatever the camera', () => {
  const tall = { luminance: new Uint8Array(1200 * 1600).fill(90), width: 1200, height: 1600 }
  const small = shrink(tall, measuredSide)
  expect([small.width, small.height]).toEqual([480, 640])
  expect(small.luminance[480 * 640 - 1]).toBeCloseTo(90, 3)
  expect(shrink({ ...small, luminance: small.luminance }, measuredSide)).toEqual(small)
})

test('each point of a smaller picture is the mean of those it covers', () => {
  const picture = { luminance: [0, 10, 100, 110, 20, 30, 120, 130], width: 4, height: 2 }
  expect(shrink(picture, 2)).toEqual({ luminance: new Float32Array([15, 115]), width: 2, height: 1 })
  expect([...(shrink({ luminance: [0, 30, 60], width: 3, height: 1 }, 2).luminance as Float32Array)]).toEqual(
    [10, 50],
  )
})

test('grey is weighed as the eye does', () => {
  expect([
    ...(greyOf([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255], 3, 1).luminance as Uint8Array),
  ]).toEqual([76, 150, 29])
})

test('doubts a photo for what is wrong with it only', () => {
  const fine: PhotoVerdict = { tooSmall: false, blurred: false, dark: false }
  const titles = (verdict: PhotoVerdict) => doubtsAbout(verdict).map(({ title }) => title)
  expect(titles(fine)).toEqual([])
  expect(titles({ ...fine, blurred: true })).toEqual(['Se ve movida o desenfocada'])
  expect(titles({ ...fine, dark: true, tooSmall: true })).toEqual(['Se ve oscura', 'Es muy pequeña'])
})

test('sends what a browser cannot open as it is, and refuses in words what the server would not take', async () => {
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
