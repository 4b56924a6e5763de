import { findActions } from '../../src/access/rules/actions.ts'
import { type StaffKind, staffKinds } from '../../src/access/rules/actor.ts'
import { activeItem, menuFor } from '../../src/access/rules/menu.ts'
import { guard, modules, noModules, screenAt } from '../../src/access/rules/routes.ts'

const kinds = [null, ...staffKinds] as const
type Kind = (typeof kinds)[number]

/** A menu as the specification writes it: label and path, disabled ones in brackets, titles with a #. */
const written = (kind: Kind) =>
  menuFor({ kind }).flatMap(({ title, items }) => [
    ...(title ? [`# ${title}`] : []),
    ...items.map(({ label, dir, missing }) => (missing ? `[${label} ${dir}]` : `${label} ${dir}`)),
  ])

const home = 'Inicio /admin'
const pending = 'Próximas citas /admin/appointments-pending'
const done = 'Citas realizadas /admin/appointments-done'
const cotizations = 'Cotizaciones /admin/cotizations'
const clients = '[Clientes /admin/clients]'
const gesties = '[Gestorías /admin/gesties]'

const sidebars: [Kind, string[]][] = [
  [
    'manager',
    [
      home,
      'Asignaciones de citas /admin/assignations',
      clients,
      '# En proceso',
      pending,
      done,
      cotizations,
      gesties,
      '# Admin',
      '[Pagos /admin/payments]',
      'Consecionarias /admin/agencies',
      'Usuarios /admin/users',
    ],
  ],
  ['analyst', [home, pending, done, cotizations, clients]],
  ['tecnician', [home, pending, done]],
  ['gester', [home, gesties, clients]],
  ['alliate', [home, 'Clientes /admin/alliate/clients', 'Códigos /admin/alliate/codes']],
  [
    null,
    [
      'Inicio /',
      'Mi domicilio /address',
      'Asesoría virtual /videocall',
      'Visita técnica /technics-visit',
      'Cotización /quote',
      'Instalación /installation',
      'Pagos realizados /payments',
    ],
  ],
]

describe('sidebar', () => {
  test.each(sidebars)('of %s', (kind, expected) => expect(written(kind)).toEqual(expected))

  test.each(kinds)('every item of %s has its own id and opens to its kind', (kind) => {
    const known = { id: '1', email: 'a@demo.mx', emailVerified: true, twoFactor: false }
    const person = { ...known, name: 'Ana', lastname: null, agencyId: null }
    const viewer = kind
      ? ({ ...person, role: 'staff', kind } as const)
      : ({ ...person, role: 'customer', kind: null } as const)
    const items = menuFor({ kind }).flatMap((section) => section.items)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    for (const { dir, root } of items) {
      expect(guard(dir, viewer)).toBeNull()
      expect(screenAt(dir)?.root).toBe(root)
    }
  })
})

test('what is switched on is no longer missing, for whoever it is for', () => {
  const links = (kind: Kind) =>
    menuFor({ kind }, new Set(modules)).flatMap(({ items }) => items.filter(({ missing }) => missing))
  for (const kind of kinds) expect(links(kind)).toEqual([])
})

describe('active item', () => {
  const lit: [path: string, kind: Kind, label: string | undefined][] = [
    ['/', null, 'Inicio'],
    ['/completion', null, undefined],
    ['/address/', null, 'Mi domicilio'],
    ['/agenda-technics-visit', null, 'Visita técnica'],
    ['/fiscal', null, 'Pagos realizados'],
    ['/admin', 'manager', 'Inicio'],
    ['/admin/account', 'manager', undefined],
    ['/admin/assignations/7', 'manager', 'Asignaciones de citas'],
    ['/admin/appointment-pending-videocall/7', 'analyst', 'Próximas citas'],
    ['/admin/cotizations/add-quote/7', 'analyst', 'Cotizaciones'],
    ['/admin/agency/7', 'manager', 'Consecionarias'],
    ['/admin/users', 'gester', undefined],
    ['/admin/alliate/clients', 'alliate', 'Clientes'],
    ['/nowhere', 'manager', undefined],
  ]
  test.each(lit)('%s for %s', (path, kind, label) => expect(activeItem(path, { kind })?.label).toBe(label))

  test.each([
    ['manager', [], 'Usuarios'],
    ['manager', ['clients'], 'Clientes'],
    ['analyst', ['clients'], 'Clientes'],
    ['gester', ['clients'], 'Clientes'],
  ] as const)('a customer’s page, for %s with %j', (kind, on, label) => {
    for (const page of ['/admin/users/7/cliente', '/admin/users/7/cliente/domicilio'])
      expect(activeItem(page, { kind }, new Set(on))?.label).toBe(label)
    expect(activeItem('/admin/users/7', { kind: 'manager' }, new Set(on))?.label).toBe('Usuarios')
  })
})

const today = '2026-11-23'
const on = new Set(modules)
const as = (kind: StaffKind) => ({ role: 'staff' as const, kind })
const found = (typed: string, kind: StaffKind = 'manager', enabled: typeof noModules = on) =>
  findActions(typed, as(kind), enabled, today)
const first = (typed: string, kind?: StaffKind) => found(typed, kind)[0]

describe('the search for actions finds by name, synonym, without accents, in any order', () => {
  test.each([
    ['nueva cita', '/admin/assignations/nueva'],
    ['optimizar mañana', '/admin/assignations/plan?dia=2026-11-24'],
    ['configuración de catálogo', '/admin/account/configuracion/catalogo'],
    ['precios catalogo', '/admin/account/configuracion/catalogo'],
    ['pagos', '/admin/payments'],
    ['tablero', '/admin/assignations?dia=2026-11-24'],
    ['conciliar', '/admin/payments/banco'],
  ])('%s leads to %s', (typed, to) => expect(first(typed)?.to).toBe(to))

  test('finds nothing by other words', () => expect(found('zzzz')).toEqual([]))
})

describe('the search for actions shows each role only what it may open', () => {
  test.each(staffKinds)('to %s', (kind) => {
    const viewer = { ...as(kind), name: 'Ana' } as Parameters<typeof guard>[1]
    const all = found('', kind)
    expect(all.length).toBeGreaterThan(2)
    for (const { to } of all) {
      const path = to.split(/[?#]/)[0]!
      expect([to, screenAt(path) !== undefined, guard(path, viewer, on)]).toEqual([to, true, null])
    }
  })

  test.each(['analyst', 'tecnician', 'gester', 'alliate'] as const)(
    'hides the manager’s actions from %s',
    (kind) => {
      for (const typed of ['nueva cita', 'optimizar', 'configuración', 'invitar a alguien', 'dar de alta'])
        expect([typed, found(typed, kind)]).toEqual([typed, []])
    },
  )

  test('hides modules that are switched off', () => {
    expect(found('pagos', 'manager', noModules)).toEqual([])
    expect(found('clientes', 'alliate', noModules).map(({ to }) => to)).toContain('/admin/alliate/clients')
  })
})
