import type { Tx } from './database/client.ts'

/** What a noun does when another one changed: inside the transaction of the change, an error it throws undoes that. */
type Follow<Change, On> = (on: On, change: Change) => Promise<unknown>

/**
 * A change that nouns above follow: the noun that makes it declares it, and knows none of them. `On` is `Db` where they
 * follow after the commit.
 */
export type Followed<Change, On = Tx> = { name: string; follows: Follow<Change, On>[] }

export const followed = <Change, On = Tx>(name: string): Followed<Change, On> => ({ name, follows: [] })

/** Runs what follows a change, in the order of src/app/follows.ts. Returns the change, to which a follow may have added. */
export async function happened<Change, On>(
  on: On,
  { follows, name }: Followed<Change, On>,
  change: Change,
): Promise<Change> {
  if (follows.length === 0) throw new Error(`Nothing follows "${name}": src/app/follows.ts was not loaded.`)
  for (const follow of follows) await follow(on, change)
  return change
}
