import type { RouteConfigEntry } from '@react-router/dev/routes'
import fc from 'fast-check'
import { matchRoutes, type RouteObject } from 'react-router'
import { describe, expect, test } from 'vitest'
import { type Actor, type StaffKind, staffKinds, type Viewer } from '../../src/domain/access/actor.ts'
import {
  forbids,
  guard,
  isSwitchedOff,
  modules,
  needsSecondFactor,
  screenAt,
  screens,
} from '../../src/domain/access/routes.ts'
import { routesByBeginning } from '../../src/server/app/route-handlers.ts'
import routes from '../../src/web/routes.ts'

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

// "-" goes on; anything else is where that viewer is sent. Written by hand from the specification, §2, §4, §5; parts of a
// screen with an address of their own as their screen.
const table = `
path                                         anonymous newCustomer newStaff    customer manager analyst tecnician gester alliate
/signin                                      -         /completion /completion /        /admin  /admin  /admin    /admin /admin
/signup                                      -         /completion /completion /        /admin  /admin  /admin    /admin /admin
/approach                                    -         /completion /completion /        /admin  /admin  /admin    /admin /admin
/recover-password                            -         /completion /completion /        /admin  /admin  /admin    /admin /admin
/completion                                  /signin   -           -           /        /       /       /         /      /
/                                            /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/technics-visit                              /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/agenda-technics-visit                       /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/installation                                /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/agenda-installation                         /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/videocall                                   /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/agenda-videocall                            /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/address                                     /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/quote                                       /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/payments                                    /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/fiscal                                      /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/admin                                       /signin   /completion /completion /        -       -       -         -      -
/admin/assignations                          /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/assignations/{id}                     /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/assignations/{id}/mover               /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/appointments-pending                  /signin   /completion /completion /        -       -       -         /admin -
/admin/appointments-pending/{id}             /signin   /completion /completion /        -       -       -         /admin -
/admin/appointments-done                     /signin   /completion /completion /        -       -       -         -      -
/admin/appointments-done/{id}                /signin   /completion /completion /        -       -       -         -      -
/admin/appointment-pending-videocall/{id}    /signin   /completion /completion /        -       -       /admin    /admin /admin
/admin/appointment-done-videocall/{id}       /signin   /completion /completion /        -       -       /admin    /admin /admin
/admin/users                                 /signin   /completion /completion /        -       -       -         -      -
/admin/users/{id}                            /signin   /completion /completion /        -       -       -         -      -
/admin/agencies                              /signin   /completion /completion /        -       -       -         -      -
/admin/agencies/add                          /signin   /completion /completion /        -       -       -         -      -
/admin/agency/{id}                           /signin   /completion /completion /        -       -       -         -      -
/admin/cotizations                           /signin   /completion /completion /        -       -       -         -      -
/admin/cotizations/add-quote/{id}            /signin   /completion /completion /        -       -       -         -      -
/admin/cotizations/detail-quote/{id}         /signin   /completion /completion /        -       -       -         -      -
/admin/alliate/clients                       /signin   /completion /completion /        /admin  /admin  /admin    /admin -
/admin/alliate/codes                         /signin   /completion /completion /        /admin  /admin  /admin    /admin -
/admin/account                               /signin   /completion /completion /        -       -       -         -      -
/admin/clients                               /signin   /completion /completion /        -       -       -         -      -
/admin/gesties                               /signin   /completion /completion /        -       -       -         -      -
/admin/payments                              /signin   /completion /completion /        -       -       -         -      -
/admin/clients/{id}                          /signin   /completion /completion /        -       -       -         -      -
/admin/gesties/{id}                          /signin   /completion /completion /        -       -       -         -      -
/payments/tarjeta/{id}                       /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/admin/assignations/nueva                    /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/assignations/ausencia                 /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/assignations/plan                     /signin   /completion /completion /        -       /admin  /admin    /admin /admin
/admin/agency/{id}/codigos                   /signin   /completion /completion /        -       -       -         -      -
/admin/agency/{id}/clientes                  /signin   /completion /completion /        -       -       -         -      -
/admin/agency/{id}/comisiones                /signin   /completion /completion /        -       -       -         -      -
/admin/agency/{id}/integracion               /signin   /completion /completion /        -       -       -         -      -
/admin/agency/{id}/datos                     /signin   /completion /completion /        -       -       -         -      -
/admin/alliate/clients/registrar             /signin   /completion /completion /        /admin  /admin  /admin    /admin -
/admin/alliate/clients/{id}                  /signin   /completion /completion /        /admin  /admin  /admin    /admin -
/admin/cotizations/cobros/{id}               /signin   /completion /completion /        -       -       -         -      -
/cuenta                                      /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/admin/payments/cobrar                       /signin   /completion /completion /        -       -       -         -      -
/admin/payments/libro                        /signin   /completion /completion /        -       -       -         -      -
/admin/payments/banco                        /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion                 /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion/festivos        /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion/traslados       /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion/catalogo        /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion/catalogo/{id}   /signin   /completion /completion /        -       -       -         -      -
/admin/account/configuracion/{id}            /signin   /completion /completion /        -       -       -         -      -
/admin/users/{id}/cliente                    /signin   /completion /completion /        -       -       -         -      -
/admin/users/{id}/cliente/domicilio          /signin   /completion /completion /        -       -       -         -      -
/admin/users/{id}/cliente/unir               /signin   /completion /completion /        -       -       -         -      -
/admin/buscar                                /signin   /completion /completion /        -       -       -         -      -
/admin/deshacer                              /signin   /completion /completion /        -       -       -         -      -
/admin/vistas                                /signin   /completion /completion /        -       -       -         -      -
/admin/cifras                                /signin   /completion /completion /        -       -       -         -      -
/ayuda                                       /signin   /completion /completion -        /admin  /admin  /admin    /admin /admin
/admin/ayuda                                 /signin   /completion /completion /        -       -       -         -      -
/admin/users/bloqueadas                      /signin   /completion /completion /        -       -       -         -      -
/nowhere                                     -         -           -           -        -       -       -         -      -
/admin/nowhere                               -         -           -           -        -       -       -         -      -
/admin/agency                                -         -           -           -        -       -       -         -      -
/admin/users/{id}/edit                       -         -           -           -        -       -       -         -      -
`
const [header = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/))
const cases = rows.flatMap(([path = '', ...expected]) =>
  expected.map((to, column) => ({ path, who: header[column + 1] ?? '', to: to === '-' ? null : to })),
)
const withId = (path: string) => path.replace('{id}', '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f')

describe('guard', () => {
  test.each(cases)('$path for $who', ({ path, who, to }) => {
    expect(guard(withId(path), viewers[who] as Viewer)).toBe(to)
  })

  test.each(cases)('a change at $path by $who', ({ path, who, to }) => {
    // Whoever is only at the wrong door is led to the right one; the others are refused.
    const wrongDoor = ['/signin', '/completion'].includes(to ?? '') || !/^\/(admin)?$/.test(to ?? '')
    const publicOrCompletion = ['/signin', '/signup', '/approach', '/recover-password', '/completion']
    expect(forbids(withId(path), viewers[who] as Viewer)).toBe(
      to !== null && !wrongDoor && !publicOrCompletion.includes(path),
    )
  })

  test('the table has every path and every viewer once', () => {
    expect(header.slice(1)).toEqual(Object.keys(viewers))
    const known = rows
      .map(([path = '']) => path)
      .filter((path) => screens.some((screen) => screen.path === path))
    expect(known.toSorted()).toEqual(screens.map(({ path }) => path).toSorted())
    expect(rows.every((row) => row.length === header.length)).toBe(true)
  })

  test('every route inside the frame is in it, and known to the guard', () => {
    const inside = routes.find(({ file }) => file === 'app/layouts/internal.tsx')?.children ?? []
    const pathsOf = (route: RouteConfigEntry, above = ''): string[] => {
      const path = [above, route.path].filter(Boolean).join('/').replaceAll(/:\w+/g, '{id}')
      return [`/${path}`, ...(route.children ?? []).flatMap((child) => pathsOf(child, path))]
    }
    const served = [...new Set(inside.flatMap((route) => pathsOf(route)))]
    const listed = new Set(rows.map(([path]) => path))
    expect(served.filter((path) => !listed.has(path) || !screenAt(withId(path)))).toEqual([])
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

describe('modules', () => {
  const on = new Set(modules)
  const rows: [path: string, kinds: string[]][] = [
    ['/admin/clients', ['manager', 'analyst', 'gester']],
    ['/admin/clients/7', ['manager', 'analyst', 'gester']],
    ['/admin/gesties', ['manager', 'gester']],
    ['/admin/gesties/7', ['manager', 'gester']],
    ['/admin/payments', ['manager', 'analyst']],
    ['/admin/payments/cobrar', ['manager', 'analyst']],
    ['/admin/payments/libro', ['manager', 'analyst']],
    ['/admin/payments/banco', ['manager', 'analyst']],
  ]
  test.each(rows)('%s once it is switched on', (path, kinds) => {
    for (const viewer of Object.values(viewers)) {
      if (viewer?.role !== 'staff' || !viewer.name?.trim()) continue
      const mayEnter = kinds.includes(viewer.kind ?? '')
      expect(guard(path, viewer, on)).toBe(mayEnter ? null : '/admin')
      expect(forbids(path, viewer, on)).toBe(!mayEnter)
    }
    expect(isSwitchedOff(path, on)).toBe(false)
    expect(isSwitchedOff(path, new Set())).toBe(true)
  })
})

describe('what the router opens, the guard knows', () => {
  test('case, encoded letters, extra slashes', () => {
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

test('public pages and completion are clean, the rest internal', () => {
  const clean = screens.filter(({ layout }) => layout === 'clean').map(({ path }) => path)
  expect(clean).toEqual(['/signin', '/signup', '/approach', '/recover-password', '/completion'])
})

test('managers and analysts need a second factor until they have one, and no other person does', () => {
  const all = [customer, ...staffKinds.map(staff)]
  expect(all.filter(needsSecondFactor).map(({ kind }) => kind)).toEqual(['manager', 'analyst'])
  expect(all.map((one) => ({ ...one, twoFactor: true })).filter(needsSecondFactor)).toEqual([])
})

describe('the routes that an address is compared with', () => {
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

  test('are few, and those that match among all of them, for every route and what is near it', () => {
    const pages = all.flatMap(({ path }) => (path ? [`/${path.replaceAll(/:\w+/g, 'x')}`] : []))
    const near = pages.flatMap((page) => endings.map((ending) => page + ending))
    expect([...near, '/', '/_.data'].filter(isAlike).length).toBeGreaterThan(near.length / 2)
    expect(Math.max(...[...sets.values()].map(({ size }) => size))).toBeLessThan(all.length / 4)
  })

  test('also for any other address', () => {
    const segment = fc.constantFrom(...words, ...beside)
    const address = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.constantFrom(...endings))
    fc.assert(
      fc.property(address, ([segments, ending]) => void isAlike(`/${segments.join('/')}${ending}`)),
      { numRuns: 3_000 },
    )
  })
})
