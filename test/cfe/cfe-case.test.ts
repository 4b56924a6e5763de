import { type Actor, staffKinds } from '../../src/access/rules/actor.ts'
import {
  addWorkingDays,
  type CaseFacts,
  type CaseMoveName,
  type CaseTurn,
  caseMachine,
  caseStates,
  caseStatus,
  caseTurnSentence,
  dueDatesOf,
  goesBack,
  isOpenCase,
  isOverdue,
  turnOf,
  unseenCase,
  worksOn,
} from '../../src/cfe/rules/case.ts'
import {
  askableLabels,
  askedName,
  caseNeededBy,
  correctorAfter,
  needsFeasibility,
  nextPapers,
  owedByCustomer,
  type PaperFacts,
  paperFrom,
  paperLabel,
  papersFor,
  supplyFor,
  unvalidatedIn,
} from '../../src/cfe/rules/papers.ts'
import { requestedLoad } from '../../src/reports/rules/passport.ts'
import type { Refusal } from '../../src/shared/refusal.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const facts = (changes: Partial<CaseFacts> = {}): CaseFacts => ({
  state: 'gathering',
  kind: 'second_meter',
  heldFrom: null,
  gesterId: 'g',
  unvalidated: 0,
  ...changes,
})
const gester = { id: 'g', kind: 'gester' } as Actor
const led = (name: CaseMoveName, changes: Partial<CaseFacts> = {}, mover = gester) => {
  try {
    return caseMachine.next(name, mover, facts(changes))
  } catch (error) {
    return (error as Refusal).code
  }
}

describe('moves', () => {
  test('resuming leads back to the state before the pause', () => {
    for (const heldFrom of caseStates.filter((state) => isOpenCase(state) && state !== 'on_hold'))
      expect(led('resume', { state: 'on_hold', heldFrom })).toBe(heldFrom)
    expect(led('resume')).toBe('failed-precondition')
  })

  test('refuses filing with a paper missing, and a meter in a change of name', () => {
    expect(led('complete', { unvalidated: 1 })).toBe('failed-precondition')
    expect(led('file', { state: 'ready_to_file', unvalidated: 1 })).toBe('failed-precondition')
    const signed = { state: 'contract_signed', kind: 'name_change' } as const
    expect([led('close', signed), led('installMeter', signed)]).toEqual(['closed', 'failed-precondition'])
    expect(led('close', { state: 'contract_signed' })).toBe('failed-precondition')
  })

  test('CFE rejects only what was filed, and one move leads back', () => {
    const rejected = caseStates.filter((state) => led('reject', { state }) === 'rejected')
    expect(rejected).toEqual(['filed', 'inspection', 'observed', 'corrected'])
    expect(caseMachine.names.filter(goesBack)).toEqual(['reopen'])
  })

  test('lets its gester and managers work on a case, and any gester on one without', () => {
    const by = (gesterId: string | null) =>
      staffKinds.filter((kind) => worksOn({ id: 'g', kind } as Actor, { gesterId }))
    for (const whose of ['g', null]) expect(by(whose)).toEqual(['manager', 'gester'])
    expect(by('other')).toEqual(['manager'])
    expect(led('hold', { gesterId: 'other' })).toBe('permission-denied')
    expect(worksOn({ id: 'g', kind: null } as Actor, { gesterId: 'g' })).toBe(false)
  })
})

describe('the turn', () => {
  const kind = 'second_meter'

  test('follows the states', () => {
    const line = ['ready_to_file', 'inspection', 'approved', 'contract_signed', 'meter_installed'] as const
    const turns = line.map((state) => turnOf({ state, kind, correctedBy: null, customerOwes: false }))
    expect(turns.join(' ')).toBe('gester cfe customer cfe gester')
    const signed = { state: 'contract_signed', correctedBy: null, customerOwes: false } as const
    expect(turnOf({ ...signed, kind: 'name_change' })).toBe('gester')
  })

  test.each([
    ['gathering', null, 'customer', 'gester'],
    ['ready_to_file', null, 'customer', 'gester'],
    ['observed', null, 'customer', 'gester'],
    ['observed', 'gester', 'customer', 'gester'],
    ['observed', 'customer', 'customer', 'customer'],
    ['on_hold', 'customer', 'gester', 'gester'],
    ['corrected', 'customer', 'gester', 'gester'],
    ['inspection', 'customer', 'cfe', 'cfe'],
    ['approved', null, 'customer', 'customer'],
  ] as const)(
    '%s, corrected by %s: %s while a paper of the customer is missing, then %s',
    (state, correctedBy, owing, then) => {
      const turn = (customerOwes: boolean) => turnOf({ kind, state, correctedBy, customerOwes })
      expect([turn(true), turn(false)]).toEqual([owing, then])
    },
  )

  test('a correction is the gester’s once the customer’s papers came in', () => {
    expect(correctorAfter('customer', 'customer')).toBe('gester')
    expect(correctorAfter('gester', 'customer')).toBe('customer')
    expect([correctorAfter('customer', null), correctorAfter('customer', 'gester')]).toEqual([null, 'gester'])
  })

  test('asks nothing of the customer where the module is off', () => {
    const since = new Date(0)
    const standing = (turn: CaseTurn) => caseStatus(unseenCase({ state: 'gathering', turn, since }))
    expect(standing('customer')).toMatchObject({ waitingOn: 'gester', since, next: null })
    expect(standing('cfe')).toEqual(caseStatus({ state: 'gathering', turn: 'cfe', since }))
  })

  test('is worded for whoever reads it', () => {
    expect(caseTurnSentence('gester', true)).toBe('Te toca a ti')
    expect(caseTurnSentence('gester', false)).toBe('Le toca a: Gestor')
    expect(caseTurnSentence('cfe', true)).toBe('Le toca a: CFE')
  })

  test('is nobody’s exactly when the case is over', () => {
    for (const state of caseStates)
      expect(turnOf({ state, kind, correctedBy: null, customerOwes: true }) === 'none').toBe(
        !isOpenCase(state),
      )
  })
})

describe('due dates', () => {
  // 22:00 of Friday the 13th in Mexico City.
  const since = new Date('2026-11-14T04:00:00Z')

  test('are counted in working days per turn', () => {
    // Monday the 16th is a holiday.
    expect(dueDatesOf('cfe', 'filed', since)).toEqual({
      stated: '2026-11-23',
      usualFrom: '2026-11-28',
      late: '2026-12-28',
    })
    expect(dueDatesOf('gester', 'corrected', since)?.late).toBe('2026-11-18')
    expect(dueDatesOf('customer', 'gathering', since)?.late).toBe('2026-11-20')
    expect(dueDatesOf('gester', 'on_hold', since)).toBeNull()
    expect(dueDatesOf('none', 'closed', since)).toBeNull()
  })

  test('are overdue from the day after', () => {
    expect(isOverdue('2026-11-20', '2026-11-20')).toBe(false)
    expect(isOverdue('2026-11-20', '2026-11-21')).toBe(true)
    expect(isOverdue(null, '2026-11-21')).toBe(false)
  })

  test('skip weekends', () => {
    expect(addWorkingDays('2026-11-27', 1)).toBe('2026-11-30')
    expect(addWorkingDays('2026-11-27', 0)).toBe('2026-11-27')
  })
})

describe('papers', () => {
  const plain: PaperFacts = {
    kind: 'second_meter',
    isHolderOther: false,
    needsPermit: false,
    needsUvie: false,
    isThreePhase: false,
    poleMetres: 10,
  }

  test.each([
    [{}, 'official_id bill constancia property sketch charger_sheet'],
    [{ kind: 'load_increase' }, 'official_id bill constancia charger_sheet'],
    [{ kind: 'new_service' }, 'official_id constancia property sketch charger_sheet'],
    [{ kind: 'name_change' }, 'official_id bill constancia property'],
    [
      { isHolderOther: true, needsPermit: true, needsUvie: true, poleMetres: 35.1 },
      'official_id bill constancia property power condominium_permit sketch charger_sheet uvie_report feasibility',
    ],
    [
      { kind: 'name_change', isHolderOther: true, needsPermit: true, needsUvie: true, isThreePhase: true },
      'official_id bill constancia property power',
    ],
  ] as const)('of a case with %o are %s', (changes, wanted) =>
    expect(papersFor({ ...plain, ...changes } as PaperFacts).join(' ')).toBe(wanted),
  )

  test('include feasibility beyond 35 m, or with three phases', () => {
    expect(needsFeasibility({ isThreePhase: false, poleMetres: 35 })).toBe(false)
    expect(needsFeasibility({ isThreePhase: false, poleMetres: null })).toBe(false)
    expect(needsFeasibility({ isThreePhase: true, poleMetres: null })).toBe(true)
  })

  type Paper = Parameters<typeof nextPapers>[0][number]
  const papersIn = (...words: string[]) =>
    words
      .join(', ')
      .split(', ')
      .map((paper) => {
        const [name, state, askedFrom = null] = paper.split(' ')
        return { name, state, askedFrom } as Paper
      })

  test('are owed by the customer, or left to validate', () => {
    const papers = papersIn(
      'official_id rejected, bill pending, constancia received, sketch pending',
      'other_1 pending customer, property validated',
    )
    expect(owedByCustomer(papers).map(({ name }) => name)).toEqual(['official_id', 'bill', 'other_1'])
    expect(unvalidatedIn(papers)).toBe(5)
  })

  test('come next for the gester: those to review, else the first to hand in', () => {
    const papers = papersIn(
      'bill pending, constancia received, sketch validated, charger_sheet pending',
      'power received, other_1 rejected gester',
    )
    const next = (given: typeof papers) => nextPapers(given).map(({ name }) => name)
    expect(next(papers)).toEqual(['constancia', 'power'])
    const reviewed = papers.filter(({ state }) => state !== 'received')
    expect(next(reviewed)).toEqual(['charger_sheet'])
    expect(next(reviewed.filter(({ name }) => name !== 'charger_sheet'))).toEqual(['other_1'])
    expect(next(papers.slice(0, 1))).toEqual([])
  })

  test('that CFE asks for have a known name once, or one of three others', () => {
    expect(askedName('sketch', ['bill'])).toBe('sketch')
    expect(askedName('sketch', ['sketch'])).toBeNull()
    expect(askedName('other', ['bill', 'other_1'])).toBe('other_2')
    expect(askedName('other', ['other_1', 'other_2', 'other_3'])).toBeNull()
    expect(Object.keys(askableLabels)).toContain('other')
    expect(Object.keys(askableLabels)).not.toContain('other_1')
    expect(paperLabel({ name: 'other_1', label: 'Plano de la cochera' })).toBe('Plano de la cochera')
    expect(paperFrom({ name: 'sketch', askedFrom: 'customer' })).toBe('customer')
  })

  test.each([
    // 11.82 kVA of the house and 8.8 of the charger.
    ['load_increase', {}, 21, 'Trifásico, 220\u00a0V'],
    ['load_increase', { contractedKilowatts: 22 }, 22, 'Trifásico, 220\u00a0V'],
    ['load_increase', { loads: null }, null, null],
    ['second_meter', { meterChoice: 'second' }, 9, 'Bifásico, 220\u00a0V'],
    ['new_service', { chargerAmps: 16, chargerKilowatts: 3.5 }, 5, 'Monofásico, 127\u00a0V'],
  ] as const)('%s with %o asks for %s kW: %s', (kind, changes, asked, supply) => {
    const answers = { ...completeAnswers.visit, contractedKilowatts: 10, ...changes }
    expect(requestedLoad(answers, kind !== 'load_increase')).toBe(asked)
    expect(supplyFor(asked, false)).toBe(supply)
    expect(supplyFor(asked, true)).toBe('Trifásico, 220\u00a0V')
  })

  test.each([
    [{ meterChoice: 'second', loadIncrease: true }, 'second_meter'],
    [{ meterChoice: 'same', loadIncrease: true }, 'load_increase'],
    [{ meterChoice: 'same', needsUvie: true }, 'load_increase'],
    [{ meterChoice: 'same', loadIncrease: false }, null],
    [{}, null],
  ] as const)('a report with %o needs %s', (answers, kind) => expect(caseNeededBy(answers)).toBe(kind))
})
