import { shortestLongSide } from './photos.ts'

/** A greyscale picture: from 0, black, to 255, white, row by row. */
export type Grey = { luminance: ArrayLike<number>; width: number; height: number }
/** The measurements of a picture; `longSide` is the original's, in pixels. */
export type Measured = { longSide: number; sharpness: number; brightness: number }
export type PhotoVerdict = { tooSmall: boolean; blurred: boolean; dark: boolean }

/** The long side in pixels that every picture is scaled to, so that limits do not depend on the camera. */
export const measuredSide = 640
/** Variance of the Laplacian below which a picture counts as blurred. */
export const leastSharpness = 90
/** Mean luminance below which a picture counts as dark. */
export const leastBrightness = 45

/** The sharpness and brightness of a picture, measured at the common size. */
export function measure(grey: Grey, longSide: number): Measured {
  const small = shrink(grey, measuredSide)
  return { longSide, sharpness: varianceOfLaplacian(small), brightness: meanLuminance(small) }
}

/** The defects of a picture. Without light there is no contrast, so a dark picture is never reported as blurred too. */
export function verdictOn({ longSide, sharpness, brightness }: Measured): PhotoVerdict {
  const dark = brightness < leastBrightness
  return { tooSmall: longSide < shortestLongSide, blurred: !dark && sharpness < leastSharpness, dark }
}

export const isFine = ({ tooSmall, blurred, dark }: PhotoVerdict) => !(tooSmall || blurred || dark)

/** The luminance of an RGBA picture, weighted as the eye perceives it (ITU-R BT.601). */
export function greyOf(rgba: ArrayLike<number>, width: number, height: number): Grey {
  const luminance = new Uint8Array(width * height)
  for (let at = 0; at < luminance.length; at++)
    luminance[at] = Math.round(0.299 * rgba[at * 4]! + 0.587 * rgba[at * 4 + 1]! + 0.114 * rgba[at * 4 + 2]!)
  return { luminance, width, height }
}

/** The mean luminance, from 0 to 255. */
export function meanLuminance({ luminance }: Grey): number {
  let sum = 0
  for (let at = 0; at < luminance.length; at++) sum += luminance[at]!
  return sum / luminance.length
}

/** The contrast of neighbouring points: the variance of the 4-neighbour Laplacian, without the border. */
export function varianceOfLaplacian({ luminance, width, height }: Grey): number {
  let sum = 0
  let squares = 0
  for (let y = 1; y < height - 1; y++)
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const edge =
        luminance[at - 1]! +
        luminance[at + 1]! +
        luminance[at - width]! +
        luminance[at + width]! -
        4 * luminance[at]!
      sum += edge
      squares += edge * edge
    }
  const count = Math.max((width - 2) * (height - 2), 1)
  return Math.max(squares / count - (sum / count) ** 2, 0)
}

/** A picture scaled down to a long side, each point the mean of those it covers; a smaller one is unchanged. */
export function shrink(grey: Grey, longSide: number): Grey {
  const scale = longSide / Math.max(grey.width, grey.height)
  if (scale >= 1) return grey
  const side = (pixels: number) => Math.max(Math.round(pixels * scale), 1)
  return squeezed(squeezed(grey, side(grey.width)), side(grey.height))
}

/** Each row scaled to `to` means and written as a column: applied twice, both sides are scaled. */
function squeezed({ luminance, width, height }: Grey, to: number): Grey {
  const columns = new Float32Array(to * height)
  const span = width / to
  for (let y = 0; y < height; y++)
    for (let x = 0; x < to; x++)
      columns[x * height + y] = meanBetween(luminance, y * width + x * span, y * width + (x + 1) * span)
  return { luminance: columns, width: height, height: to }
}

/** The mean between two positions; the points at the ends count by the part within. */
function meanBetween(points: ArrayLike<number>, from: number, to: number): number {
  let sum = 0
  for (let at = Math.floor(from); at < to; at++)
    sum += (points[at] ?? 0) * (Math.min(at + 1, to) - Math.max(at, from))
  return sum / (to - from)
}
