import path from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import {
  type Grey,
  greyOf,
  isFine,
  leastBrightness,
  leastSharpness,
  meanLuminance,
  measure,
  measuredSide,
  shrink,
  varianceOfLaplacian,
  verdictOn,
} from '../../src/domain/reports/photo-quality.ts'

const scenes = ['panel', 'meter', 'garage', 'facade']
/** How far the nearest sample has to stay from a limit. */
const margin = 1.5

async function sample(name: string) {
  const file = path.join(import.meta.dirname, '../photos', `${name}.jpg`)
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return measure(greyOf(data, info.width, info.height), Math.max(info.width, info.height))
}

describe('twelve samples', () => {
  test.each(scenes)('a sharp %s passes', async (scene) => {
    const measured = await sample(`sharp-${scene}`)
    expect(verdictOn(measured)).toEqual({ tooSmall: false, blurred: false, dark: false })
    expect(measured.sharpness).toBeGreaterThan(leastSharpness * margin)
    expect(measured.brightness).toBeGreaterThan(leastBrightness * margin)
  })

  test.each(scenes)('a blurred %s warns', async (scene) => {
    const measured = await sample(`blurred-${scene}`)
    expect(verdictOn(measured)).toEqual({ tooSmall: false, blurred: true, dark: false })
    expect(measured.sharpness).toBeLessThan(leastSharpness / margin)
    expect(measured.brightness).toBeGreaterThan(leastBrightness * margin)
  })

  test.each(scenes)('a dark %s warns of nothing but the light', async (scene) => {
    const measured = await sample(`dark-${scene}`)
    expect(verdictOn(measured)).toEqual({ tooSmall: false, blurred: false, dark: true })
    expect(measured.brightness).toBeLessThan(leastBrightness / margin)
  })
})

test('a picture of less than 1280 pixels warns, whatever else it is', () => {
  const fine = { sharpness: leastSharpness, brightness: leastBrightness }
  expect(isFine(verdictOn({ ...fine, longSide: 1280 }))).toBe(true)
  expect(verdictOn({ ...fine, longSide: 1279 })).toEqual({ tooSmall: true, blurred: false, dark: false })
})

describe('any picture', () => {
  const side = 24
  const frame = 4
  /** A picture with an even frame: what a blur does at the border says nothing of it. */
  const pictures = fc.tuple(
    fc.double({ min: 0, max: 255, noNaN: true }),
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 256, maxLength: 256 }),
  )
  const framed = ([edge, inner]: [number, number[]]): Grey => {
    const isInside = (at: number) => at >= frame && at < side - frame
    const luminance = Array.from({ length: side * side }, (_, at) => {
      const [x, y] = [at % side, Math.floor(at / side)]
      return isInside(x) && isInside(y) ? inner[(y - frame) * 16 + x - frame]! : edge
    })
    return { luminance, width: side, height: side }
  }
  const blurred = ({ luminance, width, height }: Grey): Grey => {
    const at = (x: number, y: number) =>
      luminance[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)]!
    const mean = (x: number, y: number) =>
      [-1, 0, 1].reduce((sum, dy) => sum + at(x - 1, y + dy) + at(x, y + dy) + at(x + 1, y + dy), 0) / 9
    return {
      luminance: Array.from({ length: width * height }, (_, of) => mean(of % width, Math.floor(of / width))),
      width,
      height,
    }
  }

  test('never measures sharper once it is blurred', () => {
    fc.assert(
      fc.property(pictures, (drawn) => {
        const picture = framed(drawn)
        expect(varianceOfLaplacian(blurred(picture))).toBeLessThanOrEqual(varianceOfLaplacian(picture) + 1e-6)
      }),
    )
  })

  test('never measures brighter once every point of it is darker', () => {
    fc.assert(
      fc.property(pictures, fc.double({ min: 0, max: 1, noNaN: true }), (drawn, light) => {
        const picture = framed(drawn)
        const darker = { ...picture, luminance: Array.from(picture.luminance, (point) => point * light) }
        expect(meanLuminance(darker)).toBeLessThanOrEqual(meanLuminance(picture))
        expect(varianceOfLaplacian(darker)).toBeLessThanOrEqual(varianceOfLaplacian(picture))
      }),
    )
  })

  test('keeps its light when it is made smaller', () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 1, max: side }), (drawn, longSide) => {
        const picture = framed(drawn)
        const small = shrink(picture, longSide)
        expect([small.width, small.height]).toEqual([longSide, longSide])
        expect(meanLuminance(small)).toBeCloseTo(meanLuminance(picture), 3)
      }),
    )
  })
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
