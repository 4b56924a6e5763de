import type { RouteConfigEntry } from '@react-router/dev/routes'
import fc from 'fast-check'
import { matchRoutes, type RouteObject } from 'react-router'
import { findActions } from '../../src/access/rules/actions.ts'
import { type Actor, type StaffKind, staffKinds, type Viewer } from '../../src/access/rules/actor.ts'
import {
  forbids,
  guard,
  isSwitchedOff,
  type Module,
  mayOpen,
  modules,
  needsSecondFactor,
  screenAt,
  screens,
} from '../../src/access/rules/routes.ts'
import { routesByBeginning } from '../../src/app/route-handlers.ts'
import { guardOther } from '../../src/app/screens/layouts/guarded.ts'
import routes from '../../src/routes.ts'

const known = { id: '1', email: 'alguien@demo.mx', emailVerified: true, twoFactor: false }
const person = { ...known, name: 'Ana', lastname: 'Ríos' }
const customer: Actor = { ...person, role: 'customer', kind: null, agencyId: null }
const staff = (kind: StaffKind): Actor => ({ ...person, role: 'staff', kind, agencyId: null })

const viewers: Record<string, Viewer> = {
  anonymous: null,
  newCustomer: { ...customer, name: null },
  newStaff: { ...staff('manager'), name: ' ' },
  customer,
  ...Object.fromEntries(staffKinds.map((kind) => [kind, staff(kind)])),
}

// "-" goes on; anything else is where that viewer is sent, in the order of `viewers`. Written by hand from the
// specification, §2, §4, §5; parts of a screen with an address of their own as their screen.
const table = [
  [
    '- /completion /completion / /admin /admin /admin /admin /admin',
    ['/signin /signup /approach /recover-password'],
  ],
  ['/signin - - / / / / / /', ['/completion']],
  [
    '/signin /completion /completion - /admin /admin /admin /admin /admin',
    [
      '/ /technics-visit /agenda-technics-visit /installation /agenda-installation /videocall',
      '/agenda-videocall /address /quote /payments /fiscal /payments/tarjeta/{id} /cuenta /ayuda',
    ],
  ],
  [
    '/signin /completion /completion / - - - - -',
    [
      '/admin /admin/appointments-done /admin/appointments-done/{id} /admin/users /admin/users/{id}',
      '/admin/agencies /admin/agencies/add /admin/agency/{id} /admin/cotizations',
      '/admin/cotizations/add-quote/{id} /admin/cotizations/detail-quote/{id} /admin/account /admin/clients',
      '/admin/gesties /admin/payments /admin/clients/{id} /admin/gesties/{id} /admin/agency/{id}/codigos',
      '/admin/agency/{id}/clientes /admin/agency/{id}/comisiones /admin/agency/{id}/integracion',
      '/admin/agency/{id}/datos /admin/cotizations/cobros/{id} /admin/payments/cobrar /admin/payments/libro',
      '/admin/payments/banco /admin/account/configuracion /admin/account/configuracion/festivos',
      '/admin/account/configuracion/traslados /admin/account/configuracion/catalogo',
      '/admin/account/configuracion/catalogo/{id} /admin/account/configuracion/{id} /admin/account/seguridad',
      '/admin/users/{id}/cliente /admin/users/{id}/cliente/domicilio /admin/users/{id}/cliente/unir',
      '/admin/buscar /admin/deshacer /admin/vistas /admin/cifras /admin/ayuda /admin/users/bloqueadas',
    ],
  ],
  [
    '/signin /completion /completion / - /admin /admin /admin /admin',
    [
      '/admin/assignations /admin/assignations/{id} /admin/assignations/{id}/mover',
      '/admin/assignations/nueva /admin/assignations/ausencia /admin/assignations/plan',
    ],
  ],
  [
    '/signin /completion /completion / - - - /admin -',
    ['/admin/appointments-pending /admin/appointments-pending/{id}'],
  ],
  [
    '/signin /completion /completion / - - /admin /admin /admin',
    ['/admin/appointment-pending-videocall/{id} /admin/appointment-done-videocall/{id}'],
  ],
  [
    '/signin /completion /completion / /admin /admin /admin /admin -',
    [
      '/admin/alliate/clients /admin/alliate/codes /admin/alliate/clients/registrar',
      '/admin/alliate/clients/{id}',
    ],
  ],
  ['- - - - - - - - -', ['/nowhere /admin/nowhere /admin/agency /admin/users/{id}/edit']],
] as const
const names = Object.keys(viewers)
const patternsOf = (route: RouteConfigEntry, above = ''): string[] => {
  const path = [above, route.path].filter(Boolean).join('/')
  return [`/${path}`, ...(route.children ?? []).flatMap((child) => patternsOf(child, path))]
}
const frame = routes.find(({ file }) => file === 'app/screens/layouts/internal.tsx')!
const inside = [...new Set(patternsOf(frame))]
const cases = table.flatMap(([led, paths]) =>
  paths
    .join(' ')
    .split(' ')
    .map((path) => ({ path, led: led.split(' ').map((to) => (to === '-' ? null : to)) })),
)
const withId = (path: string) => path.replace('{id}', '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f')

describe('guard', () => {
  test.each(cases)('leads every viewer of $path to where the specification says', ({ path, led }) => {
    for (const [column, to] of led.entries())
      expect(guard(withId(path), viewers[names[column]!]!), names[column]).toBe(to)
  })

  test.each(cases)('refuses a change at $path to roles that are redirected from it', ({ path, led }) => {
    // A role at the wrong start page is redirected to its own.
    const isOpen = ['/signin', '/signup', '/approach', '/recover-password', '/completion'].includes(path)
    for (const [column, to] of led.entries())
      expect(forbids(withId(path), viewers[names[column]!]!), names[column]).toBe(
        !isOpen && (to === '/' || to === '/admin'),
      )
  })

  test('the table has every path once, and every viewer', () => {
    const known = cases.map(({ path }) => path).filter((path) => screens.some((one) => one.path === path))
    expect(known.toSorted()).toEqual(screens.map(({ path }) => path).toSorted())
    for (const { led } of cases) expect(led).toHaveLength(names.length)
  })

  test('every route inside the frame is in it, and known to the guard', () => {
    const served = inside.map((pattern) => pattern.replaceAll(/:\w+/g, '{id}'))
    const listed = new Set(cases.map(({ path }) => path))
    expect(served.filter((path) => !listed.has(path) || !screenAt(withId(path)))).toEqual([])
  })

  test('every other route declares who may ask for it, and one that does not is not found', () => {
    const others = routes.flatMap((route) => patternsOf(route)).filter((pattern) => !screenAt(pattern))
    expect(others.length).toBeGreaterThan(30)
    for (const pattern of others) expect([null, '/signin']).toContain(guardOther(pattern, null))
    for (const pattern of ['/admin/users.csv', '/', '']) expect(() => guardOther(pattern, customer)).toThrow()
    expect(guardOther('/account/data', viewers.newCustomer!)).toBe(null)
    expect(guardOther('/handover/:file', viewers.newCustomer!)).toBe('/completion')
  })

  test('every chain of redirects ends within two steps', () => {
    for (const { path } of screens) {
      for (const viewer of Object.values(viewers)) {
        const first = guard(withId(path), viewer)
        const second = first && guard(first, viewer)
        expect(second && guard(second, viewer)).toBeNull()
      }
    }
  })
})

/** Reached otherwise than by the search: itself, what a toast opens, and what begins from a person. */
const linked = ['/admin/buscar', '/admin/deshacer', '/admin/assignations/ausencia']
/** Checked further by the screen itself: those who may read it find it. */
const checked = /^\/admin\/(cifras|agencies\/add|users\/bloqueadas|account\/(seguridad|configuracion.*))$/

describe.each([[[]], [modules]])('the search with the modules %j', (enabled) => {
  const on = new Set<Module>(enabled)
  test.each(staffKinds)('finds every screen that may be opened by %s', (kind) => {
    const found = new Set(findActions('', staff(kind), on, '2026-11-23').map(({ to }) => to.split(/[?#]/)[0]))
    const open = inside.filter((path) => !path.includes(':') && mayOpen(path, staff(kind), on))
    const missing = open.filter((path) => !found.has(path) && !linked.includes(path))
    expect(missing.filter((path) => kind === 'manager' || !checked.test(path))).toEqual([])
  })

  test.each([
    ['usuarios', 'analyst', '/admin/users'],
    ['directorio', 'tecnician', '/admin/users'],
    ['consecionarias', 'gester', '/admin/agencies'],
    ['cotizaciones', 'tecnician', '/admin/cotizations'],
    ['equipo', 'alliate', '/admin/users'],
  ] as const)('finds %s for %s', (typed, kind, to) =>
    expect(findActions(typed, staff(kind), on, '2026-11-23')[0]?.to).toBe(to),
  )
})

describe('modules', () => {
  const on = new Set(modules)
  test.each([
    ['/admin/clients', 'manager analyst gester'],
    ['/admin/clients/7', 'manager analyst gester'],
    ['/admin/gesties', 'manager gester'],
    ['/admin/gesties/7', 'manager gester'],
    ['/admin/payments', 'manager analyst'],
    ['/admin/payments/cobrar', 'manager analyst'],
    ['/admin/payments/libro', 'manager analyst'],
    ['/admin/payments/banco', 'manager analyst'],
  ])('%s once it is switched on is for: %s', (path, kinds) => {
    for (const viewer of Object.values(viewers)) {
      if (viewer?.role !== 'staff' || !viewer.name?.trim()) continue
      const mayEnter = kinds.split(' ').includes(viewer.kind ?? '')
      expect(guard(path, viewer, on)).toBe(mayEnter ? null : '/admin')
      expect(forbids(path, viewer, on)).toBe(!mayEnter)
    }
    expect(isSwitchedOff(path, on)).toBe(false)
    expect(isSwitchedOff(path, new Set())).toBe(true)
  })
})

describe('the guard knows a path that the router opens', () => {
  test('in capitals, with encoded letters or extra slashes', () => {
    for (const path of ['/admin/', '/ADMIN', '//admin', '/%61dmin', '/admin//']) {
      expect(guard(path, customer)).toBe('/')
    }
    expect(screenAt('/admin/users/a%2Fb')?.path).toBe('/admin/users/{id}')
    expect(screenAt('/admin/users/%E0%A4%A')?.path).toBe('/admin/users/{id}')
    expect(screenAt('')?.path).toBe('/')
    expect(screenAt('/__proto__')).toBeUndefined()
  })

  test('however a path is disguised', () => {
    const paths = screens.map(({ path }) => ({ id: path, path: path.replace('{id}', ':id') }))
    const disguise = fc.constantFrom<(letter: string) => string>(
      (letter) => letter,
      (letter) => letter.toUpperCase(),
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
      (letter) => letter + letter,
      () => '%2F',
    )
    const plain = fc.constant((letter: string) => letter)
    const disguises = fc.array(fc.oneof({ weight: 9, arbitrary: plain }, disguise), {
      minLength: 60,
      maxLength: 60,
    })
    fc.assert(
      fc.property(fc.constantFrom(...screens), disguises, ({ path }, change) => {
        const typed = [...withId(path)].map((letter, at) => change[at]?.(letter) ?? letter).join('')
        const opened = matchRoutes(paths, typed.startsWith('/') ? typed : `/${typed}`)?.[0]?.route.id
        if (opened) expect(screenAt(typed)?.path).toBe(opened)
      }),
      { numRuns: 1000 },
    )
  })
})

test('only public pages and completion have the clean layout', () => {
  const clean = screens.filter(({ layout }) => layout === 'clean').map(({ path }) => path)
  expect(clean).toEqual(['/signin', '/signup', '/approach', '/recover-password', '/completion'])
})

test('managers and analysts need a second factor until they have one, and no other person does', () => {
  const all = [customer, ...staffKinds.map(staff)]
  expect(all.filter(needsSecondFactor).map(({ kind }) => kind)).toEqual(['manager', 'analyst'])
  expect(all.map((one) => ({ ...one, twoFactor: true })).filter(needsSecondFactor)).toEqual([])
})

describe('routes by the beginning of an address', () => {
  type Listed = Parameters<typeof routesByBeginning>[0][number]
  const flat = (entries: readonly RouteConfigEntry[], parentId?: string): Listed[] =>
    entries.flatMap(({ children = [], file, id = file, index, path }) => [
      { id, ...(parentId && { parentId }), ...(path && { path }), ...(index && { index }) },
      ...flat(children, id),
    ])
  const all = flat(routes)
  const { beginningOf, sets } = routesByBeginning(all)
  const treeOf = (known: (id: string) => boolean, parentId?: string): RouteObject[] =>
    all
      .filter((route) => route.parentId === parentId && known(route.id))
      .map(({ id, index, path }): RouteObject => {
        const children = treeOf(known, id)
        return index ? { id, index } : { id, ...(path && { path }), ...(children[0] && { children }) }
      })
  const whole = treeOf(() => true)
  const narrowed = new Map([...sets].map(([beginning, ids]) => [beginning, treeOf((id) => ids.has(id))]))
  /** What React Router compares: the address of a page also for its data. */
  const pageOf = (path: string) => path.replace(/\/_\.data$/, '/').replace(/\.data$/, '')
  const matched = (tree: RouteObject[], path: string) =>
    matchRoutes(tree, pageOf(path))?.map(({ params, pathname, route }) => ({
      id: route.id,
      params,
      pathname,
    }))
  const isAlike = (path: string) => {
    const few = narrowed.get(beginningOf(path))
    if (few) expect({ path, matched: matched(few, path) }).toEqual({ path, matched: matched(whole, path) })
    return few !== undefined
  }
  const words = [...new Set(all.flatMap(({ path = '' }) => path.split('/')))]
  const beside = ['x', '%75sers', 'ADMIN', '..', '*', ':id', '_', 'a.data', '_.data', '1.csv', '']
  const endings = ['', '/', '.data', '/_.data', '/x', '/x.csv']

  test('match as all routes do, for every route and what is near it, and are few', () => {
    const pages = all.flatMap(({ path }) => (path ? [`/${path.replaceAll(/:\w+/g, 'x')}`] : []))
    const near = pages.flatMap((page) => endings.map((ending) => page + ending))
    expect([...near, '/', '/_.data'].filter(isAlike).length).toBeGreaterThan(near.length / 2)
    expect(Math.max(...[...sets.values()].map(({ size }) => size))).toBeLessThan(all.length / 4)
  })

  test('match as all routes do for any other address', () => {
    const segment = fc.constantFrom(...words, ...beside)
    const address = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.constantFrom(...endings))
    fc.assert(
      fc.property(address, ([segments, ending]) => void isAlike(`/${segments.join('/')}${ending}`)),
      { numRuns: 3_000 },
    )
  })
})
