import type { SheetKind } from '../src/reports/rules/report.ts'

/** The home that a scene is drawn in: its colours, its wall and its car. */
type Home = {
  wall: readonly [light: string, dark: string]
  courses: boolean
  floor: readonly [near: string, far: string]
  door: string
  car: readonly [light: string, body: string, dark: string]
  number: string
  meter: string
}

const homes: readonly Home[] = [
  {
    wall: ['#e9dcc6', '#cbb797'],
    courses: false,
    floor: ['#9a938a', '#7d766e'],
    door: '#6d4a30',
    car: ['#f6f8f9', '#d9dfe2', '#a2abb0'],
    number: '214',
    meter: '7K48X2',
  },
  {
    wall: ['#c9ccca', '#a7acaa'],
    courses: true,
    floor: ['#8b8f92', '#6d7174'],
    door: '#35404a',
    car: ['#5f86b8', '#3d659a', '#27456d'],
    number: '37',
    meter: '4P19L7',
  },
  {
    wall: ['#dfb69b', '#bd8f72'],
    courses: false,
    floor: ['#a58d7b', '#85705f'],
    door: '#2f5a4d',
    car: ['#59605f', '#3a4140', '#222726'],
    number: '108-B',
    meter: '9R52D3',
  },
]

/** How many homes there are to draw; a scene takes its home by the remainder. */
export const homeCount = homes.length

/**
 * A scene of 1280 × 960 as SVG: what the photo of a slot shows, at one of the homes. What is transparent says so by its
 * fill or stroke, and light falls straight: groups and round gradients take twice the time to draw, and a first start
 * draws sixty scenes.
 */
export function sceneOf(kind: SheetKind, slot: string, of: number): string {
  const home = homes[of % homes.length]!
  const draw = scenes[kind][slot] ?? ((one: Home) => room(one) + charger(800, 470, 1))
  return framed(draw(home))
}

/** The picture of a finished installation that the public page shows. */
export const finishedScene = (): string => framed(finished(homes[0]!, true))

const whole = { x: 0, y: 0, w: 1600, h: 1200 }

const framed = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="960" viewBox="0 0 1600 1200">${defs}${content}${box(whole, 'url(#across)')}${box(whole, 'url(#down)')}</svg>`

const gradient = (id: string, from: string, to: string, across = false) =>
  `<linearGradient id="${id}" x2="${across ? 1 : 0}" y2="${across ? 0 : 1}"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

/** Darkens two sides towards their edges. */
const edges = (id: string, x2: number, y2: number) =>
  `<linearGradient id="${id}" x2="${x2}" y2="${y2}"><stop stop-color="#000" stop-opacity=".17"/><stop offset=".3" stop-color="#000" stop-opacity="0"/><stop offset=".7" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".17"/></linearGradient>`

const defs = `<defs>
${gradient('sky', '#7fb2dd', '#e6eff3')}${gradient('steel', '#eef0f0', '#b4b9ba', true)}${gradient('box', '#fdfdfc', '#cfd4d3')}
${gradient('ink', '#3b4245', '#17191b')}${gradient('glass', '#d6e3e6', '#6f8288')}${gradient('pipe', '#d2d6d7', '#7c8386')}
${gradient('trunk', '#8a8378', '#b9b2a6', true)}${gradient('window', '#3f5663', '#8fa9b4')}
${edges('across', 1, 0)}${edges('down', 0, 1)}
<linearGradient id="sun" x2=".6" y2=".8"><stop stop-color="#fff6dc" stop-opacity=".5"/><stop offset="1" stop-color="#fff6dc" stop-opacity="0"/></linearGradient>
<radialGradient id="glow"><stop stop-color="#5cf0b4" stop-opacity=".9"/><stop offset="1" stop-color="#5cf0b4" stop-opacity="0"/></radialGradient>
<radialGradient id="dark"><stop stop-color="#000" stop-opacity=".6"/><stop offset=".6" stop-color="#000" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs>`

type Size = { x: number; y: number; w: number; h: number; r?: number }

const box = ({ x, y, w, h, r = 0 }: Size, fill: string, more = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}" ${more}/>`
const words = (x: number, y: number, size: number, text: string, fill = '#1d2224', more = '') =>
  `<text x="${x}" y="${y}" font-family="DejaVu Sans, sans-serif" font-size="${size}" fill="${fill}" ${more}>${text}</text>`
const line = (d: string, stroke: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`
/** A soft shadow to the lower right: layers, since a blur takes a second of drawing. */
const shadow = ({ x, y, w, h }: Size) =>
  [0, 6, 12, 18, 24]
    .map((n) =>
      box(
        { x: x + 18 - n + 12, y: y + 26 - n + 12, w: w + 2 * n - 24, h: h + 2 * n - 24, r: 26 },
        '#000',
        'fill-opacity=".075"',
      ),
    )
    .join('')
const place = (x: number, y: number, scale: number, content: string) =>
  `<g transform="translate(${x} ${y}) scale(${scale})">${content}</g>`
const range = (count: number) => Array.from({ length: count }, (_, n) => n)

/** A wall in daylight, of plaster with its stains or of blocks. */
function wallOf({ wall: [light, dark], courses }: Home, bottom: number): string {
  const joints = courses
    ? range(Math.ceil(bottom / 92)).map((row) => {
        const starts = range(9).map((n) => n * 200 + (row % 2) * 100)
        return starts
          .map((x) =>
            box(
              { x: x + 3, y: row * 92 + 3, w: 194, h: 86, r: 4 },
              '#fff',
              `fill-opacity="${0.05 + ((row * 7 + x) % 5) / 60}"`,
            ),
          )
          .join('')
      })
    : range(26).map((n) =>
        [1, 0.8, 0.6, 0.4]
          .map(
            (size) =>
              `<ellipse cx="${(n * 379) % 1600}" cy="${(n * 211) % bottom}" rx="${size * (110 + (n % 5) * 54)}" ry="${size * (40 + (n % 4) * 28)}" fill="${n % 2 ? '#fff' : '#4a3824'}" fill-opacity=".02"/>`,
          )
          .join(''),
      )
  return `${gradient('wall', light, dark)}${box({ x: 0, y: 0, w: 1600, h: bottom }, 'url(#wall)')}${joints.join('')}`
}

function floorOf({ floor: [near, far] }: Home, top: number): string {
  const tiles = range(9).map((n) =>
    line(`M${800 + (n - 4) * 150} ${top} L${800 + (n - 4) * 520} 1200`, '#000', 3, 'stroke-opacity=".14"'),
  )
  return `${gradient('floor', far, near)}${box({ x: 0, y: top, w: 1600, h: 1200 - top }, 'url(#floor)')}${tiles.join('')}${box({ x: 0, y: top - 26, w: 1600, h: 28 }, '#000', 'fill-opacity=".22"')}`
}

/** A garage: a wall, a floor and light from the left. */
const room = (home: Home, top = 980) => `${wallOf(home, top)}${floorOf(home, top)}${box(whole, 'url(#sun)')}`

/** A wall charger with its lamp, plate and coiled cable; its middle is at the place. */
function charger(x: number, y: number, scale: number, charging = false): string {
  const coil = range(4).map(
    (n) =>
      `<ellipse cx="0" cy="${330 + n * 10}" rx="${150 - n * 16}" ry="${190 - n * 22}" fill="none" stroke="${n % 2 ? '#2a2f31' : '#15181a'}" stroke-width="22"/>`,
  )
  return place(
    x,
    y,
    scale,
    `${shadow({ x: -120, y: -170, w: 240, h: 340 })}${charging ? '' : coil.join('')}${box({ x: -120, y: -170, w: 240, h: 340, r: 46 }, 'url(#box)')}${box({ x: -96, y: -146, w: 192, h: 292, r: 34 }, 'url(#ink)')}${box({ x: -84, y: -136, w: 70, h: 270, r: 26 }, '#fff', 'fill-opacity=".07"')}
<circle r="92" cy="-40" fill="url(#glow)" fill-opacity="${charging ? 0.9 : 0.45}"/><circle r="46" cy="-40" fill="none" stroke="#5cf0b4" stroke-width="9"/><path d="M6-70-20-34H0L-6-10 20-46H2z" fill="#eafff6"/>${box({ x: -46, y: 70, w: 92, h: 44, r: 8 }, '#e8ebea')}${words(-32, 99, 22, '7 kW')}`,
  )
}

/** A meter of the utility in its socket, with its number. */
const meter = (x: number, y: number, scale: number, { meter: number }: Home) =>
  place(
    x,
    y,
    scale,
    `${shadow({ x: -170, y: -230, w: 340, h: 480 })}${box({ x: -170, y: -230, w: 340, h: 480, r: 18 }, 'url(#steel)')}${box({ x: -150, y: 120, w: 300, h: 108, r: 10 }, '#000', 'fill-opacity=".07"')}<circle r="150" cy="-50" fill="#8e979a"/><circle r="136" cy="-50" fill="url(#glass)"/><circle r="118" cy="-50" fill="#e8edec"/>${box({ x: -82, y: -110, w: 164, h: 60, r: 6 }, '#2d3534')}${words(-70, -66, 44, '04 718', '#c9e8a8')}${words(-66, -8, 30, number, '#1d2224', 'font-weight="700"')}${words(-58, 26, 20, 'kWh 3F 4H')}${line('M-90-140 Q-20-190 70-160', '#fff', 12, 'stroke-opacity=".55"')}<circle cx="0" cy="176" r="15" fill="#b53a2c"/>`,
  )

/** A load centre, its door closed or its breakers to be counted; the last one of them may be labelled. */
function panel(x: number, y: number, scale: number, look: 'plain' | 'closed' | 'open' | 'labelled'): string {
  const base = `${shadow({ x: -210, y: -280, w: 420, h: 560 })}${box({ x: -210, y: -280, w: 420, h: 560, r: 12 }, 'url(#steel)')}`
  if (look === 'plain' || look === 'closed')
    return place(
      x,
      y,
      scale,
      `${base}${box({ x: -186, y: -256, w: 372, h: 512, r: 8 }, '#fff', 'fill-opacity=".35"')}${box({ x: 140, y: -24, w: 22, h: 60, r: 6 }, '#5b6264')}${words(-160, -190, 34, look === 'plain' ? '' : 'SQUARE D', '#3b4245', 'font-weight="700"')}<path d="M-150 170 l34-58 34 58z" fill="#f0b429"/>${words(-122, 164, 34, '!', '#1d2224', 'font-weight="700"')}`,
    )
  const breakers = range(12).map((n) => {
    const [left, row] = [n % 2 === 0, Math.floor(n / 2)]
    if (n > 7 && !(look === 'labelled' && n === 8))
      return box({ x: left ? -128 : 8, y: -150 + row * 62, w: 120, h: 52, r: 5 }, '#c6cbcc')
    const [bx, by] = [left ? -128 : 8, -150 + row * 62]
    return `${box({ x: bx, y: by, w: 120, h: 52, r: 5 }, 'url(#ink)')}${box({ x: bx + (left ? 74 : 12), y: by + 12, w: 34, h: 28, r: 4 }, n === 8 ? '#2fae7d' : '#eceeed')}${words(bx + (left ? 16 : 58), by + 34, 22, n === 8 ? '40' : n === 0 ? '70' : n % 3 ? '20' : '15', '#fff')}${line(`M${left ? bx : bx + 120} ${by + 26} q${left ? -34 : 34} ${6 + row * 3} ${left ? -44 : 44} ${130 - row * 18}`, n % 3 ? '#b5322a' : '#1f2426', 8)}`
  })
  const tag =
    look === 'labelled'
      ? `${box({ x: -196, y: 146, w: 214, h: 52, r: 4 }, '#fff7d6')}${words(-182, 182, 30, 'CARGADOR', '#1d2224', 'font-weight="700"')}`
      : ''
  return place(
    x,
    y,
    scale,
    `${base}${box({ x: -190, y: -260, w: 380, h: 520, r: 6 }, '#7f878a')}${box({ x: -176, y: -246, w: 352, h: 492, r: 4 }, '#99a1a4')}${breakers.join('')}${line('M-150 236 H150', '#c98b2f', 16)}${tag}`,
  )
}

/** Conduit along a path, with a clamp at each place. */
const conduit = (d: string, clamps: readonly (readonly [number, number])[] = []) =>
  `${[52, 44, 36].map((width) => line(d, '#000', width, 'stroke-opacity=".09" transform="translate(10 14)"')).join('')}${line(d, '#868d90', 36)}${line(d, '#cdd2d3', 20)}${line(d, '#f4f6f6', 6)}${clamps.map(([x, y]) => `${box({ x: x - 36, y: y - 15, w: 72, h: 30, r: 6 }, '#a1a8aa')}<circle cx="${x - 26}" cy="${y}" r="5" fill="#4a5052"/><circle cx="${x + 26}" cy="${y}" r="5" fill="#4a5052"/>`).join('')}`

/** A hatchback from its side, its charging port to the left when it is plugged in. */
function car(x: number, y: number, scale: number, { car: [light, body, dark] }: Home): string {
  const wheel = (at: number) =>
    `<circle cx="${at}" cy="150" r="88" fill="#15181a"/><circle cx="${at}" cy="150" r="58" fill="#9aa2a5"/><circle cx="${at}" cy="150" r="52" fill="#cfd5d7"/>${range(
      5,
    )
      .map((n) =>
        line(
          `M${at} 150 L${(at + 50 * Math.cos((n * 2 * Math.PI) / 5)).toFixed(0)} ${(150 + 50 * Math.sin((n * 2 * Math.PI) / 5)).toFixed(0)}`,
          '#7c8588',
          11,
        ),
      )
      .join('')}<circle cx="${at}" cy="150" r="13" fill="#565e61"/>`
  return place(
    x,
    y,
    scale,
    `${gradient('paint', light, dark)}<ellipse cx="520" cy="236" rx="560" ry="34" fill="url(#dark)"/><path d="M10 140 C0 60 40 20 150 4 C230-90 330-140 500-140 C660-140 740-90 820-10 C930 6 1020 40 1034 110 C1040 160 1030 186 1000 190 L60 190 C24 186 14 170 10 140Z" fill="url(#paint)"/><path d="M40 96 C300 70 760 70 1030 110 L1034 140 C760 104 300 104 12 140Z" fill="${body}" fill-opacity=".65"/><path d="M206 0 C270-76 350-112 480-114 V0Z" fill="url(#window)"/><path d="M504-114 C620-110 690-76 756 0 H504Z" fill="url(#window)"/><path d="M300-76 L250 0 M620-92 L690 0" stroke="#fff" stroke-width="9" stroke-opacity=".3"/>${line('M492 6 V176', dark, 5, 'stroke-opacity=".6"')}${line('M560 36 h70 M300 36 h70', dark, 11, 'stroke-opacity=".7"')}<path d="M970 62 q48 8 56 40 l-66-8z" fill="#fff7df"/><path d="M16 88 q18-34 60-38 l-14 46z" fill="#b7271f"/><circle cx="150" cy="46" r="27" fill="${dark}"/><circle cx="150" cy="46" r="17" fill="#1a1d1f"/>${wheel(230)}${wheel(826)}`,
  )
}

const facade = (home: Home) => {
  const sign = `${box({ x: 690, y: 470, w: 150, h: 84, r: 8 }, '#1f3a5f')}${words(765, 530, 52, home.number, '#fff', 'text-anchor="middle" font-weight="700"')}`
  const bars = range(11).map((n) => line(`M${952 + n * 46} 560 V960`, '#1e2324', 12))
  return `${box({ x: 0, y: 0, w: 1600, h: 700 }, 'url(#sky)')}<g transform="translate(0 180)">${wallOf(home, 820)}</g>${box({ x: 0, y: 160, w: 1600, h: 46 }, home.wall[1])}${box({ x: 120, y: 330, w: 430, h: 250, r: 8 }, 'url(#window)')}${line('M335 330 V580 M120 455 H550', '#e9ecec', 14)}${box({ x: 610, y: 600, w: 240, h: 400, r: 6 }, home.door)}<circle cx="820" cy="810" r="13" fill="#d8b45a"/>${box({ x: 930, y: 540, w: 520, h: 460, r: 6 }, '#40484a')}${bars.join('')}${line('M930 760 H1450', '#1e2324', 16)}${sign}${floorOf(home, 1000)}${box(whole, 'url(#sun)')}${[70, 470].map((x) => `<circle cx="${x}" cy="930" r="84" fill="#4b7a43"/><circle cx="${x + 50}" cy="890" r="62" fill="#5d9152"/>`).join('')}`
}

const street = (home: Home) =>
  `${box({ x: 0, y: 0, w: 1600, h: 1000 }, 'url(#sky)')}<g transform="translate(860 430) scale(.5)">${facadeWall(home)}</g>${floorOf(home, 980)}${box({ x: 430, y: 60, w: 66, h: 1000, r: 10 }, 'url(#trunk)')}${box({ x: 270, y: 150, w: 390, h: 26 }, '#6a6257')}${[300, 400, 530, 630].map((x) => box({ x, y: 112, w: 22, h: 44, r: 8 }, '#7e3b2c')).join('')}${[0, 30, 60].map((n) => line(`M0 ${90 + n} Q230 ${170 + n} 460 ${140 + n * 0.4} T1600 ${230 + n}`, '#23282a', 6)).join('')}${box({ x: 500, y: 230, w: 130, h: 190, r: 22 }, '#878f92')}${line('M470 400 Q900 560 1060 560', '#23282a', 7)}`

const facadeWall = (home: Home) =>
  `${wallOf(home, 1100)}${box({ x: 220, y: 200, w: 380, h: 260 }, 'url(#window)')}${box({ x: 760, y: 500, w: 300, h: 600 }, home.door)}`

const bill = () => {
  const rows = [
    'Periodo facturado',
    'Lectura actual',
    'Lectura anterior',
    'Consumo en kWh',
    'Energía',
    'IVA 16 %',
    'Apoyo gubernamental',
  ]
  return `${box({ x: 0, y: 0, w: 1600, h: 1200 }, '#7b5b3f')}${range(14)
    .map((n) =>
      line(
        `M0 ${n * 90 + 20} Q800 ${n * 90 + ((n % 3) - 1) * 26} 1600 ${n * 90 + 24}`,
        '#4f3826',
        4,
        'stroke-opacity=".5"',
      ),
    )
    .join(
      '',
    )}<g transform="rotate(-4 800 600)">${shadow({ x: 380, y: 60, w: 840, h: 1080 })}${box({ x: 380, y: 60, w: 840, h: 1080 }, '#fbfbf8')}${box({ x: 380, y: 60, w: 840, h: 110 }, '#0a7a4f')}${words(430, 134, 56, 'Recibo de luz · MUESTRA', '#fff', 'font-weight="700"')}${words(430, 240, 34, 'NO. DE SERVICIO', '#50585a')}${words(430, 296, 46, '000 000 000 000', '#1d2224', 'font-weight="700"')}${words(960, 240, 34, 'TARIFA', '#50585a')}${words(960, 296, 46, 'DAC', '#1d2224', 'font-weight="700"')}${rows.map((row, n) => `${words(430, 400 + n * 56, 30, row, '#3b4245')}${box({ x: 980, y: 376 + n * 56, w: 130 + ((n * 37) % 70), h: 24 }, '#dfe3e2')}`).join('')}${range(
    12,
  )
    .map((n) =>
      box(
        { x: 440 + n * 60, y: 1040 - 60 - ((n * 53) % 150), w: 38, h: 60 + ((n * 53) % 150) },
        n === 11 ? '#0a7a4f' : '#a9cfc0',
      ),
    )
    .join('')}</g>`
}

/** The charger at work: panel, conduit and car. */
const finished = (home: Home, charging: boolean) =>
  `${room(home)}${panel(250, 470, 0.7, 'plain')}${conduit('M250 670 V800 H640 V600', [
    [250, 730],
    [420, 800],
    [560, 800],
  ])}${charger(640, 440, 1, charging)}${car(720, 830, 0.86, home)}${charging ? line('M640 610 C640 900 800 980 848 872', '#15181a', 20) : ''}`

const closeUp = (home: Home, content: string) => `${wallOf(home, 1200)}${box(whole, 'url(#sun)')}${content}`

const plate = () =>
  `${box({ x: 0, y: 0, w: 1600, h: 1200 }, 'url(#ink)')}${box({ x: 250, y: 250, w: 1100, h: 700, r: 18 }, 'url(#steel)')}${words(330, 370, 64, 'Wallbox Pulsar', '#1d2224', 'font-weight="700"')}${['220-240 V~  60 Hz', '32 A  7 kW  IP54', 'S/N  WB-2026-1042'].map((row, n) => words(330, 490 + n * 90, 54, row)).join('')}${range(
    46,
  )
    .map((n) => box({ x: 330 + n * 15, y: 770, w: 3 + ((n * 7) % 4) * 3, h: 110 }, '#1d2224'))
    .join(
      '',
    )}<path d="M1150 700 l60-104 60 104z" fill="#f0b429"/>${words(1198, 688, 54, '!', '#1d2224', 'font-weight="700"')}`

/** A measuring instrument with what it shows. */
const instrument = (value: string, unit: string) =>
  `${shadow({ x: 860, y: 180, w: 480, h: 860 })}${box({ x: 860, y: 180, w: 480, h: 860, r: 60 }, '#e2a11a')}${box({ x: 900, y: 230, w: 400, h: 790, r: 40 }, '#2b3032')}${box({ x: 950, y: 290, w: 300, h: 170, r: 12 }, '#c3d0bd')}${words(975, 415, 108, value, '#1b211c', 'font-weight="700"')}${words(1180, 330, 34, unit)}<circle cx="1100" cy="680" r="130" fill="#15181a"/>${line('M1100 680 L1180 600', '#fff', 16)}${[980, 1100, 1220].map((x, n) => `<circle cx="${x}" cy="930" r="34" fill="${n === 1 ? '#151819' : '#b5322a'}"/>`).join('')}`

const dial = (home: Home) => `${room(home, 1080)}${charger(420, 480, 1.15, true)}${instrument('31.8', 'A~')}`

const reading = (value: string, unit: string) => (home: Home) =>
  `${room(home, 1080)}${instrument(value, unit)}`

const entrance = (home: Home) =>
  closeUp(
    home,
    `${conduit('M1000 0 V520', [
      [1000, 120],
      [1000, 360],
    ])}${line('M0 70 Q500 210 980 40', '#23282a', 16)}${line('M0 110 Q500 250 990 70', '#23282a', 12)}${meter(1000, 760, 1.1, home)}`,
  )

const scenes: Record<SheetKind, Record<string, (home: Home) => string>> = {
  visit: {
    facade,
    meter: (home) => closeUp(home, meter(800, 620, 2.1, home)),
    service_entrance: entrance,
    pole: street,
    panel_closed: (home) => closeUp(home, panel(800, 600, 1.7, 'closed')),
    panel_open: (home) => closeUp(home, panel(800, 600, 1.8, 'open')),
    main_breaker: (home) => closeUp(home, panel(1050, 1160, 3.4, 'open')),
    feeder: (home) => closeUp(home, panel(1050, 820, 3.4, 'open')),
    charger_place: (home) =>
      `${room(home)}${line('M700 320 H900 V660 H700Z', '#d9352a', 8, 'stroke-dasharray="26 22"')}${panel(260, 520, 0.6, 'closed')}`,
    route_1: (home) =>
      `${room(home)}${meter(330, 460, 0.8, home)}${panel(860, 480, 0.72, 'closed')}${conduit('M466 420 H700', [[590, 420]])}${line('M1020 560 H1560', '#d9352a', 9, 'stroke-dasharray="30 24"')}`,
    route_2: (home) =>
      `${room(home)}${line('M40 560 H760 V700', '#d9352a', 9, 'stroke-dasharray="30 24"')}${box({ x: 1080, y: 560, w: 380, h: 430, r: 10 }, '#6f5138')}${range(
        5,
      )
        .map(
          (n) =>
            `<circle cx="${1110 + n * 80}" cy="${540 - (n % 2) * 40}" r="88" fill="${n % 2 ? '#5d9152' : '#4b7a43'}"/>`,
        )
        .join('')}`,
    parking: (home) =>
      `${room(home, 820)}${line('M120 1200 L420 830 M1480 1200 L1180 830', '#f2d04b', 18)}${car(330, 900, 0.9, home)}`,
    cfe_bill: bill,
  },
  installation: {
    before: (home) =>
      `${room(home)}${panel(260, 520, 0.7, 'closed')}${box({ x: 1090, y: 690, w: 330, h: 290, r: 8 }, '#a67c4e')}${box({ x: 1130, y: 560, w: 260, h: 134, r: 8 }, '#b98d5c')}`,
    route: (home) =>
      `${room(home)}${meter(210, 420, 0.6, home)}${panel(560, 440, 0.6, 'closed')}${conduit('M330 420 H430', [])}${conduit(
        'M690 440 H1040 V640 H1250',
        [
          [800, 440],
          [1040, 560],
        ],
      )}${charger(1370, 560, 0.75)}`,
    conduit: (home) =>
      closeUp(
        home,
        conduit('M0 420 H900 Q1010 420 1010 530 V1200', [
          [260, 420],
          [620, 420],
          [1010, 720],
          [1010, 1000],
        ]),
      ),
    panel_open: (home) => closeUp(home, panel(800, 600, 1.8, 'labelled')),
    breaker_label: (home) => closeUp(home, panel(1010, 300, 3.2, 'labelled')),
    charger_mounted: (home) =>
      `${room(home)}${conduit('M800 0 V330', [
        [800, 110],
        [800, 240],
      ])}${charger(800, 500, 1.35)}`,
    serial_number: plate,
    limit_setting: () => `${plate()}${charger(800, 500, 0.9)}`,
    limit_label: (home) => `${dial(home)}${charger(800, 500, 0.9)}`,
    reading_neutral: reading('0.5', 'V~'),
    reading_insulation: reading('250', 'MΩ'),
    reading_ground: reading('7.5', 'Ω'),
    reading_differential: reading('OK', 'mA'),
    load_test: dial,
    clean_area: (home) => finished(home, true),
  },
}
