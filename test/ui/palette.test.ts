import { readFileSync } from 'node:fs'

const css = readFileSync('src/app/screens/app.css', 'utf8')

type Palette = Record<string, string>

/** The colours of a block of the style report. */
function coloursOf(head: string): Palette {
  const from = css.indexOf(`${head} {`)
  expect(from, head).toBeGreaterThan(-1)
  const block = css.slice(from, css.indexOf('\n}', from))
  return Object.fromEntries(
    [...block.matchAll(/--color-([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name, value]) => [name!, value!]),
  )
}

const light = coloursOf('@theme')
const dark = coloursOf('@utility dark-palette')
const sun = { ...light, ...coloursOf('@utility sun-palette') }
const darkSun = { ...dark, ...coloursOf('@utility dark-sun-palette') }
const asked = { ...sun, ...coloursOf('@utility contrast-palette') }
const darkAsked = { ...darkSun, ...coloursOf('@utility dark-contrast-palette') }

/** WCAG 2.2, "relative luminance". */
function luminanceOf(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((one) => one + one).join('') : hex.slice(1)
  const partAt = (at: number) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * partAt(0) + 0.7152 * partAt(2) + 0.0722 * partAt(4)
}

function contrastOf(one: string, other: string): number {
  const lights = [luminanceOf(one), luminanceOf(other)]
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
}

const surfaces = ['canvas', 'card', 'hover']
/** Each ink, and the surfaces that it stands on. */
const pairs = [
  ...['ink', 'mute', 'brand', 'wait', 'info', 'bad'].flatMap((ink) => surfaces.map((on) => [ink, on])),
  ...['brand', 'wait', 'info', 'bad'].flatMap((tone) => [
    [tone, `${tone}-soft`],
    ['ink', `${tone}-soft`],
  ]),
  ['mute', 'wait-soft'],
  ...['brand', 'bad'].flatMap((tone) => [
    [`on-${tone}`, tone],
    [`on-${tone}`, `${tone}-strong`],
  ]),
] as [string, string][]

test.each([
  ['light', light, 4.5],
  ['dark', dark, 4.5],
  ['in the sun', sun, 7],
  ['dark in the sun', darkSun, 7],
  ['where more is asked for', asked, 7],
  ['dark where more is asked for', darkAsked, 7],
] as const)('text %s keeps its contrast', (_, palette, least) => {
  const weak = pairs.flatMap(([ink, on]) => {
    const contrast = contrastOf(palette[ink]!, palette[on]!)
    return contrast < least ? [`${ink} on ${on}: ${contrast.toFixed(2)}`] : []
  })
  expect(weak).toEqual([])
})

test('what is drawn, as the edge of a box, keeps 3:1', () => {
  for (const palette of [light, dark, sun, darkSun, asked, darkAsked])
    expect(contrastOf(palette.edge!, palette.card!)).toBeGreaterThan(3)
})

test('where more contrast is asked for, words stand out more than in the sun, and each line keeps 3:1', () => {
  for (const [more, less] of [
    [asked, sun],
    [darkAsked, darkSun],
  ] as const) {
    for (const ink of ['ink', 'mute'])
      expect(contrastOf(more[ink]!, more.card!), ink).toBeGreaterThan(contrastOf(less[ink]!, less.card!))
    for (const on of surfaces) expect(contrastOf(more.line!, more[on]!), on).toBeGreaterThan(3)
  }
})
