import { signedSummary } from '../../src/reports/rules/signed-summary.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const titles = (parts: ReturnType<typeof signedSummary>) => parts.map(({ title }) => title)

test('a visit is signed under what was found and what follows', () => {
  const needs = {
    loadIncrease: true,
    needsPermit: true,
    feasibility: 'with_works',
    feasibilityReason: 'Falta tierra.',
  }
  const [found, next] = signedSummary('visit', { ...completeAnswers.visit, ...needs })
  expect(found!.lines).toContainEqual({ label: 'Suministro', value: 'Bifásico 220\u00a0V' })
  expect(found!.lines).toContainEqual({ label: 'Viabilidad', value: 'Viable con adecuaciones' })
  expect(next!.sentences).toEqual([
    'Falta tierra.',
    'Aumentar la carga contratada con CFE.',
    'Pedir el permiso del condominio.',
    'La oficina revisa este reporte y manda la cotización.',
  ])
  expect(signedSummary('visit', { feasibility: 'not_viable' }).at(-1)!.sentences).toEqual([
    'Un analista busca otra manera.',
  ])
})

test('an installation is signed under what was installed, its tests with their marks, and what follows', () => {
  const changed = { agreedBreaker: 30, deviationReason: 'El cliente cambió de cargador.', insulation: 0.5 }
  const parts = signedSummary('installation', {
    ...completeAnswers.installation,
    ...changed,
    notes: 'Interna.',
  })
  expect(titles(parts)).toEqual(['Lo que instalamos', 'Pruebas', 'Lo que sigue'])
  const [done, tests] = parts
  expect(done!.lines).toContainEqual({ label: 'Pastilla instalada', value: '40\u00a0A' })
  expect(done!.lines).toContainEqual({ label: 'Calibre del cable de tierra', value: '10\u00a0AWG' })
  expect(done!.sentences).toEqual(['Cambió de lo acordado: El cliente cambió de cargador.'])
  expect(tests!.lines).toContainEqual({ label: 'Aislamiento', value: '0.5\u00a0MΩ', isGood: false })
  expect(tests!.lines).toContainEqual({
    label: 'Voltaje en el cargador',
    value: '219.5\u00a0V',
    isGood: true,
  })
  expect(JSON.stringify(parts)).not.toContain('Interna.')
})

test('leaves out what was not answered', () => {
  expect(titles(signedSummary('installation', {}))).toEqual(['Lo que sigue'])
})
