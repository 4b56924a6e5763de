import { expect, test } from 'vitest'
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
  saveFacts,
  walk,
} from '../kit/cfe.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { emailsAbout, expectWords, setIn } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

/** A case whose papers are all validated, ready to be filed. */
async function ready() {
  const customer = await world.person({ name: 'Camila' })
  const { analyst: maker, gester, technician } = people
  await agreed(world, { customer, technician, maker }, { loadIncrease: true })
  const one = await openedBy(world)
  await complete(world, gester, one)
  await walk(world, gester, one, 'complete')
  return { customer, one }
}
async function observed(correctedBy: 'customer' | 'gester') {
  const made = await ready()
  await walk(world, people.gester, made.one, 'file', 'inspect', { move: 'observe', correctedBy })
  return made
}
const turn = async (one: Case) => {
  const { dueOn, state, waitingOn } = await caseOf(world, one)
  expect(dueOn).not.toBeNull()
  return `${state}: ${waitingOn}`
}
/** The emails about whose turn it is now. */
async function turnEmails(one: Case, to: 'customer' | 'gester' = 'customer') {
  const since = (await caseOf(world, one)).waitingSince.toISOString()
  return emailsOf(world.db, { letter: 'case_turn', caseId: one.id, since, to })
}
const emailText = async (one: Case) => (await turnEmails(one))[0]!.text
/** The emails that an act sends. */
async function emailsAfter(one: Case, act: () => Promise<unknown>) {
  const before = (await emailsAbout(world, one)).length
  await act()
  return (await emailsAbout(world, one)).slice(before).toSorted()
}

test('a paper returned before filing is the customer’s turn, and then the gester’s; managers stand in for an inactive gester', async () => {
  const { customer, one } = await ready()
  const { gester, manager } = people
  expect(await turn(one)).toBe('ready_to_file: gester')
  const { text } = await world.visit(`/admin/gesties/${one.id}`, gester)
  const [next] = text.matchAll(/<button[^>]*class="([^"]*)"[^>]*>(?:<[^>]*>)*Ya lo ingresé/g)
  expect(next?.[1]).toContain('bg-brand')
  // The way back is folded away.
  expect(text).toMatch(/<details(?![^>]* open)[^>]*>(?:(?!<\/details>).)*Sí, volver/s)
  expect(text).not.toMatch(/<button[^>]*>(?:<[^>]*>)*Volver a reunir/)
  expect(text.indexOf('Ya lo ingresé')).toBeLessThan(text.indexOf('Sí, volver'))

  const returned = await emailsAfter(one, () => review(world, gester, one, 'bill', 'Es de otro mes.'))
  expect(returned).toEqual(['case_turn to customer'])
  expect(await turn(one)).toBe('ready_to_file: customer')
  expectWords(
    await emailText(one),
    'Sigue: sube los documentos',
    'Recibo de CFE sin adeudo',
    'Es de otro mes.',
  )
  const handedIn = await emailsAfter(one, () => handIn(world, customer, one, 'bill'))
  expect(handedIn).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('ready_to_file: gester')
  expect(await emailText(one)).not.toContain('Recibo de CFE')
  for (const [active, reader] of [
    [true, gester],
    [false, manager],
  ] as const) {
    await setIn(world, users, gester, { active })
    expect((await turnEmails(one, 'gester')).map(({ to }) => to)).toEqual([reader.email])
  }
  await setIn(world, users, gester, { active: true })

  await saveFacts(world, gester, one, { holderName: 'Rosa Prueba' })
  expect(await paperWords(world, one)).toContain('power pending')
  expect(await turn(one)).toBe('ready_to_file: customer')
  expect(await emailText(one)).toContain('Carta poder firmada')
})

test('papers that the customer corrected stay the gester’s turn after a review and a pause', async () => {
  const { customer, one } = await observed('customer')
  const { gester } = people
  expect(await turn(one)).toBe('observed: customer')
  await review(world, gester, one, 'charger_sheet', 'Falta la marca.')
  await handIn(world, gester, one, 'charger_sheet')
  expect(await turn(one)).toBe('observed: customer')
  await review(world, gester, one, 'bill', 'CFE pide el último.')
  await review(world, gester, one, 'constancia', 'CFE la pide vigente.')
  await handIn(world, customer, one, 'bill')
  expect(await turn(one)).toBe('observed: customer')
  const sent = await emailsAfter(one, () => handIn(world, customer, one, 'constancia'))
  expect(sent).toEqual(['case_turn to customer', 'case_turn to gester'])
  expect(await turn(one)).toBe('observed: gester')
  for (const name of ['bill', 'constancia'] as const) await review(world, gester, one, name)
  await walk(world, gester, one, 'hold', 'resume')
  expect(await turn(one)).toBe('observed: gester')
  await walk(world, gester, one, 'correct', 'inspect', { move: 'observe', correctedBy: 'customer' })
  expect(await turn(one)).toBe('observed: customer')
})

test('a returned paper of the customer is their turn, also where the gester was to correct', async () => {
  const { one } = await observed('gester')
  expect(await turn(one)).toBe('observed: gester')
  await review(world, people.gester, one, 'bill', 'CFE pide el último.')
  expect(await turn(one)).toBe('observed: customer')
  expectWords(await emailText(one), 'CFE pidió una corrección', 'CFE pide el último.')
})
