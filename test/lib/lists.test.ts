import { localDay } from '../../src/shared/format.ts'
import { everyModule } from '../kit/fixture.ts'
import { ally, fixture, markupOf, newPerson, openOnce, people } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import type { Answer } from '../kit/visitor.ts'
import { lists } from './every-list.ts'
import { hostile, type Others, rowsOf, storers } from './listed-rows.ts'
import { readExcel } from './read-excel.ts'

openOnce(everyModule)
let others: Others
beforeAll(async () => {
  const { id: agencyId } = await fixture.agency()
  others = {
    gester2: await newPerson({ kind: 'gester' }),
    colleague: await newPerson({ kind: 'alliate', agencyId: ally.agencyId! }),
    stranger: await newPerson({ kind: 'alliate', agencyId }),
  }
})

const kinds = ['manager', 'analyst', 'technician', 'gester', 'ally', 'stranger'] as const
type Kind = (typeof kinds)[number]
const personOf = (kind: Kind) => (kind === 'stranger' ? others.stranger : people[kind])

/** The nouns that filters narrow a list by, whose article is "la". */
const feminine = new Set(['Zona', 'Persona', 'Cuenta', 'Concesionaria', 'Etapa'])

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const increasing = (ns: number[]) => ns.toSorted((a, b) => a - b)

/** An address with the ids it names. */
const idsIn = (address: string) =>
  address.replace(/\{(\w+)\}/g, (_, who) => (who === 'agency' ? ally.agencyId! : personOf(who).id))

/** The nearest value of one of these names in what the loaders of a screen brought, wherever they keep it. */
function nearest(value: unknown, ...names: string[]): unknown {
  for (let level = [value]; level.length > 0; ) {
    const objects = level.filter((one): one is object => typeof one === 'object' && one !== null)
    for (const name of names)
      for (const one of objects as Record<string, unknown>[]) if (one[name] != null) return one[name]
    level = objects.flatMap((one) => Object.values(one))
  }
  return undefined
}

const numbersIn = (list: string, text: string) =>
  [...text.matchAll(new RegExp(`${list}(\\d{3})`, 'g'))].map(([, n]) => Number(n))

/** The rows of a file. */
const linesOf = ({ text }: Answer) => text.trimEnd().split('\r\n').slice(1)

/** A page of a list: the numbers of its rows, how many there are in all, and where it goes on; or where its reader is led. */
async function pageOf(list: string, address: string, who: Person) {
  const { location, status, value } = await fixture.data(address, who)
  const rows = nearest(value, 'rows', 'lines', 'queue') as object[] | undefined
  if (location || status !== 200 || !rows) return { led: location ?? status, ns: [], next: null }
  // The board's next is its next day.
  const pages = nearest(value, 'pages') ?? value
  const next = nearest(pages, list === 'unassigned' ? 'more' : 'next') as string | undefined
  return {
    ns: rows.map((row) => numbersIn(list, JSON.stringify(row))[0]!),
    total: nearest(value, 'total', 'count') as number | undefined,
    next: next ? new URL(next, `http://x${address}`).href.slice('http://x'.length) : null,
  }
}

describe.each(Object.entries(lists))('%s', (list, of) => {
  const { by = [], days, file, filters, first, found, noun, order, path, rows, size = 50, turns } = of
  const text = filters ? `text=${list}` : ''
  const reader = () => personOf(kinds[found.split(' ').findIndex((one) => Number(one) > 0)]!)
  const store = (...ns: number[]) => storers[rows](rowsOf(list, ...ns), others)
  const page = (query: string, who = reader()) => pageOf(list, idsIn(path + query), who)
  /** Rows of one moment stand in any order. */
  const weeks = (ns: number[]) => ns.filter((n) => n !== hostile).map((n) => Math.floor(n / 7))
  const inOrder = (ns: number[]) => weeks(ns).toSorted((a, b) => (order === 'up' ? a - b : b - a))
  /** The rows of each of its pages; `meanwhile` runs after the first. */
  async function pagesOf(query: string, meanwhile = async () => {}) {
    const met: number[][] = []
    for (let address: string | null = idsIn(path + query); address; ) {
      const { next, ns } = await pageOf(list, address, reader())
      met.push(ns)
      if (met.length === 1) await meanwhile()
      address = next
    }
    return met
  }
  const walked = async (asked: string) => (await pagesOf(`${text}&order=${asked}`)).flat()
  beforeAll(() => store(...upTo(size + 11)))

  test('is shown to its readers only', async () => {
    const got = []
    for (const kind of kinds) {
      const { led, ns, total } = await page(text, personOf(kind))
      got.push(led ?? total ?? ns.length)
    }
    expect(got.join(' ')).toBe(idsIn(found))
  })

  test.runIf(filters)('is filtered by each filter', async () => {
    for (const [query, left] of Object.entries(filters!)) {
      const { ns, total } = await page(`${text}&${query}`)
      expect([total, ns.length], query).toEqual([left, Math.min(left, size)])
    }
  })

  test('ignores invalid filters, counts its rows and agrees with its nouns', async () => {
    const nonsense =
      'month year day view service state zone person stage turn agency analyst method concept kind gester over role active code ally'
    const query = new URLSearchParams(nonsense.split(' ').map((name) => [name, '__proto__']))
    query.set('after', 'x'.repeat(61))
    if (filters) query.set('text', list)
    const answer = await fixture.visit(idsIn(path + query), reader())
    expect(answer.status).toBe(200)
    for (const words of ['Filtros (', 'rel="prev"']) expect(answer.text).not.toContain(words)
    expect(answer.text).toContain('rel="next"')
    if (noun) expect(readable(answer)).toContain(` 61 ${noun}`)
    const alls = [
      ...answer.text.matchAll(/<select[^>]* id="([^"]+)"[^>]*><option value=""[^>]*>(Tod[oa]s)\b/g),
    ]
    for (const [, id, all] of alls) {
      const label = new RegExp(`<label[^>]*for="${id}"[^>]*>([^<]+)`).exec(answer.text)?.[1]
      expect(all, label).toBe(feminine.has(label!) ? 'Todas' : 'Todos')
    }
    expect(alls.length > 0).toBe(filters !== undefined || list === 'unassigned')
  })

  test.runIf(filters)('is searched without accents and capitals, and not by patterns', async () => {
    const name = `inigo ${list}031`
    const looked = async (words: string) => {
      const { ns, total } = await page(new URLSearchParams({ text: words }).toString())
      expect(total, words).toBe(ns.length)
      return ns
    }
    const own = by.map((words) => words.replace('{list}', list))
    for (const words of [...own, name, `ÍÑIGO ${list.toUpperCase()}031`, `${name} 100%`])
      expect(await looked(words), words).toEqual([hostile])
    const none = [`${name} 100_`, `inigo ${list}%1`, `inigo ${list}0_1`, `${name}'; drop table users; --`]
    for (const words of none) expect(await looked(words), words).toEqual([])
  })

  test.runIf(file)('exports the same rows, safe for spreadsheets', async () => {
    const answer = await fixture.visit(file!.path + text, reader())
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${file!.name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
    const lines = linesOf(answer)
    expect(answer.text.split('\r\n', 1)[0]!.replace('\ufeff', '')).toBe(file!.columns)
    const ns = lines.map((one) => numbersIn(list, one)[0]!)
    expect(increasing(ns)).toEqual(upTo(size + 11))
    expect(weeks(ns)).toEqual(inOrder(ns))
    const line = new RegExp(file!.line.split('*').map(RegExp.escape).join('.*'))
    expect(lines.find((one) => one.includes(`${list}031`))).toMatch(line)
    const narrow = Object.keys(filters!)[0]!
    const some = await fixture.visit(idsIn(`${file!.path}${text}&${narrow}`), reader())
    expect(linesOf(some)).toHaveLength(filters![narrow]!)
  })

  test.runIf(file)('exports the same rows for Excel, with text as text', async () => {
    const answer = await fixture.open(`${file!.path}${text}&formato=excel`, reader())
    expect(answer.headers.get('content-disposition')).toMatch(/\.xlsx"$/)
    const [head, ...cells] = await readExcel(answer)
    expect([head!.join(), cells.length]).toEqual([file!.columns, size + 11])
    expect(cells.flat().filter((cell) => `${cell}`.startsWith('=Íñigo'))).toHaveLength(1)
  })

  test.runIf(file?.ticks)('exports only ticked rows', async () => {
    const { value } = await fixture.data(idsIn(path + text), reader())
    const ticked = (nearest(value, 'rows') as { id: string }[]).slice(3, 5)
    const query = [...ticked.map(({ id }) => `row.${id}=1`), 'row.x=1'].join('&')
    const answer = await fixture.visit(file!.path + query, reader())
    const numbersOf = (rows: string[]) => increasing(rows.map((one) => numbersIn(list, one)[0]!))
    expect(numbersOf(linesOf(answer))).toEqual(numbersOf(ticked.map((row) => JSON.stringify(row))))
    // Whatever the list is narrowed to by now.
    const [narrow] = Object.keys(filters ?? {})
    for (const hiding of ['text=nadie-con-este-nombre', ...(narrow ? [idsIn(narrow)] : [])])
      expect(await markupOf(`${file!.path}${hiding}&${query}`, reader())).toBe(answer.text)
    expect(linesOf(await fixture.visit(`${file!.path}row.x=1`, reader()))).toEqual([])
  })

  test.runIf(days)('is filtered by days or a named range', async () => {
    const { at, on } = rowsOf(list, 14)[0]!
    const day = rows === 'cases' ? on : localDay(at)
    for (const filter of days!) {
      const { ns, total } = await page(`${text}${filter}&from=${day}&to=${day}`)
      expect([increasing(ns), total], filter).toEqual([upTo(20).slice(13), 7])
      expect((await page(`${text}${filter}&from=${day}`)).total).toBe(48)
      // All of them are far ahead.
      if (rows !== 'requested' && rows !== 'done')
        expect((await page(`${text}${filter}&range=semana`)).total).toBe(0)
    }
  })

  test.runIf(turns)('is sorted by its columns, page by page', async () => {
    const answer = await fixture.visit(idsIn(path + text), reader())
    expect(answer.text).toContain(`aria-sort="${order === 'up' ? 'ascending' : 'descending'}"`)
    expect(answer.text).toContain(`${text}&amp;order=reverse"`)
    const met = await walked('reverse')
    expect(increasing(met)).toEqual(upTo(size + 11))
    expect(weeks(met)).toEqual(inOrder(met).toReversed())
    for (const column of turns === true ? [] : turns!) {
      const down = await walked(column)
      expect(increasing(down)).toEqual(upTo(size + 11))
      expect(await walked(`${column}-reverse`)).toEqual(down.toReversed())
    }
  })

  test('shows each row once on its pages while rows are added', async () => {
    const pages = await pagesOf(text, async () => void (await store(0, 999)))
    const met = pages.flat()
    expect(pages.map(({ length }) => length)).toEqual([size, 12])
    expect(increasing(met)).toEqual(increasing([...upTo(size + 11), order === 'up' ? 999 : 0]))
    if (!first) expect(weeks(met)).toEqual(inOrder(met))
  })
})
