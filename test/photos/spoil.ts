import sharp, { type Sharp } from 'sharp'
import { dice } from '../kit/dice.ts'

type Kernel = { width: number; height: number; kernel: number[] }

/** How a lens out of focus spreads a point: a disc. */
export const outOfFocus = (radius: number) =>
  kernel(2 * radius + 1, (x, y) => (Math.hypot(x - radius, y - radius) <= radius ? 1 : 0))

/** How a hand that moves spreads a point: along a path, given in parts of `size` pixels. */
export function shaken(size: number, path: (part: number) => [number, number]): Kernel {
  const marks = new Set(
    Array.from({ length: size * 8 }, (_, at) =>
      path(at / (size * 8))
        .map((part) => Math.min(Math.floor(part * size), size - 1))
        .join(),
    ),
  )
  return kernel(size, (x, y) => (marks.has(`${x},${y}`) ? 1 : 0))
}

function kernel(size: number, weight: (x: number, y: number) => number): Kernel {
  const kernel = Array.from({ length: size * size }, (_, at) => weight(at % size, Math.floor(at / size)))
  return { width: size, height: size, kernel }
}

export type Light = {
  /** How much of the scene's light reaches the sensor, 1 for a good exposure. */
  exposure: number
  /** How much of it falls off towards the corners, or away from a lamp. */
  fallOff: number
  lamp: [number, number]
  /** Standard deviation of the sensor's noise. */
  noise: number
  seed: number
}

/** What a phone makes of a scene: less light (in linear light, as in the world), then the noise of its sensor. */
export async function exposed(scene: Sharp, light: Light): Promise<Sharp> {
  const { data, info } = await scene.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const noise = noiseOf(light)
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [(at % width) / width - light.lamp[0], Math.floor(at / width) / height - light.lamp[1]]
    const gain = light.exposure / (1 + light.fallOff * (x * x + y * y))
    const grain = noise()
    for (let one = at * channels; one < (at + 1) * channels; one++)
      data[one] = byte(255 * ((data[one]! / 255) ** 2.2 * gain) ** (1 / 2.2) + grain)
  }
  return sharp(data, { raw: { width, height, channels } })
}

const byte = (value: number) => Math.min(Math.max(Math.round(value), 0), 255)

/** Close to a normal distribution: the sum of twelve chances. */
function noiseOf({ noise, seed }: Light): () => number {
  const chance = dice(seed)
  return () =>
    (noise * Array.from({ length: 12 }, () => chance.below(1000)).reduce((sum, one) => sum + one, -5994)) /
    1000
}
