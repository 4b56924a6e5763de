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

describe('by name, by synonym, without accents, in any order', () => {
  test.each([
    ['nueva cita', '/admin/assignations/nueva'],
    ['agendar', '/admin/assignations/nueva'],
    ['optimizar mañana', '/admin/assignations/plan?dia=2026-11-24'],
    ['OPTIMIZAR MANANA', '/admin/assignations/plan?dia=2026-11-24'],
    ['optimizar hoy', '/admin/assignations/plan?dia=2026-11-23'],
    ['configuración de catálogo', '/admin/account/configuracion/catalogo'],
    ['catalogo', '/admin/account/configuracion/catalogo'],
    ['festivos', '/admin/account/configuracion/festivos'],
    ['precios catalogo', '/admin/account/configuracion/catalogo'],
    ['pagos', '/admin/payments'],
    ['concesionarias', '/admin/agencies'],
    ['tablero', '/admin/assignations?dia=2026-11-24'],
    ['conciliar', '/admin/payments/banco'],
    ['quien debe', '/admin/payments/cobrar'],
    ['mi cuenta', '/admin/account'],
  ])('%s', (typed, to) => expect(first(typed)?.to).toBe(to))

  test('nothing by other words', () => expect(found('zzzz')).toEqual([]))
})

describe('only what one may open', () => {
  test.each(staffKinds)('%s', (kind) => {
    const viewer = { ...as(kind), name: 'Ana' } as Parameters<typeof guard>[1]
    const all = found('', kind)
    expect(all.length).toBeGreaterThan(2)
    for (const { to } of all) {
      const path = to.split(/[?#]/)[0]!
      expect([to, screenAt(path) !== undefined, guard(path, viewer, on)]).toEqual([to, true, null])
    }
  })

  test.each(['analyst', 'tecnician', 'gester', 'alliate'] as const)('the manager’s are not %s’s', (kind) => {
    for (const typed of ['nueva cita', 'optimizar', 'configuración', 'invitar a alguien', 'dar de alta'])
      expect([typed, found(typed, kind)]).toEqual([typed, []])
  })

  test('nor what is switched off', () => {
    expect(found('pagos', 'manager', noModules)).toEqual([])
    expect(found('clientes', 'alliate', noModules).map(({ to }) => to)).toContain('/admin/alliate/clients')
  })
})
