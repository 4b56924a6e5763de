import type { Dice } from '../kit/dice.ts'

/** The size of a scene, in pixels. */
export const [wide, high] = [1280, 960]

export const text = (x: number, y: number, size: number, words: string, fill = '#1c1c1c', more = '') =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-family="DejaVu Sans" ${more}>${words}</text>`
export const box = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
export const each = <Item>(count: number, draw: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => draw(at))

/** A wall of plaster: large stains under a fine grain, as cloudy noise, `depth` deep. */
export const plaster = (id: string, seed: number, depth: number) => `
  <filter id="${id}" x="0" y="0" width="100%" height="100%">
    <feTurbulence type="fractalNoise" baseFrequency="0.006 0.009" numOctaves="3" seed="${seed}" result="stain"/>
    <feTurbulence type="fractalNoise" baseFrequency="0.22" numOctaves="3" seed="${seed + 1}" result="grain"/>
    <feComposite in="stain" in2="grain" operator="arithmetic" k1="0" k2="0.5" k3="0.5" k4="0"/>
    <feColorMatrix values="0 0 0 0 0.1  0 0 0 0 0.08  0 0 0 0 0.06  ${2 * depth} ${depth} 0 0 ${-1.15 * depth}"/>
  </filter>`
export const rough = (id: string, x = 0, y = 0, width = wide, height = high) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" filter="url(#${id})"/>`

export const svg = (defs: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}"><defs>${defs}</defs>${body}</svg>`

export function bricks(chance: Dice, colours: readonly string[], width: number, height: number): string {
  const rows = each(Math.ceil(high / height), (row) =>
    each(Math.ceil(wide / width) + 1, (column) =>
      box(
        column * width - (row % 2) * (width / 2) + chance.below(3),
        row * height + chance.below(3),
        width - 6,
        height - 6,
        chance.oneOf(colours),
      ),
    ).join(''),
  )
  return rows.join('')
}

export const wire = (colour: string, from: [number, number], to: [number, number], bend: number) =>
  `<path d="M${from} C${from[0] + bend},${from[1] + 60} ${to[0] - bend},${to[1] - 60} ${to}" stroke="${colour}" stroke-width="7" fill="none"/>
   <path d="M${from[0] - 2},${from[1]} C${from[0] + bend - 2},${from[1] + 60} ${to[0] - bend - 2},${to[1] - 60} ${to[0] - 2},${to[1]}" stroke="#ffffff55" stroke-width="2" fill="none"/>`
