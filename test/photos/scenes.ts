import { dice } from '../kit/dice.ts'
import { box, bricks, each, high, plaster, rough, svg, text, wide, wire } from './paint.ts'

type Scene = {
  svg: string
  /** Where it is brightest, as parts of the picture. */
  lamp: [number, number]
}

/** A load centre with its door off: breakers with their amperes, conductors, the hand-written list of circuits. */
export function panel(): Scene {
  const chance = dice(11)
  const names = ['Cocina', 'Recámaras', 'Lavadora', 'Contactos', 'Bomba', 'Sala', 'Cochera', 'Reserva']
  const breaker = (at: number) => {
    const [x, y] = [450 + (at % 2) * 190, 250 + Math.floor(at / 2) * 118]
    const amperes = chance.oneOf(['1P 15A', '1P 20A', '2P 30A', '2P 40A'])
    return [
      box(x, y, 180, 108, '#26282b', 'rx="5" stroke="#0c0d0e" stroke-width="3"'),
      box(x + 60, y + 26, 58, 52, '#0f1011', 'rx="4"'),
      box(x + (at % 2 ? 64 : 90), y + 30, 24, 44, '#3d4044', 'rx="3" stroke="#60656a"'),
      text(x + 10, y + 22, 17, amperes, '#e9e9e4'),
      text(x + 126, y + 50, 13, 'ON', '#d8d8d2'),
      text(x + 10, y + 98, 12, 'QO · 120/240V~ · 10kA', '#b9bab5'),
      `<circle cx="${x + 30}" cy="${y + 54}" r="11" fill="#a9a79c" stroke="#55534c" stroke-width="2"/><path d="M${x + 22},${y + 54}h16" stroke="#4a4840" stroke-width="3"/>`,
    ].join('')
  }
  const wires = each(14, (at) =>
    wire(
      chance.oneOf(['#1d1d1f', '#b0231c', '#1d5fa8', '#e8e6de', '#2f7d3b']),
      [at < 7 ? 445 : 830, 290 + (at % 7) * 66],
      [(at < 7 ? 330 : 900) + chance.below(60), at % 3 ? 800 : 190],
      at < 7 ? -40 : 40,
    ),
  )
  const list = names.map((name, at) =>
    text(1040, 330 + at * 44, 24, `${at + 1}. ${name}`, '#26408f', 'font-style="italic"'),
  )
  const body = [
    box(0, 0, wide, high, '#b9b2a3'),
    rough('wall'),
    box(290, 120, 700, 740, '#8f959a', 'rx="8" stroke="#5d6266" stroke-width="6"'),
    box(318, 148, 644, 684, '#c9cdd0', 'stroke="#777c80" stroke-width="2"'),
    ...wires,
    ...each(8, breaker),
    box(420, 770, 440, 34, '#b98d4f', 'stroke="#6f5227"'),
    ...each(
      12,
      (at) =>
        `<circle cx="${440 + at * 36}" cy="787" r="9" fill="#d9c59a" stroke="#6f5227" stroke-width="2"/>`,
    ),
    text(430, 200, 26, 'SQUARE-LINE', '#2f3336', 'font-weight="bold"'),
    text(430, 226, 14, 'Centro de carga 8 polos · 100 A · 1F 3H · 120/240 V~ · NMX-J-118', '#3c4043'),
    box(1010, 270, 230, 420, '#efe9d8', 'stroke="#bdb59d" stroke-width="2" transform="rotate(2 1120 480)"'),
    ...list,
  ]
  return { svg: svg(plaster('wall', 4, 0.9), body.join('')), lamp: [0.6, 0.35] }
}

/** A CFE meter behind its glass on a brick wall: the reading, its number, bars and seals. */
export function meter(): Scene {
  const chance = dice(23)
  const bars = each(64, (at) => box(500 + at * 4.4, 640, 1 + chance.below(3), 44, '#111'))
  const body = [
    box(0, 0, wide, high, '#8d8478'),
    bricks(chance, ['#9b4f38', '#a65a41', '#8c4531', '#b0684d', '#94503c'], 168, 66),
    rough('wall'),
    box(600, 0, 64, 190, '#9ea3a6', 'stroke="#5f6467" stroke-width="3"'),
    box(390, 170, 500, 640, '#a9aeb0', 'rx="16" stroke="#64696b" stroke-width="6"'),
    '<circle cx="640" cy="480" r="240" fill="#c4c9ca" stroke="#5b6062" stroke-width="14"/><circle cx="640" cy="480" r="216" fill="#e8e9e4" stroke="#a6aaa9" stroke-width="3"/>',
    box(510, 350, 260, 84, '#2b3330', 'rx="6"'),
    box(520, 360, 240, 64, '#aebd9f'),
    text(532, 414, 54, '04872', '#17211a', 'font-weight="bold" letter-spacing="8"'),
    text(566, 334, 26, 'CFE', '#0d6b41', 'font-weight="bold"'),
    text(640, 334, 18, 'kWh', '#222'),
    text(478, 468, 15, 'Medidor monofásico CL100 240 V 3H 60 Hz', '#2b2b2b'),
    ...each(
      4,
      (at) =>
        `<circle cx="${540 + at * 66}" cy="525" r="26" fill="#f4f4ef" stroke="#333" stroke-width="2"/><path d="M${540 + at * 66},525l${14 - at * 8},-18" stroke="#b3261e" stroke-width="3"/>${text(531 + at * 66, 508, 10, '0')}`,
    ),
    text(500, 625, 40, 'No. 7R4K82', '#121212', 'font-weight="bold"'),
    ...bars,
    `<path d="M470,330 A240,240 0 0 1 640,262" stroke="#ffffffaa" stroke-width="16" fill="none"/>`,
    text(420, 780, 22, 'PELIGRO · ALTA TENSIÓN', '#b3261e', 'font-weight="bold"'),
    box(780, 744, 40, 46, '#c9a53c', 'rx="6" stroke="#7a6017" stroke-width="3"'),
  ]
  return { svg: svg(plaster('wall', 9, 1), body.join('')), lamp: [0.5, 0.45] }
}

/** The place of the charger: a painted wall of a garage with a contact, a conduit, tiles and little else. */
export function garage(): Scene {
  const chance = dice(37)
  const tiles = each(
    9,
    (at) => `<path d="M${-300 + at * 220},960 L${330 + at * 78},700" stroke="#6e6a63" stroke-width="4"/>`,
  )
  const specks = each(
    420,
    () =>
      `<circle cx="${chance.below(wide)}" cy="${700 + chance.below(260)}" r="${1 + chance.below(3)}" fill="${chance.oneOf(['#5f5b54', '#b0aca3', '#85807a'])}"/>`,
  )
  const body = [
    box(0, 0, wide, high, '#d3d0c4'),
    rough('wall'),
    box(0, 560, wide, 140, '#7b8f8a'),
    rough('paint', 0, 560, wide, 140),
    box(0, 556, wide, 6, '#e6c33c'),
    box(0, 700, wide, 260, '#98938a'),
    ...tiles,
    ...each(4, (at) => box(0, 722 + at * at * 17, wide, 4, '#6e6a63')),
    ...specks,
    box(286, 0, 22, 330, '#8e9497', 'stroke="#53585a" stroke-width="2"'),
    ...each(3, (at) => box(278, 60 + at * 110, 38, 12, '#6d7376', 'stroke="#3f4446"')),
    box(236, 320, 122, 150, '#dfe1df', 'rx="8" stroke="#7e8382" stroke-width="4"'),
    box(262, 350, 70, 90, '#f5f5f1', 'stroke="#999"'),
    ...each(2, (at) => box(278, 366 + at * 38, 8, 18, '#222') + box(308, 366 + at * 38, 8, 18, '#222')),
    text(240, 500, 17, '127 V', '#444'),
    '<path d="M720,120 l36,-14 10,26 -18,40 22,60 -12,70" stroke="#8a867b" stroke-width="3" fill="none"/>',
    box(640, 250, 260, 330, 'none', 'stroke="#c02f25" stroke-width="6" stroke-dasharray="26 12"'),
    text(668, 300, 26, 'CARGADOR', '#c02f25', 'font-weight="bold"'),
    text(668, 334, 22, '↕ 1.20 m', '#c02f25'),
    '<path d="M940,960 C950,800 1010,690 1120,660 L1280,648 L1280,960 Z" fill="#20303f"/><path d="M1010,790 C1030,740 1090,700 1280,690" stroke="#7d93a6" stroke-width="7" fill="none"/><circle cx="1150" cy="930" r="96" fill="#17191b" stroke="#9aa0a4" stroke-width="10"/>',
    box(1060, 790, 92, 34, '#f3f3ee', 'rx="4" stroke="#333" stroke-width="2"'),
    text(1066, 816, 22, 'NKT-74', '#14532d', 'font-weight="bold"'),
  ]
  return { svg: svg(plaster('wall', 15, 0.6) + plaster('paint', 21, 0.8), body.join('')), lamp: [0.45, 0.4] }
}

/** A house from across the street: gate, window bars, number, tree, the pole and its lines. */
export function facade(): Scene {
  const chance = dice(53)
  const leaves = each(900, () => {
    const [x, y] = [1010 + chance.below(270), 210 + chance.below(330)]
    return `<ellipse cx="${x}" cy="${y}" rx="${5 + chance.below(9)}" ry="${3 + chance.below(5)}" fill="${chance.oneOf(['#2f5a2c', '#47763a', '#648f4c', '#23431f'])}" transform="rotate(${chance.below(180)} ${x} ${y})"/>`
  })
  const window = (x: number, y: number) =>
    box(x, y, 150, 120, '#34424d', 'stroke="#e3ddcf" stroke-width="10"') +
    each(7, (at) => box(x + 12 + at * 20, y, 4, 120, '#1a1a1a')).join('') +
    `<path d="M${x + 8},${y + 90} l60,-80" stroke="#8fa4b3" stroke-width="8"/>`
  const body = [
    box(0, 0, wide, high, '#a9c3dc'),
    '<path d="M0,470 L220,400 L520,440 L860,380 L1280,450 L1280,760 L0,760 Z" fill="#8b9a86"/>',
    '<ellipse cx="300" cy="90" rx="240" ry="46" fill="#dbe6ef"/><ellipse cx="520" cy="130" rx="180" ry="30" fill="#cfdde9"/>',
    box(180, 190, 800, 560, '#c98f5e'),
    rough('wall', 180, 190, 800, 560),
    box(160, 170, 840, 34, '#8c4d36'),
    window(250, 260),
    window(480, 260),
    window(740, 260),
    box(240, 470, 400, 280, '#3b3f42'),
    ...each(25, (at) => box(246 + at * 16, 474, 5, 272, at % 2 ? '#60666a' : '#24282a')),
    box(720, 480, 150, 270, '#5b3a26', 'stroke="#2f1d12" stroke-width="6"'),
    box(890, 540, 70, 110, '#a9aeb0', 'stroke="#555" stroke-width="4"'),
    '<circle cx="925" cy="585" r="24" fill="#e8e9e4" stroke="#444" stroke-width="3"/>',
    text(652, 540, 30, '128', '#f4efe2', 'font-weight="bold"'),
    box(1100, 520, 40, 230, '#5a4630'),
    ...leaves,
    box(90, 0, 30, 750, '#7d7971', 'stroke="#57534c" stroke-width="2"'),
    box(30, 90, 150, 14, '#5e5a53'),
    ...each(
      4,
      (at) =>
        `<path d="M${40 + at * 42},92 C400,${150 + at * 14} 900,${60 + at * 16} 1280,${40 + at * 30}" stroke="#2b2b2b" stroke-width="3" fill="none"/>`,
    ),
    '<path d="M120,110 C400,220 700,260 925,540" stroke="#222" stroke-width="4" fill="none"/>',
    box(0, 750, wide, 60, '#a39e95'),
    box(0, 806, wide, 154, '#56575a'),
    rough('street', 0, 750, wide, 210),
    ...each(7, (at) => box(40 + at * 190, 876, 96, 10, '#d8cf9c')),
  ]
  return { svg: svg(plaster('wall', 31, 0.8) + plaster('street', 42, 1.2), body.join('')), lamp: [0.3, 0.2] }
}
