import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { facade, garage, meter, panel } from './scenes.ts'
import { exposed, type Light, outOfFocus, shaken } from './spoil.ts'

// Draws the samples again: `node test/photos/draw.ts`. What is measured of them stands in decision 0039.
const scenes = { panel: panel(), meter: meter(), garage: garage(), facade: facade() }
type Name = keyof typeof scenes
type Spoilt = {
  scene: Name
  light?: Partial<Light>
  lens?: Parameters<ReturnType<typeof sharp>['convolve']>[0] | number
}

const samples: Record<string, Spoilt> = {
  'sharp-panel': { scene: 'panel', light: { exposure: 0.5, fallOff: 2.2, noise: 2.5 }, lens: 0.8 },
  'sharp-meter': { scene: 'meter', light: { noise: 1.5 }, lens: 0.7 },
  'sharp-garage': { scene: 'garage', light: { exposure: 0.45, fallOff: 1.6, noise: 3 }, lens: 0.9 },
  'sharp-facade': { scene: 'facade', light: { exposure: 1.15, noise: 1.5 }, lens: 0.8 },
  'blurred-panel': { scene: 'panel', light: { exposure: 0.6, fallOff: 2, noise: 2.5 }, lens: outOfFocus(6) },
  'blurred-meter': {
    scene: 'meter',
    light: { noise: 2 },
    lens: shaken(33, (part) => [part, 0.5 + 0.3 * part]),
  },
  'blurred-garage': { scene: 'garage', light: { exposure: 0.5, fallOff: 1.6, noise: 3 }, lens: 4 },
  'blurred-facade': {
    scene: 'facade',
    light: { noise: 2 },
    lens: shaken(25, (part) => [part, 0.5 + 0.4 * Math.sin(5 * part)]),
  },
  'dark-panel': { scene: 'panel', light: { exposure: 0.03, fallOff: 9, noise: 4 }, lens: 0.9 },
  'dark-meter': { scene: 'meter', light: { exposure: 0.02, fallOff: 3, noise: 3.5 }, lens: 1.1 },
  'dark-garage': { scene: 'garage', light: { exposure: 0.15, fallOff: 60, noise: 3.5 }, lens: 0.9 },
  'dark-facade': { scene: 'facade', light: { exposure: 0.03, fallOff: 2, noise: 4.5 }, lens: 1 },
}

for (const [seed, [name, { scene, light, lens }]] of Object.entries(samples).entries()) {
  const { svg, lamp } = scenes[scene]
  const drawn = sharp(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer())
  const seen = typeof lens === 'number' ? drawn.blur(lens) : lens ? drawn.convolve({ ...lens }) : drawn
  const taken = await exposed(seen, { exposure: 1, fallOff: 0, noise: 4, lamp, seed: seed + 1, ...light })
  await writeFile(path.join(import.meta.dirname, `${name}.jpg`), await compressed(taken))
}

/** As good as it can be in 60 kB. */
async function compressed(picture: Sharp): Promise<Buffer> {
  for (let quality = 74; ; quality -= 3) {
    const file = await picture.clone().jpeg({ quality }).toBuffer()
    if (file.length <= 60_000) return file
  }
}
