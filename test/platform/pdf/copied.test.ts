import { EventEmitter } from 'node:events'
import { type CopiedPages, copyPages } from '../../../src/platform/pdf/copied.ts'
import type { LetterBatch } from '../../../src/platform/pdf/paper.ts'
import { pdfOf } from '../../../src/platform/pdf/pdf.tsx'
import { copyInThread } from '../../../src/platform/pdf/render.ts'
import { drawnPdf, pdf, pdfOfObjects, pdfWithScript, stream } from '../../documents/samples.ts'
import { expectWords } from '../../kit/reading.ts'
import { picturesOf, readPdf, textOf } from '../../reports/pdf-text.ts'

const copied = async (bytes: Uint8Array): Promise<CopiedPages> => {
  const pages = await copyPages(bytes, 20)
  if (typeof pages === 'string') throw new Error(pages)
  return pages
}

const batchOf = async (bytes: Uint8Array): Promise<Uint8Array> => {
  const paper: LetterBatch = {
    kind: 'letters',
    folio: '2026-11-26',
    brand: 'Carga en Casa',
    title: 'Para entregar en CFE',
    subtitle: '',
    cases: [],
    apart: null,
    bound: [
      { letters: [], papers: [{ folio: 'GES-1', label: 'Recibo de CFE', copied: await copied(bytes) }] },
    ],
  }
  return pdfOf(paper)
}

/** Where it is dark on the last report: the share from its left, and from its top. */
async function darkAt(bytes: Uint8Array) {
  const { default: sharp } = await import('sharp')
  const last = (await picturesOf(bytes)).at(-1)!
  const { data, info } = await sharp(last).flatten({ background: '#fff' }).grayscale().raw().toBuffer({
    resolveWithObject: true,
  })
  const dark = [...data.keys()].filter((at) => data[at]! < 40 && at < info.width * (info.height - 60))
  const mean = (of: (at: number) => number) => dark.reduce((sum, at) => sum + of(at), 0) / dark.length
  return {
    size: [info.width, info.height],
    left: mean((at) => (at % info.width) / info.width),
    top: mean((at) => Math.floor(at / info.width) / info.height),
  }
}

const square = stream('0 0 100 100 re f')

test('the pages of another PDF are drawn on reports of the batch, each a figure with words', async () => {
  const batch = await batchOf(await drawnPdf())
  expectWords(await textOf(batch), 'Recibo de luz', 'Servicio 123456789012', 'Segunda hoja', 'hoja 2 de 2')
  await readPdf(batch, async (document) => {
    expect(document.numPages).toBe(3)
    const sizes = []
    for (const n of [2, 3]) sizes.push((await document.getPage(n)).view.slice(2))
    expect(sizes).toEqual([
      [612, 792],
      [792, 612],
    ])
    const tree = JSON.stringify(await (await document.getPage(3)).getStructTree())
    expect(tree).toContain('"role":"Figure"')
    expect(tree).toContain('Recibo de CFE, hoja 2 de 2')
  })
})

test('the pages of another PDF bring nothing that runs, is attached or leads away', async () => {
  for (const hostile of [
    await drawnPdf(),
    pdfWithScript,
    pdf('<</S/Launch/F(cmd.exe)>>'),
    pdfOfObjects(
      '/AA<</O 5 0 R>>/Metadata 6 0 R/Resources<</XObject<</P 7 0 R/Q 9 0 R>>/Properties<</M 5 0 R>>>>',
      stream('/P Do /Q Do'),
      '<</S/JavaScript/JS(app.alert(1))>>',
      stream('<secret/>', '/Type/Metadata/Subtype/XML'),
      stream('0 0 9 9 re f', '/Subtype/Form/BBox[0 0 9 9]/OPI 5 0 R/Ref<</F(other.pdf)>>/PieceInfo 5 0 R'),
      '<</Type/Filespec/F(other.pdf)>>',
      stream('evil', '/Subtype/PS/F 8 0 R'),
    ),
  ]) {
    expect(Buffer.from(await batchOf(hostile)).toString('latin1')).not.toMatch(
      /JavaScript|\/JS|Launch|Filespec|EmbeddedFile|malo\.example|oculto|other\.pdf|OPI|secret|\/Annots|\/PS\b|OpenAction|\/AA/,
    )
  }
})

test('the pages of another PDF show what was filled in and stamped on them, and not what is hidden', async () => {
  const look = (words: string) =>
    stream(
      `BT /F1 12 Tf 2 4 Td (${words}) Tj ET`,
      '/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 10 0 R>>>>',
    )
  const filled = pdfOfObjects(
    '/Annots[5 0 R 6 0 R 7 0 R]',
    stream(''),
    '<</Subtype/Widget/FT/Tx/F 4/Rect[50 600 250 640]/AP<</N 8 0 R>>/A<</S/SubmitForm/F(http://malo.example)>>>>',
    '<</Subtype/Widget/FT/Btn/F 4/AS/On/Rect[50 500 250 540]/AP<</N<</On 8 0 R/Off 9 0 R>>>>>>',
    '<</Subtype/Stamp/F 2/Rect[50 400 250 440]/AP<</N 9 0 R>>>>',
    look('Camila'),
    look('Oculto'),
    '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
  )
  const text = await textOf(await batchOf(filled))
  expect([text.match(/Camila/g)?.length, text.includes('Oculto')]).toEqual([2, false])
  // Twice as large as its drawing, where it stands.
  const { left, top } = await darkAt(await batchOf(filled))
  expect([left, top]).toEqual([expect.closeTo(0.2, 1), expect.closeTo(0.26, 1)])
})

test('the pages of another PDF stand as they are shown: turned, cut to their box, and never larger than a report', async () => {
  const drawn = async (page: string, contents = square) => darkAt(await batchOf(pdfOfObjects(page, contents)))
  // A square at the lower left corner: turned clockwise it stands at the upper left, and so on around.
  const box = '/MediaBox[0 0 400 600]'
  const corners = []
  for (const turn of [0, 90, 180, 270]) {
    const { left, top } = await drawn(`${box}/Rotate ${turn}`)
    corners.push(`${left < 0.5 ? 'left' : 'right'} ${top < 0.5 ? 'top' : 'foot'}`)
  }
  expect(corners).toEqual(['left foot', 'left top', 'right top', 'right foot'])
  const huge = await drawn('/MediaBox[0 0 14000 14000]', stream('0 0 14000 7000 re f'))
  expect(huge.size).toEqual([612, 792])
  expect(huge.top).toBeGreaterThan(0.5)
  expect((await drawn('/MediaBox[0 0 400 600]/CropBox[50 50 350 550]')).left).toBeLessThan(0.4)
})

test('the pages of another PDF are joined from several streams, and take their things from what holds them', async () => {
  const parts = pdfOfObjects(
    '/Contents[4 0 R 5 0 R]',
    stream('q 1 0 0 1 50'),
    stream('300 cm 0 0 100 100 re f Q'),
  )
  expect((await darkAt(await batchOf(parts))).top).toBeCloseTo(0.53, 1)
})

test('copies an encrypted PDF only if it opens without a password and may be printed', async () => {
  const ask = async (options: PDFKit.PDFDocumentOptions) => {
    const found = await copyPages(await drawnPdf(options), 20)
    return typeof found === 'string' ? found : found.pages.length
  }
  for (const pdfVersion of ['1.4', '1.7ext3'] as const) {
    expect(await ask({ pdfVersion, userPassword: 'secreta' })).toBe('locked')
    expect(await ask({ pdfVersion, ownerPassword: 'secreta', permissions: {} })).toBe('locked')
    const permissions = { printing: 'highResolution' } as const
    expect(await ask({ pdfVersion, ownerPassword: 'secreta', permissions })).toBe(2)
  }
  const open = await drawnPdf({ ownerPassword: 'secreta', permissions: { printing: 'highResolution' } })
  expect(await textOf(await batchOf(open))).toContain('Servicio 123456789012')
})

test('refuses to copy a PDF that is too long or broken', async () => {
  expect(await copyPages(await drawnPdf(), 1)).toBe('long')
  const whole = await drawnPdf()
  const broken = [
    Buffer.from('%PDF-1.7\n'),
    Buffer.from(`%PDF-1.7\n${'[ '.repeat(200_000)}`),
    whole.subarray(0, 300),
    pdfOfObjects('/MediaBox[0 0 0 0]', square),
    pdfOfObjects(
      '/Resources<</ExtGState<</A 5 0 R>>>>',
      square,
      ...Array.from({ length: 200 }, (_, n) => `<</BG ${n + 6} 0 R>>`),
    ),
  ]
  for (const bytes of broken)
    expect(await copyPages(bytes, 20), bytes.toString('latin1', 0, 40)).toBe('broken')
})

test('ends the copy of a PDF whose pages or drawings contain themselves', async () => {
  const own = pdfOfObjects(
    '/Resources 5 0 R',
    stream('0 0 9 9 re f /X Do'),
    '<</XObject<</X 6 0 R>>>>',
    stream('/X Do', '/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R'),
  )
  expect((await copied(own)).pages).toHaveLength(1)
  const found = await copyPages(Buffer.from(pdf().toString().replace('[3 0 R]', '[2 0 R 3 0 R 2 0 R]')), 20)
  expect(found === 'broken' || typeof found === 'object').toBe(true)
  const parents = pdf().toString().replace('/Type/Pages', '/Type/Pages/Parent 2 0 R')
  expect((await copied(Buffer.from(parents))).pages).toHaveLength(1)
})

/** A thread that begins when it is told to. */
class SlowThread extends EventEmitter {
  static begins = new EventEmitter()
  private begun = Promise.withResolvers<void>()
  constructor() {
    super()
    SlowThread.begins.once('now', () => {
      this.emit('message', null)
      this.begun.resolve()
    })
  }
  postMessage = () => void this.begun.promise.then(() => this.emit('message', 'locked'))
  ref = () => this
  unref = () => this
  terminate = async () => 0
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  vi.doUnmock('node:worker_threads')
})

test('a copy whose thread loads slowly is not called broken', async () => {
  vi.stubEnv('DEV', false)
  vi.useFakeTimers()
  vi.resetModules()
  vi.doMock('node:worker_threads', () => ({ Worker: SlowThread }))
  const { copyInThread } = await import('../../../src/platform/pdf/render.ts')
  const asked = copyInThread(await drawnPdf(), 0)
  await vi.advanceTimersByTimeAsync(20_000)
  SlowThread.begins.emit('now')
  expect((await asked).copied).toBe('locked')
})

test('the time of a copy is that of its work: what it waited for others is not in it', async () => {
  // As built: one thread, in which one comes after the other.
  vi.stubEnv('DEV', false)
  const began = performance.now()
  const both = await Promise.all([
    copyInThread(await drawnPdf(), 20),
    copyInThread(new TextEncoder().encode('no PDF'), 20),
  ])
  const all = performance.now() - began
  expect(both.map(({ copied }) => (typeof copied === 'string' ? copied : copied.pages.length))).toEqual([
    2,
    'broken',
  ])
  expect(both[0].workedMs + both[1].workedMs).toBeLessThanOrEqual(all)
})
