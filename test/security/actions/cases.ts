import { sql } from 'drizzle-orm'
import { cfeCases, cfePapers } from '../../../src/server/platform/database/schema/cfe.ts'
import { documents } from '../../../src/server/platform/database/schema/payments.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { storeDraft } from '../../kit/quotes.ts'
import type { World } from '../../kit/world.ts'
import type { Cast } from '../cast.ts'
import { homeOf } from './own-appointments.ts'
import type { Action, Actions } from './shape.ts'

let count = 0
const nextFolio = (prefix: string) => `${prefix}-2020-9${String(++count).padStart(5, '0')}`

/** A case of the customer's that the gester handles, or nobody does, with one paper to look over. */
async function stored(world: World, { customer, gester }: Cast, isNobodys = false) {
  await world.db.execute(sql`delete from cfe_papers`)
  await world.db.execute(sql`delete from cfe_cases`)
  const { projectId } = await homeOf(world, customer)
  const whose = { customerId: customer.id, projectId }
  const [row] = await world.db
    .insert(cfeCases)
    .values({
      ...whose,
      folio: nextFolio('GES'),
      kind: 'load_increase',
      waitingOn: 'gester',
      gesterId: isNobodys ? null : gester.id,
    })
    .returning()
  const file = { name: 'recibo.pdf', type: 'application/pdf', bytes: 1, sha256: 'a'.repeat(64) } as const
  const [document] = await world.db
    .insert(documents)
    .values({ ...whose, ...file, purpose: 'cfe_paper', uploadedBy: customer.id })
    .returning()
  const received = { state: 'received', documentId: document!.id, receivedAt: new Date() } as const
  await world.db.insert(cfePapers).values({ caseId: row!.id, name: 'bill', ...received })
  return { id: row!.id, version: '1', paper: 'bill', seen: document!.id }
}

type About = Awaited<ReturnType<typeof stored>>
type Wish = { form: (about: About, cast: Cast) => Record<string, string>; nobodys?: boolean }

/** A form of the screen of a case. */
const onCase = (intent: string, may: Action['may'], { form, nobodys = false }: Wish, more = {}): Action => ({
  name: intent,
  async attempt(world, cast) {
    const about = await stored(world, cast, nobodys)
    return { path: `/admin/gesties/${about.id}`, form: { intent, ...form(about, cast) } }
  },
  ...(may && { may }),
  ...more,
})

const version = ({ version }: About) => ({ version })
const paper = ({ paper, seen }: About) => ({ paper, seen })
const facts = { holderName: '', serviceNumber: '123456789012', meterNumber: 'M1', poleMetres: '12' }

/** A customer's paper, which is not in the form: nothing is sent but words. */
export const ownPaperForm: Action = {
  name: 'hand-in-case-paper',
  async attempt(world, cast) {
    const { id } = await stored(world, cast)
    return { path: '/installation', form: { intent: 'hand-in-case-paper', caseId: id, paper: 'bill' } }
  },
  hears: { customer: 400, customer2: 400 },
}

/** Cases with CFE. */
export const cases: Actions = {
  'cfe/list.tsx': [
    {
      name: 'cases.open',
      async attempt(world, cast) {
        await stored(world, cast)
        const start = new Date(Date.now() - 48 * hour)
        const visit = await storeVisit(world, cast.customer, await homeOf(world, cast.customer), start, {
          state: 'done',
          assigneeId: cast.technician.id,
        })
        const { folio } = await storeDraft(world, visit, cast.analyst, {
          folio: nextFolio('COT'),
          state: 'withdrawn',
        })
        return { path: '/admin/gesties', form: { intent: 'cases.open', folio, kind: 'name_change' } }
      },
      // The second finds one open already.
      may: { gester: 303, manager: 409 },
    },
    {
      name: 'cases.hand-over',
      async attempt(world, cast) {
        await stored(world, cast)
        const to = await world.person({ kind: 'gester' })
        const form = { intent: 'cases.hand-over', from: cast.gester.id, to: to.id }
        return { path: '/admin/gesties', form }
      },
      may: { manager: 303 },
    },
  ],
  'cfe/case.tsx': [
    onCase(
      'case.move',
      { gester: 303, manager: 409 },
      { form: (about) => ({ ...version(about), move: 'hold', reason: 'Falta algo.' }) },
    ),
    onCase(
      'case.ask-paper',
      { gester: 303, manager: 409 },
      { form: () => ({ asked: 'sketch', label: '', askedFrom: 'gester' }) },
    ),
    onCase('case.validate', { gester: 303, manager: 409 }, { form: paper }),
    onCase(
      'case.return',
      { manager: 303, gester: 409 },
      { form: (about) => ({ ...paper(about), reason: 'Está borroso.' }) },
    ),
    onCase(
      'case.facts',
      { gester: 303, manager: 409 },
      { form: (about) => ({ ...version(about), ...facts }) },
    ),
    onCase('case.note', { gester: 303, manager: 303 }, { form: () => ({ note: 'Hablé con CFE.' }) }),
    // The file is not in the form.
    onCase(
      'case.hand-in',
      undefined,
      { form: () => ({ paper: 'bill' }) },
      { hears: { gester: 400, manager: 400 } },
    ),
    onCase('case.take', { gester: 303 }, { form: version, nobodys: true }, { hears: { manager: 400 } }),
    onCase(
      'case.give',
      // To whom it is given: there already.
      { manager: 303, gester: 303 },
      { form: (about, cast) => ({ ...version(about), gesterId: cast.gester.id }), nobodys: true },
    ),
  ],
}
