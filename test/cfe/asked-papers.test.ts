import { expect, test } from 'vitest'
import { askForPaper } from '../../src/server/cfe/commands.ts'
import { ownCasesOf } from '../../src/server/cfe/queries.ts'
import { agreed, caseOf, complete, handIn, openedBy, paperWords, walk } from '../kit/cfe.ts'
import { openOnce, people, sendJobsOnce, world } from '../kit/open.ts'
import { emailsAbout, refusalOf, trailOf } from '../kit/reading.ts'

openOnce({ MODULES: 'gesties' })
sendJobsOnce()

test('CFE asks for others: a known one of the gester’s, or any by its name of the customer’s', async () => {
  const { analyst: maker, gester, technician } = people
  const customer = await world.person({ name: 'Camila' })
  await agreed(
    world,
    { customer, technician, maker },
    { loadIncrease: true, contractedKilowatts: 5, tariff: 'DAC' },
  )
  const one = await openedBy(world)
  expect(one).toMatchObject({ contractedKilowatts: 5, tariff: 'DAC' })
  await complete(world, gester, one)
  await walk(world, gester, one, 'complete', 'file', 'inspect', { move: 'observe', correctedBy: 'gester' })
  const ask = (wish: Partial<Parameters<typeof askForPaper>[3]>, by = gester) =>
    askForPaper(
      world.db,
      by.actor,
      one.id,
      { asked: 'sketch', label: null, askedFrom: 'gester', ...wish },
      new Date(),
    )
  expect((await refusalOf(ask({}, people.technician)))[0]).toBe('not-found')
  expect((await refusalOf(ask({}, customer)))[0]).toBe('permission-denied')
  await ask({})
  expect(await paperWords(world, one)).toContain('sketch pending')
  expect((await caseOf(world, one)).waitingOn).toBe('gester')
  // Asked once.
  expect((await refusalOf(ask({})))[0]).toBe('already-exists')
  await handIn(world, gester, one, 'sketch')
  expect(await paperWords(world, one)).toContain('sketch validated')
  const letters = (await emailsAbout(world, one)).length
  await ask({ asked: 'other', label: 'Plano de la cochera', askedFrom: 'customer' })
  expect((await caseOf(world, one)).waitingOn).toBe('customer')
  expect((await emailsAbout(world, one)).slice(letters)).toContain('case_turn to customer')
  const [own] = await ownCasesOf(world.db, customer.actor, one.projectId)
  expect(own!.papers.map(({ label }) => label)).toContain('Plano de la cochera')
  await handIn(world, customer, one, 'other_1')
  expect((await caseOf(world, one)).waitingOn).toBe('gester')
  expect((await trailOf(world, one)).filter((name) => name === 'paper_asked')).toHaveLength(2)
  await walk(world, gester, one, 'correct')
  expect((await refusalOf(ask({ asked: 'property' })))[0]).toBe('failed-precondition')
})
