import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Document, Font, Page, Text } from '@react-pdf/renderer'
import { createElement } from 'react'
import sharp from 'sharp'
import { type CopiedPages, copyPages } from '../../../src/platform/pdf/copied.ts'
import type {
  Handover,
  LetterBatch,
  LetterPaper,
  Paper,
  PdfPicture,
  QuotePaper,
  ReceiptPaper,
} from '../../../src/platform/pdf/paper.ts'
import { pdfOf } from '../../../src/platform/pdf/pdf.tsx'
import { drawQr } from '../../../src/platform/pdf/qr.ts'
import { taggedPdf } from '../../../src/platform/pdf/tagged.ts'
import { drawnPdf } from '../../documents/samples.ts'
import { picturesOf, readPdf, textOf } from '../../reports/pdf-text.ts'

const issuer = [
  { label: 'Empresa', value: 'Empresa de prueba' },
  { label: 'RFC', value: 'EKU9003173C9' },
  { label: 'Domicilio fiscal', value: 'Calle de prueba 1, Centro, C.P. 42501' },
]
const people = [
  { label: 'Cliente', value: 'Camila Prueba' },
  { label: 'Domicilio', value: 'Calle Ejemplo 12, Villa Coyoacán, 04000 Coyoacán' },
]
const line = (nth: number) => ({
  description: `Partida ${nth} con un nombre que es más largo de lo usual y pasa a otra línea`,
  quantity: '19.5 m',
  unitPrice: '$9,482.76',
  amount: '$184,913.82',
})
const option = (title: string) => ({
  title,
  note: 'Incluye 19.5 m de recorrido.',
  lines: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(line),
  addOns: [line(10)],
  sums: [
    { label: 'Subtotal sin IVA', value: '$1,664,224.38', isTotal: false },
    { label: 'Total con IVA', value: '$1,930,500.28', isTotal: true },
  ],
})
let picture: Omit<PdfPicture, 'label'>
let bill: CopiedPages
beforeAll(async () => {
  bill = (await copyPages(await drawnPdf(), 20)) as CopiedPages
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#7aa' } })
    .webp()
    .toBuffer()
  picture = { taken: 'jueves 26 de noviembre de 2026, 10:36 p. m.', sha256: 'a1b2'.repeat(16), bytes }
})

const letter: LetterPaper = {
  kind: 'letter',
  factsTitle: 'Datos del servicio',
  folio: 'GES-2026-00001',
  brand: 'Carga en Casa',
  title: 'Solicitud: aumento de carga',
  subtitle: 'Ciudad de México, a 26 de noviembre de 2026',
  addressee: ['Comisión Federal de Electricidad', 'Presente'],
  paragraphs: ['Quien suscribe solicita el aumento de la carga contratada.'],
  facts: [{ label: 'Titular', value: 'Camila Prueba' }],
  enclosed: ['Identificación oficial del titular'],
  signatures: [
    { name: 'Camila Prueba', as: 'Firma del titular' },
    { name: 'Gerardo Prueba', as: 'Quien entrega' },
  ],
}

/** Each kind of paper, with everything in it that it may hold. */
const papers: Record<Paper['kind'], () => Paper> = {
  handover: () => ({
    kind: 'handover',
    folio: 'IN-2026-00001',
    brand: 'Carga en Casa',
    day: 'jueves 26 de noviembre de 2026',
    people,
    charger: [
      { label: 'Marca', value: 'Wallbox' },
      { label: 'Calibre instalado', value: '8 AWG' },
    ],
    deviations: ['Se acordó de 40 A y se puso de 50 A.'],
    tests: [
      { label: 'Aislamiento', value: '200 MΩ', limit: 'Lo aceptable es 1 MΩ o más.', passed: true },
      { label: 'Resistencia de tierra', value: '80 Ω', limit: 'Lo aceptable es ≤ 25 Ω.', passed: false },
    ],
    calculation: [{ label: 'Corriente', value: '32 A' }],
    basis: ['Supone 30 °C de ambiente.'],
    walkthrough: [{ label: 'Le enseñé a conectar, cargar y desconectar', value: 'Hecho' }],
    warranty: 'viernes 26 de noviembre de 2027',
    covered: ['Cubre lo que instalamos.'],
    photos: Array.from({ length: 9 }, (_, n) => ({ ...picture, label: `Foto ${n + 1}` })),
    signatures: [
      { ...picture, label: 'Firma del técnico', name: 'Tomás Prueba', credential: 'EC0118, folio D-0000123' },
      { ...picture, label: 'Firma de quien recibe', name: 'Camila Prueba', credential: null, bytes: null },
    ],
    faults: ['Si huele a quemado, baja el interruptor.'],
    issuer,
    proof: {
      link: 'https://carga.example/garantia/01890a5d-ac96-4b5e-9a2f-6d1f0c8f7a11',
      qr: drawQr('https://carga.example/garantia/01890a5d-ac96-4b5e-9a2f-6d1f0c8f7a11'),
    },
  }),
  quote: () => ({
    kind: 'quote',
    folio: 'COT-2026-00001 v2',
    brand: 'Carga en Casa',
    subtitle: 'Versión 2, enviada el jueves 26 de noviembre de 2026.',
    notice: { label: 'Aceptada por Camila Prueba', value: '$1,930,500.28 con IVA' },
    issuer,
    people,
    compared: {
      heads: ['Esencial', 'Recomendada', 'Completa'],
      rows: [
        { label: 'Total con IVA', values: ['$930,500.28', '$1,430,500.28', '$1,930,500.28'], isTotal: true },
        { label: 'Anticipo (50 %)', values: ['$465,250.14', '$715,250.14', '$965,250.14'], isTotal: false },
        { label: 'Protector de sobretensión', values: ['No incluye', '1 pieza', '1 pieza'], isTotal: false },
      ],
    },
    basis:
      'Base técnica: interruptor de 40 A, cable 8 AWG, 22.5 m del tablero al cargador, suministro bifásico 220 V. NOM-001-SEDE-2012.',
    options: [option('Esencial'), option('Recomendada'), option('Completa')],
    terms: [{ title: 'Qué no incluye', lines: ['Obra civil.', 'Pintura.'] }],
    digest: 'c3d4'.repeat(16),
  }),
  receipt: () => ({
    kind: 'receipt',
    folio: 'PAG-2026-00001',
    brand: 'Carga en Casa',
    title: 'Recibo de pago',
    subtitle: 'Pagado el jueves 26 de noviembre de 2026',
    amount: { label: 'Recibimos', value: '$11,600.00' },
    people,
    payment: [
      { label: 'Concepto', value: 'Anticipo' },
      { label: 'Falta de esta cotización', value: '$11,600.00, al jue 26 nov 2026' },
    ],
    sums: [
      { label: 'Importe sin IVA', value: '$10,000.00', isTotal: false },
      { label: 'Total', value: '$11,600.00', isTotal: true },
    ],
    inWords: 'Once mil seiscientos pesos 00/100 M.N.',
    notes: ['Este recibo no es una factura.'],
    issuer,
  }),
  statement: () => ({
    kind: 'statement',
    folio: 'COM-2026-11',
    brand: 'Carga en Casa',
    title: 'Comisiones de noviembre de 2026',
    subtitle: 'Concesionaria de prueba.',
    closing: { label: 'Saldo por pagar', value: '$3,451.16' },
    account: [{ label: 'Saldo al cierre', value: '$3,451.16', isTotal: true }],
    states: [{ label: 'Pendiente', value: '$1,093.08' }],
    lines: Array.from({ length: 40 }, (_, n) => ({
      day: '14/11/2026',
      what: `IN-2026-${String(n + 1).padStart(5, '0')}, Camila Prueba`,
      basis: '5 % de $21,861.68',
      amount: '$1,093.08',
      state: 'Pendiente',
    })),
    transfers: [],
    notes: ['Las cantidades son antes de IVA.'],
    issuer,
  }),
  code: () => ({
    kind: 'code',
    folio: 'PRUEBA22',
    brand: 'Carga en Casa',
    agency: 'Concesionaria de prueba',
    benefit: '10 % de descuento',
    link: 'https://carga.example/approach?codigo=PRUEBA22',
    qr: drawQr('https://carga.example/approach?codigo=PRUEBA22'),
    notes: ['Úsalo hasta el 31 de diciembre de 2026.'],
  }),
  letter: () => letter,
  letters: () => ({
    kind: 'letters',
    folio: '2026-11-26',
    brand: 'Carga en Casa',
    title: 'Para entregar en CFE',
    subtitle: 'jueves 26 de noviembre de 2026',
    cases: [
      {
        title: 'GES-2026-00001, Camila Prueba',
        note: 'Aumento de carga',
        papers: [
          { label: 'Identificación oficial del titular', value: 'Va en este archivo', link: null },
          { label: 'Recibo de CFE sin adeudo', value: 'Va en este archivo', link: null },
          {
            label: 'Acta constitutiva',
            value: 'Está protegido: imprímelo aparte',
            link: 'https://carga.example/documents/01890a5d-ac96-4b5e-9a2f-6d1f0c8f7a11',
          },
        ],
      },
    ],
    apart: 'Los que no van tienen su enlace: imprímelos aparte.',
    bound: [
      {
        letters: [letter],
        papers: [
          { folio: 'GES-2026-00001', label: 'Identificación oficial del titular', bytes: picture.bytes! },
          { folio: 'GES-2026-00001', label: 'Recibo de CFE sin adeudo', copied: bill },
        ],
      },
    ],
  }),
}

type Structure = { role: string; alt?: string; children?: Structure[] }
const rolesIn = ({ children = [], role }: Structure): string[] => [role, ...children.flatMap(rolesIn)]
const isCell = ({ role }: Structure) => role === 'TH' || role === 'TD'
/** Each row of each table as "TH TD TD", and what is in none of them though it belongs there, as "TR in Sect". */
const rowsIn = ({ children = [], role }: Structure): string[] => [
  ...(role === 'TR' ? [children.map((cell) => cell.role).join(' ')] : []),
  ...children
    .filter((child) => (isCell(child) && role !== 'TR') || (child.role === 'TR' && role !== 'Table'))
    .map((child) => `${child.role} in ${role}`),
  ...children.flatMap(rowsIn),
]
/** How many rows of each kind the tables of a paper have. */
const tableRows: Record<string, Record<string, number>> = {
  handover: { 'TH TD': 9, 'TH TD TD TD': 2 },
  // The options side by side with their heads, and of each its lines with theirs, its sums and what may be added.
  quote: { 'TH TH TH TH': 4, 'TH TD TD TD': 33, 'TH TD': 11 },
  receipt: { 'TH TD': 9 },
  letter: { 'TH TD': 1 },
  letters: { 'TH TD': 4 },
  statement: { 'TH TD TD TD': 40, 'TH TD': 5 },
}

describe.each(Object.entries(papers))('the paper of a %s', (kind, written) => {
  let pdf: Uint8Array
  beforeAll(async () => {
    pdf = await pdfOf(written())
  })

  test('has its fonts within, its language, a title, and the structure of what it says', async () => {
    const plain = Buffer.from(pdf).toString('latin1')
    expect(plain.match(/\/FontFile2/g)?.length).toBeGreaterThan(0)
    expect(plain).not.toMatch(/Helvetica|Courier/)
    await readPdf(pdf, async (document) => {
      const { info } = (await document.getMetadata()) as { info: { Title: string; Language: string } }
      expect([info.Title, info.Language]).toEqual([expect.stringContaining('2'), 'es-MX'])
      expect((await document.getMarkInfo()) as unknown).toEqual(
        new Map(Object.entries({ Marked: true, UserProperties: false, Suspects: false })),
      )
      const trees: Structure[] = []
      for (let n = 1; n <= document.numPages; n++)
        trees.push((await (await document.getPage(n)).getStructTree()) as unknown as Structure)
      const roles = trees.flatMap(rolesIn)
      const rows = Object.entries(Object.groupBy(trees.flatMap(rowsIn), (row) => row))
      const counted = Object.fromEntries(rows.map(([row, all = []]) => [row, all.length]))
      expect(counted).toEqual(tableRows[kind] ?? {})
      expect(roles.filter((role) => role === 'H1')).toHaveLength(kind === 'letters' ? 4 : 1)
      if (kind === 'handover') {
        expect(roles.filter((role) => role === 'Figure')).toHaveLength(10)
        // One of each: also where its first rows stay with the heading.
        expect(roles.filter((role) => role === 'Table')).toHaveLength(6)
        expect(roles).toEqual(expect.arrayContaining(['Table', 'TR', 'TH', 'TD', 'H2', 'P']))
      }
    })
  })

  test('looks as its pictures, page by page', async () => {
    const pages = await picturesOf(pdf, 0.75)
    for (const [n, page] of pages.entries()) {
      const name = new URL(`pages/${kind}-${n + 1}.png`, import.meta.url)
      if (process.env.NEW_PAGES)
        writeFileSync(name, await sharp(page).grayscale().png({ palette: true, colours: 16 }).toBuffer())
      expect(existsSync(name), `a page more: ${name.pathname}`).toBe(true)
      expect(await differing(page, readFileSync(name)), `${kind}, page ${n + 1}`).toBeLessThan(0.002)
    }
    expect(existsSync(new URL(`pages/${kind}-${pages.length + 1}.png`, import.meta.url))).toBe(false)
  })
})

const long = 'María Guadalupe Fernández de la Torre y Montes de Oca viuda de Hernández Gutiérrez'
const longRows = [
  { label: 'Cliente', value: long },
  { label: 'Correo', value: 'atencion.a.clientes.y.garantias@instalaciones-electricas-del-valle.example' },
  { label: 'Clave', value: 'MBAN01002211250012345678ABCDEF' },
  { label: 'Domicilio', value: 'Privada de los Fresnos 1234, interior Torre B, 52994 Atizapán de Zaragoza' },
]

/** The same papers with more than is usual in them: long names and words, many lines, millions. */
const longer: Record<string, (rows: number) => Paper> = {
  handover: (rows) => ({
    ...(papers.handover() as Handover),
    people: longRows,
    issuer: longRows,
    charger: Array.from({ length: rows }, (_, n) => ({ label: `Dato ${n}`, value: long })),
  }),
  quote: (rows) => ({
    ...(papers.quote() as QuotePaper),
    people: longRows,
    issuer: longRows,
    notice: { label: `Aceptada por ${long}: Completa, con todo`, value: '$12,930,500.28 con IVA' },
    options: [{ ...option('Esencial'), lines: Array.from({ length: 30 + rows }, (_, n) => line(n)) }],
    terms: [
      { title: 'Qué no incluye', lines: Array.from({ length: 30 + rows }, (_, n) => `Exclusión ${n}.`) },
    ],
  }),
  letters: (rows) => ({
    ...(papers.letters() as LetterBatch),
    cases: Array.from({ length: rows }, (_, n) => ({
      title: `GES-${n}`,
      note: long,
      papers: [...longRows.map((row) => ({ ...row, link: null }))],
    })),
    bound: [],
  }),
}

test.each(Object.entries(longer))(
  'nothing of a long %s leaves its page, and no heading ends one',
  async (_, written) => {
    for (const rows of [8, 9, 10]) {
      await readPdf(await pdfOf(written(rows)), async (document) => {
        for (let n = 1; n <= document.numPages; n++) {
          const { items } = await (await document.getPage(n)).getTextContent()
          const texts = items.flatMap((item) => ('str' in item && item.str.trim() ? [item] : []))
          for (const { str, transform, width } of texts)
            expect(transform[4] + width, str).toBeLessThan(612 - 40)
          const foot = ({ transform }: { transform: number[] }) => transform[5]!
          const [last] = texts.filter((item) => foot(item) > 50).sort((a, b) => foot(a) - foot(b))
          expect(last!.height, `${n}: ${last!.str}`).toBeLessThan(11)
        }
      })
    }
  },
)

test('amounts of as many figures are as wide, so that columns align and no point is lost', async () => {
  const ones = '$1,111,111.11'
  const eights = '$8,888,888.88'
  const sums = [ones, eights].map((value) => ({ label: value, value, isTotal: false }))
  await readPdf(await pdfOf({ ...(papers.receipt() as ReceiptPaper), sums }), async (document) => {
    const { items } = await (await document.getPage(1)).getTextContent()
    const widths = (said: string) =>
      items
        .flatMap((item) => ('str' in item && item.str === said ? item.width : []))
        .map((wide) => wide.toFixed(1))
    expect(widths(ones)[1]).toBe(widths(eights)[1])
    expect(widths(ones)).toHaveLength(2)
  })
})

/** The share of dots that differ by more than a third of the way from black to white. */
async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [first, second] = await Promise.all(
    [one, other].map((png) => sharp(png).grayscale().raw().toBuffer()),
  )
  if (first!.length !== second!.length) return 1
  return first!.filter((shade, at) => Math.abs(shade - second![at]!) > 85).length / first!.length
}

test('a point is read after a paper that had it only as a part of its colon', async () => {
  const src = createRequire(import.meta.url).resolve('@expo-google-fonts/inter/300Light/Inter_300Light.ttf')
  // A font that nothing was written with yet.
  Font.register({ family: 'Inter that is new', src })
  const said = async (words: string) => {
    const text = createElement(Text, { style: { fontFamily: 'Inter that is new' } }, words)
    const page = createElement(Page, { style: { fontFamily: 'Inter that is new' } }, text)
    return textOf(await taggedPdf(createElement(Document, {}, page)))
  }
  expect(await said('Total: uno')).toBe('Total: uno')
  expect(await said('$500.00')).toBe('$500.00')
})
