import { describe, expect, test } from 'vitest'
import { findActions } from '../../src/domain/access/actions.ts'
import { type StaffKind, staffKinds } from '../../src/domain/access/actor.ts'
import { guard, modules, noModules, screenAt } from '../../src/domain/access/routes.ts'

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
    ['OPTIMIZAR MANANA', '/admin/assignations/plan?dia=2026-11-24'],
    ['optimizar hoy', '/admin/assignations/plan?dia=2026-11-23'],
    ['configuración de catálogo', '/admin/account/configuracion/catalogo'],
    ['catalogo', '/admin/account/configuracion/catalogo'],
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
