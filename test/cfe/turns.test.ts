import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveCaseFacts } from '../../src/server/cfe/commands.ts'
import { users } from '../../src/server/platform/database/schema/accounts.ts'
import {
  agreed,
  type Case,
  caseOf,
  complete,
  handIn,
  openedBy,
  paperWords,
  review,
  walk,
} from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { emailsAbout } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

/** A case whose papers are all validated, ready to be handed in. */
async function ready() {
  const customer = await world.person({ name: 'Camila' })
  const { analyst: maker, gester, technician } = people
  await agreed(world, { customer, technician, maker }, { loadIncrease: true })
  const one = await openedBy(world)
  await complete(world, gester, one)
  await walk(world, gester, one, 'complete')
  return { customer, one }
}
const observed = async (correctedBy: 'customer' | 'gester') => {
  const { customer, one } = await ready()
  await walk(world, people.gester, one, 'file', 'inspect')
  await walk(world, people.gester, one, { move: 'observe', correctedBy })
  return { customer, one }
}
const turn = async (one: Case) => {
  const { dueOn, state, waitingOn } = await caseOf(world, one)
  expect(dueOn).not.toBeNull()
  return `${state}: ${waitingOn}`
}
/** What the customer would read now, in plain text. */
async function letterText(one: Case) {
  const since = (await caseOf(world, one)).waitingSince.toISOString()
  const [sent] = await emailsOf(world.db, { letter: 'case_turn', caseId: one.id, since, to: 'customer' })
  return sent!.text
}
/** The letters that an act brings about. */
async function lettersAfter(one: Case, act: () => Promise<unknown>) {
  const before = (await emailsAbout(world, one)).length
  await act()
  return (await emailsAbout(world, one)).slice(before).toSorted()
}

test('a paper given back before it is handed in at CFE waits for the customer, who is told which', async () => {
  const { customer, one } = await ready()
  expect(await turn(one)).toBe('ready_to_file: gester')
  const told = await lettersAfter(one, () => review(world, people.gester, one, 'bill', 'Es de otro mes.'))
  expect(told).toEqual(['case_turn to customer'])
  expect(await turn(one)).toBe('ready_to_file: customer')
  const letter = await letterText(one)
  for (const said of ['Sigue: sube los documentos', 'Recibo de CFE sin adeudo', 'Es de otro mes.'])
    expect(letter).toContain(said)
  const after = await lettersAfter(one, () => handIn(world, customer, one, 'bill'))
  expect(after).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('ready_to_file: gester')
  expect(await letterText(one)).not.toContain('Recibo de CFE')
})

test('the next step of a case stands open and green; the way back is folded away, and asks once more', async () => {
  const { one } = await ready()
  const { text } = await world.visit(`/admin/gesties/${one.id}`, people.gester)
  const [next] = text.matchAll(/<button[^>]*class="([^"]*)"[^>]*>(?:<[^>]*>)*Ya lo ingresé/g)
  expect(next?.[1]).toContain('bg-brand')
  const back = [...text.matchAll(/<details([^>]*)>(?:(?!<\/details>).)*Sí, volver/gs)]
  expect(back.map(([, attributes]) => attributes!.includes('open'))).toEqual([false])
  expect(text).not.toMatch(/<button[^>]*>(?:<[^>]*>)*Volver a reunir/)
  expect(text.indexOf('Ya lo ingresé')).toBeLessThan(text.indexOf('Sí, volver'))
})

test('a turn of somebody who left is the managers’ to hear of', async () => {
  const { customer, one } = await ready()
  const { gester, manager } = people
  await review(world, gester, one, 'bill', 'Es de otro mes.')
  await handIn(world, customer, one, 'bill')
  const since = (await caseOf(world, one)).waitingSince.toISOString()
  const readers = async () => {
    const job = { letter: 'case_turn', caseId: one.id, since, to: 'gester' } as const
    return (await emailsOf(world.db, job)).map(({ to }) => to)
  }
  expect(await readers()).toEqual([gester.email])
  await world.db.update(users).set({ active: false }).where(eq(users.id, gester.id))
  expect(await readers()).toEqual([manager.email])
  await world.db.update(users).set({ active: true }).where(eq(users.id, gester.id))
})

test('another holder’s carta poder is asked for as soon as the case says so', async () => {
  const { one } = await ready()
  const facts = {
    holderName: 'Rosa Prueba',
    serviceNumber: null,
    meterNumber: null,
    poleMetres: null,
    chargerKilowatts: 7.4,
    contractedKilowatts: null,
    requestedKilowatts: null,
    tariff: null,
    isThreePhase: false,
    needsPermit: false,
    needsUvie: false,
  }
  const { version } = await caseOf(world, one)
  await saveCaseFacts(world.db, people.gester.actor, one.id, { ...facts, version }, new Date())
  expect(await paperWords(world, one)).toContain('power pending')
  expect(await turn(one)).toBe('ready_to_file: customer')
  expect(await letterText(one)).toContain('Carta poder firmada')
})

test('what the customer corrected is the gester’s, also once it is looked over and after a pause', async () => {
  const { customer, one } = await observed('customer')
  expect(await turn(one)).toBe('observed: customer')
  await review(world, people.gester, one, 'bill', 'CFE pide el último.')
  await review(world, people.gester, one, 'constancia', 'CFE la pide vigente.')
  await handIn(world, customer, one, 'bill')
  expect(await turn(one)).toBe('observed: customer')
  const told = await lettersAfter(one, () => handIn(world, customer, one, 'constancia'))
  expect(told).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('observed: gester')
  for (const name of ['bill', 'constancia'] as const) await review(world, people.gester, one, name)
  await walk(world, people.gester, one, 'hold', 'resume')
  expect(await turn(one)).toBe('observed: gester')
  await walk(world, people.gester, one, 'correct', 'inspect')
  await walk(world, people.gester, one, { move: 'observe', correctedBy: 'customer' })
  expect(await turn(one)).toBe('observed: customer')
})

test('what the gester brings themselves leaves the customer what is theirs to correct', async () => {
  const { one } = await observed('customer')
  await review(world, people.gester, one, 'charger_sheet', 'Falta la marca.')
  await handIn(world, people.gester, one, 'charger_sheet')
  expect(await turn(one)).toBe('observed: customer')
})

test('a paper of the customer’s given back is theirs to correct, whoever was to', async () => {
  const { one } = await observed('gester')
  expect(await turn(one)).toBe('observed: gester')
  await review(world, people.gester, one, 'bill', 'CFE pide el último.')
  expect(await turn(one)).toBe('observed: customer')
  const letter = await letterText(one)
  for (const said of ['CFE pidió una corrección', 'CFE pide el último.']) expect(letter).toContain(said)
})
