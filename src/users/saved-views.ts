import { and, asc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Modules, mayOpen } from '../access/rules/routes.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { savedViews, users } from '../platform/database/schema/accounts.ts'
import { refuse } from '../shared/refusal.ts'
import { withoutAccents } from '../shared/text.ts'
import { mostViews, type SavedList, savedLists } from './rules/saved-view.ts'
import type { ViewInput } from './rules/schema.ts'

const { id, list: ofList, name, ownerId, query } = savedViews

/** The actor's own views of a list, or of all, in Spanish order. */
export const viewsOf = (db: Queryable, actor: Actor, list?: SavedList) =>
  db
    .select({ id, list: ofList, name, query })
    .from(savedViews)
    .where(and(eq(ownerId, actor.id), list && eq(ofList, list)))
    .orderBy(sql`${name} collate es`, asc(id))

export type SavedView = Awaited<ReturnType<typeof viewsOf>>[number]

/** Keeps the filters of a list under a name; one of the actor's that has it holds these from now on. */
export async function saveView(db: Db, actor: Actor, input: ViewInput, on: Modules): Promise<void> {
  if (!mayOpen(savedLists[input.list].path, actor, on)) refuse('permission-denied')
  await withOwn(db, actor, async (tx) => {
    const own = await viewsOf(tx, actor, input.list)
    const same = own.find((view) => isNamed(view, input.name))
    if (same) return tx.update(savedViews).set(input).where(eq(id, same.id))
    if (own.length >= mostViews)
      refuse(
        'failed-precondition',
        `Cada lista guarda hasta ${mostViews} vistas. Quita una que ya no uses y guarda esta.`,
      )
    return tx.insert(savedViews).values({ ...input, ownerId: actor.id })
  })
}

/** Gives one of the actor's views another name; another's is not found. */
export const renameView = (db: Db, actor: Actor, input: { viewId: string; name: string }): Promise<void> =>
  withOwn(db, actor, async (tx) => {
    const all = await viewsOf(tx, actor)
    const view = all.find((one) => one.id === input.viewId) ?? refuse('not-found')
    const isTaken = all.some(
      (one) => one.id !== view.id && one.list === view.list && isNamed(one, input.name),
    )
    if (isTaken) refuse('already-exists', 'Ya tienes una vista de esa lista con ese nombre.')
    await tx.update(savedViews).set({ name: input.name }).where(eq(id, view.id))
  })

/** Removes one of the actor's views; another's is not found. */
export async function removeView(db: Db, actor: Actor, viewId: string): Promise<void> {
  const gone = await db
    .delete(savedViews)
    .where(and(eq(id, viewId), eq(ownerId, actor.id)))
    .returning()
  if (gone.length === 0) refuse('not-found')
}

const isNamed = (view: { name: string }, other: string) => withoutAccents(view.name) === withoutAccents(other)

/** One change of a person's views at a time: the limit and the names hold for all of them. */
const withOwn = (db: Db, { id: owner }: Actor, change: (tx: Tx) => Promise<unknown>) =>
  transaction(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, owner)).for('no key update')
    await change(tx)
  })
