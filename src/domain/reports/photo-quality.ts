import { shortestLongSide } from './photos.ts'

/** A picture as light alone: from 0, black, to 255, white, row by row. */
export type Grey = { luminance: ArrayLike<number>; width: number; height: number }
/** What was measured of a picture; `longSide` is that of the original, in pixels. */
export type Measured = { longSide: number; sharpness: number; brightness: number }
export type PhotoVerdict = { tooSmall: boolean; blurred: boolean; dark: boolean }

/** Pixels of the long side every picture is brought to, so that limits don't depend on the camera. */
export const measuredSide = 640
/** Variance of the Laplacian below which a picture is called blurred. */
export const leastSharpness = 90
/** Mean luminance below which a picture is called dark. */
export const leastBrightness = 45

/** Sharpness and brightness of a picture at the size that all are measured at. */
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

/** The light of a picture of red, green, blue and alpha, weighed as the eye does (ITU-R BT.601). */
export function greyOf(rgba: ArrayLike<number>, width: number, height: number): Grey {
  const luminance = new Uint8Array(width * height)
  for (let at = 0; at < luminance.length; at++)
    luminance[at] = Math.round(0.299 * rgba[at * 4]! + 0.587 * rgba[at * 4 + 1]! + 0.114 * rgba[at * 4 + 2]!)
  return { luminance, width, height }
}

/** Mean light, from 0 to 255. */
export function meanLuminance({ luminance }: Grey): number {
  let sum = 0
  for (let at = 0; at < luminance.length; at++) sum += luminance[at]!
  return sum / luminance.length
}

/** How much neighbouring points differ: the variance of the 4-neighbour Laplacian, the border left out. */
export function varianceOfLaplacian({ luminance, width, height }: Grey): number {
  let [sum, squares] = [0, 0]
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

/** A picture brought down to a long side, each point the mean of those it covers; a smaller one stays as it is. */
export function shrink(grey: Grey, longSide: number): Grey {
  const scale = longSide / Math.max(grey.width, grey.height)
  if (scale >= 1) return grey
  const side = (pixels: number) => Math.max(Math.round(pixels * scale), 1)
  return squeezed(squeezed(grey, side(grey.width)), side(grey.height))
}

/** Each row brought down to `to` means and laid down as a column: done twice, both sides are shorter. */
function squeezed({ luminance, width, height }: Grey, to: number): Grey {
  const columns = new Float32Array(to * height)
  const span = width / to
  for (let y = 0; y < height; y++)
    for (let x = 0; x < to; x++)
      columns[x * height + y] = meanBetween(luminance, y * width + x * span, y * width + (x + 1) * span)
  return { luminance: columns, width: height, height: to }
}

/** The mean from one place to another, the points at its ends counted by the part that lies within. */
function meanBetween(points: ArrayLike<number>, from: number, to: number): number {
  let sum = 0
  for (let at = Math.floor(from); at < to; at++)
    sum += (points[at] ?? 0) * (Math.min(at + 1, to) - Math.max(at, from))
  return sum / (to - from)
}
