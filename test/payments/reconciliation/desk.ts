import { analyst, expectScreen, fixture } from '../../kit/open.ts'
import { bank, confirming, csv, office, type owing, reads, rowsOf, wordsOf } from '../../kit/payments.ts'

export type Debt = Awaited<ReturnType<typeof owing>>

export const expectBank = (...words: string[]) => expectScreen(bank, analyst, ...words)
/** Imports rows of a bank's file; those like stored ones are others. */
export async function read(...rows: string[]) {
  const answer = await reads(analyst, csv(...rows))
  const [, seen] = /name="seen" value="([^"]+)"/.exec(answer.text) ?? []
  if (answer.status !== 409 || !seen) return answer
  const others = Object.fromEntries([...answer.text.matchAll(/otro\.\d+/g)].map(([name]) => [name, 'on']))
  return reads(analyst, csv(...rows), 'movimientos.csv', { seen, ...others })
}
export const post = (form: Record<string, string>, by = analyst) => fixture.post(bank, form, by)
export const rowsFor = async ({ projectId }: Pick<Debt, 'projectId'>) => wordsOf(await rowsOf(projectId))
/** The office books a debt by its proof. */
export const book = ({ demand, projectId }: Debt, amount: string, more = {}) =>
  fixture.post(office(projectId), confirming(demand, amount, more), analyst)
