import { beforeAll, describe, expect, test } from 'vitest'
import { localDay } from '../../src/domain/shared/format.ts'
import { openOnce, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { readable } from '../kit/reading.ts'
import { everyModule } from '../kit/world.ts'
import { hostile, type Others, rowsOf, storers } from './listed-rows.ts'

openOnce(everyModule)
let others: Others
beforeAll(async () => {
  const { id: agencyId } = await world.agency()
  others = {
    gester2: await world.person({ kind: 'gester' }),
    colleague: await world.person({ kind: 'alliate', agencyId: people.ally.agencyId! }),
    stranger: await world.person({ kind: 'alliate', agencyId }),
  }
})

const kinds = ['manager', 'analyst', 'technician', 'gester', 'ally', 'stranger'] as const
type Kind = (typeof kinds)[number]
const personOf = (kind: Kind) => (kind === 'stranger' ? others.stranger : people[kind])

type List = {
  path: string
  rows: keyof typeof storers
  /** Whether it begins with the first row or with the last. */
  order: 'up' | 'down'
  /** Whether its order can be turned round, or by which columns it can be ordered besides. */
  turns?: true | string[]
  size?: number
  /** How many of its first rows (61, where a page holds 50) each of the `kinds` finds, or where they are led; 200 is a screen without it. */
  found: string
  /** What its page says it counts. */
  noun?: string
  /** What else finds the hostile row, and nothing besides it. */
  by?: string[]
  /** How many of them a filter leaves; none where no words narrow the list. */
  filters?: Record<string, number>
  /** By which days it is narrowed: the filter beside "from" and "to", none for the usual ones. */
  days?: readonly string[]
  /** The file of the same rows: its name, its columns, and the line of the hostile row; whether ticked rows are one too. */
  file?: { path: string; name: string; columns: string; line: RegExp; ticks?: true }
}

const visitColumns =
  'Folio,Servicio,Estado,Fecha,Hora,Minutos,Cliente,Teléfono,Correo,Zona,Código postal,Persona,Confirmada,Resultado,Motivo,Nota de cierre'
/** Their lastname, e-mail and phone. */
const byPerson = ['peña31 {list}', '{list}031-', '{list} 5510000031']
const visitFilters = { 'service=installation': 20, 'zone=tlalpan': 15 }
const clientFilters = { 'stage=intake': 61, 'stage=visit': 0, 'ally={ally}': 46 }
const codeFilters = { 'state=active': 41, 'state=paused': 20 }

const lists: Record<string, List> = {
  unassigned: {
    path: '/admin/assignations?',
    rows: 'requested',
    order: 'up',
    found: '50 /admin /admin /admin /admin /admin',
  },
  pending: {
    path: '/admin/appointments-pending?',
    rows: 'requested',
    order: 'up',
    turns: true,
    noun: 'citas',
    found: '61 61 0 /admin 51 0',
    by: byPerson,
    filters: { ...visitFilters, 'state=requested': 61, 'state=assigned': 0 },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/appointments-pending.csv?',
      name: 'proximas-citas',
      columns: visitColumns,
      line: /,Visita técnica,[^,]+,[\d/]+,\d+:\d\d [ap]\. m\.,60,'=Íñigo pending031 100%\\_ Peña31,551 000 00 31,[^,]+@prueba\.mx,Coyoacán,/,
    },
  },
  done: {
    path: '/admin/appointments-done?',
    rows: 'done',
    order: 'down',
    turns: true,
    noun: 'citas',
    found: '61 61 0 0 51 0',
    by: byPerson,
    filters: { ...visitFilters, 'state=done': 61, 'state=cancelled': 0 },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/appointments-done.csv?',
      name: 'citas-realizadas',
      columns: visitColumns,
      line: /,Visita técnica,Realizada,[\d/]+,.*,60,'=Íñigo done031 .*,Coyoacán,/,
    },
  },
  quotes: {
    path: '/admin/cotizations?',
    rows: 'quotes',
    order: 'down',
    turns: ['sent', 'worth'],
    noun: 'cotizaciones',
    found: '61 61 0 0 51 0',
    by: byPerson,
    filters: { 'state=viewed': 12, 'state=sent': 49, 'analyst={manager}': 20, 'agency={agency}': 51 },
    days: ['', '&date=end'],
    file: {
      ticks: true,
      path: '/admin/cotizations.csv?',
      name: 'cotizaciones',
      columns:
        'Folio,Versión,Tipo,Estado,Cliente,Teléfono,Correo,Zona,Concesionaria,Analista,Creada,Enviada,Vence,Aceptada,Opción,Opción menor,Opción mayor,Total aceptado,Anticipo,Pagado del proyecto,Motivo',
      line: /,1,Instalación,Enviada,'=Íñigo quotes031 100%\\_ Peña31,551 000 00 31,.*,1234567\.05,/,
    },
  },
  users: {
    path: '/admin/users?',
    rows: 'users',
    order: 'up',
    turns: ['created'],
    noun: 'personas',
    found: '61 10 10 10 0 0',
    by: byPerson,
    filters: { 'role=staff': 15, 'role=customer': 46, 'kind=analyst': 15, 'kind=gester': 0, 'active=no': 21 },
  },
  agencies: {
    path: '/admin/agencies?',
    rows: 'agencies',
    order: 'up',
    turns: ['clients'],
    noun: 'concesionarias',
    found: '61 61 61 61 0 0',
    by: ['MARCA 31', 'oscar 31'],
    filters: { 'active=no': 20, 'active=yes': 41 },
  },
  projects: {
    path: '/admin/clients?',
    rows: 'projects',
    order: 'up',
    turns: ['created'],
    noun: 'proyectos',
    found: '61 61 /admin 0 /admin /admin',
    by: byPerson,
    filters: {
      'stage=intake': 61,
      'stage=cfe': 0,
      'turn=customer': 61,
      'turn=gester': 0,
      'agency={agency}': 51,
    },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/clients.csv?',
      name: 'clientes',
      columns: 'Cliente,Teléfono,Correo,Etapa,Le toca a,Desde,Zona,Concesionaria,Cliente desde',
      line: /^'=Íñigo projects031 100%\\_ Peña31,551 000 00 31,[^,]+,Registro,Cliente,[\d/]+,,Concesionaria de prueba,/,
    },
  },
  payments: {
    path: '/admin/payments/libro?',
    rows: 'payments',
    order: 'down',
    turns: ['amount'],
    noun: 'pagos',
    found: '61 61 /admin /admin /admin /admin',
    by: ['pena31 {list}'],
    filters: {
      'state=paid': 20,
      'state=pending': 41,
      'method=cash': 20,
      'concept=extra_work': 61,
      'concept=deposit': 0,
      'year=2019': 0,
    },
    days: [''],
    file: {
      ticks: true,
      path: '/admin/payments.csv?',
      name: 'pagos',
      columns: 'Folio,Fecha,Cliente,Concepto,Método,Estado,Cantidad,Banco,Clave de rastreo',
      line: /,[\d/]+,'=Íñigo payments031 100%\\_ Peña31,Trabajo adicional,,Pendiente,100\.00,,$/,
    },
  },
  movements: {
    path: '/admin/payments/banco?',
    rows: 'movements',
    order: 'up',
    size: 100,
    found: '111 111 /admin /admin /admin /admin',
  },
  cases: {
    path: '/admin/gesties?',
    rows: 'cases',
    order: 'up',
    turns: true,
    noun: 'trámites',
    found: '61 /admin /admin 36 /admin /admin',
    by: byPerson,
    filters: {
      'state=filed': 15,
      'turn=gester': 46,
      'kind=new_service': 20,
      'gester=nadie': 24,
      'gester={gester}': 12,
      'over=1': 0,
    },
    days: [''],
    file: {
      path: '/admin/gesties.csv?',
      name: 'tramites',
      columns: 'Folio,Trámite,Cliente,Zona,Estado,Le toca a,Desde,Fecha límite,Gestor',
      line: /,'=Íñigo cases031 100%\\_ Peña31,,[^,]+,Gestor,[\d/]+,[\d/]+,/,
      ticks: true,
    },
  },
  clients: {
    path: '/admin/alliate/clients?',
    rows: 'clients',
    order: 'down',
    noun: 'clientes',
    found: '/admin /admin /admin /admin 61 0',
    filters: clientFilters,
    file: {
      path: '/admin/alliate/clients.csv?',
      name: 'clientes',
      columns:
        'Nombre,Etapa,Le toca a,Desde,Próxima cita,Fecha de la próxima,Última cita,Fecha de la última,Código,Aliado,Cliente desde',
      line: /^'=Íñigo clients031 100%\\_,Registro,Cliente,[\d/]+,,,,,,Alicia,[\d/]+$/,
    },
  },
  // Of one agency, for the office.
  attributed: {
    path: '/admin/agency/{agency}/clientes?',
    rows: 'clients',
    order: 'down',
    found: '61 200 /admin/agency/{agency} /admin/agency/{agency} 200 404',
    filters: clientFilters,
  },
  codes: {
    path: '/admin/alliate/codes?',
    rows: 'codes',
    order: 'down',
    noun: 'códigos',
    found: '/admin /admin /admin /admin 61 0',
    filters: codeFilters,
  },
  coupons: {
    path: '/admin/agency/{agency}/codigos?',
    rows: 'codes',
    order: 'down',
    noun: 'códigos',
    found: '61 61 /admin/agency/{agency} /admin/agency/{agency} 61 404',
    filters: codeFilters,
  },
  blocked: {
    path: '/admin/users/bloqueadas?',
    rows: 'blocked',
    order: 'down',
    size: 20,
    found: '31 404 404 404 404 404',
  },
}

/** The nouns that filters narrow a list by, whose article is "la". */
const feminine = new Set(['Zona', 'Persona', 'Cuenta', 'Concesionaria', 'Etapa'])

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const increasing = (ns: number[]) => ns.toSorted((a, b) => a - b)

/** An address with the ids it names. */
const idsIn = (address: string) =>
  address.replace(/\{(\w+)\}/g, (_, who) => (who === 'agency' ? people.ally.agencyId! : personOf(who).id))

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

/** A page of a list: the numbers of its rows, how many there are in all, and where it goes on; or where its reader is led. */
async function pageOf(list: string, address: string, who: Person) {
  const { location, status, value } = await world.data(address, who)
  const rows = nearest(value, 'rows', 'lines', 'queue') as object[] | undefined
  if (location || status !== 200 || !rows) return { led: location ?? status, ns: [], next: null }
  // The board's next is its next day.
  const pages = nearest(value, 'pages') ?? value
  const next = nearest(pages, list === 'unassigned' ? 'more' : 'next') as string | undefined
  const total = nearest(value, 'total', 'count') as number | undefined
  return {
    ns: rows.map((row) => numbersIn(list, JSON.stringify(row))[0]!),
    total,
    next: next ? new URL(next, `http://x${address}`).href.slice('http://x'.length) : null,
  }
}

describe.each(Object.entries(lists))('%s', (list, of) => {
  const { by = [], days, file, filters, found, noun, order, path, rows, size = 50, turns } = of
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

  test('is found by those who may, and nobody else', async () => {
    const got = []
    for (const kind of kinds) {
      const { led, ns, total } = await page(text, personOf(kind))
      got.push(led ?? total ?? ns.length)
    }
    expect(got.join(' ')).toBe(idsIn(found))
  })

  test.runIf(filters)('is narrowed by each of its filters', async () => {
    for (const [query, left] of Object.entries(filters!)) {
      const { ns, total } = await page(`${text}&${query}`)
      expect([query, total, ns.length]).toEqual([query, left, Math.min(left, size)])
    }
  })

  test('leaves out what makes no sense, counts its rows, and agrees with its nouns where all pass', async () => {
    const nonsense =
      'month year day view service state zone person stage turn agency analyst method concept kind gester over role active code ally'
    const query = new URLSearchParams(nonsense.split(' ').map((name) => [name, '__proto__']))
    query.set('after', 'x'.repeat(61))
    if (filters) query.set('text', list)
    const answer = await world.visit(idsIn(path + query), reader())
    expect(answer.status).toBe(200)
    for (const words of ['Filtros (', 'rel="prev"']) expect(answer.text).not.toContain(words)
    expect(answer.text).toContain('rel="next"')
    if (noun) expect(readable(answer)).toContain(` 61 ${noun}`)
    const alls = [
      ...answer.text.matchAll(/<select[^>]* id="([^"]+)"[^>]*><option value=""[^>]*>(Tod[oa]s)\b/g),
    ]
    for (const [, id, all] of alls) {
      const label = new RegExp(`<label[^>]*for="${id}"[^>]*>([^<]+)`).exec(answer.text)?.[1]
      expect([label, all]).toEqual([label, feminine.has(label!) ? 'Todas' : 'Todos'])
    }
    expect(alls.length > 0).toBe(filters !== undefined || list === 'unassigned')
  })

  test.runIf(filters)('is looked through without accents and capitals, and never by a pattern', async () => {
    const name = `inigo ${list}031`
    const more = by.map((words) => [words.replace('{list}', list), [hostile]] as const)
    for (const [words, ns] of [
      ...more,
      [name, [hostile]],
      [`ÍÑIGO ${list.toUpperCase()}031`, [hostile]],
      [`${name} 100%`, [hostile]],
      [`${name} 100_`, []],
      [`inigo ${list}%1`, []],
      [`inigo ${list}0_1`, []],
      [`${name}'; drop table users; --`, []],
    ] as const) {
      const got = await page(new URLSearchParams({ text: words }).toString())
      expect([words, got.ns, got.total]).toEqual([words, ns, ns.length])
    }
  })

  test.runIf(file)('is a file of the same rows, which no spreadsheet runs', async () => {
    const answer = await world.visit(file!.path + text, reader())
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${file!.name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    )
    const [columns, ...lines] = answer.text.trimEnd().split('\r\n')
    expect(columns!.replace('\ufeff', '')).toBe(file!.columns)
    const ns = lines.map((one) => numbersIn(list, one)[0]!)
    expect(increasing(ns)).toEqual(upTo(size + 11))
    expect(weeks(ns)).toEqual(inOrder(ns))
    expect(lines.find((one) => one.includes(`${list}031`))).toMatch(file!.line)
    const narrow = Object.keys(filters!)[0]!
    const some = await world.visit(idsIn(`${file!.path}${text}&${narrow}`), reader())
    expect(some.text.trimEnd().split('\r\n')).toHaveLength(filters![narrow]! + 1)
  })

  test.runIf(file?.ticks)('is a file of just the rows that are ticked', async () => {
    const { value } = await world.data(idsIn(path + text), reader())
    const ticked = (nearest(value, 'rows') as { id: string }[]).slice(3, 5)
    const query = [...ticked.map(({ id }) => `row.${id}=1`), 'row.x=1'].join('&')
    const answer = await world.visit(file!.path + query, reader())
    const [, ...lines] = answer.text.trimEnd().split('\r\n')
    expect(increasing(lines.map((one) => numbersIn(list, one)[0]!))).toEqual(
      increasing(ticked.map((row) => numbersIn(list, JSON.stringify(row))[0]!)),
    )
    const none = await world.visit(`${file!.path}row.x=1`, reader())
    expect(none.text.trimEnd().split('\r\n')).toHaveLength(1)
  })

  test.runIf(days)('is narrowed to days, by their dates or by a name', async () => {
    const [{ at, on }] = rowsOf(list, 14) as [ReturnType<typeof rowsOf>[number]]
    const day = rows === 'cases' ? on : localDay(at)
    for (const filter of days!) {
      const { ns, total } = await page(`${text}${filter}&from=${day}&to=${day}`)
      expect([filter, increasing(ns), total]).toEqual([filter, upTo(20).slice(13), 7])
      expect((await page(`${text}${filter}&from=${day}`)).total).toBe(48)
      // All of them are far ahead.
      if (rows !== 'requested' && rows !== 'done')
        expect((await page(`${text}${filter}&range=semana`)).total).toBe(0)
    }
  })

  test.runIf(turns)('is turned round by the header of its column, page after page', async () => {
    const answer = await world.visit(idsIn(path + text), reader())
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

  test('has pages that meet each row once, while others come in before and behind', async () => {
    const pages = await pagesOf(text, async () => void (await store(0, 999)))
    const [met, sizes] = [pages.flat(), pages.map(({ length }) => length)]
    expect(sizes).toEqual([size, 12])
    expect(increasing(met)).toEqual(increasing([...upTo(size + 11), order === 'up' ? 999 : 0]))
    expect(weeks(met)).toEqual(inOrder(met))
  })
})
