import { expectScreen, people, world } from '../../kit/open.ts'
import { bank, confirming, csv, office, type owing, reads, rowsOf, wordsOf } from '../../kit/payments.ts'

export type Debt = Awaited<ReturnType<typeof owing>>

export const expectBank = (...words: string[]) => expectScreen(bank, people.analyst, ...words)
export const read = (...rows: string[]) => reads(world, people.analyst, csv(...rows))
export const post = (form: Record<string, string>, by = people.analyst) => world.post(bank, form, by)
export const rowsFor = async ({ projectId }: Pick<Debt, 'projectId'>) =>
  wordsOf(await rowsOf(world, projectId))
/** The office books a debt by its proof. */
export const book = ({ demand, projectId }: Debt, amount: string, more = {}) =>
  world.post(office(projectId), confirming(demand, amount, more), people.analyst)
