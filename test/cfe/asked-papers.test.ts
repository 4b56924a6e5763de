import { expect, test } from 'vitest'
import { askForPaper } from '../../src/server/cfe/commands.ts'
import { ownCasesOf } from '../../src/server/cfe/queries.ts'
import { agreed, caseOf, complete, handIn, openedBy, paperWords, walk } from '../kit/cfe.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { emailsAbout, expectRefusal, trailOf } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

test('a gester asks once for a known paper, or for any by its name, of the gester or the customer', async () => {
  const { analyst: maker, gester, technician } = people
  const customer = await world.person({ name: 'Camila' })
  const answers = { loadIncrease: true, contractedKilowatts: 5, tariff: 'DAC' }
  await agreed(world, { customer, technician, maker }, answers)
  const one = await openedBy(world)
  expect(one).toMatchObject({ contractedKilowatts: 5, tariff: 'DAC' })
  await complete(world, gester, one)
  await walk(world, gester, one, 'complete', 'file', 'inspect', { move: 'observe', correctedBy: 'gester' })
  const ask = (wish: Partial<Parameters<typeof askForPaper>[3]> = {}, by = gester) => {
    const paper = { asked: 'sketch', label: null, askedFrom: 'gester', ...wish } as const
    return askForPaper(world.db, by.actor, one.id, paper, new Date())
  }
  const turn = async () => (await caseOf(world, one)).waitingOn
  await expectRefusal(ask({}, people.technician), 'not-found')
  await expectRefusal(ask({}, customer), 'permission-denied')
  await ask()
  expect(await paperWords(world, one)).toContain('sketch pending')
  expect(await turn()).toBe('gester')
  await expectRefusal(ask(), 'already-exists')
  await handIn(world, gester, one, 'sketch')
  expect(await paperWords(world, one)).toContain('sketch validated')
  const before = (await emailsAbout(world, one)).length
  await ask({ asked: 'other', label: 'Plano de la cochera', askedFrom: 'customer' })
  expect(await turn()).toBe('customer')
  expect((await emailsAbout(world, one)).slice(before)).toContain('case_turn to customer')
  const [own] = await ownCasesOf(world.db, customer.actor, one.projectId)
  expect(own!.papers.map(({ label }) => label)).toContain('Plano de la cochera')
  await handIn(world, customer, one, 'other_1')
  expect(await turn()).toBe('gester')
  expect((await trailOf(world, one)).filter((name) => name === 'paper_asked')).toHaveLength(2)
  await walk(world, gester, one, 'correct')
  await expectRefusal(ask({ asked: 'property' }), 'failed-precondition')
})
